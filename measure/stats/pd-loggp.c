/* LogGP parameters, as Netgauge finds them.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-loggp.h"

#include "measure/stats/pd-stats.h"

#include <math.h>
#include <string.h>

#define LOOK_AHEAD     5
#define FACTOR         1.4142135623730951 /* twice the mean square */
#define LEAST_RESIDUAL 0.05
#define LEAST_SIZES    3 /* of a protocol; a line through two fits always */

gdouble
pd_round_trips_gap (const PdRoundTrips *self, guint n)
{
  return (self->many - self->one) / (n - 1);
}

gdouble
pd_round_trips_send (const PdRoundTrips *self, guint n)
{
  return (self->delayed - self->one) / (n - 1) - self->delay;
}

/* ---- changes of the protocol */

/* Residuals relative to the measured times: sizes grow by factors, and the largest ones
 * would decide alone otherwise. */
static gboolean
fit_relative (const gdouble *x, const gdouble *y, gsize n, PdLine *line)
{
  g_autofree gdouble *weights = g_new (gdouble, n + 1);

  for (gsize i = 0; i < n; i++)
    weights[i] = 1 / (y[i] * y[i]);
  return pd_line_fit (x, y, weights, n, 0.95, line);
}

static gdouble
residual_of (const gdouble *x, const gdouble *y, gsize n)
{
  gdouble sum = 0;
  PdLine line;

  if (!fit_relative (x, y, n, &line))
    return 0;
  for (gsize i = 0; i < n; i++)
    {
      gdouble part = (y[i] - pd_line_at (&line, x[i])) / y[i];
      sum += part * part;
    }
  return sqrt (sum / (gdouble) n);
}

/* The residual without the size at @odd. */
static gdouble
residual_without (const gdouble *x, const gdouble *y, gsize n, gsize odd)
{
  g_autofree gdouble *left = g_new (gdouble, 2 * n);
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    if (i != odd)
      {
        left[kept] = x[i];
        left[n + kept++] = y[i];
      }
  return residual_of (left, left + n, kept);
}

/* Whether the sizes behind the first @used of @n do not belong to them; one that is out of
 * line alone says nothing. */
static gboolean
is_change (const gdouble *x, const gdouble *y, gsize used, gsize n)
{
  gdouble limit = FACTOR * MAX (residual_of (x, y, used), LEAST_RESIDUAL);
  gsize ahead = MIN ((gsize) LOOK_AHEAD, n - used);

  if (ahead < LEAST_SIZES)
    return FALSE;
  for (gsize i = 1; i <= ahead; i++)
    if (residual_of (x, y, used + i) < limit
        || (i > 1 && residual_without (x, y, used + i, used) < limit)
        || residual_without (x, y, used + i, used - 1) < limit)
      return FALSE;
  return TRUE;
}

/* Where the change is that was found behind the first @used of @n sizes: where lines
 * through both sides fit best. */
static gsize
place_change (const gdouble *x, const gdouble *y, gsize used, gsize n)
{
  gsize best = used;
  gdouble least = INFINITY;

  for (gsize i = used; i < used + LEAST_SIZES && i + LEAST_SIZES <= n; i++)
    {
      gsize right = MIN ((gsize) LOOK_AHEAD, n - i);
      gdouble sum = residual_of (x, y, i) + residual_of (x + i, y + i, right);
      if (sum < least)
        {
          least = sum;
          best = i;
        }
    }
  return best;
}

void
pd_loggp_changes (const gdouble *x, const gdouble *y, gsize n, gboolean *changes)
{
  gsize begin = 0;

  memset (changes, 0, n * sizeof *changes);
  for (gsize i = 0; i < n; i++)
    if (i - begin >= LEAST_SIZES && is_change (x + begin, y + begin, i - begin, n - begin))
      {
        begin += place_change (x + begin, y + begin, i - begin, n - begin);
        changes[begin] = TRUE;
        i = begin;
      }
}

/* ---- parameters */

static gboolean
check_sign (const PdLogGP *found, GError **error)
{
  const struct
  {
    const char *name;
    gdouble value;
  } parameters[] = {
    { "L", found->latency }, { "o_s", found->send },      { "o_r", found->receive },
    { "g", found->gap },     { "G", found->gap_of_byte },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (parameters); i++)
    if (!(parameters[i].value >= 0))
      {
        g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FIT,
                     "%s = %g s for messages of %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                     " bytes: expected no negative parameter; the times are disturbed, or the "
                     "repetitions too few",
                     parameters[i].name, parameters[i].value, found->from_bytes, found->to_bytes);
        return FALSE;
      }
  return TRUE;
}

/* The parameters of the sizes from @begin to before @end; @x and @y are of all. */
static gboolean
fit_protocol (const PdRoundTrips *trips, gsize begin, gsize end, guint n, PdLogGP *out)
{
  gsize length = end - begin;
  g_autofree gdouble *x = g_new (gdouble, length), *y = g_new (gdouble, length);
  PdLine line;

  for (gsize i = 0; i < length; i++)
    {
      x[i] = (gdouble) trips[begin + i].bytes;
      y[i] = pd_round_trips_gap (&trips[begin + i], n);
    }
  *out = (PdLogGP){ .from_bytes = trips[begin].bytes, .to_bytes = trips[end - 1].bytes };
  if (!fit_relative (x, y, length, &line))
    return FALSE;
  out->latency = trips[0].one / 2;
  out->send = pd_round_trips_send (&trips[begin], n);
  out->receive = trips[begin].receive;
  /* falling, but so little that it may be flat */
  if (line.slope < 0 && line.slope_high >= 0)
    line.slope = 0;
  out->gap = pd_line_at (&line, 0);
  out->gap_of_byte = line.slope;
  out->residual = residual_of (x, y, length);
  return TRUE;
}

/* All gaps are positive, or relative residuals mean nothing. */
static gboolean
find_changes (const PdRoundTrips *trips, gsize n_sizes, guint n, gboolean *changes, GError **error)
{
  g_autofree gdouble *x = g_new (gdouble, n_sizes), *y = g_new (gdouble, n_sizes);

  for (gsize i = 0; i < n_sizes; i++)
    {
      x[i] = (gdouble) trips[i].bytes;
      y[i] = pd_round_trips_gap (&trips[i], n);
      if (y[i] > 0)
        continue;
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FIT,
                   "%" G_GINT64_FORMAT " bytes: the gap between messages is %g s: expected a "
                   "positive time; the times are disturbed, or the repetitions too few",
                   trips[i].bytes, y[i]);
      return FALSE;
    }
  pd_loggp_changes (x, y, n_sizes, changes);
  return TRUE;
}

GArray *
pd_loggp_fit (const PdRoundTrips *trips, gsize n_sizes, guint n, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, TRUE, sizeof (PdLogGP));
  g_autofree gboolean *changes = g_new0 (gboolean, n_sizes + 1);
  gsize begin = 0;

  g_return_val_if_fail (n_sizes >= 2 && n >= 2, NULL);
  if (!find_changes (trips, n_sizes, n, changes, error))
    return NULL;
  for (gsize i = 1; i <= n_sizes; i++)
    {
      PdLogGP one;
      if (i < n_sizes && !changes[i])
        continue;
      if (!fit_protocol (trips, begin, i, n, &one))
        {
          g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FIT,
                       "no line through the times of messages of %" G_GINT64_FORMAT " bytes",
                       trips[begin].bytes);
          return NULL;
        }
      if (!check_sign (&one, error))
        return NULL;
      g_array_append_val (found, one);
      begin = i;
    }
  return g_steal_pointer (&found);
}
