/* Copies between sections of the same shape: each message is the intersection of two
 * boxes, its receivers a product of intervals of coordinates.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_PRODUCT_PRIVATE_H
#define PD_DVM_COPY_PRODUCT_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

/* Sections with the same counts along their varying axes: messages are
 * intersections of boxes. @vector (nullable) is taken over. */
PdPlan *pd_copy_plan_new_product (const PdCopyPlan *self, PdCopyVector *vector);

#endif
