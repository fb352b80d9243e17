/* Simulation of dependency graphs: what an event does.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-scheduler-private.h"
#include "predictor/graph/pd-goal-cost-private.h"
#include "predictor/graph/pd-goal-events-private.h"
#include "predictor/graph/pd-goal-match-private.h"
#include "predictor/graph/pd-goal-ready-private.h"
#include "predictor/graph/pd-goal-wait-private.h"

#define WAITS_BIT 0x80000000u /* in PdGoal.side, beside an operation: its sender waits */

void
pd_goal_do_calc (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource)
{
  const PdGraphCell *cell = &self->cells[self->ranks[event->rank].first + event->op];
  gint64 ns = (gint64) ((guint64) cell->peer << 32 | cell->size);
  gint64 end;

  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_WIDE))
    ns = self->wide[cell->size].size;
  end = pd_goal_add (event->time, pd_goal_get_calc_time (self, event->rank, ns));
  pd_goal_set_cpu (self, event->rank, resource, end);
  pd_goal_op_started (self, event->rank, event->op, event->time);
  pd_goal_op_done (self, event->rank, event->op, end);
  pd_goal_flush (self, event->rank);
}

void
pd_goal_do_send (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource)
{
  const PdGoalParams *params = self->params;
  guint32 rank = event->rank;
  const PdGraphCell *cell = &self->cells[self->ranks[rank].first + event->op];
  gint64 size = pd_goal_cell_size (self, cell),
         start = pd_goal_add (event->time, params->overhead.ps);
  PdGoalEvent arrival = { pd_goal_add (start, params->latency.ps),
                          self->next_number++,
                          cell->peer,
                          event->op,
                          rank,
                          pd_goal_cell_tag (self, cell),
                          (guint32) MIN (size, PD_GOAL_SIZE_WIDE) };
  gint64 end;

  pd_goal_set_costs (self, size);
  end = pd_goal_add (start, self->last_overhead);
  pd_goal_set_cpu (self, rank, resource, end);
  *pd_goal_tx (self, rank, resource) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  if (self->early)
    pd_goal_turn_deliver (self, &arrival);
  else
    pd_goal_push (self, &arrival);
  pd_goal_op_started (self, rank, event->op, event->time);
  if (size <= params->eager)
    pd_goal_op_done (self, rank, event->op, end);
  else if (self->has_many)
    *pd_hash_map_get (&self->side, rank, (guint64) event->op + 1, 0) = (guint64) end;
  pd_goal_flush (self, rank);
}

/* The message of send @op of @rank, who waits for it, is received at @now.
 * Returns when the send ends. */
static gint64
release_sender (PdGoal *self, guint32 rank, guint32 op, gint64 now)
{
  PdGoalResource resource = pd_goal_resource_of (self, rank, op);
  gint64 *tx;
  guint64 *end;

  pd_goal_set_cpu (self, rank, resource, MAX (*pd_goal_cpu (self, rank, resource), now));
  tx = pd_goal_tx (self, rank, resource);
  *tx = MAX (*tx, now);
  if (!self->has_many)
    return now;
  end = pd_hash_map_find (&self->side, rank, (guint64) op + 1);
  if (end != NULL)
    {
      now = MAX (now, (gint64) *end);
      pd_hash_map_remove (&self->side, end);
    }
  return now;
}

/* A receive gets its message. */
typedef struct
{
  guint32 rank, op;
  gboolean starts; /* it also starts now */
  gint64 now;
  gint64 end; /* of the receive */
  gboolean sender_waits;
  guint32 source, send; /* the sender and its operation */
} Match;

static void
recv_done (PdGoal *self, const Match *match)
{
  if (match->starts)
    pd_goal_op_started (self, match->rank, match->op, match->now);
  pd_goal_op_done (self, match->rank, match->op, match->end);
}

/* Ends the receive and, if that waits, the send: at the lower rank first. */
static void
do_match (PdGoal *self, const Match *match)
{
  gint64 end;

  if (!match->sender_waits)
    {
      recv_done (self, match);
      pd_goal_flush (self, match->rank);
      return;
    }
  end = release_sender (self, match->source, match->send, match->now);
  if (match->source > match->rank)
    {
      recv_done (self, match);
      pd_goal_flush (self, match->rank);
    }
  else if (match->source == match->rank && match->starts)
    pd_goal_op_started (self, match->rank, match->op, match->now);
  pd_goal_op_done (self, match->source, match->send, end);
  if (match->source != match->rank)
    pd_goal_flush (self, match->source);
  if (match->source == match->rank)
    pd_goal_op_done (self, match->rank, match->op, match->end);
  else if (match->source < match->rank)
    recv_done (self, match);
  pd_goal_flush (self, match->rank);
}

/* A message met a receive whose moment has not come: it will be matched then. */
static void
match_later (PdGoal *self, const PdGoalEvent *event, const PdGoalPosted *posted, gboolean waits)
{
  const PdGraphCell *cell = &self->cells[self->ranks[event->rank].first + posted->op];
  PdGoalEvent later = { event->time,
                        posted->number,
                        event->rank,
                        posted->op,
                        (guint32) (waits ? PD_GOAL_EVENT_RENDEZVOUS : PD_GOAL_EVENT_RECV),
                        event->source,
                        event->op };

  if (cell->flags & PD_GRAPH_CELL_START)
    *pd_hash_map_get (&self->side, event->rank, (guint64) posted->op + 1, 0) =
        (guint64) event->source << 32 | (waits ? WAITS_BIT : 0) | event->op;
  else
    pd_goal_push (self, &later);
}

void
pd_goal_do_arrival (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource)
{
  const PdGoalParams *params = self->params;
  gint64 size = event->size, end;
  gboolean waits, found, later;
  PdGoalPosted posted;

  if (G_UNLIKELY (event->size == PD_GOAL_SIZE_WIDE))
    size = pd_goal_cell_size (self, &self->cells[self->ranks[event->source].first + event->op]);
  waits = size > params->eager;
  pd_goal_set_costs (self, size);
  end =
      pd_goal_add (pd_goal_add (event->time, params->overhead.ps), pd_goal_get_receive_cost (self));
  found = pd_goal_take_recv (self, event->rank, event->source, event->tag, &posted);
  later = found && pd_goal_turn_is_later (self, &posted, event->rank, event->time, event->number);
  pd_goal_set_cpu (self, event->rank, resource, end);
  *pd_goal_rx (self, event->rank, resource) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  if (later)
    match_later (self, event, &posted, waits);
  else if (found)
    {
      do_match (self, &(Match){ event->rank, posted.op, FALSE, event->time, end, waits,
                                event->source, event->op });
      return;
    }
  else
    {
      PdGoalNode message = { .time = end,
                             .op = event->op,
                             .source = event->source,
                             .tag = event->tag,
                             .child = waits ? PD_GOAL_NODE_RENDEZVOUS : 0 };
      pd_goal_keep_message (self, event->rank, &message);
    }
  pd_goal_turn_settle (self, event->rank);
}

/* The moment of a receive whose message is known. */
static void
do_recv (PdGoal *self, const PdGoalEvent *event)
{
  do_match (self, &(Match){ event->rank, event->op, TRUE, event->time, event->time,
                            event->source == (guint32) PD_GOAL_EVENT_RENDEZVOUS, event->tag,
                            event->size });
}

/* The moment of a receive that was posted early because operations wait for its
 * start. */
static void
do_post_early (PdGoal *self, const PdGoalEvent *event)
{
  guint64 *message = pd_hash_map_find (&self->side, event->rank, (guint64) event->op + 1);

  if (message == NULL)
    {
      pd_goal_op_started (self, event->rank, event->op, event->time);
      pd_goal_flush (self, event->rank);
    }
  else
    {
      guint64 value = *message;
      pd_hash_map_remove (&self->side, message);
      do_match (self, &(Match){ event->rank, event->op, TRUE, event->time, event->time,
                                (value & WAITS_BIT) != 0, (guint32) (value >> 32),
                                (guint32) value & ~WAITS_BIT });
    }
}

static void
do_post (PdGoal *self, const PdGoalEvent *event)
{
  PdGoalPosted posted = { self->next_sequence, event->op };
  PdGoalNode message;

  if (self->early)
    do_post_early (self, event);
  else if (pd_goal_take_message (self, event->rank, event->op, &message))
    do_match (self,
              &(Match){ event->rank, event->op, TRUE, event->time, MAX (event->time, message.time),
                        (message.child & PD_GOAL_NODE_RENDEZVOUS) != 0, message.source,
                        message.op });
  else
    {
      self->next_sequence++;
      pd_goal_post_recv (self, event->rank, &posted);
      pd_goal_op_started (self, event->rank, event->op, event->time);
      pd_goal_flush (self, event->rank);
    }
}

/* ---- what waits */

static void
do_waiting (PdGoal *self, const PdGoalEvent *event, PdGoalWait wait, PdGoalResource resource)
{
  if (wait == PD_GOAL_WAIT_ARRIVAL)
    pd_goal_do_arrival (self, event, resource);
  else if (wait == PD_GOAL_WAIT_SEND)
    pd_goal_do_send (self, event, resource);
  else
    pd_goal_do_calc (self, event, resource);
}

/* Does @event if CPU and adapter are free, else has it wait for them. */
static void
try_event (PdGoal *self, PdGoalEvent *event, PdGoalWait wait, PdGoalResource resource)
{
  gint64 free_at = pd_goal_free_at (self, event->rank, wait, resource);

  if (free_at <= event->time)
    do_waiting (self, event, wait, resource);
  else if (self->plain)
    {
      event->time = free_at;
      pd_goal_push (self, event);
    }
  else
    pd_goal_wait (self, wait, resource, event);
}

static void
do_wait (PdGoal *self, PdGoalEvent *event)
{
  PdGoalWait wait = (PdGoalWait) event->size;
  const PdGoalNode *node = &self->nodes[event->op];
  PdGoalResource resource = pd_goal_resource_of (
      self, wait == PD_GOAL_WAIT_ARRIVAL ? node->source : event->rank, node->op);

  if (!pd_goal_wait_over (self, resource, event))
    return;
  try_event (self, event, wait, resource);
  pd_goal_wait_next (self, event->rank, wait, resource, event->time);
}

static void
do_own (PdGoal *self, PdGoalEvent *event)
{
  const PdGraphCell *cell = &self->cells[self->ranks[event->rank].first + event->op];
  gboolean sends = (cell->flags & PD_GRAPH_CELL_KIND) == PD_GRAPH_SEND;

  try_event (self, event, sends ? PD_GOAL_WAIT_SEND : PD_GOAL_WAIT_CALC,
             pd_goal_resource_of (self, event->rank, event->op));
}

void
pd_goal_do_event (PdGoal *self, PdGoalEvent *event)
{
  switch ((gint32) event->source)
    {
    case PD_GOAL_EVENT_WAIT:
      do_wait (self, event);
      break;
    case PD_GOAL_EVENT_OWN:
      do_own (self, event);
      break;
    case PD_GOAL_EVENT_POST:
      do_post (self, event);
      break;
    case PD_GOAL_EVENT_RECV:
    case PD_GOAL_EVENT_RENDEZVOUS:
      do_recv (self, event);
      break;
    default:
      try_event (self, event, PD_GOAL_WAIT_ARRIVAL,
                 pd_goal_resource_of (self, event->source, event->op));
      break;
    }
}
