/* Statistics, all of them computed by GSL.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* ---- one sample */

static gdouble *
sorted_copy (const gdouble *values, gsize n)
{
  gdouble *copy = g_new (gdouble, n);

  memcpy (copy, values, n * sizeof *values);
  gsl_sort (copy, 1, n);
  return copy;
}

/* Of the mean: the values kept after trimming, in order. */
static void
compute_mean (const gdouble *kept, gsize n, gdouble confidence, PdStats *out)
{
  gdouble reach;

  out->kept = n;
  out->mean = gsl_stats_mean (kept, 1, n);
  out->deviation = out->error = out->relative_error = NAN;
  out->student_low = out->student_high = NAN;
  if (n < 2)
    return;
  out->deviation = gsl_stats_sd_m (kept, 1, n, out->mean);
  out->error = out->deviation / sqrt ((gdouble) n);
  out->relative_error = out->error > 0 ? out->error / fabs (out->mean) : 0;
  reach = out->error * gsl_cdf_tdist_Pinv (0.5 + confidence / 2, (gdouble) (n - 1));
  out->student_low = out->mean - reach;
  out->student_high = out->mean + reach;
}

/* The values of rank r and n + 1 - r, counted from 1, hold the median unless fewer than
 * r of n values lie on one side of it: twice P (Binomial (n, 1/2) < r). */
static void
compute_median_interval (const gdouble *sorted, gsize n, gdouble confidence, PdStats *out)
{
  gsize r = 0;

  while (2 * (r + 1) <= n && 2 * gsl_cdf_binomial_P ((guint) r, 0.5, (guint) n) <= 1 - confidence)
    r++;
  out->median_low = r > 0 ? sorted[r - 1] : NAN;
  out->median_high = r > 0 ? sorted[n - r] : NAN;
}

void
pd_stats_compute (const gdouble *values, gsize n, gdouble trim, gdouble confidence, PdStats *out)
{
  gsize cut = (gsize) (trim * (gdouble) n);

  g_return_if_fail (n > 0 && n <= G_MAXUINT);
  g_return_if_fail (trim >= 0 && trim < 0.5 && confidence > 0 && confidence < 1);
  g_autofree gdouble *sorted = sorted_copy (values, n);
  out->n = n;
  out->min = sorted[0];
  out->max = sorted[n - 1];
  out->median = gsl_stats_median_from_sorted_data (sorted, 1, n);
  out->lower_quartile = gsl_stats_quantile_from_sorted_data (sorted, 1, n, 0.25);
  out->upper_quartile = gsl_stats_quantile_from_sorted_data (sorted, 1, n, 0.75);
  compute_mean (sorted + cut, n - 2 * cut, confidence, out);
  compute_median_interval (sorted, n, confidence, out);
}

gdouble
pd_stats_median (const gdouble *values, gsize n)
{
  g_autofree gdouble *sorted = NULL;

  g_return_val_if_fail (n > 0, NAN);
  sorted = sorted_copy (values, n);
  return gsl_stats_median_from_sorted_data (sorted, 1, n);
}

/* ---- when to stop */

gboolean
pd_stop_reached (const PdStopRule *rule, gsize launches, const gdouble *correct, gsize n,
                 gdouble trim)
{
  PdStats stats;

  if (!(rule->relative_error > 0))
    return launches >= rule->launches || n >= rule->correct;
  if (launches >= rule->most)
    return TRUE;
  if (n < rule->least || n < 2)
    return FALSE;
  pd_stats_compute (correct, n, trim, 0.95, &stats);
  return stats.relative_error <= rule->relative_error;
}

/* ---- lines */

/* GSL gives the covariances of a weighted fit for weights that are 1 / variance in
 * truth; ours are relative, so they are scaled by the residuals. */
static void
fit_centred (const gdouble *x, const gdouble *y, const gdouble *w, gsize n, PdLine *out)
{
  gdouble c00, c01, c11, squares, total;

  gsl_fit_wlinear (x, 1, w, 1, y, 1, n, &out->intercept, &out->slope, &c00, &c01, &c11, &squares);
  total = gsl_stats_wtss (w, 1, y, 1, n);
  out->r2 = total > 0 ? 1 - squares / total : 1;
  out->intercept_error = out->slope_error = NAN;
  if (n > 2)
    {
      gdouble scale = squares / (gdouble) (n - 2);
      out->intercept_error = sqrt (c00 * scale);
      out->slope_error = sqrt (c11 * scale);
    }
}

gboolean
pd_line_fit (const gdouble *x, const gdouble *y, const gdouble *weights, gsize n,
             gdouble confidence, PdLine *out)
{
  g_autofree gdouble *centred = g_new (gdouble, n + 1), *w = g_new (gdouble, n + 1);
  gboolean differ = FALSE;
  gdouble x0, reach;

  for (gsize i = 0; i < n; i++)
    {
      w[i] = weights != NULL ? weights[i] : 1;
      differ |= x[i] != x[0];
    }
  if (!differ)
    return FALSE;
  x0 = gsl_stats_wmean (w, 1, x, 1, n);
  for (gsize i = 0; i < n; i++)
    centred[i] = x[i] - x0;
  out->x0 = x0;
  fit_centred (centred, y, w, n, out);
  reach = n > 2 ? out->slope_error * gsl_cdf_tdist_Pinv (0.5 + confidence / 2, (gdouble) (n - 2))
                : INFINITY;
  out->slope_low = out->slope - reach;
  out->slope_high = out->slope + reach;
  return TRUE;
}

gdouble
pd_line_at (const PdLine *line, gdouble x)
{
  return line->intercept + line->slope * (x - line->x0);
}
