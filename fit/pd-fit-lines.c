/* SPDX-License-Identifier: MIT */
#include "fit/pd-fit-lines.h"

#include "measure/stats/pd-stats.h"

#include <math.h>

#define LEAST_SIZES 3

/* The sizes, and their times. */
typedef struct
{
  guint n;
  gdouble *x;
  gdouble *y;
  gdouble *weights; /* 1 / y^2: so residuals count as shares */
} Points;

gdouble
pd_fit_r2 (const gdouble *measured, const gdouble *model, guint n)
{
  gdouble mean = 0, residual = 0, total = 0;

  for (guint i = 0; i < n; i++)
    mean += log (measured[i]) / n;
  for (guint i = 0; i < n; i++)
    {
      gdouble d = log (measured[i] / model[i]), from_mean = log (measured[i]) - mean;
      residual += d * d;
      total += from_mean * from_mean;
    }
  return total > 0 ? MAX (0, 1 - residual / total) : 0;
}

static gdouble
line_at (const PdFitLine *line, gdouble bytes)
{
  return line->startup + bytes * line->per_byte;
}

/* Least squares of y = factor * (x, or 1). */
static gdouble
fit_factor (const Points *points, guint from, guint n, gboolean of_x)
{
  gdouble sum = 0, all = 0;

  for (guint i = from; i < from + n; i++)
    {
      gdouble by = of_x ? points->x[i] : 1;
      sum += points->weights[i] * by * points->y[i];
      all += points->weights[i] * by * by;
    }
  return all > 0 ? sum / all : 0;
}

/* Through the origin if the startup came out negative, flat if the slope did. */
static void
set_line (const Points *points, guint from, guint n, PdFitLine *line)
{
  PdLine fit;

  line->startup = points->y[from];
  line->per_byte = 0;
  if (!pd_line_fit (points->x + from, points->y + from, points->weights + from, n, 0.95, &fit))
    return;
  line->startup = fit.intercept - fit.slope * fit.x0;
  line->per_byte = fit.slope;
  if (line->startup >= 0 && line->per_byte >= 0)
    return;
  gboolean falls = line->per_byte < 0;
  line->startup = falls ? fit_factor (points, from, n, FALSE) : 0;
  line->per_byte = falls ? 0 : fit_factor (points, from, n, TRUE);
}

static PdFitLine
fit_line (const Points *points, guint from, guint n)
{
  PdFitLine line = { .from = 0 };
  gdouble squares = 0;

  set_line (points, from, n, &line);
  for (guint i = from; i < from + n; i++)
    {
      gdouble d = line_at (&line, points->x[i]) / points->y[i] - 1;
      squares += d * d;
    }
  line.from = (gint64) points->x[from];
  line.to = (gint64) points->x[from + n - 1];
  line.residual = sqrt (squares / n);
  return line;
}

static void
find_lines (PdFitLines *self, const Points *points)
{
  g_autofree gboolean *changes = g_new (gboolean, points->n);
  g_autofree gdouble *model = g_new (gdouble, points->n);
  gdouble most = 0;
  guint n;

  pd_loggp_changes (points->x, points->y, points->n, changes);
  for (guint from = 0; from < points->n; from += n)
    {
      for (n = 1; from + n < points->n && !changes[from + n]; n++)
        ;
      PdFitLine line = fit_line (points, from, n);
      g_array_append_val (self->lines, line);
      for (guint i = from; i < from + n; i++)
        model[i] = MAX (line_at (&line, points->x[i]), 1e-12);
      if (from > 0 && points->y[from] / points->y[from - 1] > most)
        {
          most = points->y[from] / points->y[from - 1];
          self->eager = (gint64) points->x[from - 1];
        }
    }
  self->r2 = pd_fit_r2 (points->y, model, points->n);
}

PdFitLines *
pd_fit_lines_new (const GArray *times, GError **error)
{
  guint n = times->len;
  g_autofree gdouble *x = g_new (gdouble, n), *y = g_new (gdouble, n), *w = g_new (gdouble, n);
  Points points = { n, x, y, w };

  if (n < LEAST_SIZES)
    {
      g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA,
                   "%u sizes of transfers: expected at least %d", n, LEAST_SIZES);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      const PdFitTime *time = &g_array_index (times, PdFitTime, i);
      x[i] = (gdouble) time->bytes;
      y[i] = time->time;
      w[i] = 1 / (time->time * time->time);
    }
  PdFitLines *self = g_new0 (PdFitLines, 1);
  self->lines = g_array_new (FALSE, FALSE, sizeof (PdFitLine));
  self->eager = -1;
  self->all = fit_line (&points, 0, n);
  find_lines (self, &points);
  return self;
}

void
pd_fit_lines_free (PdFitLines *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lines);
  g_free (self);
}
