/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-html.h"

#include "reports/emit/pd-format.h"

#include <string.h>

#define MAX_INDENT 12 /* levels */

void
pd_html_append_cell (GString *out, const char *text)
{
  g_string_append (out, "<td>");
  pd_report_append_markup (out, text);
  g_string_append (out, "</td>");
}

void
pd_html_append_left (GString *out, const char *text)
{
  g_string_append (out, "<td class=\"l\">");
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
pd_html_append_element (GString *out, const char *tag, const char *text)
{
  g_string_append_printf (out, "<%s>", tag);
  pd_report_append_markup (out, text);
  g_string_append_printf (out, "</%.*s>\n", (int) strcspn (tag, " "), tag);
}

/* Tables may be wider than the page: they can be scrolled, by keys, too. */
static void
begin_table (GString *out, const char *attributes, const char *const *headings)
{
  g_string_append_printf (out, "<div class=\"scroll\" tabindex=\"0\"><table%s>\n<thead><tr>",
                          attributes);
  for (; *headings != NULL; headings++)
    {
      g_string_append_printf (out, "<th scope=\"col\"%s>", **headings == '<' ? " class=\"l\"" : "");
      pd_report_append_markup (out, *headings + (**headings == '<'));
      g_string_append (out, "</th>");
    }
  g_string_append (out, "</tr></thead>\n<tbody>\n");
}

void
pd_html_begin_table (GString *out, const char *const *headings)
{
  begin_table (out, "", headings);
}

void
pd_html_begin_tree (GString *out, const char *const *headings, guint open)
{
  g_autofree char *folded = open > 0 ? g_strdup_printf (" data-open=\"%u\"", open) : g_strdup ("");
  g_autofree char *attributes = g_strconcat (" class=\"tree\" role=\"treegrid\"", folded, NULL);

  begin_table (out, attributes, headings);
}

void
pd_html_end_table (GString *out)
{
  g_string_append (out, "</tbody></table></div>\n");
}

static void
append_first (GString *out, const char *label, guint depth)
{
  if (depth > 0)
    g_string_append_printf (out, "<td class=\"l\" style=\"--deep:%u\">", MIN (depth, MAX_INDENT));
  else
    g_string_append (out, "<td class=\"l\">");
  pd_report_append_markup (out, label);
  g_string_append (out, "</td>");
}

void
pd_html_append_label (GString *out, const char *label, guint depth)
{
  g_string_append (out, "<tr>");
  append_first (out, label, depth);
}

void
pd_html_append_branch (GString *out, const char *label, guint depth)
{
  g_string_append_printf (out, "<tr aria-level=\"%u\">", depth + 1);
  append_first (out, label, depth);
}
