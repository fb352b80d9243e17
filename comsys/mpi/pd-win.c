/* One-sided communication: windows, operations, fences and locks, as their callers
 * see them. What a rank has to wait for is counted per epoch, see pd-win-private.h.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/mpi/pd-wait-private.h"
#include "comsys/mpi/pd-win-epochs-private.h"
#include "comsys/mpi/pd-win-messages-private.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

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

/* What the caller of MPI means by @target. */
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
static void
touch (const PdCall *call, PdWin *win, guint32 epoch, guint32 target)
{
  PdComsys *self = win->comsys;
  PdOneSided purpose =
      pd_epoch (self, epoch)->exclusive ? PD_ONE_SIDED_LOCK_EXCLUSIVE : PD_ONE_SIDED_LOCK_SHARED;
  guint32 lock =
      pd_one_sided_new (self, win, purpose, call->rank, pd_comm_world_rank (win->comm, target));

  pd_epoch_mark (self, epoch, target);
  pd_epoch (self, epoch)->n_open++;
  pd_req (self, lock)->notify = TRUE; /* its epoch, of the grant */
  pd_req (self, lock)->link = epoch;
  pd_one_sided_send (self, lock, call->when);
}

/* The epoch that an operation belongs to: that of the lock, or between fences. */
static guint32
epoch_for (const PdCall *call, PdWin *win, guint32 member, guint32 target)
{
  PdComsys *self = win->comsys;
  PdWinMember *m = &win->members[member];
  guint32 epoch = m->n_locks > 0 ? pd_epoch_find (self, win, member, target) : 0;

  if (epoch != 0)
    return pd_epoch (self, epoch)->mark_of != 0 ? pd_epoch (self, epoch)->mark_of : epoch;
  if (m->n_locks > 0)
    epoch = pd_epoch_find (self, win, member, PD_TARGET_ALL);
  if (epoch != 0)
    {
      touch (call, win, epoch, target);
      return epoch;
    }
  if (m->fence_epoch == 0)
    m->fence_epoch = pd_epoch_new (self, win, member, PD_TARGET_NONE);
  return m->fence_epoch;
}

/* The rank waits, blocked, for the epoch. */
static void
block_for (PdComsys *self, const PdCall *call, guint32 epoch, PdAwaits awaits)
{
  static const char *const functions[] = { [PD_AWAITS_FENCE] = "MPI_Win_fence",
                                           [PD_AWAITS_UNLOCK] = "MPI_Win_unlock",
                                           [PD_AWAITS_FLUSH] = "MPI_Win_flush" };
  PdEpoch *e = pd_epoch (self, epoch);

  PD_PROBE (self, call, call->rank, call->when);
  pd_rank_block (self, call, functions[awaits]);
  e->latest = pd_time_max (e->latest, call->when);
  e->awaits = awaits;
}

/* ---- Put, Get, Accumulate */

/* What the network asks of the caller's processor before the message leaves. */
static PdTime
time_ready (const PdComsys *self, const PdReq *message, PdTime when)
{
  PdTime ready = pd_time_add (when, self->machine->software.send_overhead);

  return self->has_costs ? pd_time_add (ready, pd_costs_of_send (self, message)) : ready;
}

/* No network: a copy. */
static void
copy_to_oneself (PdComsys *self, guint32 message, PdTime ready)
{
  const PdReq *m = pd_req (self, message);

  pd_message_observe (self, m, ready);
  pd_one_sided_arrived (
      self, message,
      pd_time_add (ready, pd_time_for_bytes (m->bytes, self->machine->software.copy_per_byte)));
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

/* An operation whose message to the target is for @purpose. */
static void
operate (const PdCall *call, PdWin *win, guint32 target, PdOneSided purpose, gint64 bytes)
{
  PdComsys *self = win->comsys;
  guint32 member = (guint32) pd_comm_get_rank (win->comm, call->rank);
  guint32 world = pd_comm_world_rank (win->comm, target);
  guint32 epoch = epoch_for (call, win, member, target);
  gboolean is_get = purpose == PD_ONE_SIDED_GET;

  if (is_get && world == call->rank)
    purpose = PD_ONE_SIDED_DATA; /* at once */
  guint32 message = pd_one_sided_new (self, win, purpose, call->rank, world);
  PdReq *m = pd_req (self, message);
  m->partner = epoch;
  m->wanted = bytes;
  m->bytes = purpose == PD_ONE_SIDED_GET ? 0 : bytes;
  pd_epoch (self, epoch)->n_operations++;
  pd_epoch (self, epoch)->n_open++;
  self->counts.n_messages++;
  self->counts.n_bytes.ps += bytes;
  *call->ret = time_ready (self, m, call->when);
  if (world == call->rank)
    copy_to_oneself (self, message, *call->ret);
  else
    send_operation (self, call, message, is_get ? "MPI_Get" : "MPI_Put");
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

static gboolean
is_operation (const PdCall *call, const PdWin *win, gint32 target, gint64 bytes)
{
  return bytes >= 0 && target != PD_WIN_ALL && is_target (win, target)
         && pd_comm_get_rank (win->comm, call->rank) >= 0;
}

void
pd_comsys_put (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  g_return_if_fail (is_operation (call, win, target, bytes));

  PdCall later = pd_call_of (self, call, PD_FN_PUT);
  if (begin_call (self, call, target))
    operate (&later, win, (guint32) target, PD_ONE_SIDED_PUT, bytes);
}

void
pd_comsys_get (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  g_return_if_fail (is_operation (call, win, target, bytes));

  PdCall later = pd_call_of (self, call, PD_FN_GET);
  if (begin_call (self, call, target))
    operate (&later, win, (guint32) target, PD_ONE_SIDED_GET, bytes);
}

void
pd_comsys_accumulate (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes)
{
  g_return_if_fail (is_operation (call, win, target, bytes));

  PdCall later = pd_call_of (self, call, PD_FN_ACCUMULATE);
  if (begin_call (self, call, target))
    operate (&later, win, (guint32) target, PD_ONE_SIDED_ACCUMULATE, bytes);
}

/* ---- fences */

/* All of the caller's operations are complete now: it meets the others. */
static void
meet_at_fence (PdComsys *self, const PdCall *call, PdWin *win)
{
  pd_comsys_collective (self, call, win->comm, &(PdCollective){ .op = PD_OP_WIN_FENCE });
}

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
    {
      meet_at_fence (self, call, win);
      return;
    }
  const PdEpoch *e = pd_epoch (self, epoch);
  PdTime end = pd_epoch_end_of (self, e, call->when);
  if (e->n_open == 0 && end.ps <= call->when.ps)
    {
      pd_epoch_drop (self, epoch);
      meet_at_fence (self, call, win);
      return;
    }
  block_for (self, call, epoch, PD_AWAITS_FENCE);
  if (e->n_open == 0)
    pd_comsys_push (self, end, PD_EVENT_EPOCH, call->rank, epoch);
}

/* ---- locks */

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

/* At @call->when all that has been started under the lock is complete: it is given back. */
static void
release (PdComsys *self, const PdCall *call, guint32 epoch)
{
  const PdEpoch e = *pd_epoch (self, epoch);
  PdWin *win = pd_win_of (self, e.win);
  gboolean has_left = TRUE, endpoints = FALSE;
  guint32 first = e.target == PD_TARGET_ALL ? e.touched : epoch;

  win->members[e.member].n_locks--;
  if (e.target == PD_TARGET_ALL)
    pd_epoch_drop (self, epoch);
  for (guint32 i = first, next; i != 0; i = next)
    {
      guint32 world = pd_comm_world_rank (win->comm, pd_epoch (self, i)->target);
      guint32 message = pd_one_sided_new (self, win, PD_ONE_SIDED_RELEASE, call->rank, world);
      next = pd_epoch (self, i)->next;
      pd_epoch_drop (self, i);
      endpoints = endpoints || pd_req (self, message)->endpoints;
      has_left = pd_one_sided_send (self, message, call->when) && has_left;
    }
  *call->ret = call->when;
  if (!has_left)
    pd_cpu_wait_for_launch (self, call, "MPI_Win_unlock");
  else if (endpoints)
    *call->ret = pd_time_max (call->when, self->cpus[call->rank].free);
}

/* The wait of an Unlock or Flush is over at @call->when. */
static void
end_wait (PdComsys *self, const PdCall *call, guint32 epoch, PdAwaits awaits)
{
  PdEpoch *e = pd_epoch (self, epoch);

  e->awaits = PD_AWAITS_NOTHING;
  e->n_operations = 0;
  *call->ret = call->when;
  if (awaits == PD_AWAITS_UNLOCK)
    release (self, call, epoch);
  if (!pd_time_is_pending (*call->ret))
    pd_cpu_account (self, *call->ret);
}

static void
wait_for_epoch (const PdCall *call, PdWin *win, guint32 target, PdAwaits awaits)
{
  PdComsys *self = win->comsys;
  guint32 member = (guint32) pd_comm_get_rank (win->comm, call->rank);
  guint32 epoch = pd_epoch_find (self, win, member, target);
  const PdEpoch *e = pd_epoch (self, epoch);
  PdCall later = *call;

  later.when = pd_epoch_end_of (self, e, call->when);
  if (e->n_open == 0 && (later.when.ps <= call->when.ps || awaits == PD_AWAITS_FLUSH))
    {
      end_wait (self, &later, epoch, awaits);
      return;
    }
  block_for (self, call, epoch, awaits);
  if (e->n_open == 0)
    pd_comsys_push (self, later.when, PD_EVENT_EPOCH, call->rank, epoch);
}

void
pd_comsys_win_unlock (PdComsys *self, const PdCall *call, PdWin *win, gint32 target)
{
  g_return_if_fail (pd_win_may_unlock (win, call->rank, target));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_UNLOCK);
  if (begin_call (self, call, target))
    wait_for_epoch (&later, win, target_of (target), PD_AWAITS_UNLOCK);
}

void
pd_comsys_win_flush (PdComsys *self, const PdCall *call, PdWin *win, gint32 target)
{
  gboolean is_of_all = !pd_win_may_unlock (win, call->rank, target);

  g_return_if_fail (!is_of_all || pd_win_may_unlock (win, call->rank, PD_WIN_ALL));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_FLUSH);
  if (begin_call (self, call, target))
    wait_for_epoch (&later, win, is_of_all ? PD_TARGET_ALL : target_of (target), PD_AWAITS_FLUSH);
}

/* ---- the rank goes on */

void
pd_epoch_event (PdComsys *self, guint32 rank, guint32 epoch)
{
  PdRank *r = &self->ranks[rank];
  PdTime *ret = r->ret;
  PdCall call = { rank, self->now, ret, NULL };
  PdAwaits awaits = pd_epoch (self, epoch)->awaits;
  PdWin *win = pd_win_of (self, pd_epoch (self, epoch)->win);

  PD_PROBE (self, untracked, rank);
  r->ret = NULL;
  if (awaits == PD_AWAITS_FENCE)
    {
      pd_epoch_drop (self, epoch);
      meet_at_fence (self, &call, win);
    }
  else
    end_wait (self, &call, epoch, awaits);
  if (pd_time_is_pending (*ret))
    return;
  r->ret = ret;
  pd_rank_return (self, rank, *ret);
}
