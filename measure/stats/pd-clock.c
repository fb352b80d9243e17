/* Offsets and drift of clocks. The search for the smallest round trip is that of
 * MPIPerf (Kurnosov 2012); fitted drift, that of HCA3 (Hunold, Carpen-Amarie 2018).
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-clock.h"

#include "measure/stats/pd-stats.h"

#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.99
#define WORST      1.5 /* times the smallest round trip */

gboolean
pd_clock_search_add (PdClockSearch *self, gdouble sent, gdouble there, gdouble received,
                     guint patience)
{
  gdouble round_trip = received - sent, middle = sent + round_trip / 2;

  self->n++;
  self->unchanged++;
  if (round_trip < self->best.round_trip)
    {
      self->best = (PdClockPoint){ middle, there - middle, round_trip };
      self->unchanged = 0;
    }
  return self->unchanged >= patience;
}

static int
compare_round_trips (const void *a, const void *b)
{
  const PdClockPoint *x = a, *y = b;

  if (x->round_trip != y->round_trip)
    return x->round_trip < y->round_trip ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

PdClockModel
pd_clock_fit (const PdClockPoint *points, gsize n)
{
  g_autofree PdClockPoint *sorted = g_new (PdClockPoint, n);
  g_autofree gdouble *x = g_new (gdouble, n), *y = g_new (gdouble, n);
  gsize kept = 0;
  PdLine line;

  memcpy (sorted, points, n * sizeof *points);
  qsort (sorted, n, sizeof *sorted, compare_round_trips);
  for (; kept < n && sorted[kept].round_trip <= WORST * sorted[0].round_trip; kept++)
    {
      x[kept] = sorted[kept].at;
      /* small numbers: the common part of all offsets may be half a second */
      y[kept] = sorted[kept].offset - sorted[0].offset;
    }
  if (kept < 3 || !pd_line_fit (x, y, NULL, kept, CONFIDENCE, &line))
    return (PdClockModel){ sorted[0].at, sorted[0].offset, 0 };
  if (line.slope_low <= 0 && line.slope_high >= 0)
    line.slope = 0;
  return (PdClockModel){ line.x0, sorted[0].offset + line.intercept, line.slope };
}

gdouble
pd_clock_there (const PdClockModel *model, gdouble own)
{
  return own + model->offset + model->slope * (own - model->at);
}

gdouble
pd_clock_here (const PdClockModel *model, gdouble there)
{
  gdouble since = (there - model->offset - model->at) / (1 + model->slope);

  return model->at + since;
}

PdClockModel
pd_clock_chain (const PdClockModel *near, const PdClockModel *far)
{
  gdouble middle = near->at + near->offset;
  gdouble end = pd_clock_there (far, middle);

  return (PdClockModel){ near->at, end - near->at, (1 + near->slope) * (1 + far->slope) - 1 };
}
