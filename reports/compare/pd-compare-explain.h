/* The components of the execution times of two runs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_EXPLAIN_H
#define PD_COMPARE_EXPLAIN_H

#include "reports/compare/pd-compare.h"

/* Computation, or a component of the loss. */
typedef struct
{
  const char *name;   /* static */
  gdouble seconds[2]; /* per processor, of A and B */
} PdComparePart;

/**
 * pd_compare_get_parts:
 * Returns: (transfer full) (element-type PdComparePart): those that either run has, by falling
 *   difference. Their sums are the execution times.
 */
GArray *pd_compare_get_parts (const PdCompare *self);

#endif
