/* One-sided communication. Post, start, complete, wait and flush are regions
 * without details; so are requests of one-sided operations.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/life/pd-rec-handles.h"
#include "record/archive/pd-rec-define.h"
#include "record/stream/pd-rec-stream.h"

#define SALT_WIN 0x77696eu

static PdRecHandles by_handle; /* handle -> its number in the stream + 1 */

static int
find (MPI_Win handle, uint32_t *window)
{
  uint32_t found = handle == MPI_WIN_NULL ? 0 : pd_rec_handles_get (&by_handle, PD_KEY (handle));

  *window = found - 1;
  return found != 0;
}

static void
record (const PdWrapCall *call, int what, int32_t target, uint64_t sent, uint64_t received)
{
  uint32_t window;

  if (call->is_on && find (call->win, &window))
    pd_rec_rma (what, window, target, sent, received);
}

/* Of calls with a target, which may be nobody. */
static void
record_target (const PdWrapCall *call, int what, uint64_t sent, uint64_t received)
{
  if (call->peer != MPI_PROC_NULL)
    record (call, what, call->peer, sent, received);
}

void
pd_did_make_win (PdWrapCall *call)
{
  PdWrapComm *comm = pd_comm_find (call->comm);
  uint32_t window;

  if (comm == NULL)
    return;
  window = pd_rec_window (comm->number, pd_comm_next_identity (comm, SALT_WIN), NULL);
  call->win = pd_value_win (call);
  pd_rec_handles_set (&by_handle, PD_KEY (call->win), window + 1);
  record (call, PD_REC_WIN_CREATE, 0, 0, 0);
}

/* Forgotten before the call: another thread may get the same handle before it is back. */
void
pd_before_free_win (PdWrapCall *call)
{
  MPI_Win win = pd_value_win (call);
  uint32_t window;

  call->kept = find (win, &window) ? window + 1 : 0;
  if (call->kept != 0)
    pd_rec_handles_set (&by_handle, PD_KEY (win), 0);
}

void
pd_did_free_win (PdWrapCall *call)
{
  if (call->is_on && call->kept != 0)
    pd_rec_rma (PD_REC_WIN_FREE, call->kept - 1, 0, 0, 0);
}

void
pd_did_rma (PdWrapCall *call, int what)
{
  uint64_t bytes = pd_value_bytes (call->count, call->type);

  if (what == PD_REC_GET_ACCUMULATE)
    record_target (call, what, bytes, pd_value_bytes (call->rcount, call->rtype));
  else
    record_target (call, what, what == PD_REC_GET ? 0 : bytes, what == PD_REC_GET ? bytes : 0);
}

/* To compare, there go two values. */
void
pd_did_rma_one (PdWrapCall *call, int what)
{
  uint64_t bytes = pd_value_bytes (1, call->type);

  record_target (call, what, what == PD_REC_COMPARE_AND_SWAP ? 2 * bytes : bytes, bytes);
}

void
pd_did_fence (PdWrapCall *call)
{
  record (call, PD_REC_FENCE, 0, 0, 0);
}

void
pd_did_lock (PdWrapCall *call)
{
  record_target (call, call->tag == MPI_LOCK_EXCLUSIVE ? PD_REC_LOCK_EXCLUSIVE : PD_REC_LOCK_SHARED,
                 0, 0);
}

void
pd_did_unlock (PdWrapCall *call)
{
  record_target (call, PD_REC_UNLOCK, 0, 0);
}

void
pd_did_lock_all (PdWrapCall *call)
{
  record (call, PD_REC_LOCK_SHARED, PD_REC_ALL, 0, 0);
}

void
pd_did_unlock_all (PdWrapCall *call)
{
  record (call, PD_REC_UNLOCK, PD_REC_ALL, 0, 0);
}
