/* Statistics against GSL's own functions and figures by hand; stop rules; lines.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-rounds.h"
#include "measure/stats/pd-stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* Speeds of light in Mm/s as Michelson measured them (the first ones), and small samples;
 * whose figures are known by hand. */
static const gdouble speeds[] = { 299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95,
                                  299.98, 299.98, 299.88, 300.00, 299.98, 299.93, 299.65,
                                  299.76, 299.81, 300.00, 300.00, 299.96, 299.96 };
static const gdouble skewed[] = { 1, 1, 2, 3, 100 };
static const gdouble eight[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

#define ASSERT_NEAR(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-12 * (1 + fabs ((gdouble) (b))))

/* ---- one sample against GSL, called by hand */

static void
compare_with_gsl (const gdouble *values, gsize n, gdouble trim, gdouble confidence)
{
  g_autofree gdouble *sorted = g_new (gdouble, n);
  gsize cut = (gsize) floor (trim * (gdouble) n), kept = n - 2 * cut;
  gdouble error, t;
  PdStats stats;

  memcpy (sorted, values, n * sizeof *values);
  gsl_sort (sorted, 1, n);
  pd_stats_compute (values, n, trim, confidence, &stats);
  g_assert_cmpuint (stats.n, ==, n);
  g_assert_cmpuint (stats.kept, ==, kept);
  ASSERT_NEAR (stats.mean, gsl_stats_mean (sorted + cut, 1, kept));
  ASSERT_NEAR (stats.deviation, gsl_stats_sd (sorted + cut, 1, kept));
  error = gsl_stats_sd (sorted + cut, 1, kept) / sqrt ((gdouble) kept);
  t = gsl_cdf_tdist_Qinv ((1 - confidence) / 2, (gdouble) kept - 1);
  ASSERT_NEAR (stats.error, error);
  ASSERT_NEAR (stats.relative_error, error / stats.mean);
  g_assert_cmpfloat_with_epsilon (stats.student_low, stats.mean - t * error, 1e-9 * stats.mean);
  g_assert_cmpfloat_with_epsilon (stats.student_high, stats.mean + t * error, 1e-9 * stats.mean);
  ASSERT_NEAR (stats.min, gsl_stats_min (values, 1, n));
  ASSERT_NEAR (stats.max, gsl_stats_max (values, 1, n));
  ASSERT_NEAR (stats.median, gsl_stats_median_from_sorted_data (sorted, 1, n));
  ASSERT_NEAR (stats.lower_quartile, gsl_stats_quantile_from_sorted_data (sorted, 1, n, .25));
  ASSERT_NEAR (stats.upper_quartile, gsl_stats_quantile_from_sorted_data (sorted, 1, n, .75));
  ASSERT_NEAR (pd_stats_median (values, n), stats.median);
}

static void
test_gsl (void)
{
  static const gdouble trims[] = { 0, 0.1, 0.25, 0.4 }, confidences[] = { 0.9, 0.95, 0.99 };

  for (gsize i = 0; i < G_N_ELEMENTS (trims); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (confidences); k++)
      compare_with_gsl (speeds, G_N_ELEMENTS (speeds), trims[i], confidences[k]);
}

static void
test_by_hand (void)
{
  PdStats stats;

  pd_stats_compute (eight, G_N_ELEMENTS (eight), 0, 0.95, &stats);
  ASSERT_NEAR (stats.mean, 5);
  ASSERT_NEAR (stats.deviation, sqrt (32.0 / 7));
  ASSERT_NEAR (stats.median, 4.5);
  /* Student's t at 0.975 with 7 degrees of freedom, from any table */
  g_assert_cmpfloat_with_epsilon (stats.student_high, 5 + 2.364624 * sqrt (32.0 / 7) / sqrt (8),
                                  1e-5);

  pd_stats_compute (skewed, G_N_ELEMENTS (skewed), 0.25, 0.95, &stats);
  g_assert_cmpuint (stats.kept, ==, 3);
  ASSERT_NEAR (stats.mean, 2);
  ASSERT_NEAR (stats.max, 100);
}

/* ---- the interval of the median: ranks from tables of the sign test */

static const struct
{
  const char *name;
  gsize n;
  gdouble confidence;
  gsize rank; /* of the lower end, from 1; 0: none */
} medians[] = {
  { "five-are-too-few", 5, 0.95, 0 },
  { "six", 6, 0.95, 1 },
  { "eight", 8, 0.95, 1 },
  { "nine", 9, 0.95, 2 },
  { "ten", 10, 0.95, 2 },
  { "twenty", 20, 0.95, 6 },
  { "thirty", 30, 0.95, 10 },
  { "seven-at-99", 7, 0.99, 0 },
  { "eight-at-99", 8, 0.99, 1 },
  { "hundred", 100, 0.95, 40 },
  { "one", 1, 0.95, 0 },
};

static void
test_median_interval (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data), n = medians[i].n;
  g_autofree gdouble *values = g_new (gdouble, n);
  PdStats stats;

  for (gsize k = 0; k < n; k++)
    values[k] = (gdouble) (n - k);
  pd_stats_compute (values, n, 0, medians[i].confidence, &stats);
  if (medians[i].rank == 0)
    {
      g_assert_true (isnan (stats.median_low) && isnan (stats.median_high));
      return;
    }
  ASSERT_NEAR (stats.median_low, (gdouble) medians[i].rank);
  ASSERT_NEAR (stats.median_high, (gdouble) (n + 1 - medians[i].rank));
}

static void
test_little (void)
{
  const gdouble one = 3, same[] = { 0, 0, 0 };
  PdStats stats;

  pd_stats_compute (&one, 1, 0.25, 0.95, &stats);
  ASSERT_NEAR (stats.mean, 3);
  ASSERT_NEAR (stats.median, 3);
  g_assert_true (isnan (stats.error) && isnan (stats.student_low));
  pd_stats_compute (same, 3, 0, 0.95, &stats);
  ASSERT_NEAR (stats.relative_error, 0);
}

/* ---- stop rules */

static const struct
{
  const char *name;
  PdStopRule rule;
  gsize launches;
  gsize correct; /* the first of @speeds, or of @skewed */
  gboolean is_skewed;
  gboolean stops;
} stops[] = {
  { "nothing-yet", PD_STOP_RULE_DEFAULT, 0, 0, FALSE, FALSE },
  { "before-the-launches", PD_STOP_RULE_DEFAULT, 99, 20, FALSE, FALSE },
  { "launches", PD_STOP_RULE_DEFAULT, 100, 0, FALSE, TRUE },
  { "correct", { 100, 20, 0, 10, 10000 }, 25, 20, FALSE, TRUE },
  { "before-the-correct", { 100, 20, 0, 10, 10000 }, 25, 19, FALSE, FALSE },
  { "error-with-too-few", { 100, 30, 0.05, 10, 10000 }, 200, 9, FALSE, FALSE },
  { "error", { 100, 30, 0.05, 10, 10000 }, 10, 10, FALSE, TRUE },
  { "error-too-large", { 100, 30, 0.05, 3, 10000 }, 100, 5, TRUE, FALSE },
  { "error-of-none", { 100, 30, 0.05, 0, 10000 }, 100, 0, TRUE, FALSE },
  { "error-never-reached", { 100, 30, 0.05, 3, 500 }, 500, 5, TRUE, TRUE },
};

static void
test_stop (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const gdouble *values = stops[i].is_skewed ? skewed : speeds;

  g_assert_cmpint (pd_stop_reached (&stops[i].rule, stops[i].launches, values, stops[i].correct, 0),
                   ==, stops[i].stops);
}

/* Trimming takes the one value away that keeps the rule from being fulfilled. */
static void
test_stop_trimmed (void)
{
  const PdStopRule rule = { 100, 30, 0.3, 5, 10000 };

  g_assert_false (pd_stop_reached (&rule, 5, skewed, 5, 0));
  g_assert_true (pd_stop_reached (&rule, 5, skewed, 5, 0.25));
}

/* ---- rounds: which are disturbed, and what counts */

static const struct
{
  const char *name;
  PdRound rounds[5];
  gsize n;
  const char *disturbed; /* "x" where a round is */
  gdouble median;
} disturbances[] = {
  { "none", { { 1, 0 }, { 1.2, 0 }, { 2, 0 } }, 3, "...", 1.2 },
  { "switched", { { 1, 1 }, { 1.2, 0 }, { 1.4, 0 } }, 3, "x..", 1.3 },
  { "far-without-switches", { { 1, 0 }, { 5140, 0 }, { 2.1, 0 }, { 1.1, 0 } }, 4, ".xx.", 1.05 },
  { "far-from-a-switched-one", { { 1, 2 }, { 3, 0 } }, 2, "xx", 2 },
  { "all-switched", { { 3, 1 }, { 1, 4 }, { 2, 2 } }, 3, "xxx", 2 },
  { "one", { { 7, 0 } }, 1, ".", 7 },
};

static void
test_rounds (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data), n = 0;
  PdStats stats;

  for (gsize k = 0; k < disturbances[i].n; k++)
    {
      gboolean is_disturbed = disturbances[i].disturbed[k] == 'x';
      g_assert_cmpint (pd_rounds_is_disturbed (disturbances[i].rounds, disturbances[i].n, k), ==,
                       is_disturbed);
      n += is_disturbed ? 1 : 0;
    }
  g_assert_cmpuint (pd_rounds_disturbed (disturbances[i].rounds, disturbances[i].n), ==, n);
  pd_rounds_compute (disturbances[i].rounds, disturbances[i].n, &stats);
  ASSERT_NEAR (stats.median, disturbances[i].median);
  g_assert_cmpuint (stats.n, ==, n < disturbances[i].n ? disturbances[i].n - n : n);
}

/* ---- lines */

static void
test_line (void)
{
  const gdouble x[] = { 1970, 1980, 1990, 2000 }, y[] = { 12, 11, 14, 13 };
  gdouble c0, c1, cov00, cov01, cov11, squares;
  PdLine line;

  g_assert_true (pd_line_fit (x, y, NULL, 4, 0.95, &line));
  gsl_fit_linear (x, 1, y, 1, 4, &c0, &c1, &cov00, &cov01, &cov11, &squares);
  g_assert_cmpfloat_with_epsilon (line.slope, c1, 1e-12);
  g_assert_cmpfloat_with_epsilon (pd_line_at (&line, 0), c0, 1e-8);
  g_assert_cmpfloat_with_epsilon (line.slope_error, sqrt (cov11), 1e-12);
  g_assert_cmpfloat_with_epsilon (line.r2, 1 - squares / gsl_stats_tss (y, 1, 4), 1e-12);
  g_assert_cmpfloat_with_epsilon (line.slope_high - line.slope,
                                  gsl_cdf_tdist_Pinv (0.975, 2) * sqrt (cov11), 1e-9);
}

/* A weight of 2 is a point that is there twice. */
static void
test_line_weights (void)
{
  const gdouble x[] = { 1, 2, 4, 4 }, y[] = { 1, 3, 4, 4 }, w[] = { 1, 1, 2 };
  PdLine twice, weighted;

  g_assert_true (pd_line_fit (x, y, NULL, 4, 0.95, &twice));
  g_assert_true (pd_line_fit (x, y, w, 3, 0.95, &weighted));
  g_assert_cmpfloat_with_epsilon (weighted.slope, twice.slope, 1e-12);
  g_assert_cmpfloat_with_epsilon (weighted.x0, twice.x0, 1e-12);
  g_assert_cmpfloat_with_epsilon (weighted.r2, twice.r2, 1e-12);
}

static void
test_line_little (void)
{
  const gdouble x[] = { 1, 1, 2 }, y[] = { 1, 2, 5 };
  PdLine line;

  g_assert_false (pd_line_fit (x, y, NULL, 0, 0.95, &line));
  g_assert_false (pd_line_fit (x, y, NULL, 2, 0.95, &line));
  g_assert_true (pd_line_fit (x + 1, y + 1, NULL, 2, 0.95, &line));
  g_assert_cmpfloat_with_epsilon (line.slope, 3, 1e-12);
  g_assert_true (isinf (line.slope_low) && isinf (line.slope_high));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/stats/gsl", test_gsl);
  g_test_add_func ("/measure/stats/by-hand", test_by_hand);
  g_test_add_func ("/measure/stats/little", test_little);
  for (gsize i = 0; i < G_N_ELEMENTS (medians); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/stats/median/", medians[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_median_interval);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (stops); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/stop/", stops[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_stop);
    }
  g_test_add_func ("/measure/stop/trimmed", test_stop_trimmed);
  for (gsize i = 0; i < G_N_ELEMENTS (disturbances); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/rounds/", disturbances[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_rounds);
    }
  g_test_add_func ("/measure/line/gsl", test_line);
  g_test_add_func ("/measure/line/weights", test_line_weights);
  g_test_add_func ("/measure/line/little", test_line_little);
  return g_test_run ();
}
