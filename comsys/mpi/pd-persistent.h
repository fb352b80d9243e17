/* Operations on existing requests: persistent requests, freeing, cancelling. A persistent
 * request is a lasting handle. Each start creates an ordinary request, to which the handle
 * points until its wait.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PERSISTENT_H
#define PD_PERSISTENT_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_send_init:
 * @rank: who will send
 * @comm: a communicator the rank belongs to
 * @envelope: where to; as for pd_comsys_send()
 * @mode: as MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init
 *
 * Costs nothing. Waits and tests leave the request inactive, not null, once what
 * was started has completed; to wait for an inactive one costs nothing.
 *
 * Returns: an inactive request, to be released by pd_comsys_request_free().
 */
PdRequest pd_comsys_send_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                               PdSendMode mode);

/**
 * pd_comsys_recv_init:
 * Returns: MPI_Recv_init: as pd_comsys_send_init().
 */
PdRequest pd_comsys_recv_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_start:
 * @request: an inactive persistent request of the caller
 *
 * MPI_Start: as the non-blocking call of the same kind.
 */
void pd_comsys_start (PdComsys *self, const PdCall *call, PdRequest request);

/**
 * pd_comsys_may_start:
 * @is_recv: (out) (optional): whether it is of a receive
 *
 * Returns: whether @request is an inactive persistent request of @rank.
 */
gboolean pd_comsys_may_start (const PdComsys *self, guint32 rank, PdRequest request,
                              gboolean *is_recv);

/**
 * pd_comsys_startall:
 * @requests: (array length=n): inactive persistent requests of the caller
 * @n: how many
 *
 * MPI_Startall: one after the other, in the order of the array.
 */
void pd_comsys_startall (PdComsys *self, const PdCall *call, const PdRequest *requests, guint n);

/**
 * pd_comsys_request_free:
 * @request: (inout): becomes %PD_REQUEST_NULL; nothing happens if it is
 *
 * MPI_Request_free: the operation continues without a wait for it. Costs
 * nothing.
 */
void pd_comsys_request_free (PdComsys *self, PdRequest *request);

/**
 * pd_comsys_cancel:
 * @request: stays valid and is waited for or tested as ever
 * @when: the moment of the call
 *
 * MPI_Cancel: a receive that nothing has matched yet is complete at @when; its status
 * says %PD_ANY_SOURCE, %PD_ANY_TAG and 0 bytes. Anything else goes on: sends are never
 * cancelled, as the standard permits.
 *
 * Returns: whether the request has been cancelled.
 */
gboolean pd_comsys_cancel (PdComsys *self, PdRequest request, PdTime when);

/**
 * pd_comsys_notify:
 * @request: not persistent; is the caller's no more
 * @token: less than %PD_TOKEN_NONE
 *
 * Instead of being waited for, the request's completion comes back from
 * pd_comsys_next_event(), as the rank's turn with @token; for programs whose ranks
 * do several things at once.
 */
void pd_comsys_notify (PdComsys *self, PdRequest request, guint32 token);

/**
 * pd_comsys_notify_unless_known:
 * @request: not persistent; is the caller's no more
 * @token: less than %PD_TOKEN_NONE
 *
 * Returns: when the request completes, if that is known already; else %PD_TIME_PENDING,
 *   and its completion comes back as after pd_comsys_notify().
 */
PdTime pd_comsys_notify_unless_known (PdComsys *self, PdRequest request, guint32 token);

/**
 * pd_comsys_probe:
 * @envelope: as for pd_comsys_recv(); the bytes do not matter
 *
 * MPI_Probe: returns when there is a message that such a receive would get, plus
 * wait-overhead. @call->status says which; it is not taken.
 */
void pd_comsys_probe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_iprobe:
 * Returns: MPI_Iprobe: whether there is such a message; then @call->status says which.
 *   Costs wait-overhead.
 */
gboolean pd_comsys_iprobe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

G_END_DECLS

#endif
