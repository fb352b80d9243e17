/* SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-fifo-order.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-scheduler-internal.h"

gboolean
pd_fifo_may_go_on (const PdComsys *self, guint32 rank G_GNUC_UNUSED, PdTime when)
{
  if (self->fresh && when.ps <= self->turn.ps)
    return TRUE;
  return self->run_ahead && pd_cpu_is_first (self, when, 0);
}

void
pd_fifo_advance_to (PdComsys *self, guint32 rank G_GNUC_UNUSED, PdTime when G_GNUC_UNUSED,
                    gboolean is_ahead)
{
  self->fresh = FALSE;
  if (is_ahead)
    self->n_following = 0;
}

void
pd_fifo_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  PdTime returned = self->accounted;

  if (rank != self->actor || returned.ps <= self->turn.ps || pd_cpu_is_first (self, returned, 0))
    {
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  if (self->asks && event == PD_EVENT_TURN && when.ps == returned.ps)
    {
      pd_comsys_push (self, when, event, rank, PD_TURN_RETURNED); /* if it computes, at once */
      return;
    }
  self->ranks[rank].latest = when; /* it waits for nothing */
  pd_comsys_push (self, returned, PD_EVENT_RETURNED, rank, event);
}

void
pd_fifo_returned_event (PdComsys *self, guint32 rank, guint32 event)
{
  pd_comsys_push (self, self->ranks[rank].latest, (PdEvent) event, rank, 0);
}

gboolean
pd_fifo_reach (PdComsys *self, PdTime when)
{
  if (!self->run_ahead || !pd_cpu_is_first (self, when, 0))
    return FALSE;
  self->turn = when;
  self->now = pd_time_max (self->now, when);
  self->n_following = 0;
  return TRUE;
}
