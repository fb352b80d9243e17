/* The actions on several machines at once.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_ACTIONS_PRIVATE_H
#define PD_MP_BATCH_ACTIONS_PRIVATE_H

#include "predictor/batch/pd-mp-batch-private.h"

/* Whether lanes can do the action at @cell; else why not, static. */
const char *pd_mp_batch_refuses (const PdMpBatch *self, const PdProgramCell *cell);
/* Acts until the rank waits, has done @budget actions, or is through. */
gboolean pd_mp_batch_continue (PdMpBatch *self, guint32 rank, guint budget);
/* The call that it is in is over. */
void pd_mp_batch_end_call (PdMpBatch *self, guint32 rank);
/* Puts the rank, at its beginning, into the root. */
void pd_mp_batch_begin (PdMpBatch *self, guint32 rank);
/* It has come to its end. */
void pd_mp_batch_finish (PdMpBatch *self, guint32 rank);
/* Collective operations under way: none. */
PdMpBarriers *pd_mp_batch_barriers_new (guint32 n_comms);

#endif
