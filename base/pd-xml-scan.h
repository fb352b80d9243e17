/* XML looked at before it is parsed. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_XML_SCAN_H
#define PD_XML_SCAN_H

#include <glib.h>

/* The most attributes of one element; the forms that this program reads have about twenty. */
#define PD_XML_ATTRIBUTES_MAX 1000

/**
 * pd_xml_scan_attributes:
 * @data: (array length=size): a document
 * @line: (out): where the element with too many begins, from 1
 *
 * The parser compares each attribute of an element with all others of it, which takes
 * minutes for a million of them.
 *
 * Returns: %FALSE if an element has more than %PD_XML_ATTRIBUTES_MAX attributes.
 */
gboolean pd_xml_scan_attributes (const char *data, gsize size, gint64 *line);

#endif
