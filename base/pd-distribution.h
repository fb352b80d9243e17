/* How long a run takes, as a distribution; how far a sum of repeated times would be off another
 * time. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DISTRIBUTION_H
#define PD_DISTRIBUTION_H

#include "base/pd-time.h"

/* The quantiles that reports show. */
#define PD_N_QUANTILES 9
extern const gdouble pd_distribution_shares[PD_N_QUANTILES]; /* 0 … 1 */

/* One bar of the histogram: from @from on, up to @to, which the last one includes. */
typedef struct
{
  PdTime from;
  PdTime to;
  guint count;
} PdHistogramBar;

typedef struct
{
  guint n;
  gdouble mean;      /* seconds */
  gdouble deviation; /* standard deviation, n - 1 in the denominator; 0 for one sample */
  PdTime quantiles[PD_N_QUANTILES];
  PdHistogramBar bars[20];
  guint n_bars; /* the root of n, from 1 to 20 */
} PdDistribution;

/**
 * pd_distribution_compute:
 * @times: (element-type PdTime): at least one, in any order
 * @out: (out caller-allocated): what they are like
 *
 * Quantile q is the sample of rank ceil (q n) (R. Hyndman, Y. Fan, "Sample Quantiles in
 * Statistical Packages", 1996, definition 1): a value that was predicted, exact to the
 * picosecond.
 */
void pd_distribution_compute (const GArray *times, PdDistribution *out);

/* ---- repeated times in a few batches, in constant memory */

#define PD_N_BATCHES 16

/* All zero: nothing was added. */
typedef struct
{
  gdouble sums[PD_N_BATCHES]; /* of those that are full */
  guint n_full;
  guint64 size;    /* of each; a power of 2; 0: nothing was added */
  gdouble current; /* sum of the one that is not full */
  guint64 in_current;
  guint64 n;
} PdBatches;

/**
 * pd_batches_add:
 * Adds the next value. When all batches are full, neighbours become one.
 */
void pd_batches_add (PdBatches *self, gdouble value);

/**
 * pd_batches_add_equal:
 * @value: a value that comes several times in a row
 * @n: how often; may be 0
 *
 * Adds @value @n times, in O(log n).
 */
void pd_batches_add_equal (PdBatches *self, gdouble value, guint64 n);

/**
 * pd_batches_get_variance:
 *
 * The variance of the sum of all values, from the means of batches (Conway 1963, Management
 * Science 10:47): with B full batches of m values each, whose means have the variance s2,
 * n^2 s2 / B. Values that are close in time and alike, as they drift, count as few values so,
 * not as many.
 *
 * Returns: it, >= 0; 0 with fewer than two full batches.
 */
gdouble pd_batches_get_variance (const PdBatches *self);

#endif
