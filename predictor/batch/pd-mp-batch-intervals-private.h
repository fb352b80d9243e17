/* Intervals in several lanes. What a rank spends in an interval is added up where it is
 * charged from at the end: the trees have the same nodes in all lanes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_INTERVALS_PRIVATE_H
#define PD_MP_BATCH_INTERVALS_PRIVATE_H

#include "predictor/batch/pd-mp-batch-private.h"

gboolean pd_mp_batch_enter (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_leave (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_location (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_alike (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
/* Puts the rank, at its beginning, into the root. */
void pd_mp_batch_begin (PdMpBatch *self, guint32 rank);
/* It has come to its end. */
void pd_mp_batch_finish (PdMpBatch *self, guint32 rank);
/* What ranks have spent is charged to the trees of all lanes. */
void pd_mp_batch_charge_all (PdMpBatch *self);
void pd_mp_batch_accounts_free (PdMpBatch *self);

#endif
