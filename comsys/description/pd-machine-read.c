/* The XML tree to a PdMachine. Strict by itself, because its messages tell a
 * person more than those of the schema do.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-collectives-private.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-measured-private.h"
#include "comsys/description/pd-machine-noise-private.h"
#include "comsys/description/pd-machine-software-private.h"
#include "comsys/description/pd-machine-source-private.h"
#include "comsys/description/pd-machine-spread-private.h"
#include "comsys/description/pd-machine-table-private.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

#define DEFAULT_EAGER (16 * 1024)
#define MAX_YEAR      9999

static gboolean read_network (PdMachineReader *self, PdElement *node, const PdProtocol *outer,
                              PdMachineNetwork **network);

/* A size in bytes that may be absent and, where @may_be_none, "none": -1. */
static gboolean
read_limit (PdMachineReader *self, PdElement *node, const char *name, gboolean may_be_none,
            gint64 *bytes)
{
  const char *text = pd_element_get (node, name);
  PdNumber number = { *bytes, 0 };

  if (text == NULL)
    return TRUE;
  if (may_be_none && strcmp (text, "none") == 0)
    number.i = -1;
  else if (!pd_machine_read_number (self, node, name, PD_UNIT_BYTES, text, &number))
    return FALSE;
  *bytes = number.i;
  return TRUE;
}

/* How messages are sent: like on the network around it unless said. */
static gboolean
read_protocol (PdMachineReader *self, PdElement *node, const PdProtocol *outer,
               PdProtocol *protocol)
{
  static const char *const controls[] = { "modelled", "free", NULL };
  const char *control = pd_element_get (node, "control");
  guint chosen = outer->free_control ? 1 : 0;

  *protocol = *outer;
  if (control != NULL
      && !pd_machine_read_choice (self, node, "control", control, controls, &chosen))
    return FALSE;
  protocol->free_control = chosen == 1;
  return read_limit (self, node, "eager", TRUE, &protocol->eager)
         && read_limit (self, node, "detached", TRUE, &protocol->detached)
         && read_limit (self, node, "envelope", FALSE, &protocol->envelope);
}

/* ---- nodes */

/* "1" or "1:2:4", which is dealt to the processors of the group in turn. */
static gboolean
read_speeds (PdMachineReader *self, PdElement *node, const char *text, GArray **speeds)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0; parts[i] != NULL; i++)
    {
      PdNumber number;
      if (!pd_machine_read_number (self, node, "speed", PD_UNIT_RATIO, parts[i], &number))
        return FALSE;
      if (!(number.d > 0))
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                                "speed='%s': expected more than 0", text);
      g_array_append_val (list, number.d);
    }
  if (list->len == 0)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "speed='': expected a number");
  *speeds = g_steal_pointer (&list);
  return TRUE;
}

/* Repeats @list up to the number of processors of the group. */
static GArray *
deal_speeds (const GArray *list, guint32 n)
{
  GArray *speeds = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), n);

  for (guint32 i = 0; i < n; i++)
    g_array_append_val (speeds, g_array_index (list, gdouble, i % list->len));
  return speeds;
}

static gboolean
read_processor (PdMachineReader *self, PdElement *node, PdMachineNode *group, GHashTable *seen)
{
  const PdMachineElement *element = pd_machine_element_find ("processor");
  PdProcessorAttributes attributes;
  guint32 n = group->count * group->processors;

  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, element->params, &attributes))
    return FALSE;
  if (attributes.index >= n || !(attributes.speed > 0))
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "expected an index below %u and a speed of more than 0", n);
  if (!g_hash_table_add (seen, GUINT_TO_POINTER ((guint) attributes.index + 1)))
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "index %" G_GINT64_FORMAT " is named twice", attributes.index);
  if (group->speeds == NULL)
    {
      g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (gdouble));
      g_array_append_val (one, group->speed);
      group->speeds = deal_speeds (one, n);
    }
  g_array_index (group->speeds, gdouble, attributes.index) = attributes.speed;
  return TRUE;
}

static gboolean
read_processors (PdMachineReader *self, PdElement *node, PdMachineNode *group)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (PdElement *child = node->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, "processor") && !read_processor (self, child, group, seen))
      return FALSE;
  return TRUE;
}

static gboolean
read_node_counts (PdMachineReader *self, PdElement *node, PdMachineNode *group)
{
  const PdMachineElement *element = pd_machine_element_find ("nodes");
  PdNodesAttributes attributes;
  const char *count = pd_element_get (node, "count");

  if (!pd_machine_read_params (self, node, element->params, &attributes)
      || !pd_machine_check_count (self, node, "count", attributes.count)
      || !pd_machine_check_count (self, node, "processors", attributes.processors))
    return FALSE;
  if (self->elastic && count == NULL)
    attributes.count =
        MAX (1, (self->n_needed + attributes.processors - 1) / attributes.processors);
  self->n_listed += attributes.count * attributes.processors;
  if (!pd_machine_check_count (self, node, "number of processors", self->n_listed))
    return FALSE;
  group->count = (guint32) attributes.count;
  group->processors = (guint32) attributes.processors;
  return TRUE;
}

static gboolean
read_node_speeds (PdMachineReader *self, PdElement *node, PdMachineNode *group)
{
  const char *text = pd_element_get (node, "speed");
  g_autoptr (GArray) speeds = NULL;
  guint32 n = group->count * group->processors;

  if (!read_speeds (self, node, text != NULL ? text : "1", &speeds))
    return FALSE;
  if (speeds->len > n && !self->elastic)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%u speeds for %u processors",
                            speeds->len, n);
  group->speed = g_array_index (speeds, gdouble, 0);
  if (speeds->len > 1)
    group->speeds = deal_speeds (speeds, n);
  return read_processors (self, node, group);
}

static gboolean
read_memory (PdMachineReader *self, PdElement *node, const PdProtocol *outer,
             PdMachineNetwork **memory)
{
  static const char *const types[] = { "memory", "dimemas", NULL };
  g_autoptr (PdMachineNetwork) network = g_new0 (PdMachineNetwork, 1);
  const char *type = pd_element_get (node, "type");
  guint chosen = 0;

  if (type != NULL && !pd_machine_read_choice (self, node, "type", type, types, &chosen))
    return FALSE;
  network->class = pd_network_class_find (types[chosen]);
  network->config = g_malloc0 (network->class->config_size);
  network->children = g_ptr_array_new ();
  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, network->class->params, network->config)
      || !read_protocol (self, node, outer, &network->protocol))
    return FALSE;
  *memory = g_steal_pointer (&network);
  return TRUE;
}

static gboolean
read_nodes (PdMachineReader *self, PdElement *node, const PdProtocol *outer, PdMachineNode *group)
{
  PdElement *memory;

  if (!pd_machine_check_element (self, node) || !read_node_counts (self, node, group)
      || !read_node_speeds (self, node, group)
      || !pd_machine_get_only (self, node, "memory", &memory))
    return FALSE;
  return memory == NULL || read_memory (self, memory, outer, &group->memory);
}

/* ---- networks */

static gboolean
read_nested (PdMachineReader *self, PdElement *node, const PdProtocol *outer, PdMachineNode *group)
{
  PdNodesAttributes attributes = { 1, 1 };

  if (!read_network (self, node, outer, &group->network)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("network")->params,
                                  &attributes)
      || !pd_machine_check_count (self, node, "count", attributes.count))
    return FALSE;
  group->count = (guint32) attributes.count;
  group->processors = 1;
  group->speed = 1;
  return TRUE;
}

static gboolean
read_name (PdMachineReader *self, PdElement *node, PdMachineNetwork *network)
{
  network->name = g_strdup (pd_element_get (node, "name"));
  if (network->name == NULL || g_hash_table_add (self->names, g_strdup (network->name)))
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                          "name='%s': another network has this name", network->name);
}

static gboolean
read_class (PdMachineReader *self, PdElement *node, PdMachineNetwork *network)
{
  const char *type = pd_element_get (node, "type");
  g_autofree char *all = pd_machine_known_types ();

  if (type == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                            "attribute 'type' is missing: one of: %s", all);
  network->class = pd_network_class_find (type);
  return network->class != NULL
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "type='%s': expected one of: %s",
                             type, all);
}

static gboolean
read_children (PdMachineReader *self, PdElement *node, PdMachineNetwork *network)
{
  for (PdElement *child = node->children; child != NULL; child = child->next)
    {
      PdMachineNode *group = NULL;
      gboolean is_nested = pd_machine_is_named (child, "network");
      if (!is_nested && !pd_machine_is_named (child, "nodes"))
        continue;
      group = g_new0 (PdMachineNode, 1);
      g_ptr_array_add (network->children, group);
      if (!(is_nested ? read_nested : read_nodes) (self, child, &network->protocol, group))
        return FALSE;
    }
  if (network->children->len > 0)
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                          "expected at least one of: nodes, network");
}

static void
free_node (gpointer data)
{
  PdMachineNode *node = data;

  pd_machine_network_free (node->network);
  pd_machine_network_free (node->memory);
  g_clear_pointer (&node->speeds, g_array_unref);
  g_free (node);
}

static gboolean
read_network (PdMachineReader *self, PdElement *node, const PdProtocol *outer,
              PdMachineNetwork **network)
{
  g_autoptr (PdMachineNetwork) new = g_new0 (PdMachineNetwork, 1);

  new->children = g_ptr_array_new_with_free_func (free_node);
  if (!read_class (self, node, new) || !pd_machine_check_element (self, node))
    return FALSE;
  new->config = g_malloc0 (MAX (1, new->class->config_size));
  if (!read_name (self, node, new)
      || !pd_machine_read_params (self, node, new->class->params, new->config)
      || !read_protocol (self, node, outer, &new->protocol) || !read_children (self, node, new)
      || !pd_machine_read_tables (self, node, new) || !pd_machine_check_network (self, node, new))
    return FALSE;
  *network = g_steal_pointer (&new);
  return TRUE;
}

/* ---- the rest of the machine */

static void
clear_spread (gpointer data)
{
  g_free (((PdMachineSpread *) data)->path);
}

static void
clear_region (gpointer data)
{
  g_free (((PdMachineRegion *) data)->file);
}

static PdMachine *
machine_new (PdMachineReader *self, PdElement *root)
{
  PdMachine *machine = g_new0 (PdMachine, 1);

  machine->name = g_strdup (pd_element_get (root, "name"));
  machine->map = g_strdup (pd_element_get (root, "map"));
  machine->regions = g_array_new (FALSE, FALSE, sizeof (PdMachineRegion));
  g_array_set_clear_func (machine->regions, clear_region);
  machine->spreads = g_array_new (FALSE, FALSE, sizeof (PdMachineSpread));
  g_array_set_clear_func (machine->spreads, clear_spread);
  machine->origin = g_strdup (self->origin);
  return machine;
}

static gboolean
read_root (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  PdMachineAttributes attributes;

  if (!pd_machine_is_named (root, "machine"))
    return pd_machine_fail (self, root, PD_MACHINE_ERROR_FORMAT,
                            "expected the root element 'machine'");
  if (!pd_machine_check_element (self, root)
      || !pd_machine_read_params (self, root, pd_machine_element_find ("machine")->params,
                                  &attributes))
    return FALSE;
  if (machine->name == NULL || *machine->name == '\0')
    return pd_machine_fail (self, root, PD_MACHINE_ERROR_SCHEMA, "attribute 'name' is missing");
  if (attributes.version != 1)
    return pd_machine_fail (self, root, PD_MACHINE_ERROR_VALUE,
                            "version %" G_GINT64_FORMAT ": expected 1", attributes.version);
  if (attributes.year > MAX_YEAR)
    return pd_machine_fail (self, root, PD_MACHINE_ERROR_VALUE,
                            "year %" G_GINT64_FORMAT ": expected at most %d", attributes.year,
                            MAX_YEAR);
  machine->year = attributes.year;
  return TRUE;
}

static gboolean
read_noise (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  return node == NULL
         || (pd_machine_check_element (self, node)
             && pd_machine_read_noise (self, node, &machine->noise));
}

static gboolean
read_io (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdIo *io = &machine->io;

  if (node == NULL)
    return TRUE;
  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("io")->params, io))
    return FALSE;
  io->is_given = TRUE;
  return io->bandwidth > 0
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "bandwidth: expected more than 0");
}

static gboolean
read_cache (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  machine->cache.is_given = node != NULL;
  return node == NULL
         || (pd_machine_check_element (self, node)
             && pd_machine_read_params (self, node, pd_machine_element_find ("cache")->params,
                                        &machine->cache));
}

static gboolean
read_region (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdRegionAttributes attributes;
  const char *file = pd_element_get (node, "file");

  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("region")->params,
                                  &attributes))
    return FALSE;
  if (file == NULL || *file == '\0')
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'file' is missing");
  if (!(attributes.speed > 0))
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "speed: expected more than 0");
  PdMachineRegion region = { g_strdup (file), attributes.line, attributes.speed };
  g_array_append_val (machine->regions, region);
  return TRUE;
}

static gboolean
read_regions (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  for (PdElement *child = root->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, "region") && !read_region (self, child, machine))
      return FALSE;
  return TRUE;
}

static gboolean
read_parts (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  PdProtocol protocol = { .eager = DEFAULT_EAGER, .detached = -1 };
  PdElement *description, *network, *collectives, *software, *io, *cache, *noise, *measured;

  if (!pd_machine_get_only (self, root, "description", &description)
      || !pd_machine_get_only (self, root, "network", &network)
      || !pd_machine_get_only (self, root, "collectives", &collectives)
      || !pd_machine_get_only (self, root, "software", &software)
      || !pd_machine_get_only (self, root, "io", &io)
      || !pd_machine_get_only (self, root, "cache", &cache)
      || !pd_machine_get_only (self, root, "noise", &noise)
      || !pd_machine_get_only (self, root, "measured", &measured))
    return FALSE;
  if (network == NULL)
    return pd_machine_fail (self, root, PD_MACHINE_ERROR_SCHEMA, "element 'network' is missing");
  if (description != NULL && !pd_machine_check_element (self, description))
    return FALSE;
  const PdNetworkClass *class = pd_machine_element_class (network);
  if (class != NULL && class->is_eager)
    protocol = (PdProtocol){ .eager = G_MAXINT64, .detached = -1, .free_control = TRUE };
  machine->description = description != NULL ? pd_machine_read_text (description) : g_strdup ("");
  if (!read_network (self, network, &protocol, &machine->network)
      || !pd_machine_read_collectives (self, collectives, machine) || !read_io (self, io, machine)
      || !read_cache (self, cache, machine) || !read_noise (self, noise, machine)
      || !pd_machine_read_measured (self, measured, machine))
    return FALSE;
  if (machine->year == 0 && machine->measured != NULL && machine->measured->date != NULL)
    machine->year = CLAMP (g_ascii_strtoll (machine->measured->date, NULL, 10), 0, MAX_YEAR);
  return pd_machine_read_software (self, software, machine) && read_regions (self, root, machine)
         && pd_machine_read_spreads (self, root, machine)
         && pd_machine_read_sources (self, root, machine);
}

static gboolean
check_size (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  gint64 n = pd_machine_network_size (machine->network);

  if (!pd_machine_check_count (self, root, "number of processors", n))
    return FALSE;
  machine->n_processors = (guint32) n;
  if (machine->n_processors >= self->n_needed)
    return TRUE;
  g_set_error (self->error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
               "%s: has %u processors, %u are needed", self->origin, machine->n_processors,
               self->n_needed);
  return FALSE;
}

PdMachine *
pd_machine_read (PdElement *root, const char *origin, gboolean elastic, guint32 n_needed,
                 GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  PdMachineReader reader = { origin, elastic, n_needed, 0, names, error };
  g_autoptr (PdMachine) machine = machine_new (&reader, root);

  if (!read_root (&reader, root, machine) || !read_parts (&reader, root, machine)
      || !check_size (&reader, root, machine))
    return NULL;
  return g_steal_pointer (&machine);
}
