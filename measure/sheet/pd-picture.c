/* Matrices as SVG.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-picture.h"

#include <math.h>

#define SIDE        720.0 /* of the matrix, in pixels */
#define MOST_CELL   60.0
#define MARGIN      60.0
#define LEAST_TEXT  30.0 /* a cell that a value fits into */
#define LEAST_LABEL 10.0

typedef struct
{
  gdouble least;
  gdouble greatest;
  gdouble cell; /* pixels */
} Scale;

static Scale
find_scale (const gdouble *values, guint n)
{
  Scale scale = { INFINITY, -INFINITY, MIN (SIDE / n, MOST_CELL) };

  for (gsize i = 0; i < (gsize) n * n; i++)
    if (!isnan (values[i]))
      {
        scale.least = MIN (scale.least, values[i]);
        scale.greatest = MAX (scale.greatest, values[i]);
      }
  return scale;
}

static char *
number (gdouble value, const char *format, char *buffer)
{
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
}

static void
append_text (GString *out, gdouble x, gdouble y, const char *style, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (out, "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", (int) x, (int) y, style,
                          escaped);
}

static void
append_cell (GString *out, const Scale *scale, guint row, guint column, gdouble value)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE], side[G_ASCII_DTOSTR_BUF_SIZE];
  char said[G_ASCII_DTOSTR_BUF_SIZE];
  gdouble left = MARGIN + column * scale->cell, top = MARGIN + row * scale->cell;
  gdouble range = scale->greatest - scale->least;
  gdouble share = range > 0 ? (value - scale->least) / range : 0;

  number (value, "%.4g", said);
  g_string_append_printf (
      out,
      "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"rgb(%d,%d,%d)\">"
      "<title>%u, %u: %s</title></rect>\n",
      number (left, "%.2f", x), number (top, "%.2f", y), number (scale->cell, "%.2f", side), side,
      (int) (235 - 200 * share), (int) (242 - 150 * share), (int) (250 - 90 * share), row, column,
      said);
  if (scale->cell >= LEAST_TEXT)
    append_text (out, left + scale->cell / 2, top + scale->cell / 2 + 4,
                 share > 0.6 ? " fill=\"white\"" : "", said);
}

static void
append_labels (GString *out, const Scale *scale, guint n)
{
  guint step = (guint) ceil (LEAST_LABEL * 2 / scale->cell);

  for (guint i = 0; i < n; i += step)
    {
      char label[16];
      gdouble middle = MARGIN + (i + 0.5) * scale->cell;
      g_snprintf (label, sizeof label, "%u", i);
      append_text (out, middle, MARGIN - 8, "", label);
      append_text (out, MARGIN - 16, middle + 4, "", label);
    }
}

char *
pd_picture_matrix (const char *title, const gdouble *values, guint n)
{
  GString *out = g_string_new (NULL);
  Scale scale = find_scale (values, n);
  int side = (int) (scale.cell * n + 2 * MARGIN);

  g_string_printf (out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                   MAX (side, 400), side);
  append_text (out, MAX (side, 400) / 2.0, 24, " font-size=\"14\"", title);
  append_labels (out, &scale, n);
  for (guint row = 0; row < n; row++)
    for (guint column = 0; column < n; column++)
      if (!isnan (values[(gsize) row * n + column]))
        append_cell (out, &scale, row, column, values[(gsize) row * n + column]);
  g_string_append (out, "</svg>\n");
  return g_string_free (out, FALSE);
}
