/* Which intervals of two runs are the same: the trees aligned.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_ALIGN_PRIVATE_H
#define PD_COMPARE_ALIGN_PRIVATE_H

#include "reports/compare/pd-compare-outline-private.h"

/* Aligns the trees from the roots down: of two intervals that are the same, those directly inside
 * them are aligned as sequences, so that the sum of the scores is the greatest; ties go to the
 * first in the order of A. Then those left that are named alike are the same, in whatever order.
 * Lists whose lengths have a product of more than 4 million are matched by name alone. Returns:
 * (transfer full): by result of B, the one of A, or %PD_COMPARE_NONE. */
guint *pd_compare_align (const PdCompareOutline *a, const PdCompareOutline *b);

#endif
