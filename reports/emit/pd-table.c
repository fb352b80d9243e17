/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-table.h"

#include <string.h>

#define GAP       2  /* blanks between columns */
#define MIN_FIRST 16 /* the first column is never cut below this */

struct _PdTable
{
  const char **headings; /* an array of its own */
  guint n_columns;
  GPtrArray *cells; /* char*, owned, row by row */
};

PdTable *
pd_table_new (const char *const *headings)
{
  PdTable *self = g_new0 (PdTable, 1);

  self->n_columns = g_strv_length ((char **) headings);
  self->headings = g_new (const char *, self->n_columns + 1);
  memcpy (self->headings, headings, (self->n_columns + 1) * sizeof *headings);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
pd_table_free (PdTable *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->cells);
  g_free (self->headings);
  g_free (self);
}

void
pd_table_take (PdTable *self, char *cell)
{
  g_ptr_array_add (self->cells, cell);
}

void
pd_table_add (PdTable *self, const char *cell)
{
  pd_table_take (self, g_strdup (cell != NULL ? cell : ""));
}

static gboolean
is_left (const PdTable *self, guint column)
{
  return self->headings[column][0] == '<';
}

static const char *
heading (const PdTable *self, guint column)
{
  return self->headings[column] + is_left (self, column);
}

static guint
text_width (const char *text)
{
  return (guint) g_utf8_strlen (text, -1);
}

static guint *
column_widths (const PdTable *self, guint width)
{
  guint *widths = g_new0 (guint, self->n_columns);
  guint sum = 0;

  for (guint c = 0; c < self->n_columns; c++)
    {
      widths[c] = text_width (heading (self, c));
      for (guint i = c; i < self->cells->len; i += self->n_columns)
        widths[c] = MAX (widths[c], text_width (g_ptr_array_index (self->cells, i)));
      sum += widths[c] + (c > 0 ? GAP : 0);
    }
  if (sum > width && widths[0] > MIN_FIRST)
    widths[0] -= MIN (sum - width, widths[0] - MIN_FIRST);
  return widths;
}

static void
append_blanks (GString *out, guint n)
{
  g_string_append_printf (out, "%*s", (int) n, "");
}

/* One cell; a text that is too long loses its middle, since both its
 * indentation and the line number at its end matter. */
static void
append_cell (GString *out, const char *text, guint width, gboolean left)
{
  guint n = text_width (text);

  if (n > width)
    {
      guint head = (width - 3) / 2, tail = width - 3 - head;
      const char *head_end = g_utf8_offset_to_pointer (text, head);
      g_string_append_len (out, text, head_end - text);
      g_string_append (out, "...");
      g_string_append (out, g_utf8_offset_to_pointer (text, (glong) (n - tail)));
      return;
    }
  if (!left)
    append_blanks (out, width - n);
  g_string_append (out, text);
  if (left)
    append_blanks (out, width - n);
}

static void
end_line (GString *out, gsize start)
{
  while (out->len > start && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

void
pd_table_write (const PdTable *self, guint width, GString *out)
{
  g_return_if_fail (self->cells->len % self->n_columns == 0);

  g_autofree guint *widths = column_widths (self, width);
  guint n_rows = self->cells->len / self->n_columns;

  for (guint row = 0; row <= n_rows; row++)
    {
      gsize start = out->len;
      for (guint c = 0; c < self->n_columns; c++)
        {
          const char *text = row == 0
                                 ? heading (self, c)
                                 : g_ptr_array_index (self->cells, (row - 1) * self->n_columns + c);
          append_blanks (out, c > 0 ? GAP : 0);
          append_cell (out, text, widths[c], is_left (self, c));
        }
      end_line (out, start);
    }
}
