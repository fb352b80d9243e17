/* libxml2, loaded when something is first read as XML.
 * SPDX-License-Identifier: MIT */
#include "base/pd-xml.h"

struct pd_xml_functions pd_xml;
PD_LIBRARY_DEFINE_SHARED (pd_xml, PD_SONAME_XML2, PD_XML_FUNCTIONS);

/* libxml2 would print lines of its own, and call a document damaged that it has no memory for. */
static void *
allocate (size_t n)
{
  return g_malloc (MAX (n, 1));
}

static void *
reallocate (void *memory, size_t n)
{
  return g_realloc (memory, MAX (n, 1));
}

static char *
duplicate (const char *text)
{
  return g_strdup (text);
}

static void
use_glib_memory (void)
{
  xmlMemSetup (g_free, allocate, reallocate, duplicate);
}

gboolean
pd_xml_load (GError **error)
{
  return pd_library_load (&pd_xml_library, error);
}

void
pd_xml_use_glib_memory (void)
{
  pd_xml_library.prepare = use_glib_memory;
}
