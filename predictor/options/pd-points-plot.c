/* The picture of a machine's measured points, by gnuplot: transfers left, operations right;
 * times above, errors below.
 * SPDX-License-Identifier: MIT */
#include "predictor/options/pd-points-report.h"

#include "comsys/tools/pd-point-simulate.h"
#include "reports/emit/pd-plot.h"
#include "predictor/options/pd-points-plot.h"

#include <math.h>

#define STEPS_OF_OCTAVE 4
#define WIDTH           1500 /* pixels */
#define HEIGHT          950

static gboolean
is_right (const PdPointsReport *self, const PdPointSeries *series)
{
  const GArray *points = self->machine->measured->points;

  return !pd_point_is_transfer (&g_array_index (points, PdPoint, series->first));
}

/* ---- data */

/* A size of 0 has its place where half a byte would be. */
static void
add_number (GString *out, gdouble number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, " %s", g_ascii_formatd (text, sizeof text, "%.9g", number));
}

static void
add_point (const PdPointsReport *self, guint i, GString *out)
{
  const PdPoint *point = &g_array_index (self->machine->measured->points, PdPoint, i);
  gboolean known = point->high.ps > 0;

  add_number (out, MAX ((gdouble) point->bytes, 0.5));
  add_number (out, (gdouble) point->time.ps / 1e6);
  add_number (out, (gdouble) (known ? point->low.ps : point->time.ps) / 1e6);
  add_number (out, (gdouble) (known ? point->high.ps : point->time.ps) / 1e6);
  add_number (out, 100 * pd_points_report_error (self, i));
  g_string_append_c (out, '\n');
}

static gboolean
add_model (const PdPointsReport *self, const PdPoint *like, gint64 bytes, GString *out,
           GError **error)
{
  PdPoint point = *like;
  PdTime time;

  point.bytes = bytes;
  if (!pd_point_simulate (&point, self->machine, &time, error))
    return FALSE;
  add_number (out, MAX ((gdouble) bytes, 0.5));
  add_number (out, MAX ((gdouble) time.ps, 1) / 1e6);
  g_string_append_c (out, '\n');
  return TRUE;
}

/* The model between the sizes measured, too, at multiples of 8 where they are that far apart. */
static gboolean
add_model_line (const PdPointsReport *self, const PdPointSeries *series, GString *out,
                GError **error)
{
  for (guint i = series->first; i < series->first + series->n; i++)
    {
      const PdPoint *point = &g_array_index (self->machine->measured->points, PdPoint, i);
      if (!add_model (self, point, point->bytes, out, error))
        return FALSE;
      if (i + 1 == series->first + series->n || point->bytes < 8)
        continue;
      gdouble here = (gdouble) point->bytes, next = (gdouble) point[1].bytes;
      guint n = (guint) (STEPS_OF_OCTAVE * MIN (log2 (MAX (next / here, 1)), 16));
      gint64 last = point->bytes;
      for (guint k = 1; k < n; k++)
        {
          gint64 bytes = (gint64) (here * pow (next / here, (gdouble) k / n)) / 8 * 8;
          if (bytes > last && bytes < point[1].bytes && !add_model (self, point, bytes, out, error))
            return FALSE;
          last = MAX (last, bytes);
        }
    }
  return TRUE;
}

static gboolean
add_data (const PdPointsReport *self, GString *out, GError **error)
{
  for (guint s = 0; s < self->series->len; s++)
    {
      const PdPointSeries *series = &g_array_index (self->series, PdPointSeries, s);
      g_string_append_printf (out, "$points%u << END\n", s);
      for (guint i = series->first; i < series->first + series->n; i++)
        add_point (self, i, out);
      g_string_append_printf (out, "END\n$model%u << END\n", s);
      if (!add_model_line (self, series, out, error))
        return FALSE;
      g_string_append (out, "END\n");
    }
  return TRUE;
}

/* ---- commands */

static guint
count_side (const PdPointsReport *self, gboolean right)
{
  guint n = 0;

  for (guint s = 0; s < self->series->len; s++)
    n += is_right (self, &g_array_index (self->series, PdPointSeries, s)) == right ? 1 : 0;
  return n;
}

static void
add_times (const PdPointsReport *self, gboolean right, GString *out)
{
  guint n = 0;

  g_string_append (
      out,
      "set logscale xy\nset ylabel 'us'\nset format y '%g'\nset xrange [0.35:*]\nset key left top "
      "reverse Left samplen 2\nset yrange [*:*]\nplot ");
  for (guint s = 0; s < self->series->len; s++)
    {
      const PdPointSeries *series = &g_array_index (self->series, PdPointSeries, s);
      g_autofree char *title = pd_plot_quote (series->title);
      if (is_right (self, series) != right)
        continue;
      g_string_append_printf (out,
                              "%s$points%u using 1:2:3:4 with yerrorbars linetype %u pointtype %u "
                              "title %s, $model%u using 1:2 with lines linetype %u notitle",
                              n > 0 ? ", " : "", s, n + 1, n + 1, title, s, n + 1);
      n++;
    }
  g_string_append_c (out, '\n');
}

static void
add_errors (const PdPointsReport *self, gboolean right, GString *out)
{
  guint n = 0;

  g_string_append (out, "unset logscale y\nset ylabel 'model / measured - 1, %'\nunset key\n"
                        "set xlabel 'bytes'\nplot 0 with lines linetype -1 notitle");
  for (guint s = 0; s < self->series->len; s++)
    {
      if (is_right (self, &g_array_index (self->series, PdPointSeries, s)) != right)
        continue;
      n++;
      g_string_append_printf (
          out, ", $points%u using 1:5 with linespoints linetype %u pointtype %u", s, n, n);
    }
  g_string_append (out, "\nunset xlabel\n");
}

/* A side that has nothing leaves its place to the other. */
static void
add_side (const PdPointsReport *self, gboolean right, GString *out)
{
  gboolean alone = count_side (self, !right) == 0;
  const char *width = alone ? "1" : "0.5";
  const char *left = right && !alone ? "0.5" : "0";

  if (count_side (self, right) == 0)
    return;
  g_string_append_printf (out, "set title '%s'\nset origin %s,0.35\nset size %s,0.6\n",
                          right ? "collective operations, from the earliest start to the latest end"
                                : "transfers between two processes",
                          left, width);
  add_times (self, right, out);
  g_string_append_printf (out, "unset title\nset origin %s,0\nset size %s,0.35\n", left, width);
  add_errors (self, right, out);
}

char *
pd_points_report_script (const PdPointsReport *self, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *title =
      g_strdup_printf ("%s: measured (points) and model (lines)", self->machine->name);
  g_autofree char *quoted = pd_plot_quote (title);

  if (!add_data (self, out, error))
    return NULL;
  g_string_append_printf (out, "set multiplot title %s\n", quoted);
  g_string_append (
      out, "set grid\nset bars small\nset lmargin 12\nset rmargin 2\nset xtics format '%g'\n"
           "set xtics add ('0' 0.5)\n");
  add_side (self, FALSE, out);
  add_side (self, TRUE, out);
  g_string_append (out, "unset multiplot\n");
  return g_string_free (g_steal_pointer (&out), FALSE);
}

gboolean
pd_points_report_plot (const PdPointsReport *self, const char *path, GError **error)
{
  g_autofree char *commands = pd_points_report_script (self, error);

  return commands != NULL && pd_plot_write (commands, path, WIDTH, HEIGHT, error);
}
