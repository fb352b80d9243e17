/* Studies as XML.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "sweep/study/pd-study-private.h"
#include "sweep/study/pd-study-xml.h"
#include "base/pd-file.h"
#include "base/pd-xml-scan.h"
#include "base/pd-xml.h"

#include <stdio.h>
#include <string.h>

#define MAX_SIZE (1024 * 1024 * 1024)
#define VERSION  "1"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlDoc, xmlFreeDoc)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlParserCtxt, xmlFreeParserCtxt)

/* ---- reading */

typedef struct
{
  PdStudy *study;
  const char *name; /* of the file */
  GError **error;
} Reader;

#define fail(self, node, ...)                                                                      \
  pd_fail_at ((self)->error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT, (self)->name,                  \
              xmlGetLineNo (node), __VA_ARGS__)

/* Says where an error of the study is. */
static gboolean
place (Reader *self, const xmlNode *node, gboolean ok)
{
  if (!ok)
    g_prefix_error (self->error, "%s:%ld: ", self->name, xmlGetLineNo (node));
  return ok;
}

static char *
get_attribute (const xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetProp (node, (const xmlChar *) name);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  return copy;
}

/* Whether @node has no attributes but @known. */
static gboolean
check_attributes (Reader *self, const xmlNode *node, const char *const *known)
{
  for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
    if (!g_strv_contains (known, (const char *) a->name))
      return fail (self, node, "<%s> has no attribute '%s'", (const char *) node->name,
                   (const char *) a->name);
  return TRUE;
}

static gboolean
need (Reader *self, const xmlNode *node, const char *name, char **value)
{
  *value = get_attribute (node, name);
  return *value != NULL
         || fail (self, node, "<%s> needs an attribute '%s'", (const char *) node->name, name);
}

static gboolean
read_parameter (Reader *self, const xmlNode *node)
{
  static const char *const known[] = { "name", "value", NULL };
  g_autofree char *name = NULL, *value = NULL;

  return check_attributes (self, node, known) && need (self, node, "name", &name)
         && need (self, node, "value", &value)
         && place (self, node, pd_study_set (self->study, name, value, self->error));
}

/* The texts of <value> elements, and a last NULL. */
static GPtrArray *
read_values (Reader *self, const xmlNode *node)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  for (const xmlNode *child = node->children; child != NULL; child = child->next)
    {
      if (child->type != XML_ELEMENT_NODE)
        continue;
      if (strcmp ((const char *) child->name, "value") != 0)
        {
          fail (self, child, "<%s> in <%s>, expected <value>", (const char *) child->name,
                (const char *) node->name);
          return NULL;
        }
      xmlChar *text = xmlNodeGetContent (child);
      g_ptr_array_add (values, g_strstrip (g_strdup ((const char *) text)));
      xmlFree (text);
    }
  g_ptr_array_add (values, NULL);
  return g_steal_pointer (&values);
}

static gboolean
read_axis (Reader *self, const xmlNode *node)
{
  static const char *const known[] = { "name", "values", NULL };
  g_autofree char *name = NULL, *text = get_attribute (node, "values");
  g_autoptr (GPtrArray) values = read_values (self, node);

  if (values == NULL || !check_attributes (self, node, known) || !need (self, node, "name", &name))
    return FALSE;
  if (text != NULL && values->len > 1)
    return fail (self, node, "values of axis '%s' are given twice", name);
  if (text != NULL)
    return place (self, node, pd_study_add_axis (self->study, name, text, self->error));
  return place (self, node,
                pd_study_add_axis_values (self->study, name, (const char *const *) values->pdata,
                                          values->len - 1, self->error));
}

static gboolean
read_point (Reader *self, const xmlNode *node)
{
  static const char *const known[] = { NULL };
  g_autoptr (GPtrArray) values = read_values (self, node);

  return values != NULL && check_attributes (self, node, known)
         && place (self, node,
                   pd_study_add_point (self->study, (const char *const *) values->pdata,
                                       values->len - 1, self->error));
}

static gboolean
read_sample (Reader *self, const xmlNode *node)
{
  static const char *const known[] = { "method", "points", "seed", NULL };
  g_autofree char *method = NULL, *points = NULL, *seed = get_attribute (node, "seed");

  if (!check_attributes (self, node, known) || !need (self, node, "method", &method)
      || !need (self, node, "points", &points))
    return FALSE;
  g_autofree char *text = g_strconcat (method, ":", points, seed != NULL ? ":" : NULL, seed, NULL);
  return place (self, node, pd_study_set_sample (self->study, text, self->error));
}

static const struct
{
  const char *name;
  gboolean (*read) (Reader *self, const xmlNode *node);
} elements[] = {
  { "parameter", read_parameter },
  { "axis", read_axis },
  { "sample", read_sample },
  { "point", read_point },
};

static gboolean
read_element (Reader *self, const xmlNode *node)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].name, (const char *) node->name) == 0)
      return elements[i].read (self, node);
  return fail (self, node, "<%s> is not known, expected <parameter>, <axis>, <sample> or <point>",
               (const char *) node->name);
}

static gboolean
read_root (Reader *self, const xmlNode *root)
{
  static const char *const known[] = { "version", "per-processor", NULL };
  g_autofree char *version = NULL, *per_processor = get_attribute (root, "per-processor");

  if (strcmp ((const char *) root->name, "study") != 0)
    return fail (self, root, "not a study: expected the root element 'study', not '%s'",
                 (const char *) root->name);
  if (!need (self, root, "version", &version))
    return FALSE;
  if (strcmp (version, VERSION) != 0)
    return fail (self, root, "version '%s' of studies, this program knows " VERSION, version);
  if (!check_attributes (self, root, known))
    return FALSE;
  if (per_processor != NULL && strcmp (per_processor, "yes") != 0
      && strcmp (per_processor, "no") != 0)
    return fail (self, root, "per-processor='%s': expected yes or no", per_processor);
  if (g_strcmp0 (per_processor, "yes") == 0)
    self->study->per_processor = TRUE;
  for (const xmlNode *child = root->children; child != NULL; child = child->next)
    if (child->type == XML_ELEMENT_NODE && !read_element (self, child))
      return FALSE;
  return TRUE;
}

/* Ends the parsing before any entity can be declared; the parser's own data say so. */
static void
refuse_doctype (void *context, const xmlChar *name G_GNUC_UNUSED,
                const xmlChar *external G_GNUC_UNUSED, const xmlChar *system G_GNUC_UNUSED)
{
  ((xmlParserCtxt *) context)->_private = context;
  xmlStopParser (context);
}

static xmlDoc *
parse (GBytes *bytes, const char *name, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  if (!pd_xml_load (error))
    return NULL;
  g_autoptr (xmlParserCtxt) parser =
      size == 0 || size > MAX_SIZE ? NULL : xmlCreateMemoryParserCtxt (data, (int) size);

  if (parser == NULL)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT, "%s: %s", name,
                   size == 0 ? "the file is empty" : "not a study, or larger than 1 GiB");
      return NULL;
    }
  gint64 line;
  if (!pd_xml_scan_attributes (data, size, &line))
    {
      pd_fail_at (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT, name, line,
                  "an element with more than %d attributes", PD_XML_ATTRIBUTES_MAX);
      return NULL;
    }
  xmlCtxtUseOptions (parser, XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES
                                 | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  parser->sax->internalSubset = refuse_doctype;
  xmlParseDocument (parser);

  g_autoptr (xmlDoc) doc = g_steal_pointer (&parser->myDoc);
  if (parser->wellFormed && doc != NULL && xmlDocGetRootElement (doc) != NULL)
    return g_steal_pointer (&doc);
  if (parser->_private != NULL)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
                   "%s: a document type is declared, which a study does not have", name);
      return NULL;
    }
  g_autofree char *text =
      g_strdup (parser->lastError.message != NULL ? parser->lastError.message : "not XML");
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT, "%s:%d: %s", name,
               parser->lastError.line, g_strchomp (text));
  return NULL;
}

gboolean
pd_study_read (PdStudy *self, GBytes *bytes, const char *name, GError **error)
{
  g_autoptr (xmlDoc) doc = parse (bytes, name, error);
  Reader reader = { self, name, error };

  return doc != NULL && read_root (&reader, xmlDocGetRootElement (doc));
}

gboolean
pd_study_is_file (const char *path)
{
  char head[1024];
  const char *resolved = pd_file_exists (path) ? pd_file_resolve (path, NULL) : NULL;
  FILE *file = resolved != NULL ? fopen (resolved, "rb") : NULL;

  if (file == NULL)
    return FALSE;
  gsize n = fread (head, 1, sizeof head - 1, file);
  fclose (file);
  head[n] = '\0';
  const char *text = g_str_has_prefix (head, "\xef\xbb\xbf") ? head + 3 : head;
  return text[strspn (text, " \t\r\n")] == '<';
}

/* ---- writing */

static void
append_attribute (GString *out, const char *name, const char *value)
{
  g_autofree char *escaped = g_markup_escape_text (value, -1);

  g_string_append_printf (out, " %s=\"%s\"", name, escaped);
}

static void
append_value (GString *out, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (out, "<value>%s</value>", escaped);
}

static void
append_axis (GString *out, const PdStudy *self, const PdAxis *axis)
{
  g_string_append (out, "  <axis");
  append_attribute (out, "name", axis->name);
  if (axis->range != NULL)
    append_attribute (out, "values", axis->range);
  if (axis->range != NULL || self->kind == PD_POINTS_LIST)
    {
      g_string_append (out, "/>\n");
      return;
    }
  g_string_append_c (out, '>');
  for (guint i = 0; i < axis->texts->len; i++)
    append_value (out, g_ptr_array_index (axis->texts, i));
  g_string_append (out, "</axis>\n");
}

void
pd_study_write (const PdStudy *self, GString *out)
{
  g_return_if_fail (self->complete);

  g_string_append_printf (out,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<study version=\"%s\"%s>\n",
                          VERSION, self->per_processor ? " per-processor=\"yes\"" : "");
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const PdParameter *parameter = &g_array_index (self->parameters, PdParameter, i);
      g_string_append (out, "  <parameter");
      append_attribute (out, "name", parameter->name);
      append_attribute (out, "value", parameter->value);
      g_string_append (out, "/>\n");
    }
  for (guint i = 0; i < self->axes->len; i++)
    append_axis (out, self, g_ptr_array_index (self->axes, i));
  if (self->kind == PD_POINTS_SOBOL)
    g_string_append_printf (
        out, "  <sample method=\"sobol\" points=\"%" G_GINT64_FORMAT "\" seed=\"%u\"/>\n",
        self->n_sample, self->seed);
  for (gint64 point = 0; self->kind == PD_POINTS_LIST && point < self->n_points; point++)
    {
      g_string_append (out, "  <point>");
      for (guint i = 0; i < self->axes->len; i++)
        append_value (out, pd_study_get_text (self, point, i));
      g_string_append (out, "</point>\n");
    }
  g_string_append (out, "</study>\n");
}
