/* Predictor.par of the DVM system to the XML tree.
 *
 * A cluster becomes a network; one inside another whose type is that of a
 * memory and whose members are processors becomes nodes with memory. The
 * channels of this form belong to the network as a whole.
 * SPDX-License-Identifier: MIT */
#include "comsys/import/pd-par-file-private.h"
#include "comsys/import/pd-dimemas-import-private.h"
#include "comsys/import/pd-loggopsim-import-private.h"
#include "comsys/description/pd-machine-folders.h"
#include "comsys/import/pd-machine-import-private.h"
#include "comsys/import/pd-machine-import.h"
#include "comsys/description/pd-machine-read.h"

#include <string.h>

#define MAX_DEPTH    32
#define MAX_ELEMENTS 10000

/* Words for types of networks. */
static const struct
{
  const char *word;
  const char *type;
} comm_types[] = {
  { "ethernet", "ethernet" }, { "bus", "ethernet" }, { "myrinet", "myrinet" },
  { "memory", "memory" },     { "smp", "memory" },   { "shared", "memory" },
};

typedef struct
{
  PdParFile *file;
  GHashTable *named; /* PdParEntity whose name a network has already */
  guint n_elements;
} Tree;

static void
set (PdElement *node, const char *name, const char *value)
{
  pd_element_set (node, name, value);
}

static PdParEntity *
find_member (Tree *self, const PdParMember *member)
{
  return g_hash_table_lookup (self->file->entities, member->name);
}

/* The type of a cluster, and the cluster whose channels it has: itself, or
 * one that it names. */
static const char *
get_type (Tree *self, const PdParEntity *entity, const PdParEntity **owner)
{
  *owner = entity;
  for (guint depth = 0; depth < MAX_DEPTH && (*owner)->type != NULL; depth++)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (comm_types); i++)
        if (strcmp (comm_types[i].word, (*owner)->type) == 0)
          return comm_types[i].type;
      const PdParEntity *named = g_hash_table_lookup (self->file->entities, (*owner)->type);
      if (named == NULL || named->members == NULL)
        break;
      *owner = named;
    }
  pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_VALUE,
               "%s.CommType: expected ethernet, myrinet or memory, with a number of channels in "
               "parentheses, or the name of a cluster that has one of these",
               entity->name);
  return NULL;
}

/* Sets the attributes of a network or of a memory. */
static gboolean
set_network (Tree *self, PdElement *node, const PdParEntity *entity)
{
  const PdParEntity *owner;
  const char *type = get_type (self, entity, &owner);

  if (type == NULL)
    return FALSE;
  const char *startup = entity->startup != NULL ? entity->startup : owner->startup;
  const char *per_byte = entity->per_byte != NULL ? entity->per_byte : owner->per_byte;
  if (startup == NULL || per_byte == NULL)
    return pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_SCHEMA, "%s.%s is missing",
                        entity->name, startup == NULL ? "TStart" : "TByte");
  g_autofree char *time = g_strconcat (startup, "us", NULL);
  g_autofree char *rate = g_strconcat (per_byte, "us", NULL);
  set (node, "startup", time);
  set (node, "per-byte", rate);
  if (strcmp (type, "ethernet") != 0 && owner->channels != NULL)
    set (node, "channels", owner->channels);
  else if (owner->channels != NULL && strcmp (owner->channels, "1") != 0)
    return pd_par_fail (self->file, owner->line, PD_MACHINE_ERROR_VALUE,
                        "%s.CommType: a bus carries 1 message at a time, not %s", owner->name,
                        owner->channels);
  if (strcmp (type, "myrinet") == 0)
    set (node, "channels-per", "network");
  return TRUE;
}

static PdElement *
add_element (Tree *self, PdElement *parent, const char *name, guint64 count)
{
  PdElement *node = pd_element_add (parent, name);
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  self->n_elements++;
  if (count != 1)
    set (node, "count", text);
  return node;
}

/* Whether a cluster is a node: processors that exchange through a memory. */
static gboolean
is_node (Tree *self, const PdParEntity *entity)
{
  const PdParEntity *owner;
  g_autoptr (GError) unused = NULL;
  GError **error = self->file->error;

  self->file->error = &unused;
  const char *type = get_type (self, entity, &owner);
  self->file->error = error;
  if (type == NULL || strcmp (type, "memory") != 0)
    return FALSE;
  for (guint i = 0; i < entity->members->len; i++)
    if (find_member (self, &g_array_index (entity->members, PdParMember, i))->power == NULL)
      return FALSE;
  return TRUE;
}

/* The processors of a node: "1", or "1:2:2" if they differ. */
static gboolean
add_node (Tree *self, PdElement *parent, const PdParEntity *entity, guint64 count)
{
  PdElement *nodes = add_element (self, parent, "nodes", count);
  g_autoptr (GString) speeds = g_string_new (NULL);
  const char *first = find_member (self, &g_array_index (entity->members, PdParMember, 0))->power;
  gboolean differ = FALSE;
  guint64 n = 0;

  for (guint i = 0; i < entity->members->len; i++)
    {
      const PdParMember *member = &g_array_index (entity->members, PdParMember, i);
      const char *power = find_member (self, member)->power;
      differ = differ || strcmp (power, first) != 0;
      n += member->count;
      if (n > MAX_ELEMENTS)
        return pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_VALUE,
                            "%s: more than %d processors in a node", entity->name, MAX_ELEMENTS);
      for (guint64 k = 0; k < member->count; k++)
        g_string_append_printf (speeds, "%s%s", speeds->len > 0 ? ":" : "", power);
    }
  g_autofree char *processors = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  set (nodes, "processors", processors);
  set (nodes, "speed", differ ? speeds->str : first);
  return set_network (self, pd_element_add (nodes, "memory"), entity);
}

static gboolean add_network (Tree *self, PdElement *parent, PdParEntity *entity, guint64 count,
                             guint depth);

static gboolean
add_member (Tree *self, PdElement *network, const PdParMember *member, guint depth)
{
  PdParEntity *entity = find_member (self, member);

  if (self->n_elements >= MAX_ELEMENTS)
    return pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_VALUE,
                        "clusters of clusters make more than %d groups", MAX_ELEMENTS);
  if (entity->power != NULL)
    {
      set (add_element (self, network, "nodes", member->count), "speed", entity->power);
      return TRUE;
    }
  if (entity->members == NULL)
    return pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_VALUE,
                        "'%s' is not defined: expected its members in braces, or its power",
                        entity->name);
  if (is_node (self, entity))
    return add_node (self, network, entity, member->count);
  return add_network (self, network, entity, member->count, depth + 1);
}

static gboolean
add_network (Tree *self, PdElement *parent, PdParEntity *entity, guint64 count, guint depth)
{
  const PdParEntity *owner;

  if (depth > MAX_DEPTH)
    return pd_par_fail (self->file, entity->line, PD_MACHINE_ERROR_VALUE,
                        "'%s' is nested more than %d deep, or contains itself", entity->name,
                        MAX_DEPTH);
  const char *type = get_type (self, entity, &owner);
  if (type == NULL)
    return FALSE;
  PdElement *network = add_element (self, parent, "network", count);
  set (network, "type", type);
  if (g_hash_table_add (self->named, entity))
    set (network, "name", entity->name);
  if (!set_network (self, network, entity))
    return FALSE;
  for (guint i = 0; i < entity->members->len; i++)
    if (!add_member (self, network, &g_array_index (entity->members, PdParMember, i), depth))
      return FALSE;
  return TRUE;
}

static PdElement *
build (Tree *self)
{
  g_autoptr (PdElement) machine = pd_element_new ("machine");
  PdParEntity *root = self->file->root != NULL
                          ? g_hash_table_lookup (self->file->entities, self->file->root)
                          : NULL;

  if (root == NULL || root->members == NULL)
    {
      pd_par_fail (self->file, root != NULL ? root->line : self->file->line,
                   PD_MACHINE_ERROR_SCHEMA,
                   root == NULL ? "expected 'cluster = NAME;'" : "the cluster has no members");
      return NULL;
    }
  set (machine, "name", root->name);
  set (machine, "version", "1");
  pd_element_set_text (pd_element_add (machine, "description"),
                       "imported from a Predictor.par of the DVM system");
  if (!add_network (self, machine, root, 1, 0))
    return NULL;
  return g_steal_pointer (&machine);
}

PdElement *
pd_machine_parse_dvm_par (const char *text, const char *origin, GError **error)
{
  g_autoptr (GHashTable) named = g_hash_table_new (NULL, NULL);
  g_auto (PdParFile) file;
  Tree tree = { &file, named, 0 };

  pd_par_file_init (&file, text, origin, error);
  return pd_par_file_read (&file) ? build (&tree) : NULL;
}

/* The name and the reader of another program's description. */
static const struct
{
  const char *form;
  PdElement *(*parse) (const char *text, const char *origin, GError **error);
} forms[] = {
  { "dvm-par", pd_machine_parse_dvm_par },
  { "dimemas", pd_machine_parse_dimemas },
  { "loggopsim", pd_machine_import_loggopsim },
};

char *
pd_machine_import (const char *form, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize i = 0;

  while (i < G_N_ELEMENTS (forms) && strcmp (form, forms[i].form) != 0)
    i++;
  if (i == G_N_ELEMENTS (forms))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
                   "form '%s' cannot be imported; expected one of: dvm-par, dimemas, loggopsim",
                   form);
      return NULL;
    }
  bytes = pd_machine_read_file (path, error);
  if (bytes == NULL)
    return NULL;
  g_autofree char *text = g_strndup (
      g_bytes_get_size (bytes) > 0 ? g_bytes_get_data (bytes, NULL) : "", g_bytes_get_size (bytes));
  g_autoptr (PdElement) root = forms[i].parse (text, path, error);
  g_autoptr (PdMachine) machine =
      root == NULL ? NULL : pd_machine_read (root, path, FALSE, 0, error);
  return machine == NULL ? NULL : pd_element_to_xml (root);
}
