/* The calls of MPI that send and receive: their costs for the caller, and
 * MPI_PROC_NULL. pd-p2p.c continues a message.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-calls-private.h"

#include "base/pd-time.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-p2p.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait-private.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

static const PdStatus null_status = { PD_PROC_NULL, PD_ANY_TAG, 0 };

/* A request that is complete at once: MPI_PROC_NULL. */
static guint32
null_request (PdComsys *self, const PdCall *call)
{
  guint32 req = pd_req_new (self, call->rank);
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_RECV;
  r->is_null = TRUE;
  r->held = PD_HELD_OWNER;
  r->done = r->ready = call->when;
  r->source_in_comm = (guint32) PD_PROC_NULL;
  r->tag = PD_ANY_TAG;
  *call->ret = call->when;
  if (call->status != NULL)
    *call->status = null_status;
  return req;
}

/* ---- for programs and for schedules */

guint32
pd_call_begin_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                    const PdCallKind *kind)
{
  if (envelope.peer == PD_PROC_NULL)
    return null_request (self, call);
  return pd_p2p_send (self, call, comm, envelope, kind->mode, kind->collective);
}

guint32
pd_call_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
               const PdCallKind *kind)
{
  self->goes_with_send = self->resources->is_fifo;
  guint32 send = pd_call_begin_send (self, call, comm, envelope, kind);
  self->goes_with_send = FALSE;

  if (pd_time_is_pending (*call->ret))
    pd_cpu_wait_for_launch (self, call, kind->function);
  return send;
}

guint32
pd_call_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
               const PdCallKind *kind)
{
  if (envelope.peer == PD_PROC_NULL)
    return null_request (self, call);
  return pd_p2p_recv (self, call, comm, envelope, kind->collective);
}

void
pd_call_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
              const PdCallKind *kind)
{
  self->goes_with_send = self->resources->is_fifo && kind->overhead.ps == 0;
  guint32 send = pd_p2p_send (self, call, comm, envelope, kind->mode, kind->collective);
  self->goes_with_send = FALSE;

  pd_wait_for_send (self, call, send, kind);
}

/* The world rank that a receive names; G_MAXUINT32 = anybody. */
static guint32
source_of (const PdComm *comm, gint32 peer)
{
  return peer < 0 || (guint32) peer >= comm->n ? G_MAXUINT32
                                               : pd_comm_world_rank (comm, (guint32) peer);
}

void
pd_call_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
              const PdCallKind *kind)
{
  PdCall later;

  if (self->has_costs)
    {
      later = *call;
      later.when = pd_time_add (
          call->when, pd_costs_before (self, call->rank, source_of (comm, envelope.peer)));
      PD_PROBE (self, network_cpu, call, later.when);
      call = &later;
      if (self->resources->is_fifo)
        {
          guint32 made = pd_p2p_make_recv (self, call, comm, envelope, kind->collective);
          pd_wait_from (self, call, made, PD_TIME_ZERO, kind->function, TRUE);
          return;
        }
    }
  guint32 recv = pd_p2p_recv (self, call, comm, envelope, kind->collective);
  if (pd_keeps_processors (self)) /* posted behind what keeps the processor */
    {
      later = (PdCall){ call->rank, *call->ret, call->ret, call->status };
      call = &later;
    }
  pd_wait_bundle (self, call, recv, PD_TIME_ZERO, kind->function);
}

/* The receive of a Sendrecv whose send has been started: it is posted when the
 * processor has done its part of that. */
static guint32
begin_recv_behind (PdComsys *self, PdCall *part, PdComm *comm, PdEnvelope envelope,
                   const PdCallKind *kind)
{
  PdTime sent = *part->ret;

  if (!pd_time_is_pending (sent))
    part->when = sent;
  if (!pd_keeps_processors (self) || envelope.peer == PD_PROC_NULL
      || (!pd_time_is_pending (sent) && pd_comsys_may_go_on (self, part->rank, sent)))
    {
      PD_RESOURCES (self, come_to, part->rank, part->when);
      return pd_call_irecv (self, part, comm, envelope, kind);
    }
  guint32 recv = pd_p2p_make_recv (self, part, comm, envelope, kind->collective);
  pd_cpu_post_later (self, recv, sent);
  return recv;
}

void
pd_call_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm, const PdExchange *exchange,
                  const PdCallKind *kind)
{
  PdBundle bundle = { 0 };
  PdCall part = { call->rank, call->when, call->ret, NULL };
  PdWaitStats *waited =
      self->waited != NULL && !kind->collective ? &self->waited[call->rank] : NULL;
  PdTime overlap = waited != NULL ? waited->overlap : PD_TIME_ZERO;

  pd_bundle_add (self, &bundle, pd_call_begin_send (self, &part, comm, exchange->send, kind));
  part.status = call->status;
  pd_bundle_add (self, &bundle, begin_recv_behind (self, &part, comm, exchange->recv, kind));
  if (!pd_time_is_pending (*call->ret))
    part.when = *call->ret;
  PdTime before = pd_costs_before_wait (self, bundle.first);
  if (before.ps > 0)
    PD_PROBE (self, network_cpu, &part, pd_time_add (part.when, before));
  part.when = pd_time_add (part.when, before);
  part.status = NULL;
  pd_wait_bundle (self, &part, bundle.first, self->machine->software.wait_overhead, kind->function);
  if (waited == NULL)
    return;
  /* its two operations are none that could overlap with anything */
  waited->overlap = overlap;
  waited->since = call->when;
}

/* ---- sends */

static PdRequest
start_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode)
{
  PdCall room;
  const PdCall *later = pd_call_behind (self, call, PD_FN_ISEND + mode, &room);

  pd_comsys_advance_to (self, call->rank, call->when);
  return pd_call_isend (self, envelope.peer == PD_PROC_NULL ? call : later, comm, envelope,
                        &(PdCallKind){ .mode = mode, .function = "MPI_Isend" });
}

PdRequest
pd_comsys_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  return start_isend (self, call, comm, envelope, PD_SEND_STANDARD);
}

PdRequest
pd_comsys_issend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  return start_isend (self, call, comm, envelope, PD_SEND_SYNCHRONOUS);
}

PdRequest
pd_comsys_ibsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  return start_isend (self, call, comm, envelope, PD_SEND_BUFFERED);
}

PdRequest
pd_comsys_irsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  return start_isend (self, call, comm, envelope, PD_SEND_READY);
}

static void
blocking_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
               const PdCallKind *kind)
{
  PdCall room;
  const PdCall *later = pd_call_behind (self, call, PD_FN_SEND + kind->mode, &room);

  pd_comsys_advance_to (self, call->rank, call->when);
  *call->ret = call->when;
  if (envelope.peer != PD_PROC_NULL)
    pd_call_send (self, later, comm, envelope, kind);
}

void
pd_comsys_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  blocking_send (self, call, comm, envelope,
                 &(PdCallKind){ .mode = PD_SEND_STANDARD, .function = "MPI_Send" });
}

void
pd_comsys_ssend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  blocking_send (self, call, comm, envelope,
                 &(PdCallKind){ .mode = PD_SEND_SYNCHRONOUS, .function = "MPI_Ssend" });
}

void
pd_comsys_rsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  blocking_send (self, call, comm, envelope,
                 &(PdCallKind){ .mode = PD_SEND_READY, .function = "MPI_Rsend" });
}

void
pd_comsys_bsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  PdTime copy = pd_time_for_bytes (envelope.bytes, self->machine->software.copy_per_byte);

  blocking_send (
      self, call, comm, envelope,
      &(PdCallKind){ .mode = PD_SEND_BUFFERED, .function = "MPI_Bsend", .overhead = copy });
}

/* ---- receives */

PdRequest
pd_comsys_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  PdCall room;
  const PdCall *later = pd_call_behind (self, call, PD_FN_IRECV, &room);

  pd_comsys_advance_to (self, call->rank, call->when);
  return pd_call_irecv (self, envelope.peer == PD_PROC_NULL ? call : later, comm, envelope,
                        &(PdCallKind){ .function = "MPI_Irecv" });
}

void
pd_comsys_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  PdCall room;
  const PdCall *later = pd_call_behind (self, call, PD_FN_RECV, &room);

  pd_comsys_advance_to (self, call->rank, call->when);
  *call->ret = call->when;
  if (envelope.peer != PD_PROC_NULL)
    pd_call_recv (self, later, comm, envelope, &(PdCallKind){ .function = "MPI_Recv" });
  else if (call->status != NULL)
    *call->status = null_status;
}

void
pd_comsys_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm, const PdExchange *exchange)
{
  if (exchange->send.peer == PD_PROC_NULL && exchange->recv.peer == PD_PROC_NULL)
    {
      pd_comsys_recv (self, call, comm, exchange->recv);
      return;
    }
  PdCall room;
  const PdCall *later = pd_call_behind (self, call, PD_FN_SENDRECV, &room);
  pd_comsys_advance_to (self, call->rank, call->when);
  pd_call_sendrecv (self, later, comm, exchange, &(PdCallKind){ .function = "MPI_Sendrecv" });
}

gint64
pd_status_get_count (const PdStatus *status, gint64 type_size)
{
  g_return_val_if_fail (type_size >= 1, -1);

  return status->bytes % type_size == 0 ? status->bytes / type_size : -1;
}
