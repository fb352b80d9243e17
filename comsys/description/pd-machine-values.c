/* Functions that read every element of a machine description: the attributes and children
 * that it may have, and their values.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

gboolean
pd_machine_fail (PdMachineReader *self, PdElement *node, int code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);

  long line = self->elastic ? 0 : node->line;
  if (line > 0)
    g_set_error (self->error, PD_MACHINE_ERROR, code, "%s:%ld: %s: %s", self->origin, line,
                 node->name, text);
  else
    g_set_error (self->error, PD_MACHINE_ERROR, code, "%s: %s: %s", self->origin, node->name, text);
  return FALSE;
}

gboolean
pd_machine_is_named (const PdElement *node, const char *name)
{
  return strcmp (node->name, name) == 0;
}

/* ---- what an element may hold */

static char *
join_names (const char *const *names)
{
  g_autofree char *all = g_strjoinv (", ", (char **) names);

  return *all == '\0' ? g_strdup ("none") : g_steal_pointer (&all);
}

static gboolean
check_attributes (PdMachineReader *self, PdElement *node)
{
  g_autoptr (GPtrArray) known = pd_machine_element_attributes (node);

  for (const PdAttribute *a = node->attributes; a != NULL; a = a->next)
    if (!g_strv_contains ((const char *const *) known->pdata, a->name))
      {
        g_autofree char *all = join_names ((const char *const *) known->pdata);
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                                "unknown attribute '%s'; expected: %s", a->name, all);
      }
  return TRUE;
}

static gboolean
check_content (PdMachineReader *self, PdElement *node, const PdMachineElement *element)
{
  g_autofree char *all = join_names (element->children);

  for (PdElement *child = node->children; child != NULL; child = child->next)
    if (!g_strv_contains (element->children, child->name))
      return pd_machine_fail (self, child, PD_MACHINE_ERROR_SCHEMA,
                              "unknown element in '%s'; expected: %s", node->name, all);
  return node->text == NULL || element->has_text
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                             "text where only elements are expected: %s", all);
}

gboolean
pd_machine_check_element (PdMachineReader *self, PdElement *node)
{
  const PdMachineElement *element = pd_machine_element_find (node->name);

  return check_attributes (self, node) && check_content (self, node, element);
}

gboolean
pd_machine_get_only (PdMachineReader *self, PdElement *node, const char *name, PdElement **only)
{
  *only = NULL;
  for (PdElement *child = node->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, name))
      {
        if (*only != NULL)
          return pd_machine_fail (self, child, PD_MACHINE_ERROR_SCHEMA,
                                  "only one is expected in '%s'", node->name);
        *only = child;
      }
  return TRUE;
}

/* ---- values */

gboolean
pd_machine_read_choice (PdMachineReader *self, PdElement *node, const char *name, const char *text,
                        const char *const *choices, guint *chosen)
{
  for (guint i = 0; choices[i] != NULL; i++)
    if (strcmp (choices[i], text) == 0)
      {
        *chosen = i;
        return TRUE;
      }
  g_autofree char *all = join_names (choices);
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s='%s': expected one of: %s", name,
                          text, all);
}

gboolean
pd_machine_read_number (PdMachineReader *self, PdElement *node, const char *name, PdUnit unit,
                        const char *text, PdNumber *number)
{
  g_autoptr (GError) local = NULL;

  if (pd_units_parse (unit, text, number, &local))
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s: %s", name, local->message);
}

/* The text of a parameter, (nullable): given, or what stands for it. */
static const char *
get_text (PdElement *node, const PdParam *params, const PdParam *param)
{
  const char *given = pd_element_get (node, param->name);

  if (given != NULL || param->fallback == NULL)
    return given;
  if (param->fallback[0] != '=')
    return param->fallback;
  for (const PdParam *p = params; p->name != NULL; p++)
    if (strcmp (p->name, param->fallback + 1) == 0)
      return get_text (node, params, p);
  return NULL;
}

static gboolean
read_shape (PdMachineReader *self, PdElement *node, const char *name, const char *text,
            PdShape *shape)
{
  g_autoptr (GError) local = NULL;

  *shape = (PdShape){ 0, { 0 } };
  if (*text == '\0' || pd_units_parse_shape (text, shape, &local))
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s: %s", name, local->message);
}

/* Fills the field of @base that @param, one of @params, describes. */
static gboolean
read_param (PdMachineReader *self, PdElement *node, const PdParam *params, const PdParam *param,
            gpointer base)
{
  const char *text = get_text (node, params, param);
  guint8 *field = (guint8 *) base + param->offset;
  PdNumber number;

  if (text == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute '%s' is missing: %s",
                            param->name, param->meaning);
  if (param->choices != NULL)
    return pd_machine_read_choice (self, node, param->name, text, param->choices,
                                   (guint *) (gpointer) field);
  if (param->unit == PD_UNIT_SHAPE)
    return read_shape (self, node, param->name, text, (PdShape *) (gpointer) field);
  if (!pd_machine_read_number (self, node, param->name, param->unit, text, &number))
    return FALSE;

  gboolean integral =
      param->unit == PD_UNIT_TIME || param->unit == PD_UNIT_BYTES || param->unit == PD_UNIT_COUNT;
  if (integral && number.i < param->minimum)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "%s='%s': expected at least %" G_GINT64_FORMAT, param->name, text,
                            param->minimum);
  if (integral)
    memcpy (field, &number.i, sizeof number.i);
  else
    memcpy (field, &number.d, sizeof number.d);
  return TRUE;
}

gboolean
pd_machine_read_params (PdMachineReader *self, PdElement *node, const PdParam *params,
                        gpointer base)
{
  for (const PdParam *p = params; p->name != NULL; p++)
    if (!read_param (self, node, params, p, base))
      return FALSE;
  return TRUE;
}

char *
pd_machine_read_text (PdElement *node)
{
  g_auto (GStrv) words = g_strsplit_set (node->text != NULL ? node->text : "", " \t\r\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", words[i]);
  return g_string_free (text, FALSE);
}

gboolean
pd_machine_check_count (PdMachineReader *self, PdElement *node, const char *name, gint64 count)
{
  if (count <= PD_MACHINE_MAX_PROCESSORS)
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                          "%s: %" G_GINT64_FORMAT " is more than %d", name, count,
                          PD_MACHINE_MAX_PROCESSORS);
}

gboolean
pd_machine_check_network (PdMachineReader *self, PdElement *node, PdMachineNetwork *network)
{
  gint64 n_endpoints = 0;
  g_autofree char *reason = NULL;

  for (guint i = 0; i < network->children->len; i++)
    n_endpoints += ((const PdMachineNode *) network->children->pdata[i])->count;
  if (!pd_machine_check_count (self, node, "number of nodes", n_endpoints))
    return FALSE;
  return network->class->check == NULL
         || network->class->check (network->config, (guint32) n_endpoints, &reason)
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s", reason);
}
