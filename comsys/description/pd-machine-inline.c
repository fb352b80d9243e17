/* Inline machines: "TYPE:key=value,…" to the XML tree.
 * SPDX-License-Identifier: MIT */
#include "base/pd-nearest.h"
#include "base/pd-text.h"
#include "comsys/description/pd-machine-files.h"
#include "comsys/description/pd-machine-parts.h"
#include "comsys/machine/pd-functions.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-inline.h"
#include "comsys/description/pd-machine-settings.h"
#include "comsys/machine/pd-machine.h"

#include <string.h>

/* Keys that are not simply attributes of the network, of the software or, with
 * "memory-" before them, of the memory. */
static const struct
{
  const char *key;
  const char *element;
  const char *attribute;
} keys[] = {
  { "nodes", "nodes", "count" },
  { "processors-per-node", "nodes", "processors" },
  { "speeds", "nodes", "speed" },
  { "speed", "nodes", "speed" },
  { "memory-type", "memory", "type" },
  { "collectives", "collectives", "set" },
  { "collective-time", "collectives", "time" },
  { "collective-in", "collectives", "in" },
  { "collective-out", "collectives", "out" },
  { "io-latency", "io", "latency" },
  { "io-bandwidth", "io", "bandwidth" },
  { "io-writers", "io", "writers" },
  { "cache-size", "cache", "size" },
  { "cache-processors", "cache", "processors" },
  { "noise", "noise", "kind" },
  { "noise-sigma", "noise", "sigma" },
  { "noise-share", "noise", "share" },
  { "noise-mean", "noise", "mean" },
  { "noise-file", "noise", "file" },
};

const char *
pd_machine_inline_key (guint i)
{
  return i < G_N_ELEMENTS (keys) ? keys[i].key : NULL;
}

/* The elements of the tree under construction; all but the network's and the
 * nodes' only if a key needs them. */
typedef struct
{
  const char *spec;
  PdElement *machine;
  PdElement *network;
  PdElement *nodes;
  GError **error;
} Builder;

gboolean
pd_machine_is_inline (const char *spec)
{
  gsize n = strcspn (spec, ":");

  if (spec[n] == '\0')
    {
      const PdNetworkClass *class = pd_network_class_find (spec);
      return class != NULL && class->params[0].name == NULL;
    }
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_islower (spec[i]) && spec[i] != '-')
      return FALSE;
  return n > 0;
}

static PdElement *
get_child (PdElement *parent, const char *name)
{
  for (PdElement *child = parent->children; child != NULL; child = child->next)
    if (strcmp (child->name, name) == 0)
      return child;
  return pd_element_add (parent, name);
}

/* The element called @name, made if need be. */
static PdElement *
get_element (Builder *self, const char *name)
{
  if (strcmp (name, "network") == 0)
    return self->network;
  if (strcmp (name, "nodes") == 0)
    return self->nodes;
  return get_child (strcmp (name, "memory") == 0 ? self->nodes : self->machine, name);
}

static gboolean
element_has (const char *element, const PdNetworkClass *class, const char *attribute)
{
  const PdMachineElement *e = pd_machine_element_find (element);

  if (g_strv_contains (e->texts, attribute))
    return TRUE;
  /* the outermost network has no count, the only number that all types share */
  for (const PdParam *p = class != NULL ? class->params : e->params; p->name != NULL; p++)
    if (strcmp (p->name, attribute) == 0)
      return TRUE;
  return FALSE;
}

/* Of the memory; what it is if it is not the usual one is said first. */
static const PdNetworkClass *
memory_class (Builder *self)
{
  for (PdElement *child = self->nodes->children; child != NULL; child = child->next)
    if (strcmp (child->name, "memory") == 0)
      return pd_machine_element_class (child);
  return pd_network_class_find ("memory");
}

/* Which attribute of which element a key stands for; FALSE if of none. */
static gboolean
find_key (Builder *self, const char *key, const char **element, const char **attribute)
{
  const PdNetworkClass *class = pd_machine_element_class (self->network);

  *element = "network";
  *attribute = key;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i].key, key) == 0)
      {
        *element = keys[i].element;
        *attribute = keys[i].attribute;
        return TRUE;
      }
  *attribute = pd_machine_network_attribute (key);
  if (strcmp (key, "type") != 0 && element_has ("network", class, *attribute))
    return TRUE;
  if (g_str_has_prefix (key, "memory-"))
    {
      *element = "memory";
      *attribute = key + strlen ("memory-");
      return element_has ("memory", memory_class (self), *attribute);
    }
  *element = "software";
  return element_has ("software", NULL, key);
}

static char *
list_keys (Builder *self)
{
  g_autoptr (GPtrArray) names = pd_machine_element_attributes (self->network);
  GString *all = g_string_new (NULL);

  for (guint i = 0; i + 1 < names->len; i++)
    if (strcmp (g_ptr_array_index (names, i), "type") != 0)
      g_string_append_printf (all, "%s, ", (const char *) g_ptr_array_index (names, i));
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (all, "%s, ", keys[i].key);
  for (const PdParam *p = pd_network_class_find ("memory")->params; p->name != NULL; p++)
    g_string_append_printf (all, "memory-%s, ", p->name);
  for (const PdParam *p = pd_machine_element_find ("software")->params; p->name != NULL; p++)
    g_string_append_printf (all, "%s, ", p->name);
  g_string_append (all, "OPERATION=ALGORITHM[:SEGMENT], FUNCTION=TIME");
  return g_string_free (all, FALSE);
}

/* "scattered", or "scattered:16" with its segment. */
static void
add_use (Builder *self, const char *operation, const char *algorithm)
{
  PdElement *use = pd_element_add (get_child (self->machine, "collectives"), "use");

  g_auto (GStrv) parts = g_strsplit (algorithm, ":", 2);

  pd_element_set (use, "operation", operation);
  pd_element_set (use, "algorithm", (parts[0] != NULL ? parts[0] : ""));
  if (parts[0] != NULL && parts[1] != NULL)
    pd_element_set (use, "segment", parts[1]);
}

static void
add_function (Builder *self, const char *name, const char *overhead)
{
  PdElement *function = pd_element_add (get_child (self->machine, "software"), "function");

  pd_element_set (function, "name", name);
  pd_element_set (function, "overhead", overhead);
}

static gboolean
add_key (Builder *self, const char *part)
{
  g_auto (GStrv) pair = g_strsplit (part, "=", 2);
  const char *element, *attribute;

  if (pair[0] == NULL || pair[1] == NULL)
    {
      g_set_error (self->error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
                   "inline machine '%s': '%s': expected key=value", self->spec, part);
      return FALSE;
    }
  g_strstrip (pair[0]);
  if (pd_machine_is_operation (pair[0]))
    {
      add_use (self, pair[0], g_strstrip (pair[1]));
      return TRUE;
    }
  if (pd_function_find (pair[0]) < PD_N_FUNCTIONS)
    {
      add_function (self, pair[0], g_strstrip (pair[1]));
      return TRUE;
    }
  if (!find_key (self, pair[0], &element, &attribute))
    {
      g_autofree char *all = list_keys (self);
      g_autofree char *hint = pd_nearest_format_joined (pair[0], all);
      g_set_error (self->error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SCHEMA,
                   "inline machine '%s': unknown key '%s'; expected: %s%s", self->spec, pair[0],
                   all, hint);
      return FALSE;
    }
  PdElement *node = get_element (self, element);
  if (pd_element_get (node, attribute) != NULL)
    {
      g_set_error (self->error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SCHEMA,
                   "inline machine '%s': '%s' is given twice", self->spec, pair[0]);
      return FALSE;
    }
  pd_element_set (node, attribute, g_strstrip (pair[1]));
  return TRUE;
}

/* Refuses sizes of noise of a kind without any: they would have no effect. */
static gboolean
check_noise (const Builder *self)
{
  for (PdElement *node = self->machine->children; node != NULL; node = node->next)
    {
      if (strcmp (node->name, "noise") != 0)
        continue;
      const char *kind = pd_element_get (node, "kind");
      if (g_strcmp0 (kind, "none") != 0 && g_strcmp0 (kind, "recorded") != 0)
        continue;
      for (const PdAttribute *a = node->attributes; a != NULL; a = a->next)
        if (strcmp (a->name, "kind") != 0)
          {
            g_set_error (self->error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SCHEMA,
                         "inline machine '%s': noise=%s does not use 'noise-%s'", self->spec, kind,
                         a->name);
            return FALSE;
          }
    }
  return TRUE;
}

/* A machine's name does not take keys behind it. */
static char *
hint_at_type (const char *type, const char *all)
{
  g_auto (GStrv) names = pd_machine_list ();

  if (g_strv_contains ((const char *const *) names, type))
    return g_strdup_printf ("; '%s' is a machine, which --set PATH=VALUE changes", type);
  return pd_nearest_format_joined (type, all);
}

PdElement *
pd_machine_parse_inline (const char *spec, GError **error)
{
  gsize n = strcspn (spec, ":");
  const char *forbidden = pd_text_find_forbidden (spec, strlen (spec));
  g_autofree char *type = g_strndup (spec, n);
  g_auto (GStrv) parts = g_strsplit (spec[n] == ':' ? spec + n + 1 : "", ",", -1);
  g_autoptr (PdElement) machine = NULL;

  if (forbidden != NULL)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "inline machine '%s': byte %" G_GSIZE_FORMAT " begins what no XML can hold",
                   spec, (gsize) (forbidden - spec) + 1);
      return NULL;
    }
  if (pd_network_class_find (type) == NULL)
    {
      g_autofree char *all = pd_machine_known_types ();
      g_autofree char *hint = hint_at_type (type, all);
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "inline machine of unknown type '%s'; expected one of: %s%s", type, all, hint);
      return NULL;
    }
  machine = pd_element_new ("machine");
  Builder builder = { .spec = spec, .machine = machine, .error = error };
  pd_element_set (machine, "name", type);
  builder.network = get_child (machine, "network");
  pd_element_set (builder.network, "type", type);
  builder.nodes = get_child (builder.network, "nodes");
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && !add_key (&builder, parts[i]))
      return NULL;
  return check_noise (&builder) ? g_steal_pointer (&machine) : NULL;
}
