/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-columns.h"

#include "base/pd-text.h"
#include "reports/emit/pd-format.h"

#include <math.h>

#define MAX_INDENT 12 /* levels; deeper ones are not indented any further */
#define BAR_WIDTH  40 /* characters */

/* ---- tables */

gboolean
pd_columns_begin (PdColumns *self, const PdColumn *columns, gsize n)
{
  if (self->headings != NULL)
    return FALSE;
  self->headings = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; i < n; i++)
    pd_columns_add_column (self, columns[i].text, columns[i].page);
  return TRUE;
}

void
pd_columns_add_column (PdColumns *self, const char *text, const char *page)
{
  g_ptr_array_add (self->headings, g_strdup (self->width > 0 ? text : page));
}

void
pd_columns_clear (PdColumns *self)
{
  g_clear_pointer (&self->headings, g_ptr_array_unref);
  g_clear_pointer (&self->table, pd_table_free);
  self->n_rows = 0;
  self->at = 0;
}

/* Tables may be wider than the page: they can be scrolled, by keys, too. */
static void
append_head (PdColumns *self, const char *const *headings)
{
  g_string_append (self->out, "<div class=\"scroll\" tabindex=\"0\"><table");
  if (self->tree)
    g_string_append (self->out, " class=\"tree\" role=\"treegrid\"");
  if (self->open > 0)
    g_string_append_printf (self->out, " data-open=\"%u\"", self->open);
  g_string_append (self->out, ">\n<thead><tr>");
  for (; *headings != NULL; headings++)
    {
      gboolean left = **headings == '<';
      g_string_append_printf (self->out, "<th scope=\"col\"%s>", left ? " class=\"l\"" : "");
      pd_report_append_shown (self->out, *headings + left);
      g_string_append (self->out, "</th>");
    }
  g_string_append (self->out, "</tr></thead>\n<tbody>\n");
}

static void
begin_rows (PdColumns *self)
{
  g_autofree const char **there = g_new0 (const char *, self->headings->len + 1);

  for (guint i = 0, n = 0; i < self->headings->len; i++)
    if (g_ptr_array_index (self->headings, i) != NULL)
      there[n++] = g_ptr_array_index (self->headings, i);
  if (self->width > 0)
    self->table = pd_table_new (there);
  else
    append_head (self, there);
}

void
pd_columns_end (PdColumns *self)
{
  if (self->headings == NULL)
    return;
  if (self->n_rows == 0)
    begin_rows (self);
  if (self->table != NULL)
    pd_table_write (self->table, self->width, self->out);
  else
    g_string_append (self->out, "</tbody></table></div>\n");
  pd_columns_clear (self);
}

/* ---- cells */

static void
begin_row (PdColumns *self, guint depth)
{
  if (self->n_rows++ == 0)
    begin_rows (self);
  if (self->table == NULL && self->tree)
    g_string_append_printf (self->out, "<tr aria-level=\"%u\">", depth + 1);
  else if (self->table == NULL)
    g_string_append (self->out, "<tr>");
}

/* @markup: (nullable): the cell in pages; else it is @text. @depth: of a row that begins */
static void
add (PdColumns *self, const char *text, const char *markup, guint depth)
{
  const char *heading = g_ptr_array_index (self->headings, self->at);

  if (self->at == 0)
    begin_row (self, depth);
  if (heading != NULL && self->table != NULL)
    pd_table_take (self->table, pd_text_show (text));
  else if (heading != NULL && markup != NULL)
    g_string_append (self->out, markup);
  else if (heading != NULL)
    {
      g_string_append (self->out, heading[0] == '<' ? "<td class=\"l\">" : "<td>");
      pd_report_append_shown (self->out, text);
      g_string_append (self->out, "</td>");
    }
  self->at = (self->at + 1) % self->headings->len;
  if (self->at == 0 && self->table == NULL)
    g_string_append (self->out, "</tr>\n");
}

void
pd_columns_add_label (PdColumns *self, const char *label, guint depth)
{
  guint levels = MIN (depth, MAX_INDENT);
  g_autofree char *text = g_strdup_printf ("%*s%s", (int) (2 * levels), "", label);
  g_autoptr (GString) markup = g_string_new ("<td class=\"l\"");

  if (levels > 0)
    g_string_append_printf (markup, " style=\"--deep:%u\"", levels);
  g_string_append_c (markup, '>');
  pd_report_append_shown (markup, label);
  g_string_append (markup, "</td>");
  add (self, text, markup->str, depth);
}

void
pd_columns_add_text (PdColumns *self, const char *text)
{
  add (self, text, NULL, 0);
}

void
pd_columns_add_markup (PdColumns *self, const char *text, const char *markup)
{
  add (self, text, markup, 0);
}

void
pd_columns_add_count (PdColumns *self, guint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  add (self, text, NULL, 0);
}

void
pd_columns_add_fixed (PdColumns *self, gdouble value, int decimals)
{
  g_autofree char *text = isnan (value) ? g_strdup ("-") : pd_report_fixed (value, decimals);

  add (self, text, NULL, 0);
}

void
pd_columns_add_share (PdColumns *self, PdTimeSum part, PdTimeSum whole)
{
  gdouble nothing = self->width > 0 ? NAN : 0;

  pd_columns_add_fixed (
      self, whole.ps == 0 ? nothing : 100 * ((gdouble) part.ps / (gdouble) whole.ps), 1);
}

void
pd_columns_add_bar (PdColumns *self, guint value, guint most)
{
  g_autofree char *text = g_strnfill ((gsize) value * BAR_WIDTH / most, '#');
  g_autofree char *share = pd_report_fixed (100.0 * value / most, 1);
  g_autofree char *markup = g_strdup_printf ("<td class=\"b\"><div class=\"bar\"><span class=\"c\" "
                                             "style=\"width:%s%%\"></span></div></td>",
                                             share);

  add (self, text, markup, 0);
}
