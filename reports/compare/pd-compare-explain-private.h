/* The execution time of a run is the mean over its processors of computation, I/O,
 * Insufficient_parallelism, the components of Communication, and Idle. So a difference
 * of execution times is the sum of the differences of these means.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_EXPLAIN_PRIVATE_H
#define PD_COMPARE_EXPLAIN_PRIVATE_H

#include "reports/compare/pd-compare-private.h"

/* Adds to the sentences. */
void pd_compare_explain (PdCompare *self);

#endif
