/* SPDX-License-Identifier: MIT */
#include "predictor/options/pd-points-report.h"
#include "comsys/tools/pd-point-simulate.h"
#include "reports/emit/pd-format.h"

#include <math.h>
#include <string.h>

static const PdPoint *
point_at (const PdPointsReport *self, guint i)
{
  return &g_array_index (self->machine->measured->points, PdPoint, i);
}

static const PdPointSeries *
series_at (const PdPointsReport *self, guint i)
{
  return &g_array_index (self->series, PdPointSeries, i);
}

/* ---- series */

static void
clear_series (gpointer data)
{
  g_free (((PdPointSeries *) data)->title);
}

static char *
make_title (const PdPoint *point)
{
  GString *title = g_string_new (point->what);

  if (!pd_point_is_transfer (point))
    g_string_append_printf (title, ", %" G_GINT64_FORMAT " ranks", point->processes);
  if (pd_point_is_transfer (point) && point->per_node > 0)
    g_string_append (title, " between nodes");
  else if (point->per_node > 0)
    g_string_append_printf (title, ", %" G_GINT64_FORMAT " a node", point->per_node);
  return g_string_free (title, FALSE);
}

static gboolean
is_same_series (const PdPoint *a, const PdPoint *b)
{
  return a->what == b->what && a->processes == b->processes && a->per_node == b->per_node;
}

static void
find_series (PdPointsReport *self)
{
  guint n = self->machine->measured->points->len;

  for (guint i = 0; i < n; i++)
    {
      PdPointSeries *last = self->series->len > 0 ? &g_array_index (self->series, PdPointSeries,
                                                                    self->series->len - 1)
                                                  : NULL;
      if (last != NULL && is_same_series (point_at (self, last->first), point_at (self, i)))
        {
          last->n++;
          continue;
        }
      PdPointSeries new = { i, 1, make_title (point_at (self, i)) };
      g_array_append_val (self->series, new);
    }
}

PdPointsReport *
pd_points_report_new (const PdMachine *machine, GError **error)
{
  if (machine->measured == NULL || machine->measured->points->len == 0)
    {
      g_set_error (error, PD_PLOT_ERROR, PD_PLOT_ERROR_EMPTY,
                   "%s: there are no measured points in it: only descriptions of 'predictor "
                   "machine fit' have them",
                   machine->origin);
      return NULL;
    }
  g_autoptr (PdPointsReport) self = g_new0 (PdPointsReport, 1);
  self->machine = machine;
  self->series = g_array_new (FALSE, FALSE, sizeof (PdPointSeries));
  g_array_set_clear_func (self->series, clear_series);
  self->model = g_new (PdTime, machine->measured->points->len);
  for (guint i = 0; i < machine->measured->points->len; i++)
    if (!pd_point_simulate (point_at (self, i), machine, &self->model[i], error))
      return NULL;
  find_series (self);
  return g_steal_pointer (&self);
}

void
pd_points_report_free (PdPointsReport *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->series);
  g_free (self->model);
  g_free (self);
}

gdouble
pd_points_report_error (const PdPointsReport *self, guint point)
{
  return (gdouble) self->model[point].ps / (gdouble) point_at (self, point)->time.ps - 1;
}

/* ---- text */

static void
add_us (GString *out, PdTime time)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.3f", (gdouble) time.ps / 1e6);
  g_string_append_printf (out, " %12s", text);
}

static void
add_percent (GString *out, gdouble share, int width)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.1f", share * 100);
  g_string_append_printf (out, " %*s", width, text);
}

static void
add_points (const PdPointsReport *self, const PdPointSeries *series, GString *out)
{
  g_string_append_printf (out, "%s\n%12s %12s %12s %12s %12s %8s\n", series->title, "bytes",
                          "measured, us", "from", "to", "model, us", "error, %");
  for (guint i = series->first; i < series->first + series->n; i++)
    {
      const PdPoint *point = point_at (self, i);
      g_string_append_printf (out, "%12" G_GINT64_FORMAT, point->bytes);
      add_us (out, point->time);
      if (point->high.ps > 0)
        {
          add_us (out, point->low);
          add_us (out, point->high);
        }
      else
        g_string_append_printf (out, " %12s %12s", "", "");
      add_us (out, self->model[i]);
      add_percent (out, pd_points_report_error (self, i), 8);
      g_string_append_c (out, '\n');
    }
  g_string_append_c (out, '\n');
}

static void
add_lines (const PdPoints *points, GString *out)
{
  if (points->lines->len > 0)
    g_string_append (out,
                     "protocols, by lines through ping-pong times\n"
                     "level             from           to  startup, us      ns/byte residual, %\n");
  for (guint i = 0; i < points->lines->len; i++)
    {
      const PdPointLine *line = &g_array_index (points->lines, PdPointLine, i);
      char slope[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (slope, sizeof slope, "%.5f", line->per_byte / 1e3);
      g_string_append_printf (out, "%-9s %12" G_GINT64_FORMAT " %12" G_GINT64_FORMAT, line->level,
                              line->from, line->to);
      add_us (out, line->startup);
      g_string_append_printf (out, " %12s", slope);
      add_percent (out, line->residual, 11);
      g_string_append_c (out, '\n');
    }
  if (points->lines->len > 0)
    g_string_append_c (out, '\n');
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

/* Errors of points. */
typedef struct
{
  gdouble median; /* part of the measured time, without its sign */
  guint worst;    /* number of the point */
} Errors;

static Errors
find_errors (const PdPointsReport *self, guint first, guint n)
{
  g_autofree gdouble *errors = g_new (gdouble, n);
  guint worst = first;

  for (guint i = 0; i < n; i++)
    {
      errors[i] = fabs (pd_points_report_error (self, first + i));
      if (errors[i] > fabs (pd_points_report_error (self, worst)))
        worst = first + i;
    }
  qsort (errors, n, sizeof *errors, compare_doubles);
  return (Errors){ (errors[(n - 1) / 2] + errors[n / 2]) / 2, worst };
}

static void
add_summary (const PdPointsReport *self, const char *title, guint first, guint n, GString *out)
{
  Errors errors = find_errors (self, first, n);

  g_string_append_printf (out, "%-32s %6u", title, n);
  add_percent (out, errors.median, 10);
  add_percent (out, pd_points_report_error (self, errors.worst), 9);
  g_string_append_printf (out, " %12" G_GINT64_FORMAT "\n", point_at (self, errors.worst)->bytes);
}

/* ---- the verdict */

gdouble
pd_points_report_get_median (const PdPointsReport *self)
{
  return 100 * find_errors (self, 0, self->machine->measured->points->len).median;
}

/* The series whose middle point is far off, the first ones of them. */
static char *
list_far (const PdPointsReport *self)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < self->series->len; i++)
    {
      const PdPointSeries *series = series_at (self, i);
      gdouble median = 100 * find_errors (self, series->first, series->n).median;
      if (median > PD_POINTS_FAIR)
        g_string_append_printf (list, "%s%s (%.0f %%)", list->len > 0 ? "; " : "", series->title,
                                median);
    }
  return g_string_free (list, FALSE);
}

static void
add_verdict (const PdPointsReport *self, GString *out)
{
  guint n = self->machine->measured->points->len;
  Errors errors = find_errors (self, 0, n);
  gdouble median = 100 * errors.median;
  g_autofree char *far = list_far (self);
  const char *word = median <= PD_POINTS_GOOD ? "good" : median <= PD_POINTS_FAIR ? "fair" : "poor";
  g_autofree char *text = g_strdup_printf (
      "Verdict: %s. Half of the %u measured times are within %.1f %% of the simulated times; the "
      "largest error is %.0f %%, at %" G_GINT64_FORMAT " bytes. %s%s%s",
      word, n, median, 100 * fabs (pd_points_report_error (self, errors.worst)),
      point_at (self, errors.worst)->bytes,
      *far == '\0' ? "No operation has a median error above 25 %."
                   : "Median errors above 25 %, also for programs that spend their time in these "
                     "operations: ",
      far, *far == '\0' ? "" : ".");

  g_string_append_c (out, '\n');
  pd_report_append_wrapped (out, text, "", 80);
}

static void
add_r2 (GString *out, const char *name, gdouble r2)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (r2 > 0)
    g_string_append_printf (out, "%s: R2 of the logarithms %s\n", name,
                            g_ascii_formatd (text, sizeof text, "%.4f", r2));
}

char *
pd_points_report_format (const PdPointsReport *self, gboolean with_points)
{
  const PdPoints *points = self->machine->measured;
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "measured%s%s%s%s%s%s\n", points->host != NULL ? " on " : "",
                          points->host != NULL ? points->host : "",
                          points->date != NULL ? ", " : "",
                          points->date != NULL ? points->date : "", points->mpi != NULL ? ", " : "",
                          points->mpi != NULL ? points->mpi : "");
  add_r2 (out, "transfers, lines", points->transfer_r2);
  add_r2 (out, "operations, model", points->operation_r2);
  g_string_append_c (out, '\n');
  add_lines (points, out);
  for (guint i = 0; with_points && i < self->series->len; i++)
    add_points (self, series_at (self, i), out);
  g_string_append_printf (out, "%-32s %6s %10s %9s %12s\n", "model against measured", "points",
                          "median, %", "worst, %", "at bytes");
  for (guint i = 0; i < self->series->len; i++)
    add_summary (self, series_at (self, i)->title, series_at (self, i)->first,
                 series_at (self, i)->n, out);
  add_summary (self, "all", 0, points->points->len, out);
  add_verdict (self, out);
  return g_string_free (out, FALSE);
}
