/* A table from handles of MPI to numbers. Plain C, no locks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_HANDLES_H
#define PD_REC_HANDLES_H

#include "base/pd-hash-map.h"

/* All zero is an empty table. */
typedef PdHashMap PdRecHandles;

/**
 * pd_rec_handles_get:
 *
 * Returns: the value of @key; 0: none.
 */
uint32_t pd_rec_handles_get (const PdRecHandles *self, uintptr_t key);

/**
 * pd_rec_handles_set: @value: 0 takes @key out.
 *
 * Returns: 0 if there is no memory; then nothing has changed.
 */
int pd_rec_handles_set (PdRecHandles *self, uintptr_t key, uint32_t value);

#endif
