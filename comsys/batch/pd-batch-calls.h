/* The calls of programs in all lanes at once: what they cost besides their messages, as
 * in pd-calls.c; persistent requests, as in pd-persistent.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_CALLS_H
#define PD_BATCH_CALLS_H

#include "comsys/batch/pd-batch.h"

G_BEGIN_DECLS

/**
 * pd_batch_send:
 * Returns: whether the call is over; else pd_batch_resume() says when.
 */
gboolean pd_batch_send (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                        PdSendMode mode);

/**
 * pd_batch_recv:
 * @envelope: without wildcards
 *
 * Returns: whether the call is over.
 */
gboolean pd_batch_recv (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_batch_sendrecv:
 * Returns: whether the call is over.
 */
gboolean pd_batch_sendrecv (PdBatch *self, guint32 rank, PdComm *comm, const PdExchange *exchange);

/**
 * pd_batch_isend:
 * Returns: the request; the call is over.
 */
PdRequest pd_batch_isend (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                          PdSendMode mode);

/**
 * pd_batch_irecv:
 * @envelope: without wildcards
 *
 * Returns: the request; the call is over.
 */
PdRequest pd_batch_irecv (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_batch_wait:
 * Returns: whether the call is over.
 */
gboolean pd_batch_wait (PdBatch *self, guint32 rank, PdRequest *request);

/**
 * pd_batch_waitall:
 * Returns: whether the call is over.
 */
gboolean pd_batch_waitall (PdBatch *self, guint32 rank, PdRequest *requests, guint n);

/**
 * pd_batch_test:
 * A test that is not successful: only its time.
 */
void pd_batch_test (PdBatch *self, guint32 rank);

/**
 * pd_batch_send_init:
 * Returns: a persistent request.
 */
PdRequest pd_batch_send_init (PdBatch *self, PdComm *comm, PdEnvelope envelope, PdSendMode mode);

/**
 * pd_batch_recv_init:
 * @envelope: without wildcards
 *
 * Returns: a persistent request.
 */
PdRequest pd_batch_recv_init (PdBatch *self, PdComm *comm, PdEnvelope envelope);

/**
 * pd_batch_may_start:
 * @is_recv: (out): whether it receives; written only if it can be started
 *
 * Returns: whether @request is a persistent one that is not under way.
 */
gboolean pd_batch_may_start (const PdBatch *self, PdRequest request, gboolean *is_recv);

/**
 * pd_batch_startall:
 * @requests: (array length=n): each may be started
 *
 * MPI_Start of one, MPI_Startall of more; the call is over.
 */
void pd_batch_startall (PdBatch *self, guint32 rank, const PdRequest *requests, guint n);

/**
 * pd_batch_request_free:
 * @request: (inout): becomes %PD_REQUEST_NULL
 */
void pd_batch_request_free (PdBatch *self, PdRequest *request);

G_END_DECLS

#endif
