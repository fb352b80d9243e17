/* Messages.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"
#include "record/stream/pd-rec-stream.h"

/* The other side of a message from here; NULL if there is nothing to tell. */
static const PdWrapComm *
find_comm (const PdWrapCall *call, int peer)
{
  return peer == MPI_PROC_NULL ? NULL : pd_comm_find (call->comm);
}

static int32_t
wildcard_source (int source)
{
  return source == MPI_ANY_SOURCE ? PD_REC_ANY : source;
}

static int32_t
wildcard_tag (int tag)
{
  return tag == MPI_ANY_TAG ? PD_REC_ANY : tag;
}

/* ---- blocking */

static void
record_send (PdWrapCall *call, int peer, int tag, int mode)
{
  const PdWrapComm *comm = find_comm (call, peer);

  if (call->is_on && comm != NULL)
    pd_rec_send (peer, tag, comm->number, pd_value_bytes (call->count, call->type), 0, mode);
}

/* A receive for @source and @tag has got the message of the status. */
static void
record_recv (PdWrapCall *call, int source, int tag, uint32_t comm)
{
  MPI_Status own;
  const MPI_Status *status = pd_value_status (call, 0, &own);
  MPI_Count bytes = 0;
  unsigned wildcard = (source == MPI_ANY_SOURCE ? PD_REC_ANY_SOURCE : 0u)
                      | (tag == MPI_ANY_TAG ? PD_REC_ANY_TAG : 0u);

  if (!call->is_on || status == NULL || status->MPI_SOURCE == MPI_PROC_NULL)
    return;
  PMPI_Get_elements_x (status, MPI_BYTE, &bytes);
  pd_rec_recv (status->MPI_SOURCE, status->MPI_TAG, comm, bytes > 0 ? (uint64_t) bytes : 0,
               wildcard);
}

void
pd_did_send (PdWrapCall *call, int mode)
{
  record_send (call, call->peer, call->tag, mode);
}

void
pd_did_recv (PdWrapCall *call)
{
  const PdWrapComm *comm = find_comm (call, call->peer);

  if (comm != NULL)
    record_recv (call, call->peer, call->tag, comm->number);
}

void
pd_did_sendrecv (PdWrapCall *call)
{
  const PdWrapComm *comm = find_comm (call, call->rpeer);

  record_send (call, call->peer, call->tag, PD_REC_STANDARD);
  if (comm != NULL)
    record_recv (call, call->rpeer, call->rtag, comm->number);
}

void
pd_did_sendrecv_replace (PdWrapCall *call)
{
  pd_did_sendrecv (call);
}

/* ---- non-blocking and persistent */

static PdWrapRequest
request_of_send (const PdWrapCall *call, const PdWrapComm *comm, int mode)
{
  return (PdWrapRequest){
    .kind = PD_WRAP_REQUEST_SEND,
    .mode = (uint8_t) mode,
    .is_active = 1,
    .comm = comm->number,
    .peer = call->peer,
    .tag = call->tag,
    .bytes = pd_value_bytes (call->count, call->type),
  };
}

static PdWrapRequest
request_of_recv (const PdWrapComm *comm, int source, int tag, uint64_t bytes)
{
  return (PdWrapRequest){
    .kind = PD_WRAP_REQUEST_RECV,
    .is_active = 1,
    .comm = comm->number,
    .peer = wildcard_source (source),
    .tag = wildcard_tag (tag),
    .received = bytes,
  };
}

static void
post_send (const PdWrapCall *call, PdWrapRequest *request)
{
  request->number = pd_request_new_number ();
  pd_rec_send (request->peer, request->tag, request->comm, request->bytes, request->number,
               request->mode);
  pd_request_add (pd_value_request (call, 0), request);
}

static void
post_recv (const PdWrapCall *call, PdWrapRequest *request)
{
  request->number = pd_request_new_number ();
  pd_rec_recv_posted (request->peer, request->tag, request->comm, request->received,
                      request->number);
  pd_request_add (pd_value_request (call, 0), request);
}

void
pd_did_isend (PdWrapCall *call, int mode)
{
  const PdWrapComm *comm = find_comm (call, call->peer);
  PdWrapRequest request;

  if (!call->is_on || comm == NULL)
    return;
  request = request_of_send (call, comm, mode);
  post_send (call, &request);
}

void
pd_did_irecv (PdWrapCall *call)
{
  const PdWrapComm *comm = find_comm (call, call->peer);
  PdWrapRequest request;

  if (!call->is_on || comm == NULL)
    return;
  request = request_of_recv (comm, call->peer, call->tag, pd_value_bytes (call->count, call->type));
  post_recv (call, &request);
}

/* Made also while recording is paused: it may be started later. */
static void
add_persistent (const PdWrapCall *call, PdWrapRequest request)
{
  request.is_persistent = 1;
  request.is_active = 0;
  pd_request_add (pd_value_request (call, 0), &request);
}

void
pd_did_send_init (PdWrapCall *call, int mode)
{
  const PdWrapComm *comm = find_comm (call, call->peer);

  if (comm != NULL)
    add_persistent (call, request_of_send (call, comm, mode));
}

void
pd_did_recv_init (PdWrapCall *call)
{
  const PdWrapComm *comm = find_comm (call, call->peer);

  if (comm != NULL)
    add_persistent (call, request_of_recv (comm, call->peer, call->tag,
                                           pd_value_bytes (call->count, call->type)));
}

/* A send and a receive with one request; either may be to nobody. */
static void
post_both (PdWrapCall *call, uint64_t room)
{
  const PdWrapComm *comm = pd_comm_find (call->comm);
  PdWrapRequest send, recv;

  if (!call->is_on || comm == NULL)
    return;
  send = request_of_send (call, comm, PD_REC_STANDARD);
  recv = request_of_recv (comm, call->rpeer, call->rtag, room);
  if (call->rpeer == MPI_PROC_NULL)
    {
      if (call->peer != MPI_PROC_NULL)
        post_send (call, &send);
      return;
    }
  if (call->peer == MPI_PROC_NULL)
    {
      post_recv (call, &recv);
      return;
    }
  send.kind = PD_WRAP_REQUEST_BOTH;
  send.received = room;
  send.rpeer = recv.peer;
  send.rtag = recv.tag;
  send.second = pd_request_new_number ();
  post_send (call, &send);
  pd_rec_recv_posted (recv.peer, recv.tag, recv.comm, room, send.second);
}

void
pd_did_isendrecv (PdWrapCall *call)
{
  post_both (call, pd_value_bytes (call->rcount, call->rtype));
}

void
pd_did_isendrecv_replace (PdWrapCall *call)
{
  post_both (call, pd_value_bytes (call->count, call->type));
}

/* ---- matched probes */

void
pd_did_mprobe (PdWrapCall *call)
{
  const PdWrapComm *comm = find_comm (call, call->peer);
  MPI_Message message = pd_value_message (call);
  MPI_Status own;
  const MPI_Status *status = pd_value_status (call, 0, &own);

  if (comm != NULL && status != NULL && message != MPI_MESSAGE_NULL
      && message != MPI_MESSAGE_NO_PROC)
    pd_message_add (message, status->MPI_SOURCE, status->MPI_TAG, comm->number);
}

void
pd_did_improbe (PdWrapCall *call)
{
  if (*call->flag != 0)
    pd_did_mprobe (call);
}

/* The message is gone after the call. */
static void
take_message (PdWrapCall *call)
{
  PdWrapRequest message;

  call->kept = PD_REC_COMM_NONE;
  if (!pd_message_take (pd_value_message (call), &message))
    return;
  call->kept = message.comm;
  call->peer = message.peer;
  call->tag = message.tag;
}

void
pd_before_mrecv (PdWrapCall *call)
{
  take_message (call);
}

void
pd_did_mrecv (PdWrapCall *call)
{
  if (call->kept != PD_REC_COMM_NONE)
    record_recv (call, call->peer, call->tag, call->kept);
}

void
pd_before_imrecv (PdWrapCall *call)
{
  take_message (call);
}

void
pd_did_imrecv (PdWrapCall *call)
{
  PdWrapComm comm = { .number = call->kept };
  PdWrapRequest request;

  if (!call->is_on || call->kept == PD_REC_COMM_NONE)
    return;
  request =
      request_of_recv (&comm, call->peer, call->tag, pd_value_bytes (call->count, call->type));
  post_recv (call, &request);
}
