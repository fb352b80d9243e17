/* libxml2, loaded when something is first read as XML: with the libraries that it needs itself that
 * takes as long as all else that a short command does. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_XML_H
#define PD_XML_H

#include "base/pd-library.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/relaxng.h>

/* clang-format off */
#define PD_XML_FUNCTIONS(F) \
  F (xmlCreateMemoryParserCtxt) F (xmlCtxtUseOptions) F (xmlDocGetRootElement) F (xmlFree) \
  F (xmlFreeDoc) F (xmlFreeNode) F (xmlFreeParserCtxt) F (xmlGetLineNo) F (xmlGetNoNsProp) \
  F (xmlGetProp) F (xmlHasProp) F (xmlIsBlankNode) F (xmlMemSetup) F (xmlNodeGetContent) \
  F (xmlParseDocument) F (xmlReadMemory) F (xmlRelaxNGFree) F (xmlRelaxNGFreeParserCtxt) \
  F (xmlRelaxNGFreeValidCtxt) F (xmlRelaxNGNewDocParserCtxt) F (xmlRelaxNGNewValidCtxt) \
  F (xmlRelaxNGParse) F (xmlRelaxNGSetValidStructuredErrors) F (xmlRelaxNGValidateDoc) \
  F (xmlSetStructuredErrorFunc) F (xmlStopParser) F (xmlStrEqual) F (xmlUnlinkNode)
/* clang-format on */

extern struct pd_xml_functions
{
  PD_XML_FUNCTIONS (PD_LIBRARY_POINTER)
} pd_xml;

/**
 * pd_xml_load:
 *
 * Before any other function of libxml2 is called.
 *
 * Returns: as pd_library_load().
 */
gboolean pd_xml_load (GError **error);

/**
 * pd_xml_use_glib_memory:
 *
 * Memory of libxml2, once it is loaded, is that of GLib, which ends the process where there is
 * none.
 */
void pd_xml_use_glib_memory (void);

#include "pd-xml-names.h"

#endif
