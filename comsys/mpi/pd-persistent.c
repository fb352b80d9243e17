/* Operations on existing requests: persistent requests, freeing, cancelling.
 *
 * A persistent request is a lasting handle. Each start creates an ordinary request, to
 * which the handle points until its wait.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-persistent-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-calls-private.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-match.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/p2p/pd-wildcard-lists.h"
#include "comsys/p2p/pd-wildcard.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

/* ---- persistent requests */

static PdRequest
new_handle (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope)
{
  guint32 handle = pd_req_new (self, rank);
  PdReq *h = pd_req (self, handle);

  self->n_handles++;
  h->kind = PD_REQ_PERSISTENT;
  h->held = PD_HELD_OWNER;
  h->comm = pd_comm_ref (comm);
  h->peer = (guint32) envelope.peer;
  h->tag = envelope.tag;
  h->bytes = envelope.bytes;
  return handle;
}

PdRequest
pd_comsys_send_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                     PdSendMode mode)
{
  g_return_val_if_fail (rank < self->n_ranks && envelope.bytes >= 0, PD_REQUEST_NULL);

  PdRequest handle = new_handle (self, rank, comm, envelope);
  pd_req (self, handle)->mode = mode & 3;
  return handle;
}

PdRequest
pd_comsys_recv_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope)
{
  g_return_val_if_fail (rank < self->n_ranks, PD_REQUEST_NULL);

  PdRequest handle = new_handle (self, rank, comm, envelope);
  pd_req (self, handle)->is_recv = TRUE;
  return handle;
}

static void
start_one (PdComsys *self, const PdCall *call, PdRequest request, const char *function)
{
  const PdReq *handle = pd_req (self, request);
  PdEnvelope envelope = { (gint32) handle->peer, handle->tag, handle->bytes };
  PdCallKind kind = { .mode = (PdSendMode) handle->mode, .function = function };
  PdComm *comm = handle->comm;
  guint32 active = handle->is_recv ? pd_call_irecv (self, call, comm, envelope, &kind)
                                   : pd_call_begin_send (self, call, comm, envelope, &kind);

  pd_req (self, request)->active = active; /* the pool may have moved */
}

void
pd_comsys_start (PdComsys *self, const PdCall *call, PdRequest request)
{
  pd_comsys_startall (self, call, &request, 1);
}

gboolean
pd_comsys_may_start (const PdComsys *self, guint32 rank, PdRequest request, gboolean *is_recv)
{
  const PdReq *handle = &self->reqs[request];

  if (is_recv != NULL)
    *is_recv = handle->is_recv;
  return handle->kind == PD_REQ_PERSISTENT && handle->active == 0 && handle->rank == rank;
}

void
pd_comsys_startall (PdComsys *self, const PdCall *call, const PdRequest *requests, guint n)
{
  PdCall part = pd_call_of (self, call, n == 1 ? PD_FN_START : PD_FN_STARTALL);

  part.status = NULL;
  for (guint i = 0; i < n; i++)
    g_return_if_fail (pd_comsys_may_start (self, call->rank, requests[i], NULL));

  const char *function = n == 1 ? "MPI_Start" : "MPI_Startall";
  gboolean waits = FALSE; /* for a processor that messages keep */
  pd_comsys_advance_to (self, call->rank, call->when);
  *call->ret = part.when;
  for (guint i = 0; i < n; i++)
    {
      start_one (self, &part, requests[i], function);
      if (pd_time_is_pending (*call->ret))
        waits = TRUE;
      else
        part.when = *call->ret;
    }
  if (waits)
    pd_cpu_wait_for_launch (self, call, function);
}

/* ---- other ends */

static void
free_handle (PdComsys *self, guint32 handle)
{
  pd_comm_unref (pd_req (self, handle)->comm);
  pd_req_drop (self, handle, PD_HELD_OWNER);
  self->n_handles--;
}

void
pd_persistent_clear (PdComsys *self)
{
  for (guint32 i = 1; i < self->n_reqs && self->n_handles > 0; i++)
    if (pd_req (self, i)->kind == PD_REQ_PERSISTENT)
      free_handle (self, i);
}

void
pd_comsys_request_free (PdComsys *self, PdRequest *request)
{
  guint32 handle = *request, req = pd_req_actual (self, handle);
  PdReq *r = pd_req (self, req);

  *request = PD_REQUEST_NULL;
  if (req != 0)
    {
      if (r->kind == PD_REQ_RECV)
        r->status = NULL;
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  if (handle == req)
    return;
  free_handle (self, handle);
}

gboolean
pd_comsys_cancel (PdComsys *self, PdRequest request, PdTime when)
{
  guint32 recv = pd_req_actual (self, request);
  PdReq *r = pd_req (self, recv);

  if (recv == 0 || r->kind != PD_REQ_RECV || r->matched || !pd_time_is_pending (r->done))
    return FALSE;
  if (r->queued)
    pd_match_remove (self, recv);
  else
    pd_wildcard_remove (self, recv);
  r->source_in_comm = (guint32) PD_ANY_SOURCE;
  r->tag = PD_ANY_TAG;
  r->bytes = 0;
  r->status = NULL;
  r->done = pd_time_max (when, r->ready);
  pd_req_drop (self, recv, PD_HELD_SYSTEM);
  return TRUE;
}

void
pd_comsys_notify (PdComsys *self, PdRequest request, guint32 token)
{
  guint32 rank = pd_req (self, request)->rank;
  PdTime done = pd_comsys_notify_unless_known (self, request, token);

  if (!pd_time_is_pending (done))
    pd_comsys_ready_token (self, rank, pd_time_max (done, self->now), token);
}

PdTime
pd_comsys_notify_unless_known (PdComsys *self, PdRequest request, guint32 token)
{
  g_return_val_if_fail (request != PD_REQUEST_NULL, PD_TIME_PENDING);
  g_return_val_if_fail (pd_req (self, request)->kind != PD_REQ_PERSISTENT, PD_TIME_PENDING);
  g_return_val_if_fail (token != PD_TOKEN_NONE, PD_TIME_PENDING);

  return pd_req_notify_unless_known (self, request, token);
}

/* ---- probes */

static guint32
new_probe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  guint32 probe = pd_req_new (self, call->rank);
  PdReq *p = pd_req (self, probe);

  p->kind = PD_REQ_RECV;
  p->probe = TRUE;
  p->held = PD_HELD_OWNER;
  p->peer = envelope.peer == PD_ANY_SOURCE ? G_MAXUINT32
                                           : pd_comm_world_rank (comm, (guint32) envelope.peer);
  p->context = comm->context;
  p->tag = envelope.tag;
  p->ready = call->when;
  p->status = call->status;
  return probe;
}

static void
notify_found (PdComsys *self, guint32 send, PdStatus *status)
{
  const PdReq *s = pd_req (self, send);

  if (status != NULL)
    *status = (PdStatus){ (gint32) s->source_in_comm, s->tag, s->bytes };
}

/* From MPI_PROC_NULL there is always a message. */
static gboolean
is_from_nobody (const PdCall *call, PdEnvelope envelope)
{
  if (envelope.peer == PD_PROC_NULL && call->status != NULL)
    *call->status = (PdStatus){ PD_PROC_NULL, PD_ANY_TAG, 0 };
  return envelope.peer == PD_PROC_NULL;
}

void
pd_comsys_probe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  g_return_if_fail (envelope.peer < 0 || (guint32) envelope.peer < comm->n);

  PdTime overhead =
      pd_time_add (self->machine->software.wait_overhead, pd_function_overhead (self, PD_FN_PROBE));
  pd_comsys_advance_to (self, call->rank, call->when);
  PD_PROBE (self, call, call->rank, call->when);
  *call->ret = call->when;
  if (is_from_nobody (call, envelope))
    return;
  guint32 probe = new_probe (self, call, comm, envelope);
  guint32 send = pd_wildcard_probe (self, probe);
  if (send == 0)
    {
      PdRank *rank = &self->ranks[call->rank];
      pd_rank_block (self, call, "MPI_Probe");
      rank->overhead = overhead;
      rank->pending = 1;
      rank->first = probe;
      return;
    }
  notify_found (self, send, call->status);
  pd_req_drop (self, probe, PD_HELD_OWNER);
  *call->ret = pd_time_add (call->when, overhead);
  PD_PROBE (self, test, call);
}

gboolean
pd_comsys_iprobe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  g_return_val_if_fail (envelope.peer < 0 || (guint32) envelope.peer < comm->n, FALSE);

  pd_comsys_advance_to (self, call->rank, call->when);
  *call->ret = call->when;
  if (is_from_nobody (call, envelope))
    return TRUE;
  guint32 probe = new_probe (self, call, comm, envelope);
  guint32 send = pd_wildcard_probe (self, probe);
  pd_req_drop (self, probe, PD_HELD_OWNER);
  *call->ret = pd_time_add (call->when, pd_time_add (self->machine->software.wait_overhead,
                                                     pd_function_overhead (self, PD_FN_IPROBE)));
  if (send == 0)
    return FALSE;
  notify_found (self, send, call->status);
  return TRUE;
}
