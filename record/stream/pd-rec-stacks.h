/* Call stacks: a tree of return addresses, from the outermost caller to the MPI call.
 * Each is written to the stream once, as a place in a module, which is the same in each
 * process for any load address.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_STACKS_H
#define PD_REC_STACKS_H

#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-format.h"

#include <stddef.h>

/**
 * pd_rec_stacks_clear:
 * Forgets all stacks.
 */
void pd_rec_stacks_clear (void);

/**
 * pd_rec_stack:
 * @addresses: (array length=n): return addresses, that of the MPI call first
 *
 * Returns: the number of that stack, the same for the same addresses; 0 for none.
 */
uint32_t pd_rec_stack (void *const *addresses, int n);

#endif
