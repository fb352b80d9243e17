/* Configurations of Dimemas to the XML tree: the machine is one network of type
 * dimemas, the memory of its nodes another, collective operations are costed by
 * the set "simple".
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-dimemas-cfg-private.h"
#include "comsys/import/pd-dimemas-import-private.h"
#include "comsys/import/pd-dimemas-records-private.h"

#include <string.h>

static const char *const network_names[] = { "latency", "in-links", "out-links" };
static const char *const memory_names[] = { "latency", "bandwidth", "buses", "in-links",
                                            "out-links" };

/* ---- the tree */

static void
set (PdElement *node, const char *name, const char *value)
{
  pd_element_set (node, name, value);
}

static void
set_with_unit (PdElement *node, const char *name, const char *value, const char *unit)
{
  g_autofree char *text = g_strconcat (value, unit, NULL);

  set (node, name, text);
}

static void
set_count (PdElement *node, const char *name, guint64 count)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  set (node, name, text);
}

/* "1e-05" s, "100" MiB/s, "2" */
static void
set_parameter (PdElement *node, const char *name, const char *value)
{
  set_with_unit (node, name, value,
                 g_str_equal (name, "latency")     ? "s"
                 : g_str_equal (name, "bandwidth") ? "MiB/s"
                                                   : "");
}

/* The network has one latency, and so many links for each node. */
static gboolean
check_groups (const PdDimemasFile *self)
{
  const PdDimemasGroup *first = &g_array_index (self->groups, PdDimemasGroup, 0);

  for (guint i = 1; i < self->groups->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (first->network); k++)
      {
        const PdDimemasGroup *group = &g_array_index (self->groups, PdDimemasGroup, i);
        if (g_ascii_strtod (group->network[k], NULL) != g_ascii_strtod (first->network[k], NULL))
          return pd_cfg_fail (self->file, group->line, PD_MACHINE_ERROR_VALUE,
                              "the network's %s of these nodes is not that of the nodes before; "
                              "nodes that differ in this are not covered",
                              network_names[k]);
      }
  return TRUE;
}

static gboolean
has_same_memory (const PdDimemasGroup *a, const PdDimemasGroup *b)
{
  for (guint k = 0; k < G_N_ELEMENTS (a->memory); k++)
    if (g_ascii_strtod (a->memory[k], NULL) != g_ascii_strtod (b->memory[k], NULL))
      return FALSE;
  return a->processors == b->processors
         && g_ascii_strtod (a->speed, NULL) == g_ascii_strtod (b->speed, NULL);
}

/* Whether one cost within nodes is that of all. */
static gboolean
has_one_memory (const PdDimemasFile *self)
{
  const PdDimemasGroup *groups = (const PdDimemasGroup *) (gpointer) self->groups->data;

  for (guint i = 1; i < self->groups->len; i++)
    for (guint k = PD_DIMEMAS_LATENCY; k <= PD_DIMEMAS_BANDWIDTH; k++)
      if (g_ascii_strtod (groups[i].memory[k], NULL) != g_ascii_strtod (groups[0].memory[k], NULL))
        return FALSE;
  return TRUE;
}

/* @with_memory: that of nodes with one processor, too. No message uses it, but collective
 * operations have a phase within each node. */
static void
add_nodes (PdElement *network, const PdDimemasGroup *group, guint64 count, gboolean with_memory)
{
  PdElement *nodes = pd_element_add (network, "nodes");

  set_count (nodes, "count", count);
  set_count (nodes, "processors", group->processors);
  set (nodes, "speed", group->speed);
  if (group->processors == 1 && !with_memory)
    return;
  PdElement *memory = pd_element_add (nodes, "memory");
  set (memory, "type", "dimemas");
  set (memory, "lending", "no");
  for (guint k = 0; k < G_N_ELEMENTS (group->memory); k++)
    set_parameter (memory, memory_names[k], group->memory[k]);
}

static void
add_network (const PdDimemasFile *self, PdElement *machine)
{
  PdElement *network = pd_element_add (machine, "network");
  const PdDimemasGroup *groups = (const PdDimemasGroup *) (gpointer) self->groups->data;
  gboolean with_memory = !has_one_memory (self);
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
      add_nodes (network, &groups[i], count, with_memory);
      count = 0;
    }
}

/* Time of a byte, of MB/s; 0 = none. */
static void
set_per_byte (PdElement *node, const char *name, const char *bandwidth)
{
  gdouble rate = g_ascii_strtod (bandwidth, NULL);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  set_with_unit (node, name,
                 g_ascii_dtostr (text, sizeof text, rate > 0 ? 1e12 / 1048576 / rate : 0), "ps");
}

static gboolean
add_collectives (const PdDimemasFile *self, PdElement *machine)
{
  static const char *const models[] = { NULL, "constant", "linear", "logarithmic" };
  const PdDimemasGroup *group = &g_array_index (self->groups, PdDimemasGroup, 0);
  PdElement *node = pd_element_add (machine, "collectives");

  set (node, "set", "simple");
  set (node, "in", models[self->model]);
  set (node, "out", models[self->model]);
  set_with_unit (node, "startup", group->network[PD_DIMEMAS_LATENCY], "s");
  set_per_byte (node, "per-byte", self->bandwidth);
  set (node, "channels", self->buses);
  if (has_one_memory (self))
    {
      set_with_unit (node, "memory-startup", group->memory[PD_DIMEMAS_LATENCY], "s");
      set_per_byte (node, "memory-per-byte", group->memory[PD_DIMEMAS_BANDWIDTH]);
    }
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
add_mapping (const PdDimemasFile *self, PdElement *machine)
{
  g_autofree guint64 *next = g_new (guint64, self->n_nodes);
  g_autofree guint64 *end = g_new (guint64, self->n_nodes);
  g_autoptr (GString) list = g_string_new (NULL);
  guint64 node = 0, processor = 0;

  for (guint i = 0; i < self->groups->len; i++)
    for (guint64 k = 0; k < g_array_index (self->groups, PdDimemasGroup, i).count; k++, node++)
      {
        next[node] = processor;
        processor += g_array_index (self->groups, PdDimemasGroup, i).processors;
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
add_regions (const PdDimemasFile *self, PdElement *machine)
{
  for (guint i = 0; i + 2 < self->modules->len; i += 3)
    {
      PdElement *region = pd_element_add (machine, "region");
      set (region, "file", g_ptr_array_index (self->modules, i));
      set (region, "line", g_ptr_array_index (self->modules, i + 1));
      set (region, "speed", g_ptr_array_index (self->modules, i + 2));
    }
}

static PdElement *
build (const PdDimemasFile *self)
{
  g_autoptr (PdElement) machine = pd_element_new ("machine");

  set (machine, "name", "dimemas");
  set (machine, "version", "1");
  if (self->map != NULL)
    set (machine, "map", self->map);
  if (self->mapping != NULL && !add_mapping (self, machine))
    return NULL;
  pd_element_set_text (pd_element_add (machine, "description"),
                       "imported from a configuration of Dimemas; file system and scheduler "
                       "are left out");
  add_network (self, machine);
  if (!add_collectives (self, machine))
    return NULL;
  add_regions (self, machine);
  return g_steal_pointer (&machine);
}

PdElement *
pd_machine_parse_dimemas (const char *text, const char *origin, GError **error)
{
  PdCfgFile file = { origin, text, 1, error };
  g_auto (PdDimemasFile) self = { .file = &file };

  if (!pd_dimemas_config_read (&self, &file) || !check_groups (&self))
    return NULL;
  return build (&self);
}

gboolean
pd_machine_is_dimemas (const char *text)
{
  return g_str_has_prefix (text, "#DIMEMAS_CONFIGURATION") || g_str_has_prefix (text, "SDDF")
         || strstr (text, "\"environment information\"") != NULL
         || strstr (text, "\"wide area network information\"") != NULL;
}
