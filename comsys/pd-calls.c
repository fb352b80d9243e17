/* The calls of MPI that send and receive: what they cost the caller, and
 * MPI_PROC_NULL. What becomes of a message is in pd-p2p.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

/* A request for what is done at once: MPI_PROC_NULL. */
static guint32
null_request (PdComsys *self, const PdCall *call)
{
  guint32 req = pd_req_new (self, call->rank);
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_RECV;
  r->held = PD_HELD_OWNER;
  r->done = r->ready = call->when;
  r->source_in_comm = (guint32) PD_PROC_NULL;
  r->tag = PD_ANY_TAG;
  if (call->status != NULL)
    *call->status = (PdStatus){ PD_PROC_NULL, PD_ANY_TAG, 0 };
  return req;
}

static PdRequest
start_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode)
{
  pd_comsys_reach (self, call->rank, call->when);
  if (envelope.peer == PD_PROC_NULL)
    {
      *call->ret = call->when;
      return null_request (self, call);
    }
  *call->ret = pd_time_add (call->when, self->machine->software.send_overhead);
  return pd_p2p_send (self, call, comm, envelope, mode, FALSE);
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

static PdRequest
start_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  if (envelope.peer == PD_PROC_NULL)
    {
      *call->ret = call->when;
      return null_request (self, call);
    }
  *call->ret = pd_time_add (call->when, self->machine->software.recv_overhead);
  return pd_p2p_recv (self, call, comm, envelope, FALSE);
}

PdRequest
pd_comsys_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  pd_comsys_reach (self, call->rank, call->when);
  return start_irecv (self, call, comm, envelope);
}

static void
blocking_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
               PdSendMode mode, const char *function)
{
  pd_comsys_reach (self, call->rank, call->when);
  *call->ret = call->when;
  if (envelope.peer == PD_PROC_NULL)
    return;
  pd_wait_bundle (self, call, pd_p2p_send (self, call, comm, envelope, mode, FALSE), PD_TIME_ZERO,
                  function);
}

void
pd_comsys_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  blocking_send (self, call, comm, envelope, PD_SEND_STANDARD, "MPI_Send");
}

void
pd_comsys_ssend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  blocking_send (self, call, comm, envelope, PD_SEND_SYNCHRONOUS, "MPI_Ssend");
}

void
pd_comsys_bsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  PdTime copy = pd_time_for_bytes (envelope.bytes, self->machine->software.copy_per_byte);

  blocking_send (self, call, comm, envelope, PD_SEND_BUFFERED, "MPI_Bsend");
  if (envelope.peer != PD_PROC_NULL)
    *call->ret = pd_time_add (*call->ret, copy);
}

void
pd_comsys_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope)
{
  pd_comsys_reach (self, call->rank, call->when);
  *call->ret = call->when;
  if (envelope.peer == PD_PROC_NULL)
    {
      if (call->status != NULL)
        *call->status = (PdStatus){ PD_PROC_NULL, PD_ANY_TAG, 0 };
      return;
    }
  pd_wait_bundle (self, call, pd_p2p_recv (self, call, comm, envelope, FALSE), PD_TIME_ZERO,
                  "MPI_Recv");
}

void
pd_comsys_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm, const PdExchange *exchange)
{
  PdBundle bundle = { 0 };
  PdTime when;
  PdCall send = { call->rank, call->when, &when, NULL };

  if (exchange->send.peer == PD_PROC_NULL && exchange->recv.peer == PD_PROC_NULL)
    {
      pd_comsys_recv (self, call, comm, exchange->recv);
      return;
    }
  pd_bundle_add (self, &bundle, pd_comsys_isend (self, &send, comm, exchange->send));
  PdCall recv = { call->rank, when, &when, call->status };
  pd_bundle_add (self, &bundle, start_irecv (self, &recv, comm, exchange->recv));
  PdCall wait = { call->rank, when, call->ret, NULL };
  pd_wait_bundle (self, &wait, bundle.first, self->machine->software.wait_overhead, "MPI_Sendrecv");
}

gint64
pd_status_get_count (const PdStatus *status, gint64 type_size)
{
  g_return_val_if_fail (type_size >= 1, -1);

  return status->bytes % type_size == 0 ? status->bytes / type_size : -1;
}
