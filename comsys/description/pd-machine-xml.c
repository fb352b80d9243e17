/* XML text to tree, and the comparison with the schema.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-folders.h"
#include "comsys/description/pd-machine-xml.h"
#include "base/pd-error.h"
#include "base/pd-xml-scan.h"
#include "base/pd-xml.h"

#include <string.h>

/* A description is a few kilobytes; a listing of single processors may be more. */
#define MAX_SIZE (64 * 1024 * 1024)

G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlDoc, xmlFreeDoc)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlParserCtxt, xmlFreeParserCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlRelaxNGParserCtxt, xmlRelaxNGFreeParserCtxt)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlRelaxNG, xmlRelaxNGFree)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (xmlRelaxNGValidCtxt, xmlRelaxNGFreeValidCtxt)

/* Called at a document type declaration: ends the parsing before any entity can be declared. */
static void
refuse_doctype (void *context, const xmlChar *name G_GNUC_UNUSED,
                const xmlChar *external G_GNUC_UNUSED, const xmlChar *system G_GNUC_UNUSED)
{
  xmlParserCtxt *parser = context;

  *(gboolean *) parser->_private = TRUE;
  xmlStopParser (parser);
}

#if LIBXML_VERSION < 21200
typedef xmlError XmlMessage;
#else
typedef const xmlError XmlMessage;
#endif

/* Keeps the first message for the caller; the others follow from it. */
static void
keep_first (void *data, XmlMessage *message)
{
  char **first = data;

  if (*first == NULL && message->message != NULL)
    *first = g_strdup_printf ("%d: %s", message->line, message->message);
  if (*first != NULL)
    g_strchomp (*first);
}

static gboolean
check_size (const char *data, gsize size, const char *origin, GError **error)
{
  gint64 line;

  if (size == 0 || size > MAX_SIZE)
    return pd_fail_in (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT, origin, "%s",
                       size == 0 ? "the file is empty" : "larger than 64 MiB");
  return pd_xml_scan_attributes (data, size, &line)
         || pd_fail_at (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT, origin, line,
                        "an element with more than %d attributes", PD_XML_ATTRIBUTES_MAX);
}

static xmlDoc *
parse (const char *data, gsize size, const char *origin, GError **error)
{
  g_autoptr (xmlParserCtxt) parser = xmlCreateMemoryParserCtxt (data, (int) size);
  g_autofree char *message = NULL;
  gboolean has_doctype = FALSE;
  if (parser == NULL)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT, "%s: not XML", origin);
      return NULL;
    }
  xmlCtxtUseOptions (parser, XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  parser->_private = &has_doctype;
  parser->sax->internalSubset = refuse_doctype;
  xmlSetStructuredErrorFunc (&message, keep_first);
  xmlParseDocument (parser);
  xmlSetStructuredErrorFunc (NULL, NULL);

  g_autoptr (xmlDoc) doc = g_steal_pointer (&parser->myDoc);
  if (has_doctype)
    g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT,
                 "%s: a document type declaration is not accepted", origin);
  else if (!parser->wellFormed || doc == NULL || xmlDocGetRootElement (doc) == NULL)
    g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT, "%s:%s", origin,
                 message != NULL ? message : " not XML");
  else
    return g_steal_pointer (&doc);
  return NULL;
}

/* ---- the tree of a document */

static char *
join_name (const xmlNs *ns, const xmlChar *name)
{
  const char *local = (const char *) name;

  if (ns == NULL)
    return g_strdup (local);
  return ns->prefix != NULL ? g_strdup_printf ("%s:%s", (const char *) ns->prefix, local)
                            : g_strdup_printf ("{%s}%s", (const char *) ns->href, local);
}

static void
take_attributes (PdElement *self, xmlNode *node)
{
  for (xmlAttr *a = node->properties; a != NULL; a = a->next)
    {
      g_autofree char *name = join_name (a->ns, a->name);
      xmlChar *value = xmlNodeGetContent ((xmlNode *) a);
      pd_element_set (self, name, (const char *) value);
      xmlFree (value);
    }
}

/* Comments and instructions are left out. */
static PdElement *
make_element (PdElement *parent, xmlNode *node)
{
  g_autofree char *name = join_name (node->ns, node->name);
  g_autoptr (GString) text = g_string_new (NULL);
  PdElement *self = parent == NULL ? pd_element_new (name) : pd_element_add (parent, name);

  self->line = xmlGetLineNo (node);
  take_attributes (self, node);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (child->type == XML_ELEMENT_NODE)
      make_element (self, child);
    else if (child->type == XML_TEXT_NODE && !xmlIsBlankNode (child))
      g_string_append (text, (const char *) child->content);
  if (text->len > 0)
    pd_element_set_text (self, text->str);
  return self;
}

PdElement *
pd_machine_parse_xml (const char *data, gsize size, const char *origin, PdMachineXml **xml,
                      GError **error)
{
  if (!check_size (data, size, origin, error) || !pd_xml_load (error))
    return NULL;
  *xml = parse (data, size, origin, error);
  return *xml != NULL ? make_element (NULL, xmlDocGetRootElement (*xml)) : NULL;
}

void
pd_machine_xml_free (PdMachineXml *self)
{
  if (self != NULL)
    xmlFreeDoc (self);
}

/* ---- the schema */

static char *
find_schema (void)
{
  g_auto (GStrv) folders = pd_machine_data_folders ("schemas");

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folders[i], "machine.rng", NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* Patterns of values are for other validators: the compilation of one takes libxml2 a millisecond,
 * at every attribute that has it. The reader checks each value with a message of its own. */
static void
drop_patterns (xmlNode *parent)
{
  for (xmlNode *child = parent->children, *next; child != NULL; child = next)
    {
      next = child->next;
      xmlAttr *name = xmlHasProp (child, BAD_CAST "name");
      if (child->type == XML_ELEMENT_NODE && xmlStrEqual (child->name, BAD_CAST "param")
          && name != NULL && name->children != NULL
          && xmlStrEqual (name->children->content, BAD_CAST "pattern"))
        {
          xmlUnlinkNode (child);
          xmlFreeNode (child);
        }
      else
        drop_patterns (child);
    }
}

/* The schema is parsed once, as it may change only with the program; predictions
 * in several threads share it, one at a time. */
static GMutex schema_lock;

/* With schema_lock. */
static xmlRelaxNG *
get_schema (GError **error)
{
  static xmlRelaxNG *schema;
  g_autofree char *path = schema == NULL ? find_schema () : NULL;
  g_autofree char *message = NULL;

  if (schema != NULL || path == NULL)
    return schema;

  g_autofree char *text = NULL;
  gsize size;
  if (!g_file_get_contents (path, &text, &size, NULL) || size > MAX_SIZE)
    return NULL;
  xmlSetStructuredErrorFunc (&message, keep_first);
  g_autoptr (xmlDoc) doc = xmlReadMemory (text, (int) size, path, NULL, XML_PARSE_NONET);
  if (doc != NULL && xmlDocGetRootElement (doc) != NULL)
    drop_patterns (xmlDocGetRootElement (doc));
  g_autoptr (xmlRelaxNGParserCtxt) parser =
      doc == NULL ? NULL : xmlRelaxNGNewDocParserCtxt (doc); /* keeps a copy */
  schema = parser == NULL ? NULL : xmlRelaxNGParse (parser);
  xmlSetStructuredErrorFunc (NULL, NULL);
  if (schema == NULL)
    g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT, "%s:%s", path,
                 message != NULL ? message : " not a RELAX NG schema");
  return schema;
}

/* With schema_lock. */
static gboolean
validate (xmlDoc *doc, const char *origin, GError **error)
{
  g_autoptr (GError) local = NULL;
  xmlRelaxNG *schema = get_schema (&local);
  g_autofree char *message = NULL;

  if (schema == NULL)
    {
      gboolean is_absent = local == NULL;
      if (!is_absent)
        g_propagate_error (error, g_steal_pointer (&local));
      return is_absent;
    }

  g_autoptr (xmlRelaxNGValidCtxt) context = xmlRelaxNGNewValidCtxt (schema);
  xmlSetStructuredErrorFunc (&message, keep_first);
  xmlRelaxNGSetValidStructuredErrors (context, keep_first, &message);
  int status = xmlRelaxNGValidateDoc (context, doc);
  xmlSetStructuredErrorFunc (NULL, NULL);
  if (status == 0)
    return TRUE;
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SCHEMA, "%s:%s", origin,
               message != NULL ? message : " does not fit the schema");
  return FALSE;
}

gboolean
pd_machine_validate (PdMachineXml *xml, const char *origin, GError **error)
{
  g_mutex_lock (&schema_lock);
  gboolean ok = validate (xml, origin, error);
  g_mutex_unlock (&schema_lock);
  return ok;
}

/* ---- what the reader has taken */

static gboolean
has_tables_first (const PdElement *parent)
{
  gboolean others = FALSE;

  for (const PdElement *child = parent->children; child != NULL; child = child->next)
    {
      gboolean is_table = strcmp (child->name, "table") == 0;
      if ((is_table && others) || !has_tables_first (child))
        return FALSE;
      others = others || !is_table;
    }
  return TRUE;
}

gboolean
pd_machine_fits_schema (const PdElement *root)
{
  const char *version = pd_element_get (root, "version");

  return (version == NULL || strcmp (version, "1") == 0) && has_tables_first (root);
}
