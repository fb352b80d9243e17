/* One-sided communication of message-passing programs. Programs name windows by
 * their communicators: those of one are one.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-win-epochs.h"
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

gboolean
pd_mp_act_transfer (PdMp *self, guint32 rank, PdMpRank *r)
{
  static void (*const calls[PD_N_ACTS]) (PdComsys *, const PdCall *, PdWin *, gint32, gint64) = {
    [PD_ACT_PUT] = pd_comsys_put,
    [PD_ACT_GET] = pd_comsys_get,
    [PD_ACT_ACCUMULATE] = pd_comsys_accumulate,
  };
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  if (pd_comm_get_rank (self->comms[action.comm], rank) < 0)
    return pd_mp_act_not_modelled (self, rank, r);
  PdCall call = pd_mp_call (rank, r);
  calls[action.kind](self->comsys, &call, pd_mp_window_of (self, action.comm), action.peer,
                     action.bytes);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* What the program may not do is left out, and said. */
static gboolean
may_do (PdMp *self, guint32 rank, const PdWin *win, const PdAction *action)
{
  gboolean is_lock = action->kind == PD_ACT_WIN_LOCK;

  if (is_lock ? pd_win_may_lock (win, rank, action->peer)
              : pd_win_may_unlock (win, rank, action->peer))
    return TRUE;
  pd_mp_note (self, rank, "lock-mismatch", pd_action_name (action),
              is_lock ? "of what the rank has locked already: left out"
                      : "of what the rank has not locked: left out");
  return FALSE;
}

gboolean
pd_mp_act_lock (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  if (pd_comm_get_rank (self->comms[action.comm], rank) < 0)
    return pd_mp_act_not_modelled (self, rank, r);
  PdWin *win = pd_mp_window_of (self, action.comm);
  if (!may_do (self, rank, win, &action))
    {
      r->cell = next;
      return TRUE;
    }
  PdCall call = pd_mp_call (rank, r);
  if (action.kind == PD_ACT_WIN_LOCK)
    pd_comsys_win_lock (self->comsys, &call, win, action.peer, action.tag != 0);
  else
    pd_comsys_win_unlock (self->comsys, &call, win, action.peer);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* Epochs that the programs do not end are no mistake of the prediction. */
void
pd_mp_notify_epochs (PdMp *self)
{
  guint64 n = pd_comsys_get_n_epochs (self->comsys);

  if (n > 0)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "epoch-open", NULL, NULL,
                     "epochs of one-sided communication that no fence or unlock ends: "
                     "%" G_GUINT64_FORMAT "; no rank waits for the operations in them",
                     n);
}
