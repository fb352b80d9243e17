/* The actions of message-passing programs in several lanes: as pd-mp-run.c,
 * pd-mp-calls.c, pd-mp-waits.c and pd-mp-persistent.c do them in one.
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

void pd_mp_batch_compute (PdMpBatch *self, PdMpBatchRank *r, PdAmount amount);
/* The call has returned @over, or waits: whether it is over. */
gboolean pd_mp_batch_return (PdMpBatchRank *r, gboolean over, PdMpCategory category);
/* What the call has taken is the rank's past. */
void pd_mp_batch_spend (PdMpBatchRank *r);
/* As pd_mp_note(), in all lanes. */
void pd_mp_batch_note (PdMpBatch *self, guint32 rank, const char *id, const char *subject,
                       const char *text);
/* The slot that a new request goes into; what it held is freed. */
PdRequest *pd_mp_batch_free_slot (PdMpBatch *self, PdMpBatchRank *r, guint32 request);
gboolean pd_mp_batch_not_modelled (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);

/* How the action sends. */
PdSendMode pd_mp_batch_mode_of (const PdProgramCell *cell);

#endif
