/* Collective operations, for pd-mp-actions-template.h. How long each rank would have waited at a
 * barrier (Synchronization), and how much earlier than the last one it was through
 * (Time_variation), is known when all members have been there.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_COLLECTIVE_TEMPLATE_H
#define PD_MP_COLLECTIVE_TEMPLATE_H

#include "comsys/comm/pd-comm.h"
#include "predictor/mp/pd-mp-collective.h"
#include "predictor/mp/pd-mp-engine-template.h"

static void
enter_barrier (Engine *self, Rank *r, guint32 comm, guint32 me)
{
  guint32 n = pd_comm_get_size (shared (self)->comms[comm]);
  Barrier *barrier = pd_mp_barriers_enter (barriers_of (self), comm, n, me);

  barrier->members[me].begin = *clock_of (r);
  barrier->members[me].node = r->node;
  barrier->latest_begin = later_of (&barrier->latest_begin, clock_of (r));
}

static void
leave_barrier (Engine *self, const Rank *r, guint32 comm, guint32 me)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (shared (self)->program, comm, &n);
  gboolean is_last;
  Barrier *barrier = pd_mp_barriers_leave (barriers_of (self), comm, me, &is_last);

  barrier->members[me].end = *clock_of (r);
  barrier->latest_end = later_of (&barrier->latest_end, clock_of (r));
  for (guint32 i = 0; is_last && i < n; i++)
    charge_member (self, ranks != NULL ? ranks[i] : i, barrier, &barrier->members[i]);
}

/* A blocking operation, which the rank has called, is over. */
static void
conclude_together (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  if (action.kind == PD_ACT_WIN_FENCE || !pd_mp_collective_is_system (action.op))
    leave_barrier (self, r, action.comm,
                   (guint32) pd_comm_get_rank (shared (self)->comms[action.comm], rank));
  if (action.amount.time.ps != 0)
    compute (self, rank, r, action.amount);
  r->cell = next;
}

/* A blocking operation has been called. */
static gboolean
together_returns (Engine *self, guint32 rank, Rank *r, gboolean over, PdMpCategory category)
{
  r->category = (guint8) category;
  if (!over)
    {
      r->state = PD_MP_CALLED;
      return FALSE;
    }
  spend (r);
  conclude_together (self, rank, r);
  return TRUE;
}

static gboolean
act_collective (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdComm *comm = shared (self)->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (shared (self), &action, me))
    return act_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (shared (self), &action);
  gboolean is_system = pd_mp_collective_is_system (action.op);
  if (!is_system)
    {
      account_of (r)->n_collectives += me == 0 ? 1 : 0;
      enter_barrier (self, r, action.comm, (guint32) me);
    }
  return together_returns (self, rank, r,
                           do_together (self, begin_call (rank, r), comm, &collective),
                           is_system ? PD_MP_SYSTEM : PD_MP_COLLECTIVE);
}

/* The computation of the reduction is executed when the operation starts, since no
 * rank executes anything when it ends. */
static gboolean
act_icollective (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdComm *comm = shared (self)->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (shared (self), &action, me))
    return act_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (shared (self), &action);
  PdRequest *slot = free_slot (self, r, action.request);
  account_of (r)->n_collectives += me == 0 && !pd_mp_collective_is_system (action.op) ? 1 : 0;
  r->category = PD_MP_COLLECTIVE;
  start_together (self, begin_call (rank, r), comm, &collective, slot);
  spend (r);
  if (action.amount.time.ps != 0)
    compute (self, rank, r, action.amount);
  r->cell = next;
  return TRUE;
}

#endif
