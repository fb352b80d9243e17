/* The explanation of the difference of two runs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_PRIVATE_H
#define PD_COMPARE_PRIVATE_H

#include "reports/compare/pd-compare.h"
#include "reports/run/pd-report-types.h"

#define PD_COMPARE_MOST 999.0 /* the largest percentage in texts; beyond it factors are clearer */

static inline const PdComparePair *
pd_compare_pair (const PdCompare *self, guint i)
{
  return &g_array_index (self->pairs, PdComparePair, i);
}

/* Returns: (nullable): the interval on that side. */
static inline const PdIntervalResult *
pd_compare_result (const PdCompare *self, const PdComparePair *pair, guint side)
{
  return pair->at[side] == PD_COMPARE_NONE
             ? NULL
             : pd_report_result (self->sides[side].run, pair->at[side]);
}

static inline gboolean
pd_compare_is_in_both (const PdComparePair *pair)
{
  return pair->at[0] != PD_COMPARE_NONE && pair->at[1] != PD_COMPARE_NONE;
}

#endif
