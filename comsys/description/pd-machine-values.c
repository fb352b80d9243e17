/* Functions that read every element of a machine description: the attributes and children
 * that it may have, and their values.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

gboolean
pd_machine_fail (PdMachineReader *self, xmlNode *node, int code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);

  long line = self->elastic ? 0 : xmlGetLineNo (node);
  if (line > 0)
    g_set_error (self->error, PD_MACHINE_ERROR, code, "%s:%ld: %s: %s", self->origin, line,
                 (const char *) node->name, text);
  else
    g_set_error (self->error, PD_MACHINE_ERROR, code, "%s: %s: %s", self->origin,
                 (const char *) node->name, text);
  return FALSE;
}

gboolean
pd_machine_is_named (const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, name) == 0;
}

/* ---- what an element may hold */

static char *
join_names (const char *const *names)
{
  g_autofree char *all = g_strjoinv (", ", (char **) names);

  return *all == '\0' ? g_strdup ("none") : g_steal_pointer (&all);
}

static gboolean
check_attributes (PdMachineReader *self, xmlNode *node)
{
  g_autoptr (GPtrArray) known = pd_machine_element_attributes (node);

  for (xmlAttr *a = node->properties; a != NULL; a = a->next)
    if (a->ns != NULL
        || !g_strv_contains ((const char *const *) known->pdata, (const char *) a->name))
      {
        g_autofree char *all = join_names ((const char *const *) known->pdata);
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                                "unknown attribute '%s'; expected: %s", (const char *) a->name,
                                all);
      }
  return TRUE;
}

static gboolean
check_child (PdMachineReader *self, xmlNode *node, xmlNode *child, const PdMachineElement *element)
{
  if (child->type == XML_COMMENT_NODE || child->type == XML_PI_NODE)
    return TRUE;
  if (child->type == XML_TEXT_NODE && (element->has_text || xmlIsBlankNode (child)))
    return TRUE;
  if (child->type == XML_ELEMENT_NODE && child->ns == NULL
      && g_strv_contains (element->children, (const char *) child->name))
    return TRUE;

  g_autofree char *all = join_names (element->children);
  if (child->type == XML_ELEMENT_NODE)
    return pd_machine_fail (self, child, PD_MACHINE_ERROR_SCHEMA,
                            "unknown element in '%s'; expected: %s", (const char *) node->name,
                            all);
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                          "text where only elements are expected: %s", all);
}

gboolean
pd_machine_check_element (PdMachineReader *self, xmlNode *node)
{
  const PdMachineElement *element = pd_machine_element_find ((const char *) node->name);

  if (!check_attributes (self, node))
    return FALSE;
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (!check_child (self, node, child, element))
      return FALSE;
  return TRUE;
}

gboolean
pd_machine_get_only (PdMachineReader *self, xmlNode *node, const char *name, xmlNode **only)
{
  *only = NULL;
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, name))
      {
        if (*only != NULL)
          return pd_machine_fail (self, child, PD_MACHINE_ERROR_SCHEMA,
                                  "only one is expected in '%s'", (const char *) node->name);
        *only = child;
      }
  return TRUE;
}

/* ---- values */

gboolean
pd_machine_read_choice (PdMachineReader *self, xmlNode *node, const char *name, const char *text,
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
pd_machine_read_number (PdMachineReader *self, xmlNode *node, const char *name, PdUnit unit,
                        const char *text, PdNumber *number)
{
  g_autoptr (GError) local = NULL;

  if (pd_units_parse (unit, text, number, &local))
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s: %s", name, local->message);
}

/* The text of a parameter, (transfer full) (nullable): given, or what stands for it. */
static char *
get_text (xmlNode *node, const PdParam *params, const PdParam *param)
{
  char *given = pd_machine_attribute (node, param->name);

  if (given != NULL || param->fallback == NULL)
    return given;
  if (param->fallback[0] != '=')
    return g_strdup (param->fallback);
  for (const PdParam *p = params; p->name != NULL; p++)
    if (strcmp (p->name, param->fallback + 1) == 0)
      return get_text (node, params, p);
  return NULL;
}

static gboolean
read_shape (PdMachineReader *self, xmlNode *node, const char *name, const char *text,
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
read_param (PdMachineReader *self, xmlNode *node, const PdParam *params, const PdParam *param,
            gpointer base)
{
  g_autofree char *text = get_text (node, params, param);
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
pd_machine_read_params (PdMachineReader *self, xmlNode *node, const PdParam *params, gpointer base)
{
  for (const PdParam *p = params; p->name != NULL; p++)
    if (!read_param (self, node, params, p, base))
      return FALSE;
  return TRUE;
}

char *
pd_machine_read_text (xmlNode *node)
{
  xmlChar *content = xmlNodeGetContent (node);
  g_auto (GStrv) words = g_strsplit_set (content != NULL ? (char *) content : "", " \t\r\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", words[i]);
  if (content != NULL)
    xmlFree (content);
  return g_string_free (text, FALSE);
}

gboolean
pd_machine_check_count (PdMachineReader *self, xmlNode *node, const char *name, gint64 count)
{
  if (count <= PD_MACHINE_MAX_PROCESSORS)
    return TRUE;
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                          "%s: %" G_GINT64_FORMAT " is more than %d", name, count,
                          PD_MACHINE_MAX_PROCESSORS);
}

gboolean
pd_machine_check_network (PdMachineReader *self, xmlNode *node, PdMachineNetwork *network)
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
