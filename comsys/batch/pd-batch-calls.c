/* The calls of programs in all lanes at once: what they cost besides their messages, as in
 * pd-calls.c; persistent requests, as in pd-persistent.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch-calls.h"

#include "comsys/batch/pd-batch-costs-private.h"
#include "comsys/batch/pd-batch-p2p-private.h"
#include "comsys/batch/pd-batch-private.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"

/* The call begins, at the rank's clock, after the overhead of its function. */
static inline void
begin_call (PdBatch *self, guint32 rank, guint function)
{
  PdBatchRank *r = &self->ranks[rank];

  r->is_exchange = FALSE;
  if (G_UNLIKELY (self->overheads != NULL))
    pd_batch_time_add (&r->ret, &r->clock, &self->overheads[function]);
  else
    r->ret = r->clock;
}

/* A call with nobody, or of which nothing but its wait takes time. */
static inline void
begin_plain (PdBatch *self, guint32 rank)
{
  self->ranks[rank].is_exchange = FALSE;
  self->ranks[rank].ret = self->ranks[rank].clock;
}

/* MPI_Bsend copies when it has sent. */
static void
copy (PdBatch *self, guint32 rank, gint64 bytes)
{
  PdBatchTime time;

  pd_batch_time_of_bytes (self, bytes, G_STRUCT_OFFSET (PdSoftware, copy_per_byte), &time);
  pd_batch_time_add (&self->ranks[rank].ret, &self->ranks[rank].ret, &time);
}

gboolean
pd_batch_send (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope, PdSendMode mode)
{
  const PdBatchSendKind kind = { .mode = mode };

  if (envelope.peer == PD_PROC_NULL)
    {
      begin_plain (self, rank);
      return TRUE;
    }
  begin_call (self, rank, PD_FN_SEND + mode);
  gboolean over = pd_batch_p2p_send (self, &self->ranks[rank], comm, envelope, &kind);
  if (mode == PD_SEND_BUFFERED)
    copy (self, rank, envelope.bytes);
  return over;
}

gboolean
pd_batch_recv (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope)
{
  if (envelope.peer == PD_PROC_NULL)
    {
      begin_plain (self, rank);
      return TRUE;
    }
  begin_call (self, rank, PD_FN_RECV);
  return pd_batch_p2p_recv (self, &self->ranks[rank], comm, envelope, FALSE);
}

gboolean
pd_batch_sendrecv (PdBatch *self, guint32 rank, PdComm *comm, const PdExchange *exchange)
{
  if (exchange->send.peer == PD_PROC_NULL && exchange->recv.peer == PD_PROC_NULL)
    {
      begin_plain (self, rank);
      return TRUE;
    }
  begin_call (self, rank, PD_FN_SENDRECV);
  return pd_batch_p2p_sendrecv (self, &self->ranks[rank], comm, exchange, FALSE);
}

PdRequest
pd_batch_isend (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope, PdSendMode mode)
{
  const PdBatchSendKind kind = { .mode = mode };

  if (envelope.peer == PD_PROC_NULL)
    begin_plain (self, rank);
  else
    begin_call (self, rank, PD_FN_ISEND + mode);
  return pd_batch_begin_send (self, &self->ranks[rank], comm, envelope, &kind);
}

PdRequest
pd_batch_irecv (PdBatch *self, guint32 rank, PdComm *comm, PdEnvelope envelope)
{
  if (envelope.peer == PD_PROC_NULL)
    begin_plain (self, rank);
  else
    begin_call (self, rank, PD_FN_IRECV);
  return pd_batch_begin_recv (self, &self->ranks[rank], comm, envelope, FALSE);
}

/* The request that a handle stands for, which has it no more; 0 = none. */
static inline guint32
take_handle (PdBatch *self, PdRequest *handle)
{
  guint32 req = *handle;

  if (req != 0 && pd_batch_req (self, req)->kind == PD_REQ_PERSISTENT)
    {
      PdBatchReq *h = pd_batch_req (self, req);
      req = h->active;
      h->active = 0;
    }
  else
    *handle = PD_REQUEST_NULL;
  return req;
}

static gboolean
wait_for_handles (PdBatch *self, guint32 rank, PdRequest *requests, guint n, guint function)
{
  guint32 first = 0;

  begin_plain (self, rank);
  for (guint i = 0; i < n; i++)
    {
      guint32 req = take_handle (self, &requests[i]);
      if (req == 0)
        continue;
      pd_batch_req (self, req)->link = first;
      first = req;
    }
  return pd_batch_wait_for_all (self, &self->ranks[rank], first, &self->wait_overheads[function]);
}

gboolean
pd_batch_wait (PdBatch *self, guint32 rank, PdRequest *request)
{
  return wait_for_handles (self, rank, request, 1, PD_FN_WAIT);
}

gboolean
pd_batch_waitall (PdBatch *self, guint32 rank, PdRequest *requests, guint n)
{
  return wait_for_handles (self, rank, requests, n, PD_FN_WAITALL);
}

void
pd_batch_test (PdBatch *self, guint32 rank)
{
  PdBatchRank *r = &self->ranks[rank];

  pd_batch_time_add (&r->ret, &r->clock, &self->wait_overheads[PD_FN_TEST]);
}

/* ---- persistent requests */

static PdRequest
new_handle (PdBatch *self, PdComm *comm, PdEnvelope envelope, PdSendMode mode, gboolean is_recv)
{
  guint32 handle = pd_batch_req_new (self, NULL);
  PdBatchReq *h = pd_batch_req (self, handle);

  h->kind = PD_REQ_PERSISTENT;
  h->held = PD_HELD_OWNER;
  h->comm = comm;
  h->envelope = envelope;
  h->mode = mode;
  h->is_recv = is_recv;
  h->active = 0;
  return handle;
}

PdRequest
pd_batch_send_init (PdBatch *self, PdComm *comm, PdEnvelope envelope, PdSendMode mode)
{
  return new_handle (self, comm, envelope, mode, FALSE);
}

PdRequest
pd_batch_recv_init (PdBatch *self, PdComm *comm, PdEnvelope envelope)
{
  return new_handle (self, comm, envelope, PD_SEND_STANDARD, TRUE);
}

gboolean
pd_batch_may_start (const PdBatch *self, PdRequest request, gboolean *is_recv)
{
  const PdBatchReq *h = pd_batch_req (self, request);

  if (request == 0 || h->kind != PD_REQ_PERSISTENT || h->active != 0)
    return FALSE;
  *is_recv = h->is_recv;
  return TRUE;
}

void
pd_batch_startall (PdBatch *self, guint32 rank, const PdRequest *requests, guint n)
{
  if (n == 0)
    {
      begin_plain (self, rank);
      return;
    }
  begin_call (self, rank, n == 1 ? PD_FN_START : PD_FN_STARTALL);
  for (guint i = 0; i < n; i++)
    {
      const PdBatchReq *h = pd_batch_req (self, requests[i]);
      const PdBatchSendKind kind = { .mode = h->mode };
      guint32 active =
          h->is_recv ? pd_batch_begin_recv (self, &self->ranks[rank], h->comm, h->envelope, FALSE)
                     : pd_batch_begin_send (self, &self->ranks[rank], h->comm, h->envelope, &kind);
      pd_batch_req (self, requests[i])->active = active;
    }
}

void
pd_batch_request_free (PdBatch *self, PdRequest *request)
{
  guint32 handle = *request, req = take_handle (self, request);

  *request = PD_REQUEST_NULL;
  if (req != 0)
    pd_batch_req_drop (self, req, PD_HELD_OWNER);
  if (handle != req)
    pd_batch_req_drop (self, handle, PD_HELD_OWNER);
}
