/* SPDX-License-Identifier: MIT */
#include "reports/pd-html-private.h"

#define MAX_INDENT 12 /* levels */

void
pd_html_append_cell (GString *out, const char *text)
{
  g_string_append (out, "<td>");
  pd_report_append_markup (out, text);
  g_string_append (out, "</td>");
}

void
pd_html_append_fixed (GString *out, gdouble value, int decimals)
{
  g_autofree char *text = pd_report_fixed (value, decimals);

  pd_html_append_cell (out, text);
}

void
pd_html_begin_table (GString *out, const char *const *headings)
{
  g_string_append (out, "<div class=\"scroll\"><table>\n<thead><tr>");
  for (; *headings != NULL; headings++)
    g_string_append_printf (out, "<th%s>%s</th>", **headings == '<' ? " class=\"l\"" : "",
                            *headings + (**headings == '<'));
  g_string_append (out, "</tr></thead>\n<tbody>\n");
}

void
pd_html_end_table (GString *out)
{
  g_string_append (out, "</tbody></table></div>\n");
}

void
pd_html_append_label (GString *out, const char *label, guint depth)
{
  g_autofree char *indent = pd_report_fixed (0.6 + 1.2 * (gdouble) MIN (depth, MAX_INDENT), 1);

  g_string_append_printf (out, "<tr><td class=\"l\" style=\"padding-left:%sem\">", indent);
  pd_report_append_markup (out, label);
  g_string_append (out, "</td>");
}
