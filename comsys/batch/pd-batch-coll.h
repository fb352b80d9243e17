/* Collective operations in all lanes at once: the steps of their schedules, as
 * pd-coll-execute.c plays them, or a time after the last arrival, as in
 * pd-barrier-state.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_COLL_H
#define PD_BATCH_COLL_H

#include "comsys/batch/pd-batch.h"

G_BEGIN_DECLS

/**
 * pd_batch_collective:
 * @collective: its arrays stay until the call is over
 *
 * Returns: whether the call is over.
 */
gboolean pd_batch_collective (PdBatch *self, guint32 rank, PdComm *comm,
                              const PdCollective *collective);

/**
 * pd_batch_icollective:
 * @collective: its arrays stay until the request completes
 *
 * Returns: the request; the call is over.
 */
PdRequest pd_batch_icollective (PdBatch *self, guint32 rank, PdComm *comm,
                                const PdCollective *collective);

G_END_DECLS

#endif
