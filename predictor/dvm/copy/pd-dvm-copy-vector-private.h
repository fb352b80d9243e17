/* Copies of vectors on a grid of rank 2, the second rule: only
 * one replica sends.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_VECTOR_PRIVATE_H
#define PD_DVM_COPY_VECTOR_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

PdCopyVector *pd_copy_vector_new (const PdCopyPlan *plan, guint from_dim, guint to_dim);
void pd_copy_vector_free (PdCopyVector *self);
/* Narrows the slices of all possible peers of the one at @place. */
void pd_copy_vector_narrow (const PdCopyVector *self, gboolean send, const PdCopyPlace *place,
                            PdCopySlice *slices);

#endif
