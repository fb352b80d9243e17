/* Requests: from the call that begins something to the one that finds it done.
 * Libraries give the same handle to several requests that are already complete,
 * so there may be many behind one; the newest is taken first, which skips
 * requests that completed unseen. Unknown requests, such as those of one-sided operations, and
 * those of messages to MPI_PROC_NULL, are skipped.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/life/pd-rec-handles.h"
#include "record/stream/pd-rec-stream.h"

#include <stdlib.h>

static PdRecHandles requests_by_handle, messages_by_handle;
static PdWrapRequest *requests; /* [0] is none */
static uint32_t n_requests, n_room, first_free, last_number;

/* The requests of a call before it, when completed ones are not null yet. Another thread
 * may get the same handle for a new request before the call has come back, so places say
 * which requests they were. */
typedef struct
{
  MPI_Request handle;
  uint32_t place; /* 0: unknown */
} Kept;

static _Thread_local Kept *kept;
static _Thread_local int n_kept_room;

void
pd_requests_thread_end (void)
{
  free (kept);
  kept = NULL;
  n_kept_room = 0;
}

uint32_t
pd_request_new_number (void)
{
  return ++last_number;
}

/* ---- the table */

static uint32_t
new_place (void)
{
  uint32_t place = first_free;

  if (place != 0)
    {
      first_free = requests[place].next;
      return place;
    }
  if (n_requests + 1 >= n_room)
    {
      uint32_t more = n_room > 0 ? 2 * n_room : 256;
      PdWrapRequest *larger = realloc (requests, more * sizeof *larger);

      if (larger == NULL)
        return 0;
      requests = larger;
      n_room = more;
    }
  return ++n_requests;
}

static void
push (PdRecHandles *map, uintptr_t key, const PdWrapRequest *request)
{
  uint32_t place = new_place ();

  if (place == 0)
    return;
  requests[place] = *request;
  requests[place].owner = &pd_guard_is_inside;
  requests[place].key = key;
  requests[place].next = pd_rec_handles_get (map, key);
  pd_rec_handles_set (map, key, place);
}

/* Removes the entry at @place, behind the handle. */
static void
take_out (PdRecHandles *map, uintptr_t key, uint32_t place)
{
  uint32_t at = pd_rec_handles_get (map, key);

  if (at == place)
    pd_rec_handles_set (map, key, requests[place].next);
  else
    {
      while (at != 0 && requests[at].next != place)
        at = requests[at].next;
      if (at == 0)
        return;
      requests[at].next = requests[place].next;
    }
  requests[place].key = 0;
  requests[place].next = first_free;
  first_free = place;
}

void
pd_request_add (MPI_Request handle, const PdWrapRequest *request)
{
  if (handle != MPI_REQUEST_NULL)
    push (&requests_by_handle, PD_KEY (handle), request);
}

/* The newest one of this thread, or else of any. */
static uint32_t
find_place (MPI_Request handle)
{
  uint32_t newest =
      handle == MPI_REQUEST_NULL ? 0 : pd_rec_handles_get (&requests_by_handle, PD_KEY (handle));
  uint32_t place = newest;

  while (place != 0 && requests[place].owner != &pd_guard_is_inside)
    place = requests[place].next;
  return place != 0 ? place : newest;
}

static PdWrapRequest *
find (MPI_Request handle)
{
  uint32_t place = find_place (handle);

  return place == 0 ? NULL : &requests[place];
}

/* Where several have one handle, the next one behind it when the first has completed. */
static PdWrapRequest *
find_kept (int i)
{
  if (kept[i].place != 0 && requests[kept[i].place].key != PD_KEY (kept[i].handle))
    kept[i].place = find_place (kept[i].handle);
  return kept[i].place == 0 ? NULL : &requests[kept[i].place];
}

void
pd_message_add (MPI_Message handle, int32_t source, int32_t tag, uint32_t comm)
{
  PdWrapRequest message = {
    .kind = PD_WRAP_REQUEST_MESSAGE, .peer = source, .tag = tag, .comm = comm
  };

  push (&messages_by_handle, PD_KEY (handle), &message);
}

int
pd_message_take (MPI_Message handle, PdWrapRequest *message)
{
  uint32_t place = pd_rec_handles_get (&messages_by_handle, PD_KEY (handle));

  if (place == 0)
    return 0;
  *message = requests[place];
  take_out (&messages_by_handle, PD_KEY (handle), place);
  return 1;
}

/* ---- completion */

/* Without a status a wildcard stays open: such a receive never completes. */
static void
received (const PdWrapRequest *request, uint32_t number, const MPI_Status *status)
{
  MPI_Count bytes = 0;

  if (status == NULL && (request->peer == PD_REC_ANY || request->tag == PD_REC_ANY))
    return;
  if (status == NULL)
    {
      pd_rec_recv_done (number, request->peer, request->tag, request->comm, request->received);
      return;
    }
  if (status->MPI_SOURCE == MPI_PROC_NULL)
    return;
  PMPI_Get_elements_x (status, MPI_BYTE, &bytes);
  pd_rec_recv_done (number, status->MPI_SOURCE, status->MPI_TAG, request->comm,
                    bytes > 0 ? (uint64_t) bytes : 0);
}

/* MPI_Isendrecv of MPICH 4.0 leaves the status unchanged: impossible values are
 * replaced by the arguments of the call. */
static void
received_too (const PdWrapRequest *request, const MPI_Status *status)
{
  PdWrapRequest recv = *request;

  recv.peer = request->rpeer;
  recv.tag = request->rtag;
  if (status != NULL
      && ((recv.peer != PD_REC_ANY && recv.peer != status->MPI_SOURCE)
          || (recv.tag != PD_REC_ANY && recv.tag != status->MPI_TAG)))
    status = NULL;
  received (&recv, request->second, status);
}

static int
is_cancelled (const PdWrapRequest *request, const MPI_Status *status)
{
  int flag = 0;

  if (request->is_cancelled && status != NULL)
    PMPI_Test_cancelled (status, &flag);
  return flag;
}

static MPI_Comm
duplicate_of (const PdWrapRequest *request)
{
  return request->is_fortran ? PMPI_Comm_f2c (*(const MPI_Fint *) request->newcomm)
                             : *(const MPI_Comm *) request->newcomm;
}

static void
tell (PdWrapCall *call, const PdWrapRequest *request, const MPI_Status *status)
{
  if (request->kind == PD_WRAP_REQUEST_DUP)
    pd_comm_add_duplicate (duplicate_of (request), request->received, request->comm);
  if (request->number == 0)
    return;
  pd_call_record (call);
  if (is_cancelled (request, status))
    pd_rec_cancelled (request->number);
  else if (request->kind == PD_WRAP_REQUEST_RECV)
    received (request, request->number, status);
  else if (request->kind == PD_WRAP_REQUEST_FILE)
    pd_rec_file (PD_REC_FILE_ENDED, request->comm, request->number, request->bytes,
                 pd_value_moved (status, request->bytes));
  else if (request->kind == PD_WRAP_REQUEST_COLL)
    pd_rec_coll_done (request->mode, request->comm, request->peer, request->bytes,
                      request->received, request->number);
  else if (request->kind == PD_WRAP_REQUEST_DUP)
    pd_rec_coll_done (PD_REC_CREATE_HANDLE, request->comm, PD_REC_NO_ROOT, 0, 0, request->number);
  else if (request->kind == PD_WRAP_REQUEST_RMA)
    pd_rec_rma_done (request->comm, request->number);
  else
    pd_rec_send_done (request->number);
  if (request->kind == PD_WRAP_REQUEST_BOTH && request->second != 0)
    received_too (request, status);
}

/* The @i-th request of the call has completed; its status is the @j-th. */
static void
complete (PdWrapCall *call, int i, int j)
{
  PdWrapRequest *request = find_kept (i);
  PdWrapRequest done;
  MPI_Status own;

  if (request == NULL || !request->is_active)
    return;
  done = *request;
  if (request->is_persistent)
    request->is_active = request->is_cancelled = 0;
  else
    take_out (&requests_by_handle, PD_KEY (kept[i].handle), kept[i].place);
  tell (call, &done, pd_value_status (call, j, &own));
}

/* The call has looked at all @call->n requests in vain. */
static void
tested_all (const PdWrapCall *call)
{
  if (!call->is_on)
    return;
  for (int i = 0; i < call->n; i++)
    {
      const PdWrapRequest *request = find_kept (i);

      if (request == NULL || !request->is_active || request->number == 0
          || request->kind == PD_WRAP_REQUEST_FILE)
        continue;
      if (request->kind == PD_WRAP_REQUEST_RMA)
        pd_rec_rma_tested (request->comm, request->number);
      else
        pd_rec_tested (request->number);
    }
}

/* ---- before */

static void
keep (PdWrapCall *call, int n)
{
  if (n > n_kept_room)
    {
      Kept *more = realloc (kept, (size_t) n * sizeof *more);

      if (more == NULL)
        n = 0;
      else
        {
          kept = more;
          n_kept_room = n;
        }
    }
  call->n = n > 0 ? n : 0;
  for (int i = 0; i < call->n; i++)
    {
      kept[i].handle = pd_value_request (call, i);
      kept[i].place = find_place (kept[i].handle);
      if (!call->is_timed && kept[i].place != 0)
        call->is_timed = 1;
    }
}

void
pd_before_wait (PdWrapCall *call)
{
  keep (call, 1);
}

void
pd_before_waitany (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_waitall (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_waitsome (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_test (PdWrapCall *call)
{
  keep (call, 1);
}

void
pd_before_testany (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_testall (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_testsome (PdWrapCall *call)
{
  keep (call, call->n);
}

void
pd_before_request_free (PdWrapCall *call)
{
  keep (call, 1);
}

/* ---- after */

void
pd_did_wait (PdWrapCall *call)
{
  if (call->n > 0)
    complete (call, 0, 0);
}

static int
has_gone (const PdWrapCall *call, int i)
{
  return i >= 0 && i < call->n && kept[i].handle != MPI_REQUEST_NULL
         && pd_value_request (call, i) == MPI_REQUEST_NULL;
}

/* With what number requests begin in @indices. In Fortran that is 1, but some
 * releases of MPICH count from 0 in the module mpi_f08. */
static int
first_index (const PdWrapCall *call, const int *indices, int n)
{
  if (!call->is_fortran)
    return 0;
  for (int j = 0; j < n; j++)
    if (!has_gone (call, indices[j] - 1) && has_gone (call, indices[j]))
      return 0;
  return 1;
}

static void
complete_some (PdWrapCall *call, const int *indices, int n)
{
  int first = first_index (call, indices, n);

  for (int j = 0; j < n; j++)
    if (indices[j] >= first && indices[j] - first < call->n)
      complete (call, indices[j] - first, j);
}

static void
complete_one (PdWrapCall *call)
{
  if (*call->index != MPI_UNDEFINED)
    complete_some (call, call->index, 1);
}

void
pd_did_waitany (PdWrapCall *call)
{
  complete_one (call);
}

void
pd_did_waitall (PdWrapCall *call)
{
  for (int i = 0; i < call->n; i++)
    complete (call, i, i);
}

void
pd_did_waitsome (PdWrapCall *call)
{
  int n = *call->index;

  if (n == 0)
    tested_all (call);
  if (n != MPI_UNDEFINED)
    complete_some (call, call->indices, n);
}

void
pd_did_test (PdWrapCall *call)
{
  if (*call->flag == 0)
    tested_all (call);
  else
    pd_did_wait (call);
}

void
pd_did_testany (PdWrapCall *call)
{
  if (*call->flag == 0)
    tested_all (call);
  else
    complete_one (call);
}

void
pd_did_testall (PdWrapCall *call)
{
  if (*call->flag == 0)
    tested_all (call);
  else
    pd_did_waitall (call);
}

void
pd_did_testsome (PdWrapCall *call)
{
  pd_did_waitsome (call);
}

/* ---- persistent ones; freed ones */

void
pd_request_record_coll (const PdWrapRequest *request)
{
  if (request->sources != 0 && request->targets != 0)
    pd_rec_neighbours (request->sources - 1, request->targets - 1);
  pd_rec_collective (request->mode, request->comm, request->peer, request->bytes, request->received,
                     request->number);
}

static void
start (PdWrapRequest *request)
{
  request->is_active = 1;
  request->number = pd_request_new_number ();
  if (request->kind == PD_WRAP_REQUEST_SEND)
    pd_rec_send (request->peer, request->tag, request->comm, request->bytes, request->number,
                 request->mode);
  else if (request->kind == PD_WRAP_REQUEST_RECV)
    pd_rec_recv_posted (request->peer, request->tag, request->comm, request->received,
                        request->number);
  else
    pd_request_record_coll (request);
}

static void
start_all (const PdWrapCall *call, int n)
{
  for (int i = 0; call->is_on && i < n; i++)
    {
      PdWrapRequest *request = find (pd_value_request (call, i));

      if (request != NULL && request->is_persistent && !request->is_active)
        start (request);
    }
}

void
pd_did_start (PdWrapCall *call)
{
  start_all (call, 1);
}

void
pd_did_startall (PdWrapCall *call)
{
  start_all (call, call->n);
}

/* Its operation still takes place, but its end is not notified. */
void
pd_did_request_free (PdWrapCall *call)
{
  if (call->n > 0 && kept[0].place != 0)
    take_out (&requests_by_handle, PD_KEY (kept[0].handle), kept[0].place);
}

void
pd_did_cancel (PdWrapCall *call)
{
  PdWrapRequest *request = find (pd_value_request (call, 0));

  if (request != NULL)
    request->is_cancelled = 1;
}
