/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-xml.h"
#include "reports/emit/pd-format.h"

#define MAX_INDENT 24 /* deeper trees are not indented any further */

void
pd_xml_append_indent (GString *out, guint depth)
{
  g_string_append_printf (out, "%*s", (int) MIN (depth, MAX_INDENT), "");
}

void
pd_xml_append_attribute (GString *out, const char *name, const char *value)
{
  g_string_append_printf (out, " %s=\"", name);
  pd_report_append_markup (out, value);
  g_string_append_c (out, '"');
}
