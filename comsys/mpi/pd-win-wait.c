/* Waits of ranks in one-sided communication, and their continuation: the wait for an epoch ends
 * when no operation of it is open; the continuation is a function by the kind of wait.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

void
pd_win_meet_at_fence (PdComsys *self, const PdCall *call, PdWin *win)
{
  pd_comsys_collective (self, call, win->comm, &(PdCollective){ .op = PD_OP_WIN_FENCE });
}

/* ---- the ends of waits, at @call->when */

static void
end_fence (PdComsys *self, const PdCall *call, guint32 epoch)
{
  PdWin *win = pd_win_of (self, pd_epoch (self, epoch)->win);

  pd_epoch_drop (self, epoch);
  pd_win_meet_at_fence (self, call, win);
}

/* The lock is given back. */
static void
end_unlock (PdComsys *self, const PdCall *call, guint32 epoch)
{
  const PdEpoch e = *pd_epoch (self, epoch);
  PdWin *win = pd_win_of (self, e.win);
  PdTold told = { FALSE, FALSE };
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
      pd_one_sided_tell (self, call, message, &told);
    }
  pd_one_sided_told (self, call, &told, "MPI_Win_unlock");
}

static void
end_wait (PdComsys *self G_GNUC_UNUSED, const PdCall *call, guint32 epoch G_GNUC_UNUSED)
{
  *call->ret = call->when;
  pd_cpu_account (self, call->when);
}

/* Notifies the targets that the epoch has ended. */
static void
end_complete (PdComsys *self, const PdCall *call, guint32 epoch)
{
  PdWin *win = pd_win_of (self, pd_epoch (self, epoch)->win);
  guint32 member = pd_epoch (self, epoch)->member, n = pd_epoch (self, epoch)->n_peers;
  PdTold told = { FALSE, FALSE };

  for (guint32 i = 0; i < n; i++)
    {
      PdWinPeer peer = pd_epoch (self, epoch)->peers[i];
      guint32 world = pd_comm_world_rank (win->comm, peer.member);
      guint32 message = pd_one_sided_new (self, win, PD_ONE_SIDED_COMPLETE, call->rank, world);
      pd_req (self, message)->partner = peer.exposure;
      pd_one_sided_tell (self, call, message, &told);
    }
  pd_epoch_drop_first (self, &win->members[member].accesses);
  pd_one_sided_told (self, call, &told, "MPI_Win_complete");
}

static void
end_exposure (PdComsys *self, const PdCall *call, guint32 epoch)
{
  const PdEpoch *e = pd_epoch (self, epoch);

  pd_epoch_drop_first (self, &pd_win_of (self, e->win)->members[e->member].exposures);
  *call->ret = call->when;
  pd_cpu_account (self, call->when);
}

static const struct
{
  const char *function;
  gboolean blocks; /* else it returns later, if nothing is open */
  void (*end) (PdComsys *self, const PdCall *call, guint32 epoch);
} waits[PD_N_AWAITS] = {
  [PD_AWAITS_FENCE] = { "MPI_Win_fence", TRUE, end_fence },
  [PD_AWAITS_UNLOCK] = { "MPI_Win_unlock", TRUE, end_unlock },
  [PD_AWAITS_FLUSH] = { "MPI_Win_flush", FALSE, end_wait },
  [PD_AWAITS_START] = { "MPI_Win_start", FALSE, end_wait },
  [PD_AWAITS_COMPLETE] = { "MPI_Win_complete", TRUE, end_complete },
  [PD_AWAITS_WAIT] = { "MPI_Win_wait", FALSE, end_exposure },
};

static void
go_on (PdComsys *self, const PdCall *call, guint32 epoch, PdAwaits awaits)
{
  pd_epoch (self, epoch)->awaits = PD_AWAITS_NOTHING;
  pd_epoch_forget_operations (self, epoch);
  waits[awaits].end (self, call, epoch);
}

/* ---- for others */

void
pd_epoch_wait (PdComsys *self, const PdCall *call, guint32 epoch, PdAwaits awaits)
{
  PdEpoch *e = pd_epoch (self, epoch);
  PdTime end = pd_epoch_end_of (self, e, call->when);
  PdCall later = *call;

  later.when = end;
  if (e->n_open == 0 && (end.ps <= call->when.ps || !waits[awaits].blocks))
    {
      go_on (self, &later, epoch, awaits);
      return;
    }
  PD_PROBE (self, call, call->rank, call->when);
  pd_rank_block (self, call, waits[awaits].function);
  e->latest = pd_time_max (e->latest, call->when);
  e->awaits = awaits;
  if (e->n_open == 0)
    pd_comsys_push (self, end, PD_EVENT_EPOCH, call->rank, epoch);
}

void
pd_epoch_event (PdComsys *self, guint32 rank, guint32 epoch)
{
  PdRank *r = &self->ranks[rank];
  PdTime *ret = r->ret;
  PdCall call = { rank, self->now, ret, NULL };

  PD_PROBE (self, untracked, rank);
  r->ret = NULL;
  go_on (self, &call, epoch, pd_epoch (self, epoch)->awaits);
  if (pd_time_is_pending (*ret))
    return;
  r->ret = ret;
  pd_rank_return (self, rank, *ret);
}
