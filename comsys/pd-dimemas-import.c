/* Configurations of Dimemas to the XML tree: the machine is one network of type
 * dimemas, the memory of its nodes another, collective operations are costed by
 * the set "simple".
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-dimemas-cfg-private.h"

#include <math.h>
#include <string.h>

/* Nodes that are alike; texts are of the file. */
typedef struct
{
  guint line;
  guint64 count;
  guint64 processors;
  char *speed;
  char *memory[5];  /* latency, bandwidth, buses, in-links, out-links */
  char *network[3]; /* latency, in-links, out-links */
} Group;

enum
{
  LATENCY,
  BANDWIDTH,
  BUSES,
  IN_LINKS,
  OUT_LINKS,
};

static const char *const network_names[] = { "latency", "in-links", "out-links" };
static const char *const memory_names[] = { "latency", "bandwidth", "buses", "in-links",
                                            "out-links" };

typedef struct
{
  PdCfgFile *file;
  GArray *groups;
  guint64 n_nodes;   /* of the groups */
  guint env_line;    /* 0 = not yet */
  guint64 env_nodes; /* as announced */
  char *bandwidth;   /* MB/s */
  char *buses;
  guint64 model;
  char *map;
  GArray *mapping; /* (nullable): guint64, node of each task */
  guint map_line;
  char *costs;        /* (nullable): file of collective operations */
  GPtrArray *modules; /* char *: type, value, ratio, … */
} Config;

typedef gboolean (*RecordFunc) (Config *self, const PdCfgRecord *record);

static void
clear_group (gpointer data)
{
  Group *group = data;

  g_free (group->speed);
  for (guint i = 0; i < G_N_ELEMENTS (group->memory); i++)
    g_free (group->memory[i]);
  for (guint i = 0; i < G_N_ELEMENTS (group->network); i++)
    g_free (group->network[i]);
}

static void
config_clear (Config *self)
{
  g_array_unref (self->groups);
  g_free (self->bandwidth);
  g_free (self->buses);
  g_free (self->map);
  g_clear_pointer (&self->mapping, g_array_unref);
  g_free (self->costs);
  g_ptr_array_unref (self->modules);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Config, config_clear)

/* ---- fields */

static const char *
field (const PdCfgRecord *record, guint i)
{
  return g_ptr_array_index (record->fields, i);
}

static gboolean
fail (const Config *self, const PdCfgRecord *record, const char *what)
{
  return pd_cfg_fail (self->file, record->line, PD_MACHINE_ERROR_VALUE, "\"%s\": %s", record->name,
                      what);
}

static gboolean
get_count (const Config *self, const PdCfgRecord *record, guint i, guint64 least, guint64 *count)
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
get_number (const Config *self, const PdCfgRecord *record, guint i, char **text)
{
  const char *given = field (record, i);
  char *end;
  gdouble number = g_ascii_strtod (given, &end);

  if ((g_ascii_isdigit (*given) || *given == '.') && *end == '\0' && isfinite (number)
      && strpbrk (given, "xX") == NULL)
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
check_fields (const Config *self, const PdCfgRecord *record, guint n)
{
  if (record->fields->len == n)
    return TRUE;
  g_autofree char *what = g_strdup_printf ("%u fields, expected %u", record->fields->len, n);
  return fail (self, record, what);
}

static gboolean
check_machine (const Config *self, const PdCfgRecord *record, guint i)
{
  return g_str_equal (field (record, i), "0")
         || fail (self, record, "expected machine 0; several machines are not covered");
}

/* ---- records */

static gboolean
read_wide_area (Config *self, const PdCfgRecord *record)
{
  if (!check_fields (self, record, 7))
    return FALSE;
  if (!g_str_equal (field (record, 1), "1"))
    return fail (self, record, "several machines in a wide area network are not covered");
  return g_str_equal (field (record, 2), "0")
         || fail (self, record, "dedicated connections are not covered");
}

static gboolean
read_environment (Config *self, const PdCfgRecord *record)
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
read_group (Config *self, const PdCfgRecord *record, guint64 count, guint i)
{
  Group new = { .line = record->line, .count = count };

  g_array_append_val (self->groups, new);
  Group *group = &g_array_index (self->groups, Group, self->groups->len - 1);
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
read_node (Config *self, const PdCfgRecord *record)
{
  if (record->fields->len != 14 && !check_fields (self, record, 13))
    return FALSE;
  return check_machine (self, record, 0) && read_group (self, record, 1, record->fields->len - 11);
}

static gboolean
read_multi_node (Config *self, const PdCfgRecord *record)
{
  guint64 count;

  return check_fields (self, record, 14) && check_machine (self, record, 0)
         && get_count (self, record, 1, 1, &count) && read_group (self, record, count, 3);
}

static gboolean
begin_map (Config *self, const PdCfgRecord *record)
{
  if (self->map_line != 0)
    return fail (self, record, "tasks are mapped twice; several applications are not covered");
  self->map_line = record->line;
  return TRUE;
}

/* {"trace", n, [n] {node, node, …}} */
static gboolean
read_mapping (Config *self, const PdCfgRecord *record)
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
read_predefined_mapping (Config *self, const PdCfgRecord *record)
{
  const char *map = record->fields->len > 0 ? field (record, record->fields->len - 1) : "";
  guint64 n;

  if (!begin_map (self, record))
    return FALSE;
  if (g_str_equal (map, "FILL_NODES"))
    self->map = g_strdup ("block");
  else if (g_str_equal (map, "INTERLEAVED"))
    self->map = g_strdup ("cyclic");
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
read_files (Config *self, const PdCfgRecord *record)
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
read_module (Config *self, const PdCfgRecord *record)
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
refuse (Config *self, const PdCfgRecord *record)
{
  return fail (self, record, "is not covered");
}

/* What has no effect on traces without such records. */
static gboolean
pass_over (Config *self G_GNUC_UNUSED, const PdCfgRecord *record G_GNUC_UNUSED)
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
read_record (Config *self, const PdCfgRecord *record)
{
  for (gsize i = 0; i < G_N_ELEMENTS (records); i++)
    if (strcmp (records[i].name, record->name) == 0)
      return records[i].read (self, record);
  return fail (self, record, "unknown record");
}

static gboolean
read_all (Config *self)
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

/* ---- the tree */

static void
set (xmlNode *node, const char *name, const char *value)
{
  xmlNewProp (node, BAD_CAST name, BAD_CAST value);
}

static void
set_with_unit (xmlNode *node, const char *name, const char *value, const char *unit)
{
  g_autofree char *text = g_strconcat (value, unit, NULL);

  set (node, name, text);
}

static void
set_count (xmlNode *node, const char *name, guint64 count)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  set (node, name, text);
}

/* "1e-05" s, "100" MiB/s, "2" */
static void
set_parameter (xmlNode *node, const char *name, const char *value)
{
  set_with_unit (node, name, value,
                 g_str_equal (name, "latency")     ? "s"
                 : g_str_equal (name, "bandwidth") ? "MiB/s"
                                                   : "");
}

/* The network has one latency, and so many links for each node. */
static gboolean
check_groups (const Config *self)
{
  const Group *first = &g_array_index (self->groups, Group, 0);

  for (guint i = 1; i < self->groups->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (first->network); k++)
      {
        const Group *group = &g_array_index (self->groups, Group, i);
        if (g_ascii_strtod (group->network[k], NULL) != g_ascii_strtod (first->network[k], NULL))
          return pd_cfg_fail (self->file, group->line, PD_MACHINE_ERROR_VALUE,
                              "the network's %s of these nodes is not that of the nodes before; "
                              "nodes that differ in this are not covered",
                              network_names[k]);
      }
  return TRUE;
}

static gboolean
has_same_memory (const Group *a, const Group *b)
{
  for (guint k = 0; k < G_N_ELEMENTS (a->memory); k++)
    if (g_ascii_strtod (a->memory[k], NULL) != g_ascii_strtod (b->memory[k], NULL))
      return FALSE;
  return a->processors == b->processors
         && g_ascii_strtod (a->speed, NULL) == g_ascii_strtod (b->speed, NULL);
}

static void
add_nodes (xmlNode *network, const Group *group, guint64 count)
{
  xmlNode *nodes = xmlNewChild (network, NULL, BAD_CAST "nodes", NULL);

  set_count (nodes, "count", count);
  set_count (nodes, "processors", group->processors);
  set (nodes, "speed", group->speed);
  if (group->processors == 1)
    return;
  xmlNode *memory = xmlNewChild (nodes, NULL, BAD_CAST "memory", NULL);
  set (memory, "type", "dimemas");
  set (memory, "lending", "no");
  for (guint k = 0; k < G_N_ELEMENTS (group->memory); k++)
    set_parameter (memory, memory_names[k], group->memory[k]);
}

static void
add_network (const Config *self, xmlNode *machine)
{
  xmlNode *network = xmlNewChild (machine, NULL, BAD_CAST "network", NULL);
  const Group *groups = (const Group *) (gpointer) self->groups->data;
  guint64 count = 0;

  set (network, "type", "dimemas");
  set_with_unit (network, "bandwidth", self->bandwidth, "MiB/s");
  set (network, "buses", self->buses);
  for (guint k = 0; k < G_N_ELEMENTS (groups->network); k++)
    set_parameter (network, network_names[k], groups->network[k]);
  for (guint i = 0; i < self->groups->len; i++)
    {
      count += groups[i].count;
      if (i + 1 < self->groups->len && has_same_memory (&groups[i], &groups[i + 1]))
        continue;
      add_nodes (network, &groups[i], count);
      count = 0;
    }
}

/* Time of a byte, of MB/s; 0 = none. */
static void
set_per_byte (xmlNode *node, const char *name, const char *bandwidth)
{
  gdouble rate = g_ascii_strtod (bandwidth, NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  set_with_unit (node, name,
                 g_ascii_dtostr (text, sizeof text, rate > 0 ? 1e12 / 1048576 / rate : 0), "ps");
}

static gboolean
add_collectives (const Config *self, xmlNode *machine)
{
  static const char *const models[] = { NULL, "constant", "linear", "logarithmic" };
  const Group *group = &g_array_index (self->groups, Group, 0);
  xmlNode *node = xmlNewChild (machine, NULL, BAD_CAST "collectives", NULL);

  for (guint i = 0; i < self->groups->len && group->processors == 1; i++)
    group = &g_array_index (self->groups, Group, i);
  set (node, "set", "simple");
  set (node, "in", models[self->model]);
  set (node, "out", models[self->model]);
  set_with_unit (node, "startup", group->network[LATENCY], "s");
  set_per_byte (node, "per-byte", self->bandwidth);
  set (node, "channels", self->buses);
  set_with_unit (node, "memory-startup", group->memory[LATENCY], "s");
  set_per_byte (node, "memory-per-byte", group->memory[BANDWIDTH]);
  if (self->costs == NULL)
    return TRUE;
  g_autofree char *folder = g_path_get_dirname (self->file->origin);
  g_autofree char *path = g_path_is_absolute (self->costs)
                              ? g_strdup (self->costs)
                              : g_build_filename (folder, self->costs, NULL);
  return pd_dimemas_add_costs (path, node, self->file->error);
}

/* The processors of the tasks: those of each node in turn. */
static gboolean
add_mapping (const Config *self, xmlNode *machine)
{
  g_autofree guint64 *next = g_new (guint64, self->n_nodes);
  g_autofree guint64 *end = g_new (guint64, self->n_nodes);
  g_autoptr (GString) list = g_string_new (NULL);
  guint64 node = 0, processor = 0;

  for (guint i = 0; i < self->groups->len; i++)
    for (guint64 k = 0; k < g_array_index (self->groups, Group, i).count; k++, node++)
      {
        next[node] = processor;
        processor += g_array_index (self->groups, Group, i).processors;
        end[node] = processor;
      }
  for (guint i = 0; i < self->mapping->len; i++)
    {
      node = g_array_index (self->mapping, guint64, i);
      if (node >= self->n_nodes || next[node] == end[node])
        return pd_cfg_fail (self->file, self->map_line, PD_MACHINE_ERROR_MAP,
                            "task %u is mapped to node %" G_GUINT64_FORMAT
                            ", which %s; more tasks than processors are not covered",
                            i, node, node >= self->n_nodes ? "does not exist" : "is full");
      g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "", next[node]++);
    }
  set (machine, "map", list->str);
  return TRUE;
}

static void
add_regions (const Config *self, xmlNode *machine)
{
  for (guint i = 0; i + 2 < self->modules->len; i += 3)
    {
      xmlNode *region = xmlNewChild (machine, NULL, BAD_CAST "region", NULL);
      set (region, "file", g_ptr_array_index (self->modules, i));
      set (region, "line", g_ptr_array_index (self->modules, i + 1));
      set (region, "speed", g_ptr_array_index (self->modules, i + 2));
    }
}

static xmlDoc *
build (const Config *self)
{
  g_autoptr (xmlDoc) doc = xmlNewDoc (BAD_CAST "1.0");
  xmlNode *machine = xmlNewDocNode (doc, NULL, BAD_CAST "machine", NULL);

  xmlDocSetRootElement (doc, machine);
  set (machine, "name", "dimemas");
  set (machine, "version", "1");
  if (self->map != NULL)
    set (machine, "map", self->map);
  if (self->mapping != NULL && !add_mapping (self, machine))
    return NULL;
  xmlNewTextChild (machine, NULL, BAD_CAST "description",
                   BAD_CAST "imported from a configuration of Dimemas; file system and scheduler "
                            "are left out");
  add_network (self, machine);
  if (!add_collectives (self, machine))
    return NULL;
  add_regions (self, machine);
  return g_steal_pointer (&doc);
}

xmlDoc *
pd_machine_parse_dimemas (const char *text, const char *origin, GError **error)
{
  PdCfgFile file = { origin, text, 1, error };
  g_auto (Config) self = { .file = &file };

  self.groups = g_array_new (FALSE, TRUE, sizeof (Group));
  g_array_set_clear_func (self.groups, clear_group);
  self.modules = g_ptr_array_new_with_free_func (g_free);
  if (!g_utf8_validate (text, -1, NULL))
    {
      pd_cfg_fail (&file, 1, PD_MACHINE_ERROR_FORMAT, "not UTF-8");
      return NULL;
    }
  if (!read_all (&self))
    return NULL;
  if (self.env_line == 0 || self.n_nodes != self.env_nodes)
    {
      pd_cfg_fail (&file, MAX (1, self.env_line), PD_MACHINE_ERROR_SCHEMA,
                   "%" G_GUINT64_FORMAT
                   " nodes are described, expected \"environment information\" "
                   "with so many, not %" G_GUINT64_FORMAT,
                   self.n_nodes, self.env_nodes);
      return NULL;
    }
  return check_groups (&self) ? build (&self) : NULL;
}

gboolean
pd_machine_is_dimemas (const char *text)
{
  return g_str_has_prefix (text, "#DIMEMAS_CONFIGURATION") || g_str_has_prefix (text, "SDDF")
         || strstr (text, "\"environment information\"") != NULL
         || strstr (text, "\"wide area network information\"") != NULL;
}
