/* One-sided communication of message-passing programs. Programs name windows by
 * their communicators: those of one are one.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/mpi/pd-win-active.h"
#include "comsys/mpi/pd-win.h"
#include "predictor/mp/pd-mp-actions.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "predictor/mp/pd-mp-windows-private.h"
#include "traces/program/pd-action.h"

PdWin *
pd_mp_window_of (PdMp *self, guint32 comm)
{
  if (self->windows == NULL)
    self->windows = g_new0 (PdWin *, self->n_comms);
  if (self->windows[comm] == NULL)
    self->windows[comm] = pd_win_new (self->comsys, self->comms[comm]);
  return self->windows[comm];
}

void
pd_mp_windows_free (PdMp *self)
{
  for (guint32 i = 0; i < self->n_comms && self->windows != NULL; i++)
    pd_win_free (self->windows[i]);
  g_free (self->windows);
}

/* The slot of a request that an access begins: one that is still there is freed. */
static PdRequest *
slot_of (PdMp *self, PdMpRank *r, const PdAction *action)
{
  if (!pd_action_makes_request (action->kind))
    return NULL;
  PdRequest *slot = &r->slots[action->request];
  if (*slot != PD_REQUEST_NULL)
    pd_comsys_request_free (self->comsys, slot);
  return slot;
}

gboolean
pd_mp_act_transfer (PdMp *self, guint32 rank, PdMpRank *r)
{
  static const PdAccessKind kinds[PD_N_ACTS] = {
    [PD_ACT_PUT] = PD_ACCESS_PUT,
    [PD_ACT_RPUT] = PD_ACCESS_PUT,
    [PD_ACT_GET] = PD_ACCESS_GET,
    [PD_ACT_RGET] = PD_ACCESS_GET,
    [PD_ACT_ACCUMULATE] = PD_ACCESS_ACCUMULATE,
    [PD_ACT_RACCUMULATE] = PD_ACCESS_ACCUMULATE,
    [PD_ACT_GET_ACCUMULATE] = PD_ACCESS_GET_ACCUMULATE,
    [PD_ACT_RGET_ACCUMULATE] = PD_ACCESS_GET_ACCUMULATE,
  };
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  if (pd_comm_get_rank (self->comms[action.comm], rank) < 0)
    return pd_mp_act_not_modelled (self, rank, r);
  PdAccess access = { kinds[action.kind], action.peer, action.bytes, action.recv_bytes };
  if (access.kind == PD_ACCESS_GET)
    access = (PdAccess){ PD_ACCESS_GET, action.peer, 0, action.bytes };
  PdCall call = pd_mp_call (rank, r);
  pd_comsys_access (self->comsys, &call, pd_mp_window_of (self, action.comm), &access,
                    slot_of (self, r, &action));
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* ---- locks, and the ends of epochs */

static gboolean
may_lock (const PdWin *win, guint32 rank, const PdAction *action)
{
  return pd_win_may_lock (win, rank, action->peer);
}

static gboolean
may_unlock (const PdWin *win, guint32 rank, const PdAction *action)
{
  return pd_win_may_unlock (win, rank, action->peer);
}

static gboolean
may_flush (const PdWin *win, guint32 rank, const PdAction *action)
{
  return pd_win_may_flush (win, rank, action->peer);
}

static gboolean
may_complete (const PdWin *win, guint32 rank, const PdAction *action G_GNUC_UNUSED)
{
  return pd_win_may_complete (win, rank);
}

static gboolean
may_wait (const PdWin *win, guint32 rank, const PdAction *action G_GNUC_UNUSED)
{
  return pd_win_may_wait (win, rank);
}

static void
lock (PdComsys *comsys, const PdCall *call, PdWin *win, const PdAction *action)
{
  pd_comsys_win_lock (comsys, call, win, action->peer, action->tag != 0);
}

static void
unlock (PdComsys *comsys, const PdCall *call, PdWin *win, const PdAction *action)
{
  pd_comsys_win_unlock (comsys, call, win, action->peer);
}

static void
flush (PdComsys *comsys, const PdCall *call, PdWin *win, const PdAction *action)
{
  pd_comsys_win_flush (comsys, call, win, action->peer);
}

static void
complete (PdComsys *comsys, const PdCall *call, PdWin *win, const PdAction *action G_GNUC_UNUSED)
{
  pd_comsys_win_complete (comsys, call, win);
}

static void
wait_for_all (PdComsys *comsys, const PdCall *call, PdWin *win,
              const PdAction *action G_GNUC_UNUSED)
{
  pd_comsys_win_wait (comsys, call, win);
}

#define NOT_LOCKED "of a window that the rank has not locked: left out"

/* Illegal actions of the program are left out, with a message. */
static const struct
{
  gboolean (*may) (const PdWin *win, guint32 rank, const PdAction *action);
  void (*act) (PdComsys *comsys, const PdCall *call, PdWin *win, const PdAction *action);
  const char *wrong;
} epochs[PD_N_ACTS] = {
  [PD_ACT_WIN_LOCK] = { may_lock, lock, "of a window that the rank has locked already: left out" },
  [PD_ACT_WIN_UNLOCK] = { may_unlock, unlock, NOT_LOCKED },
  [PD_ACT_WIN_FLUSH] = { may_flush, flush, NOT_LOCKED },
  [PD_ACT_WIN_COMPLETE] = { may_complete, complete,
                            "of an access that the rank has not started: left out" },
  [PD_ACT_WIN_WAIT] = { may_wait, wait_for_all,
                        "of an exposure that the rank has not posted: left out" },
};

gboolean
pd_mp_act_epoch (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  if (pd_comm_get_rank (self->comms[action.comm], rank) < 0)
    return pd_mp_act_not_modelled (self, rank, r);
  PdWin *win = pd_mp_window_of (self, action.comm);
  if (!epochs[action.kind].may (win, rank, &action))
    {
      pd_mp_note (self, rank, action.kind <= PD_ACT_WIN_FLUSH ? "lock-mismatch" : "epoch-mismatch",
                  pd_action_name (&action), epochs[action.kind].wrong);
      r->cell = next;
      return TRUE;
    }
  PdCall call = pd_mp_call (rank, r);
  epochs[action.kind].act (self->comsys, &call, win, &action);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* ---- active targets */

gboolean
pd_mp_act_group (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;
  guint32 n_listed;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  if (pd_comm_get_rank (self->comms[action.comm], rank) < 0)
    return pd_mp_act_not_modelled (self, rank, r);
  gboolean posts = action.kind == PD_ACT_WIN_POST;
  const gint64 *listed =
      pd_program_get_counts (self->program, posts ? action.sources : action.targets, &n_listed);
  g_autofree guint32 *members = g_new (guint32, MAX (n_listed, 1));
  PdWinGroup group = { members, 0 };
  for (guint32 i = 0; i < n_listed; i++)
    if (listed[i] != PD_PROGRAM_PROC_NULL)
      members[group.n++] = (guint32) listed[i];
  PdCall call = pd_mp_call (rank, r);
  (posts ? pd_comsys_win_post : pd_comsys_win_start) (self->comsys, &call,
                                                      pd_mp_window_of (self, action.comm), &group);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* Epochs that the programs do not end are no mistake of the prediction. */
void
pd_mp_notify_epochs (PdMp *self)
{
  guint64 n = pd_comsys_get_n_epochs (self->comsys);

  if (n > 0)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "epoch-open", NULL, NULL,
                     "epochs of one-sided communication that no call ends: "
                     "%" G_GUINT64_FORMAT "; no rank waits for the operations in them",
                     n);
}
