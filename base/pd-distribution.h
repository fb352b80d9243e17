/* How long a run takes, as a distribution. Not installed.
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

#endif
