/* Statistics of samples, from GSL; when to stop measuring; lines through points.
 * Units are those of the values. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STATS_H
#define PD_STATS_H

#include <glib.h>

/* Of a sample of @n values. Mean, its error and Student's interval are of the values
 * kept after trimming; the others of all values. An undefined figure (the error of one value)
 * is NaN. */
typedef struct
{
  gsize n;
  gsize kept;
  gdouble mean;
  gdouble deviation;      /* standard deviation, n - 1 in the denominator */
  gdouble error;          /* of the mean: deviation / sqrt (kept) */
  gdouble relative_error; /* error / |mean|; 0 if the error is 0 */
  gdouble student_low;    /* confidence interval of the mean */
  gdouble student_high;
  gdouble min;
  gdouble max;
  gdouble median;
  gdouble lower_quartile;
  gdouble upper_quartile;
  gdouble median_low;  /* non-parametric confidence interval of the median; NaN with */
  gdouble median_high; /* fewer values than the confidence needs (6 for 0.95) */
} PdStats;

/**
 * pd_stats_compute:
 * @values: (array length=n): in any order
 * @n: at least 1
 * @trim: share of the smallest and of the largest values that is left out of the mean,
 *   0 <= trim < 0.5; whole values only, rounded down
 * @confidence: of both intervals, 0 < confidence < 1
 * @out: (out caller-allocated): the statistics
 */
void pd_stats_compute (const gdouble *values, gsize n, gdouble trim, gdouble confidence,
                       PdStats *out);

/**
 * pd_stats_median:
 * @values: (array length=n): in any order
 * @n: at least 1
 */
gdouble pd_stats_median (const gdouble *values, gsize n);

/* When there are enough launches. */
typedef struct
{
  gsize launches;         /* with no wanted error: so many launches suffice … */
  gsize correct;          /* … or so many correct ones */
  gdouble relative_error; /* > 0: instead, of the trimmed mean, is at most this … */
  gsize least;            /* … of at least so many correct launches … */
  gsize most;             /* … but after so many launches in any case */
} PdStopRule;

#define PD_STOP_RULE_DEFAULT                                                                       \
  {                                                                                                \
    100, 30, 0, 10, 10000                                                                          \
  }

/**
 * pd_stop_reached:
 * @rule: the rule
 * @launches: so many there were, incorrect ones included
 * @correct: (array length=n): values of the correct launches
 * @n: may be 0
 * @trim: as in pd_stats_compute()
 */
gboolean pd_stop_reached (const PdStopRule *rule, gsize launches, const gdouble *correct, gsize n,
                          gdouble trim);

/* y = intercept + slope (x - x0), where @x0 is the (weighted) mean of x: so both
 * estimates are independent of each other. */
typedef struct
{
  gdouble x0;
  gdouble intercept;
  gdouble slope;
  gdouble intercept_error; /* standard errors; NaN for two points */
  gdouble slope_error;
  gdouble slope_low; /* Student's interval of the slope; infinite for two points */
  gdouble slope_high;
  gdouble r2; /* 1 - residual / total sum of squares */
} PdLine;

/**
 * pd_line_fit:
 * @x: (array length=n)
 * @y: (array length=n)
 * @weights: (nullable) (array length=n): 1 / variance of each y; %NULL: all the same
 * @n: number of points
 * @confidence: of the slope's interval
 * @out: (out caller-allocated): written only on success
 *
 * Least squares. Returns: %FALSE if there are fewer than two different x.
 */
gboolean pd_line_fit (const gdouble *x, const gdouble *y, const gdouble *weights, gsize n,
                      gdouble confidence, PdLine *out);

/**
 * pd_line_at:
 * Returns: the y of the line at @x.
 */
gdouble pd_line_at (const PdLine *line, gdouble x);

#endif
