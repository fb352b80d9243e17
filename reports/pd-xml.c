/* SPDX-License-Identifier: MIT */
#include "reports/pd-xml-private.h"

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

void
pd_xml_append_integer (GString *out, const char *name, PdWide value)
{
  g_string_append_printf (out, " %s=\"", name);
  pd_report_append_wide (out, value);
  g_string_append_c (out, '"');
}

void
pd_xml_append_seconds (GString *out, const char *name, PdTimeSum value)
{
  g_string_append_printf (out, " %s=\"", name);
  pd_report_append_seconds (out, value);
  g_string_append_c (out, '"');
}

void
pd_xml_append_double (GString *out, const char *name, const char *format, gdouble value)
{
  g_string_append_printf (out, " %s=\"", name);
  pd_report_append_double (out, format, value);
  g_string_append_c (out, '"');
}
