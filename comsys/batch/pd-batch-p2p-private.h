/* Messages and waits in all lanes at once. A message's moments are computed when both of
 * its halves are there; by the rules of pd-p2p.c, pd-calls.c, pd-wait.c and
 * pd-wait-stats.c. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_P2P_PRIVATE_H
#define PD_BATCH_P2P_PRIVATE_H

#include "comsys/batch/pd-batch-private.h"

typedef struct
{
  PdSendMode mode;
  gboolean collective;
} PdBatchSendKind;

/* The rank's call begins to send at its ret, which becomes when it has; the owner has
 * the request. */
guint32 pd_batch_begin_send (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                             const PdBatchSendKind *kind);
guint32 pd_batch_begin_recv (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                             gboolean collective);
/* At its ret, which moves on. */
gboolean pd_batch_p2p_send (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                            const PdBatchSendKind *kind);
gboolean pd_batch_p2p_recv (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                            gboolean collective);
gboolean pd_batch_p2p_sendrecv (PdBatch *self, PdBatchRank *rank, PdComm *comm,
                                const PdExchange *exchange, gboolean collective);
/* Waits from its ret on for the list, and @overhead (nullable) longer. */
gboolean pd_batch_wait_for (PdBatch *self, PdBatchRank *rank, guint32 first,
                            const PdBatchTime *overhead);
/* Likewise, after what the network asks for before that. */
gboolean pd_batch_wait_for_all (PdBatch *self, PdBatchRank *rank, guint32 first,
                                const PdBatchTime *overhead);
/* All that it waits for is complete. */
void pd_batch_end_wait (PdBatch *self, PdBatchRank *rank);
void pd_batch_req_drop (PdBatch *self, guint32 req, guint holder);
guint32 pd_batch_req_new (PdBatch *self, PdBatchRank *owner);
void pd_batch_req_complete (PdBatch *self, PdBatchReq *r);

#endif
