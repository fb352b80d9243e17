/* Writing XML, attribute by attribute.
 * SPDX-License-Identifier: MIT */
#ifndef PD_XML_H
#define PD_XML_H

#include <glib.h>

/**
 * pd_xml_append_indent:
 * A blank for each of @depth levels.
 */
void pd_xml_append_indent (GString *out, guint depth);

/**
 * pd_xml_append_attribute:
 * An attribute of the tag under way.
 */
void pd_xml_append_attribute (GString *out, const char *name, const char *value);

#endif
