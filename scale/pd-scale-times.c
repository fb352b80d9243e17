/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-times.h"

#include <math.h>

#define BETTER  0.8 /* another candidate has an error less than that share of the best one's, … */
#define SIMPLER 0.5 /* … if it has another term */
#define EQUAL   1e-9
/* Computation that grows with the number of ranks is believed if it is this exact: the scatter of
 * short times must not become seconds on thousands of ranks. */
#define GROWTH 0.05

#define FEW_POWERS 2 /* 1/P and P */

static const gdouble powers[] = { -1,      1,       -0.5, -2, 0.5, -1.0 / 3, -2.0 / 3, -1.5,
                                  1.0 / 3, 2.0 / 3, 1.5,  2,  -3,  -2.5,     0 };

static gdouble
term (const PdScaleTimes *times, gdouble ranks)
{
  return pow (ranks, times->power) * pow (log2 (ranks), times->logs);
}

/* The constants for which the squares of relative errors are least; @without: a point that is left
 * out, or @n. */
static gboolean
solve (const PdScalePoint *points, guint n, guint without, gboolean has_constant,
       PdScaleTimes *times)
{
  gdouble s00 = 0, s01 = 0, s11 = 0, b0 = 0, b1 = 0;

  for (guint i = 0; i < n; i++)
    {
      gdouble y = points[i].amount, f = term (times, points[i].ranks);
      if (i == without || y <= 0)
        continue;
      gdouble w0 = has_constant ? 1 / y : 0, w1 = f / y;
      s00 += w0 * w0;
      s01 += w0 * w1;
      s11 += w1 * w1;
      b0 += w0;
      b1 += w1;
    }
  gdouble det = s00 * s11 - s01 * s01;
  if (!has_constant)
    {
      times->c0 = 0;
      times->c1 = s11 > 0 ? b1 / s11 : 0;
      return s11 > 0;
    }
  if (!(det > EQUAL * s00 * s11))
    return FALSE;
  times->c0 = (b0 * s11 - b1 * s01) / det;
  times->c1 = (s00 * b1 - s01 * b0) / det;
  return TRUE;
}

static gdouble
error_of (const PdScaleTimes *times, const PdScalePoint *point)
{
  return point->amount > 0 ? fabs (pd_scale_times_get (times, point->ranks) / point->amount - 1)
                           : pd_scale_times_get (times, point->ranks);
}

/* The greatest error of points that a fit without them has; with @n up to two, of the fit. */
static gdouble
try_out (const PdScalePoint *points, guint n, gboolean has_constant, PdScaleTimes *times)
{
  gdouble worst = 0;

  for (guint i = 0; i < n && n > 2; i++)
    {
      if (!solve (points, n, i, has_constant, times))
        return INFINITY;
      worst = MAX (worst, error_of (times, &points[i]));
    }
  if (!solve (points, n, n, has_constant, times))
    return INFINITY;
  for (guint i = 0; i < n && n <= 2; i++)
    worst = MAX (worst, error_of (times, &points[i]));
  return worst;
}

static void
consider (const PdScalePoint *points, guint n, gboolean has_constant, PdScaleTimes candidate,
          PdScaleTimes *best)
{
  candidate.error = try_out (points, n, has_constant, &candidate);
  gboolean grows = candidate.power > 0 || (candidate.power >= 0 && candidate.logs > 0);

  if (grows && candidate.error > GROWTH)
    return;
  if (candidate.c0 < 0 || (candidate.c1 < 0 && candidate.power >= 0)) /* negative somewhere */
    return;
  if (!has_constant && candidate.error < EQUAL) /* exactly so */
    candidate.c1 = points[0].amount * pow (points[0].ranks, -candidate.power);
  if (candidate.error < best->error * (has_constant ? SIMPLER : BETTER) - EQUAL)
    *best = candidate;
}

static gboolean
are_equal (const PdScalePoint *points, guint n)
{
  for (guint i = 1; i < n; i++)
    if (points[i].amount < points[0].amount || points[i].amount > points[0].amount)
      return FALSE;
  return TRUE;
}

void
pd_scale_times_fit (const PdScalePoint *points, guint n, PdScaleTimes *times)
{
  const PdScaleTimes constant = { .power = 0 };

  *times = constant;
  if (are_equal (points, n))
    {
      times->c0 = points[0].amount;
      return;
    }
  times->error = try_out (points, n, FALSE, times);
  for (gsize i = 0; i < (n > 2 ? G_N_ELEMENTS (powers) : FEW_POWERS); i++)
    consider (points, n, FALSE, (PdScaleTimes){ .power = powers[i] }, times);
  /* of three points a fit of two terms leaves none to judge it by: only the usual ones */
  for (guint logs = 0; n > 2 && logs < (n > 3 ? 3 : 1); logs++)
    for (gsize i = 0; i < (n > 3 ? G_N_ELEMENTS (powers) : FEW_POWERS); i++)
      if (logs > 0 || powers[i] < 0 || powers[i] > 0)
        consider (points, n, TRUE, (PdScaleTimes){ .power = powers[i], .logs = logs }, times);
}

/* Divides if the power is negative: work divided among P ranks then has no rounding error. */
gdouble
pd_scale_times_get (const PdScaleTimes *self, gdouble ranks)
{
  gdouble logs = pow (log2 (ranks), self->logs);
  gdouble amount = self->power < 0 ? self->c1 * logs / pow (ranks, -self->power)
                                   : self->c1 * logs * pow (ranks, self->power);

  return MAX (self->c0 + amount, 0);
}
