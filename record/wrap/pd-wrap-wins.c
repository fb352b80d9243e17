/* One-sided communication.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"

#include "record/life/pd-rec-handles.h"
#include "record/archive/pd-rec-define.h"
#include "record/stream/pd-rec-stream.h"

#include <stdlib.h>
#include <string.h>

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
record (const PdWrapCall *call, PdRecRma rma)
{
  if (call->is_on && find (call->win, &rma.window))
    pd_rec_rma (&rma);
}

/* Of calls with a target, which may be nobody. */
static void
record_target (const PdWrapCall *call, PdRecRma rma)
{
  rma.target = call->peer;
  if (call->peer != MPI_PROC_NULL)
    record (call, rma);
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
  record (call, (PdRecRma){ .what = PD_REC_WIN_CREATE });
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
    pd_rec_rma (&(PdRecRma){ .what = PD_REC_WIN_FREE, .window = call->kept - 1 });
}

/* ---- accesses */

static PdRecRma
access_of (const PdWrapCall *call, int what)
{
  uint64_t bytes = pd_value_bytes (call->count, call->type);

  if (what == PD_REC_GET_ACCUMULATE)
    return (PdRecRma){ .what = what,
                       .sent = bytes,
                       .received = pd_value_bytes (call->rcount, call->rtype) };
  return (PdRecRma){ .what = what,
                     .sent = what == PD_REC_GET ? 0 : bytes,
                     .received = what == PD_REC_GET ? bytes : 0 };
}

void
pd_did_rma (PdWrapCall *call, int what)
{
  record_target (call, access_of (call, what));
}

void
pd_did_rma_request (PdWrapCall *call, int what)
{
  PdRecRma rma = access_of (call, what);
  PdWrapRequest request = { .kind = PD_WRAP_REQUEST_RMA, .is_active = 1 };
  uint32_t window;

  if (!call->is_on || call->peer == MPI_PROC_NULL || !find (call->win, &window))
    return;
  request.comm = window;
  rma.request = request.number = pd_request_new_number ();
  record_target (call, rma);
  pd_request_add (pd_value_request (call, 0), &request);
}

/* To compare, there go two values. */
void
pd_did_rma_one (PdWrapCall *call, int what)
{
  uint64_t bytes = pd_value_bytes (1, call->type);

  record_target (call, (PdRecRma){ .what = what,
                                   .sent = what == PD_REC_COMPARE_AND_SWAP ? 2 * bytes : bytes,
                                   .received = bytes });
}

/* ---- epochs */

void
pd_did_fence (PdWrapCall *call)
{
  record (call, (PdRecRma){ .what = PD_REC_FENCE });
}

void
pd_did_lock (PdWrapCall *call)
{
  int is_exclusive = call->tag == MPI_LOCK_EXCLUSIVE;

  record_target (call,
                 (PdRecRma){ .what = is_exclusive ? PD_REC_LOCK_EXCLUSIVE : PD_REC_LOCK_SHARED });
}

void
pd_did_lock_all (PdWrapCall *call)
{
  record (call, (PdRecRma){ .what = PD_REC_LOCK_SHARED, .target = PD_REC_ALL });
}

void
pd_did_at_target (PdWrapCall *call, int what)
{
  record_target (call, (PdRecRma){ .what = what });
}

void
pd_did_at_all (PdWrapCall *call, int what)
{
  record (call, (PdRecRma){ .what = what, .target = PD_REC_ALL });
}

/* ---- groups: of the same members are one */

static PdRecHandles by_print;      /* of the members -> number + 1 */
static uint32_t (*open_groups)[2]; /* by window: of the last start and post */
static uint32_t n_open_room;

/* The ranks in the world; NULL: no memory, or members of other worlds. */
static const int32_t *
find_members (MPI_Group group, int *n)
{
  static MPI_Group world = MPI_GROUP_NULL;
  static int *places; /* and, behind them, what they are in the world */
  static int room;

  if (world == MPI_GROUP_NULL)
    PMPI_Comm_group (MPI_COMM_WORLD, &world);
  PMPI_Group_size (group, n);
  if (*n > room)
    {
      int *more = realloc (places, 2 * (size_t) *n * sizeof *places);
      if (more == NULL)
        return NULL;
      places = more;
      room = *n;
    }
  for (int i = 0; i < *n; i++)
    places[i] = i;
  PMPI_Group_translate_ranks (group, *n, places, world, places + room);
  for (int i = 0; i < *n; i++)
    if (places[room + i] == MPI_UNDEFINED)
      return NULL;
  return places + room;
}

static int
find_group (MPI_Group handle, uint32_t *number)
{
  int n = 0;
  const int32_t *members = find_members (handle, &n);
  uint64_t print = 0x67726f7570u;
  uint32_t known;

  if (members == NULL && n > 0)
    return 0;
  for (int i = 0; i < n; i++)
    print = (print ^ (uint64_t) members[i]) * 0x9e3779b97f4a7c15u + (uint64_t) n;
  print = print != 0 ? print : 1;
  known = pd_rec_handles_get (&by_print, (uintptr_t) print);
  *number = known - 1;
  if (known != 0)
    return 1;
  *number = pd_rec_group (members, n);
  pd_rec_handles_set (&by_print, (uintptr_t) print, *number + 1);
  return 1;
}

static uint32_t *
open_group_of (uint32_t window, int what)
{
  int is_exposure = what == PD_REC_POST || what == PD_REC_WAIT;

  if (window >= n_open_room)
    {
      uint32_t room = 2 * (window + 8);
      void *more = realloc (open_groups, room * sizeof *open_groups);
      if (more == NULL)
        return NULL;
      open_groups = more;
      memset (open_groups + n_open_room, 0, (room - n_open_room) * sizeof *open_groups);
      n_open_room = room;
    }
  return &open_groups[window][is_exposure];
}

void
pd_did_begin_group (PdWrapCall *call, int what)
{
  uint32_t window, group, *open;

  if (!find (call->win, &window) || (open = open_group_of (window, what)) == NULL
      || !find_group (call->group, &group))
    return;
  *open = group + 1;
  record (call, (PdRecRma){ .what = what, .target = (int32_t) group });
}

void
pd_did_end_group (PdWrapCall *call, int what)
{
  uint32_t window, *open;

  if (!find (call->win, &window) || (open = open_group_of (window, what)) == NULL || *open == 0)
    return;
  record (call, (PdRecRma){ .what = what, .target = (int32_t) (*open - 1) });
}

void
pd_did_win_test (PdWrapCall *call)
{
  if (*call->flag != 0)
    pd_did_end_group (call, PD_REC_WAIT);
}
