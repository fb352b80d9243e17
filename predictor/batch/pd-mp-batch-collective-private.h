/* Collective operations in several lanes; what is known only when all members have been
 * there as in pd-mp-collective.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_COLLECTIVE_PRIVATE_H
#define PD_MP_BATCH_COLLECTIVE_PRIVATE_H

#include "predictor/batch/pd-mp-batch-private.h"

gboolean pd_mp_batch_collective (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_icollective (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
void pd_mp_batch_collective_returned (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
PdMpBatchBarriers *pd_mp_batch_barriers_new (guint32 n_comms);
void pd_mp_batch_barriers_free (PdMpBatchBarriers *self);

#endif
