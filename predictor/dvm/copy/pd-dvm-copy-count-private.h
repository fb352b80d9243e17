/* Counts the elements that go from each class of one section to each class of another
 * one of a different shape. The owners of both repeat in linear order with the lengths
 * of their rows, so the elements between two boundaries of outer axes are counted for one
 * common period.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_COUNT_PRIVATE_H
#define PD_DVM_COPY_COUNT_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

/* By the first class, then the second one. */
int pd_copy_compare_pairs (const void *a, const void *b);
/* The elements of both sections in linear order, as many as the smaller one has:
 * (transfer full) (element-type PdCopyPair): sorted. With @own, one of the two
 * sides, only those of the class at @place; else NULL beyond PD_COPY_MAX_PAIRS. */
GArray *pd_copy_count_pairs (const PdCopyPlan *plan, const PdCopySide *own,
                             const PdCopyPlace *place);

#endif
