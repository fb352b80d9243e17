/* Copies between sections of different shapes, element by element in linear order: how
 * many elements go from each class of the source to each class of the target is counted
 * once and kept or, where that would be too much, counted anew for each processor that
 * asks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_PAIRS_PRIVATE_H
#define PD_DVM_COPY_PAIRS_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

/* Sections of different shapes, elementwise in linear order, as many elements as
 * the smaller one has. */
PdPlan *pd_copy_plan_new_pairs (const PdCopyPlan *self);

#endif
