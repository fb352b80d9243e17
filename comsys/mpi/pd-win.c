/* One-sided communication: the calls for windows, operations, fences and locks. Open
 * operations are counted per epoch, see pd-win-private.h.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/mpi/pd-wait-private.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"

/* ---- windows */

PdWin *
pd_win_new (PdComsys *comsys, PdComm *comm)
{
  PdWin *self = g_malloc0 (sizeof (PdWin) + comm->n * sizeof (PdWinMember));

  if (comsys->wins == NULL)
    comsys->wins = pd_wins_new ();
  self->comsys = comsys;
  self->comm = pd_comm_ref (comm);
  self->index = comsys->wins->wins->len;
  g_ptr_array_add (comsys->wins->wins, self);
  return self;
}

void
pd_win_free (PdWin *self)
{
  if (self == NULL)
    return;
  self->gone = TRUE;
  pd_win_destroy_if_gone (self);
}

/* ---- epochs */

/* The rank that @target stands for. */
static guint32
target_of (gint32 target)
{
  return target == PD_WIN_ALL ? PD_TARGET_ALL : (guint32) target;
}

static gboolean
is_target (const PdWin *win, gint32 target)
{
  return target == PD_WIN_ALL || target == PD_PROC_NULL
         || (target >= 0 && (guint32) target < win->comm->n);
}

/* A lock of all is that of a member from the first operation there on: it is asked for
 * before that, and only the end of the epoch waits for it. */
static guint32
touch (const PdCall *call, PdWin *win, guint32 epoch, guint32 target)
{
  PdComsys *self = win->comsys;
  PdOneSided purpose =
      pd_epoch (self, epoch)->exclusive ? PD_ONE_SIDED_LOCK_EXCLUSIVE : PD_ONE_SIDED_LOCK_SHARED;
  guint32 lock =
      pd_one_sided_new (self, win, purpose, call->rank, pd_comm_world_rank (win->comm, target));
  guint32 mark = pd_epoch_mark (self, epoch, target);

  pd_epoch (self, epoch)->n_open++;
  pd_epoch (self, mark)->n_open++;
  pd_req (self, lock)->notify = TRUE; /* its mark, of the grant */
  pd_req (self, lock)->link = mark;
  pd_one_sided_send (self, lock, call->when);
  return mark;
}

/* The epoch that an operation belongs to: that of the lock, of access, or between fences. */
static guint32
epoch_for (const PdCall *call, PdWin *win, guint32 member, guint32 target)
{
  PdComsys *self = win->comsys;
  PdWinMember *m = &win->members[member];
  guint32 epoch = m->n_locks > 0 ? pd_epoch_find (self, win, member, target) : 0;

  if (epoch != 0)
    return epoch;
  if (m->n_locks > 0)
    epoch = pd_epoch_find (self, win, member, PD_TARGET_ALL);
  if (epoch != 0)
    return touch (call, win, epoch, target);
  if (m->accesses.first != 0)
    return m->accesses.last;
  if (m->fence_epoch == 0)
    m->fence_epoch = pd_epoch_new (self, win, member, PD_TARGET_NONE);
  return m->fence_epoch;
}

/* ---- Put, Get, Accumulate */

/* The time of the caller's processor that the network takes before the message leaves. */
static PdTime
time_ready (const PdComsys *self, const PdReq *message, PdTime when)
{
  PdTime ready = pd_time_add (when, self->machine->software.send_overhead);

  return self->has_costs ? pd_time_add (ready, pd_costs_of_send (self, message)) : ready;
}

/* No network: copies of the data in both directions. */
static void
copy_to_oneself (PdComsys *self, guint32 message, PdTime ready)
{
  const PdReq *m = pd_req (self, message);

  pd_message_observe (self, m, ready);
  pd_one_sided_arrived (
      self, message,
      pd_time_add (
          ready, pd_time_for_bytes (m->bytes + m->wanted, self->machine->software.copy_per_byte)));
}

/* Over a network with endpoint resources the call returns when the message has left. */
static void
send_operation (PdComsys *self, const PdCall *call, guint32 message, const char *function)
{
  gboolean endpoints = pd_req (self, message)->endpoints;
  gboolean has_left = pd_one_sided_send (self, message, endpoints ? call->when : *call->ret);

  if (!has_left)
    pd_cpu_wait_for_launch (self, call, function);
  else if (endpoints)
    *call->ret = self->cpus[call->rank].free;
}

static const struct
{
  PdOneSided purpose; /* of the message to the target */
  PdOneSided own;     /* likewise, of one to oneself: complete at once */
  PdFunction function;
  const char *name;
} accesses[] = {
  [PD_ACCESS_PUT] = { PD_ONE_SIDED_PUT, PD_ONE_SIDED_PUT, PD_FN_PUT, "MPI_Put" },
  [PD_ACCESS_GET] = { PD_ONE_SIDED_GET, PD_ONE_SIDED_DATA, PD_FN_GET, "MPI_Get" },
  [PD_ACCESS_ACCUMULATE] = { PD_ONE_SIDED_ACCUMULATE, PD_ONE_SIDED_ACCUMULATE, PD_FN_ACCUMULATE,
                             "MPI_Accumulate" },
  [PD_ACCESS_GET_ACCUMULATE] = { PD_ONE_SIDED_FETCH, PD_ONE_SIDED_ACCUMULATE, PD_FN_GET_ACCUMULATE,
                                 "MPI_Get_accumulate" },
};

/* A request that is complete with the operation, for a wait of the caller. */
static PdRequest
request_new (PdComsys *self, guint32 rank, guint32 target)
{
  guint32 request = pd_req_new (self, rank);
  PdReq *r = pd_req (self, request);

  r->kind = PD_REQ_ONE_SIDED;
  r->peer = target;
  r->tag = PD_ANY_TAG;
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  return request;
}

static void
operate (const PdCall *call, PdWin *win, const PdAccess *access, PdRequest *request)
{
  PdComsys *self = win->comsys;
  guint32 member = (guint32) pd_comm_get_rank (win->comm, call->rank);
  guint32 world = pd_comm_world_rank (win->comm, (guint32) access->target);
  guint32 epoch = epoch_for (call, win, member, (guint32) access->target);
  gboolean is_own = world == call->rank;
  PdOneSided purpose = is_own ? accesses[access->kind].own : accesses[access->kind].purpose;

  if (request != NULL)
    *request = request_new (self, call->rank, world);
  guint32 message = pd_one_sided_new (self, win, purpose, call->rank, world);
  PdReq *m = pd_req (self, message);
  m->partner = epoch;
  m->link = request != NULL ? *request : 0;
  m->bytes = purpose == PD_ONE_SIDED_DATA ? access->fetched : access->bytes;
  m->wanted = purpose == PD_ONE_SIDED_DATA ? 0 : access->fetched;
  pd_epoch_begin_operation (self, epoch);
  self->counts.n_messages++;
  self->counts.n_bytes.ps += access->bytes + access->fetched;
  *call->ret = time_ready (self, m, call->when);
  if (is_own)
    copy_to_oneself (self, message, *call->ret);
  else
    send_operation (self, call, message, accesses[access->kind].name);
  if (!pd_time_is_pending (*call->ret))
    self->accounted = *call->ret;
}

/* Whether there is something to do: nothing is with MPI_PROC_NULL. */
static gboolean
begin_call (PdComsys *self, const PdCall *call, gint32 target)
{
  pd_comsys_advance_to (self, call->rank, call->when);
  *call->ret = call->when;
  return target != PD_PROC_NULL;
}

void
pd_comsys_access (PdComsys *self, const PdCall *call, PdWin *win, const PdAccess *access,
                  PdRequest *request)
{
  g_return_if_fail (access->bytes >= 0 && access->fetched >= 0);
  g_return_if_fail (access->target != PD_WIN_ALL && is_target (win, access->target));
  g_return_if_fail (pd_comm_get_rank (win->comm, call->rank) >= 0);

  PdCall later = pd_call_of (self, call, accesses[access->kind].function);
  if (request != NULL)
    *request = PD_REQUEST_NULL;
  if (begin_call (self, call, access->target))
    operate (&later, win, access, request);
}

void
pd_comsys_put (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  pd_comsys_access (self, call, win, &(PdAccess){ PD_ACCESS_PUT, target, bytes, 0 }, NULL);
}

void
pd_comsys_get (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  pd_comsys_access (self, call, win, &(PdAccess){ PD_ACCESS_GET, target, 0, bytes }, NULL);
}

void
pd_comsys_accumulate (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  pd_comsys_access (self, call, win, &(PdAccess){ PD_ACCESS_ACCUMULATE, target, bytes, 0 }, NULL);
}

/* ---- fences */

void
pd_comsys_win_fence (PdComsys *self, const PdCall *call, PdWin *win)
{
  gint64 member = pd_comm_get_rank (win->comm, call->rank);

  g_return_if_fail (member >= 0);

  PdWinMember *m = &win->members[member];
  guint32 epoch = m->fence_epoch;
  pd_comsys_advance_to (self, call->rank, call->when);
  m->fence_epoch = 0;
  if (epoch == 0)
    pd_win_meet_at_fence (self, call, win);
  else
    pd_epoch_wait (self, call, epoch, PD_AWAITS_FENCE);
}

/* ---- locks */

/* The lock of just that, or what has been done at @target under one of all; 0: neither. */
static guint32
epoch_of_lock (const PdWin *win, guint32 rank, gint32 target)
{
  guint32 member = (guint32) pd_comm_get_rank (win->comm, rank);

  return pd_epoch_find (win->comsys, win, member, target_of (target));
}

gboolean
pd_win_may_unlock (const PdWin *self, guint32 rank, gint32 target)
{
  gint64 member = pd_comm_get_rank (self->comm, rank);

  if (member < 0 || !is_target (self, target))
    return FALSE;
  guint32 epoch = 0;
  if (target != PD_PROC_NULL)
    epoch = pd_epoch_find (self->comsys, self, (guint32) member, target_of (target));
  return target == PD_PROC_NULL || (epoch != 0 && pd_epoch (self->comsys, epoch)->mark_of == 0);
}

gboolean
pd_win_may_lock (const PdWin *self, guint32 rank, gint32 target)
{
  gint64 member = pd_comm_get_rank (self->comm, rank);

  if (member < 0 || !is_target (self, target))
    return FALSE;
  if (target == PD_PROC_NULL || self->members[member].n_locks == 0)
    return TRUE;
  return target != PD_WIN_ALL && !pd_win_may_unlock (self, rank, target)
         && !pd_win_may_unlock (self, rank, PD_WIN_ALL);
}

void
pd_comsys_win_lock (PdComsys *self, const PdCall *call, PdWin *win, gint32 target,
                    gboolean exclusive)
{
  g_return_if_fail (pd_win_may_lock (win, call->rank, target));

  PdOneSided purpose = exclusive ? PD_ONE_SIDED_LOCK_EXCLUSIVE : PD_ONE_SIDED_LOCK_SHARED;
  guint32 member = (guint32) pd_comm_get_rank (win->comm, call->rank);
  PdCall later = pd_call_of (self, call, PD_FN_WIN_LOCK);
  if (!begin_call (self, call, target))
    return;
  win->members[member].n_locks++;
  guint32 epoch = pd_epoch_new (self, win, member, target_of (target));
  pd_epoch (self, epoch)->exclusive = exclusive;
  if (target == PD_WIN_ALL)
    {
      *call->ret = later.when;
      pd_cpu_account (self, later.when);
      return;
    }
  guint32 world = pd_comm_world_rank (win->comm, (guint32) target);
  guint32 lock = pd_one_sided_new (self, win, purpose, call->rank, world);
  pd_req (self, lock)->held |= PD_HELD_OWNER;
  pd_one_sided_send (self, lock, later.when);
  pd_wait_bundle (self, &later, lock, PD_TIME_ZERO, "MPI_Win_lock");
}

void
pd_comsys_win_unlock (PdComsys *self, const PdCall *call, PdWin *win, gint32 target)
{
  g_return_if_fail (pd_win_may_unlock (win, call->rank, target));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_UNLOCK);
  if (begin_call (self, call, target))
    pd_epoch_wait (self, &later, epoch_of_lock (win, call->rank, target), PD_AWAITS_UNLOCK);
}

gboolean
pd_win_may_flush (const PdWin *self, guint32 rank, gint32 target)
{
  return pd_win_may_unlock (self, rank, target)
         || (is_target (self, target) && pd_win_may_unlock (self, rank, PD_WIN_ALL));
}

void
pd_comsys_win_flush (PdComsys *self, const PdCall *call, PdWin *win, gint32 target)
{
  g_return_if_fail (pd_win_may_flush (win, call->rank, target));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_FLUSH);
  if (!begin_call (self, call, target))
    return;
  guint32 epoch = epoch_of_lock (win, call->rank, target);
  if (epoch != 0)
    {
      pd_epoch_wait (self, &later, epoch, PD_AWAITS_FLUSH);
      return;
    }
  *call->ret = later.when; /* all are locked, and nothing was done there */
  pd_cpu_account (self, later.when);
}
