/* Operations that wait for a CPU or an adapter of their rank. All that wait for the same ones can
 * continue at the same moment, in the order of their numbers; only the lowest is in the event
 * queue. A waiting operation costs nothing at moments at which it does not get its turn. This
 * is for ranks with several CPUs or adapters; with one of each they are served in the order
 * of their numbers: see pd-goal-events.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_WAIT_PRIVATE_H
#define PD_GOAL_WAIT_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

/* Where a clock or, with @kind >= PD_GOAL_RESOURCE_WAITS, a heap is kept. */
guint64 *pd_goal_resource_in_table (PdGoal *self, guint32 rank, PdGoalResourceKind kind,
                                    PdGoalResource resource);

static inline gint64 *
pd_goal_cpu (PdGoal *self, guint32 rank, PdGoalResource resource)
{
  if (G_LIKELY (!self->has_many))
    return &self->ranks[rank].cpu;
  return (gint64 *) pd_goal_resource_in_table (self, rank, PD_GOAL_RESOURCE_CPU, resource);
}

static inline gint64 *
pd_goal_tx (PdGoal *self, guint32 rank, PdGoalResource resource)
{
  if (G_LIKELY (!self->has_many))
    return &self->ranks[rank].tx;
  return (gint64 *) pd_goal_resource_in_table (self, rank, PD_GOAL_RESOURCE_TX, resource);
}

static inline gint64 *
pd_goal_rx (PdGoal *self, guint32 rank, PdGoalResource resource)
{
  if (G_LIKELY (!self->has_many))
    return &self->ranks[rank].rx;
  return (gint64 *) pd_goal_resource_in_table (self, rank, PD_GOAL_RESOURCE_RX, resource);
}

/* When what waits as @wait can go on at the earliest. */
static inline gint64
pd_goal_free_at (PdGoal *self, guint32 rank, PdGoalWait wait, PdGoalResource resource)
{
  gint64 cpu = *pd_goal_cpu (self, rank, resource);

  if (wait == PD_GOAL_WAIT_SEND)
    return MAX (cpu, *pd_goal_tx (self, rank, resource));
  return wait == PD_GOAL_WAIT_ARRIVAL ? MAX (cpu, *pd_goal_rx (self, rank, resource)) : cpu;
}

/* With lanes: has @event (of which time and kind are not looked at) wait at its
 * host. */
void pd_goal_wait (PdGoal *self, PdGoalWait wait, PdGoalResource resource,
                   const PdGoalEvent *event);

/* At a PD_GOAL_EVENT_WAIT: TRUE if the event that waits may go on now, FALSE if
 * there is nothing to do. Written into @event on TRUE: what it was. */
gboolean pd_goal_wait_over (PdGoal *self, PdGoalResource resource, PdGoalEvent *event);

/* After the event that waited was processed at @now: the next of its sort. */
void pd_goal_wait_next (PdGoal *self, guint32 rank, PdGoalWait wait, PdGoalResource resource,
                        gint64 now);

#endif
