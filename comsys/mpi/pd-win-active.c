/* One-sided communication whose targets take part: post, start, complete and wait.
 *
 *   POST ->  (the origin may start; it names the epoch of exposure)
 *   operations <-
 *   COMPLETE <-  (to that epoch of exposure)
 *
 * A post that arrives before its start is kept; a start that comes before its posts waits.
 *
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-active.h"

#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-win-private.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"

static gboolean
is_group (const PdWin *win, const PdWinGroup *group)
{
  for (guint32 i = 0; i < group->n; i++)
    if (group->members[i] >= win->comm->n)
      return FALSE;
  return TRUE;
}

/* ---- calls */

void
pd_comsys_win_post (PdComsys *self, const PdCall *call, PdWin *win, const PdWinGroup *origins)
{
  gint64 member = pd_comm_get_rank (win->comm, call->rank);

  g_return_if_fail (member >= 0 && is_group (win, origins));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_POST);
  PdTold told = { FALSE, FALSE };
  pd_comsys_advance_to (self, call->rank, call->when);
  guint32 exposure = pd_epoch_new (self, win, (guint32) member, PD_TARGET_NONE);
  pd_epoch_append (self, &win->members[member].exposures, exposure);
  pd_epoch (self, exposure)->n_open = origins->n;
  for (guint32 i = 0; i < origins->n; i++)
    {
      guint32 world = pd_comm_world_rank (win->comm, origins->members[i]);
      guint32 post = pd_one_sided_new (self, win, PD_ONE_SIDED_POST, call->rank, world);
      pd_req (self, post)->partner = exposure;
      pd_one_sided_tell (self, &later, post, &told);
    }
  pd_one_sided_told (self, &later, &told, "MPI_Win_post");
}

void
pd_comsys_win_start (PdComsys *self, const PdCall *call, PdWin *win, const PdWinGroup *targets)
{
  gint64 member = pd_comm_get_rank (win->comm, call->rank);

  g_return_if_fail (member >= 0 && is_group (win, targets));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_START);
  pd_comsys_advance_to (self, call->rank, call->when);
  guint32 access = pd_epoch_new (self, win, (guint32) member, PD_TARGET_NONE);
  PdEpoch *e = pd_epoch (self, access);
  pd_epoch_append (self, &win->members[member].accesses, access);
  e->peers = g_new0 (PdWinPeer, MAX (targets->n, 1));
  e->n_peers = targets->n;
  for (guint32 i = 0; i < targets->n; i++)
    {
      e->peers[i].member = targets->members[i];
      pd_one_sided_ask_for_post (self, win, access, i);
    }
  pd_epoch_wait (self, &later, access, PD_AWAITS_START);
}

gboolean
pd_win_may_complete (const PdWin *self, guint32 rank)
{
  gint64 member = pd_comm_get_rank (self->comm, rank);

  return member >= 0 && self->members[member].accesses.first != 0;
}

void
pd_comsys_win_complete (PdComsys *self, const PdCall *call, PdWin *win)
{
  g_return_if_fail (pd_win_may_complete (win, call->rank));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_COMPLETE);
  gint64 member = pd_comm_get_rank (win->comm, call->rank);
  pd_comsys_advance_to (self, call->rank, call->when);
  pd_epoch_wait (self, &later, win->members[member].accesses.first, PD_AWAITS_COMPLETE);
}

gboolean
pd_win_may_wait (const PdWin *self, guint32 rank)
{
  gint64 member = pd_comm_get_rank (self->comm, rank);

  return member >= 0 && self->members[member].exposures.first != 0;
}

void
pd_comsys_win_wait (PdComsys *self, const PdCall *call, PdWin *win)
{
  g_return_if_fail (pd_win_may_wait (win, call->rank));

  PdCall later = pd_call_of (self, call, PD_FN_WIN_WAIT);
  gint64 member = pd_comm_get_rank (win->comm, call->rank);
  pd_comsys_advance_to (self, call->rank, call->when);
  pd_epoch_wait (self, &later, win->members[member].exposures.first, PD_AWAITS_WAIT);
}
