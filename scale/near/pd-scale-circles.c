/* Circles of ranks that wait for each other: one message or operation of each is lost.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-execution-private.h"

#include "traces/program/pd-action.h"

/* The call that began @wait has a partner less: of an MPI_Sendrecv the source, or the target. */
static void
mend_call (PdScaleExecution *self, guint32 number, const PdScaleWait *wait, gboolean is_send)
{
  PdScaleActor *rank = &self->ranks[number];
  PdAction changed = rank->action;

  self->mends->n_lost++;
  if (wait->call != rank->call)
    {
      pd_action_init (&changed, is_send ? PD_ACT_ISEND : PD_ACT_IRECV);
      changed.tag = 0;
    }
  if (changed.kind == PD_ACT_SENDRECV && !is_send)
    changed.recv_peer = PD_PROGRAM_PROC_NULL;
  else
    changed.peer = PD_PROGRAM_PROC_NULL;
  if (wait->call == rank->call)
    rank->action = changed;
  if (!wait->is_persistent)
    pd_scale_mends_add (self->mends, number, wait->call, &changed, FALSE);
}

static void
lose_receive (PdScaleExecution *self, guint32 number, PdScaleWait *wait)
{
  gboolean is_probe = self->ranks[number].action.kind == PD_ACT_PROBE;

  mend_call (self, number, wait, FALSE);
  if (!is_probe && wait->what == PD_SCALE_MESSAGE)
    {
      wait->channel->sent++; /* it is never sent: */
      wait->channel->lost++;
    }
  else if (!is_probe)
    wait->target->spare++;
}

static void
lose_send (PdScaleExecution *self, guint32 number, PdScaleWait *wait)
{
  if (wait->is_persistent)
    return;
  mend_call (self, number, wait, TRUE);
  wait->channel->lost_receives++;
  wait->target->lost_receives++;
}

static void
lose_collective (PdScaleExecution *self, guint32 comm)
{
  const GArray *lost = pd_scale_collectives_cancel (self->collectives, comm);
  PdAction none;

  pd_action_init (&none, PD_ACT_COLLECTIVE);
  for (guint i = 0; i < lost->len; i++)
    {
      const PdScaleArrival *one = &g_array_index (lost, PdScaleArrival, i);
      PdScaleActor *rank = &self->ranks[one->rank];
      pd_scale_mends_add (self->mends, one->rank, one->call, &none, TRUE);
      self->mends->n_lost++;
      *(one->has_request ? pd_scale_execution_get_request (rank, one->request) : &rank->own) =
          PD_SCALE_NO_WAIT;
      pd_scale_execution_wake (self, one->rank);
    }
}

/* Of all ranks that wait the one that has come least far; of those that wait for a message, if
 * there are any. */
static PdScaleWait *
find_first (const PdScaleExecution *self, guint32 *number)
{
  PdScaleWait *first = NULL;

  for (guint32 r = 0; r < self->mends->n_ranks; r++)
    {
      PdScaleActor *rank = &self->ranks[r];
      PdScaleWait *wait = rank->has_action ? pd_scale_execution_find_wait (self, rank) : NULL;
      if (wait == NULL)
        continue;
      gboolean is_better = first == NULL || rank->call < self->ranks[*number].call;
      if (first != NULL && (wait->what == PD_SCALE_MEMBERS) != (first->what == PD_SCALE_MEMBERS))
        is_better = first->what == PD_SCALE_MEMBERS;
      if (!is_better)
        continue;
      first = wait;
      *number = r;
    }
  return first;
}

gboolean
pd_scale_execution_break_circle (PdScaleExecution *self)
{
  guint32 number = 0;
  PdScaleWait *first = find_first (self, &number);

  if (first == NULL)
    return FALSE;
  if (first->what == PD_SCALE_MEMBERS)
    {
      lose_collective (self, first->comm);
      return TRUE;
    }
  if (first->what == PD_SCALE_SENT)
    lose_send (self, number, first);
  else
    lose_receive (self, number, first);
  first->what = PD_SCALE_NOTHING;
  pd_scale_execution_wake (self, number);
  return TRUE;
}
