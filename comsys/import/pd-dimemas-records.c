/* The records of configurations of Dimemas, as far as they matter: each is checked
 * and kept.
 * SPDX-License-Identifier: MIT */
#include "base/pd-number.h"
#include "comsys/import/pd-dimemas-cfg-private.h"
#include "comsys/import/pd-dimemas-records-private.h"

#include <string.h>

typedef gboolean (*RecordFunc) (PdDimemasFile *self, const PdCfgRecord *record);

static void
clear_group (gpointer data)
{
  PdDimemasGroup *group = data;

  g_free (group->speed);
  for (guint i = 0; i < G_N_ELEMENTS (group->memory); i++)
    g_free (group->memory[i]);
  for (guint i = 0; i < G_N_ELEMENTS (group->network); i++)
    g_free (group->network[i]);
}

void
pd_dimemas_config_clear (PdDimemasFile *self)
{
  g_array_unref (self->groups);
  g_free (self->bandwidth);
  g_free (self->buses);
  g_free (self->map);
  g_clear_pointer (&self->mapping, g_array_unref);
  g_free (self->costs);
  g_ptr_array_unref (self->modules);
}

/* ---- fields */

static const char *
field (const PdCfgRecord *record, guint i)
{
  return g_ptr_array_index (record->fields, i);
}

static gboolean
fail (const PdDimemasFile *self, const PdCfgRecord *record, const char *what)
{
  return pd_cfg_fail (self->file, record->line, PD_MACHINE_ERROR_VALUE, "\"%s\": %s", record->name,
                      what);
}

static gboolean
get_count (const PdDimemasFile *self, const PdCfgRecord *record, guint i, guint64 least,
           guint64 *count)
{
  g_autofree char *what = NULL;

  if (g_ascii_string_to_unsigned (field (record, i), 10, least, PD_MACHINE_MAX_PROCESSORS, count,
                                  NULL))
    return TRUE;
  what =
      g_strdup_printf ("field %u is '%s', expected a whole number from %" G_GUINT64_FORMAT " to %d",
                       i + 1, field (record, i), least, PD_MACHINE_MAX_PROCESSORS);
  return fail (self, record, what);
}

/* A number of at least 0, as it is written. */
static gboolean
get_number (const PdDimemasFile *self, const PdCfgRecord *record, guint i, char **text)
{
  const char *given = field (record, i);
  gdouble number;

  if ((g_ascii_isdigit (*given) || *given == '.') && pd_number_parse_real (given, &number))
    {
      g_free (*text);
      *text = g_strdup (given);
      return TRUE;
    }
  g_autofree char *what =
      g_strdup_printf ("field %u is '%s', expected a number of at least 0", i + 1, given);
  return fail (self, record, what);
}

static gboolean
check_fields (const PdDimemasFile *self, const PdCfgRecord *record, guint n)
{
  if (record->fields->len == n)
    return TRUE;
  g_autofree char *what = g_strdup_printf ("%u fields, expected %u", record->fields->len, n);
  return fail (self, record, what);
}

static gboolean
check_machine (const PdDimemasFile *self, const PdCfgRecord *record, guint i)
{
  return g_str_equal (field (record, i), "0")
         || fail (self, record, "expected machine 0; several machines are not covered");
}

/* ---- records */

static gboolean
read_wide_area (PdDimemasFile *self, const PdCfgRecord *record)
{
  if (!check_fields (self, record, 7))
    return FALSE;
  if (!g_str_equal (field (record, 1), "1"))
    return fail (self, record, "several machines in a wide area network are not covered");
  return g_str_equal (field (record, 2), "0")
         || fail (self, record, "dedicated connections are not covered");
}

static gboolean
read_environment (PdDimemasFile *self, const PdCfgRecord *record)
{
  if (!check_fields (self, record, 7) || !check_machine (self, record, 1))
    return FALSE;
  if (self->env_line != 0)
    return fail (self, record, "is given twice; several machines are not covered");
  self->env_line = record->line;
  if (!get_count (self, record, 3, 1, &self->env_nodes)
      || !get_number (self, record, 4, &self->bandwidth)
      || !get_number (self, record, 5, &self->buses)
      || !get_count (self, record, 6, 1, &self->model))
    return FALSE;
  return self->model <= 3
         || fail (self, record, "field 7 is no model of collective operations, expected 1 to 3");
}

/* The fields from the number of processors on, number @i. */
static gboolean
read_group (PdDimemasFile *self, const PdCfgRecord *record, guint64 count, guint i)
{
  PdDimemasGroup new = { .line = record->line, .count = count };

  g_array_append_val (self->groups, new);
  PdDimemasGroup *group = &g_array_index (self->groups, PdDimemasGroup, self->groups->len - 1);
  self->n_nodes += count;
  if (self->n_nodes > PD_MACHINE_MAX_PROCESSORS)
    return fail (self, record, "too many nodes");
  if (!get_count (self, record, i, 1, &group->processors)
      || !get_number (self, record, i + 1, &group->speed))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (group->memory); k++)
    if (!get_number (self, record, i + 2 + k, &group->memory[k]))
      return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (group->network); k++)
    if (!get_number (self, record, i + 7 + k, &group->network[k]))
      return FALSE;
  return g_ascii_strtod (group->speed, NULL) > 0
         || fail (self, record, "a speed ratio of 0 is not covered");
}

/* With the number of the node or without. */
static gboolean
read_node (PdDimemasFile *self, const PdCfgRecord *record)
{
  if (record->fields->len != 14 && !check_fields (self, record, 13))
    return FALSE;
  return check_machine (self, record, 0) && read_group (self, record, 1, record->fields->len - 11);
}

static gboolean
read_multi_node (PdDimemasFile *self, const PdCfgRecord *record)
{
  guint64 count;

  return check_fields (self, record, 14) && check_machine (self, record, 0)
         && get_count (self, record, 1, 1, &count) && read_group (self, record, count, 3);
}

static gboolean
begin_map (PdDimemasFile *self, const PdCfgRecord *record)
{
  if (self->map_line != 0)
    return fail (self, record, "tasks are mapped twice; several applications are not covered");
  self->map_line = record->line;
  return TRUE;
}

/* {"trace", n, [n] {node, node, …}} */
static gboolean
read_mapping (PdDimemasFile *self, const PdCfgRecord *record)
{
  guint64 n, node;

  if (record->fields->len < 3 || *field (record, 2) != '[')
    return fail (self, record, "expected a file name, a number of tasks, and [n] {node, …}");
  if (!begin_map (self, record) || !get_count (self, record, 1, 1, &n)
      || !check_fields (self, record, (guint) n + 3))
    return FALSE;
  self->mapping = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 3; i < record->fields->len; i++)
    {
      if (!get_count (self, record, i, 0, &node))
        return FALSE;
      g_array_append_val (self->mapping, node);
    }
  return TRUE;
}

/* {"2 TASKS_PER_NODE"}, perhaps with the name of the trace before it */
static gboolean
read_predefined_mapping (PdDimemasFile *self, const PdCfgRecord *record)
{
  const char *map = record->fields->len > 0 ? field (record, record->fields->len - 1) : "";
  guint64 n;

  if (!begin_map (self, record))
    return FALSE;
  if (g_str_equal (map, "FILL_NODES"))
    self->map = g_strdup ("block");
  else if (g_str_equal (map, "INTERLEAVED"))
    self->map = g_strdup ("interleaved");
  else if (g_str_has_suffix (map, " TASKS_PER_NODE"))
    {
      g_autofree char *number = g_strndup (map, strlen (map) - strlen (" TASKS_PER_NODE"));
      if (g_ascii_string_to_unsigned (g_strstrip (number), 10, 1, PD_MACHINE_MAX_PROCESSORS, &n,
                                      NULL))
        self->map = g_strdup_printf ("per-node:%" G_GUINT64_FORMAT, n);
    }
  return self->map != NULL
         || fail (self, record, "expected 'N TASKS_PER_NODE', 'FILL_NODES' or 'INTERLEAVED'");
}

/* {"scheduler", "file system", "communication", "sensitivity"} */
static gboolean
read_files (PdDimemasFile *self, const PdCfgRecord *record)
{
  if (!check_fields (self, record, 4))
    return FALSE;
  if (*field (record, 3) != '\0')
    return fail (self, record, "a file of random values is not covered");
  g_free (self->costs);
  self->costs = *field (record, 2) != '\0' ? g_strdup (field (record, 2)) : NULL;
  return TRUE;
}

static gboolean
read_module (PdDimemasFile *self, const PdCfgRecord *record)
{
  char *ratio = NULL;
  guint64 number;

  if (!check_fields (self, record, 3))
    return FALSE;
  if (!g_ascii_string_to_unsigned (field (record, 0), 10, 0, G_MAXINT64, &number, NULL)
      || !g_ascii_string_to_unsigned (field (record, 1), 10, 1, G_MAXINT64, &number, NULL))
    return fail (self, record, "expected a type of events, a value of at least 1 and a ratio");
  if (*field (record, 2) == '-')
    return fail (self, record, "a fixed duration (a ratio below 0) is not covered");
  if (!get_number (self, record, 2, &ratio))
    return FALSE;
  g_ptr_array_add (self->modules, g_strdup (field (record, 0)));
  g_ptr_array_add (self->modules, g_strdup (field (record, 1)));
  g_ptr_array_add (self->modules, ratio);
  return g_ascii_strtod (ratio, NULL) > 0 || fail (self, record, "a ratio of 0 is not covered");
}

static gboolean
refuse (PdDimemasFile *self, const PdCfgRecord *record)
{
  return fail (self, record, "is not covered");
}

/* Records without effect on traces that lack their events. */
static gboolean
pass_over (PdDimemasFile *self G_GNUC_UNUSED, const PdCfgRecord *record G_GNUC_UNUSED)
{
  return TRUE;
}

static const struct
{
  const char *name;
  RecordFunc read;
} records[] = {
  { "wide area network information", read_wide_area },
  { "environment information", read_environment },
  { "node information", read_node },
  { "multi node information", read_multi_node },
  { "mapping information", read_mapping },
  { "predefined mapping information", read_predefined_mapping },
  { "configuration files", read_files },
  { "modules information", read_module },
  { "file system parameters", pass_over },
  { "dedicated connection information", refuse },
  { "accelerator node information", refuse },
};

static gboolean
read_record (PdDimemasFile *self, const PdCfgRecord *record)
{
  for (gsize i = 0; i < G_N_ELEMENTS (records); i++)
    if (strcmp (records[i].name, record->name) == 0)
      return records[i].read (self, record);
  return fail (self, record, "unknown record");
}

static gboolean
read_all (PdDimemasFile *self)
{
  for (;;)
    {
      g_auto (PdCfgRecord) record;
      gboolean at_end;
      if (!pd_cfg_next (self->file, &record, &at_end))
        return FALSE;
      if (at_end)
        return TRUE;
      if (!read_record (self, &record))
        return FALSE;
    }
}

gboolean
pd_dimemas_config_read (PdDimemasFile *self, PdCfgFile *file)
{
  *self = (PdDimemasFile){ .file = file };
  self->groups = g_array_new (FALSE, TRUE, sizeof (PdDimemasGroup));
  g_array_set_clear_func (self->groups, clear_group);
  self->modules = g_ptr_array_new_with_free_func (g_free);
  if (!g_utf8_validate (file->p, -1, NULL))
    return pd_cfg_fail (file, 1, PD_MACHINE_ERROR_FORMAT, "not UTF-8");
  if (!read_all (self))
    return FALSE;
  if (self->env_line > 0 && self->n_nodes == self->env_nodes)
    return TRUE;
  return pd_cfg_fail (file, MAX (1, self->env_line), PD_MACHINE_ERROR_SCHEMA,
                      "%" G_GUINT64_FORMAT
                      " nodes are described, expected \"environment information\" "
                      "with so many, not %" G_GUINT64_FORMAT,
                      self->n_nodes, self->env_nodes);
}
