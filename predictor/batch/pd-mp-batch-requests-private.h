/* What becomes of requests in several lanes: waits and tests as in pd-mp-waits.c, and
 * persistent requests as in pd-mp-persistent.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_REQUESTS_PRIVATE_H
#define PD_MP_BATCH_REQUESTS_PRIVATE_H

#include "predictor/batch/pd-mp-batch-private.h"

gboolean pd_mp_batch_wait (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_waitall (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_waitany (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_test (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_init (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_start (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);
gboolean pd_mp_batch_request_free (PdMpBatch *self, guint32 rank, PdMpBatchRank *r);

#endif
