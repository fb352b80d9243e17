/* Collective operations in all lanes at once: the steps of their schedules, as
 * pd-coll-execute.c plays them, or a time after the last arrival, as in
 * pd-barrier-state.c. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_COLL_PRIVATE_H
#define PD_BATCH_COLL_PRIVATE_H

#include "comsys/batch/pd-batch-private.h"

/* Continues at the rank's ret; whether it is over. */
gboolean pd_batch_continue_collective (PdBatch *self, PdBatchRank *rank);
/* Likewise a nonblocking operation, whose request completes at the end. */
void pd_batch_continue_nonblocking (PdBatch *self, PdBatchNonblocking *nonblocking);

#endif
