/* Simulation of dependency graphs: what an event does.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-turn-private.h"

#define WAITS_BIT 0x80000000u /* in PdGoal.side, beside an operation: its sender waits */

void
pd_goal_do_calc (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
{
  const PdGraphCell *cell = &self->cells[self->hosts[event->host].first + event->op];
  gint64 ns = (gint64) ((guint64) cell->peer << 32 | cell->size);
  gint64 end;

  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_WIDE))
    ns = self->wide[cell->size].size;
  end = pd_goal_add (event->time, pd_goal_get_calc_time (self, event->host, ns));
  pd_goal_set_cpu (self, event->host, lane, end);
  pd_goal_op_started (self, event->host, event->op, event->time);
  pd_goal_op_done (self, event->host, event->op, end);
  pd_goal_flush (self, event->host);
}

void
pd_goal_do_send (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
{
  const PdGoalParams *params = self->params;
  guint32 host = event->host;
  const PdGraphCell *cell = &self->cells[self->hosts[host].first + event->op];
  gint64 size = pd_goal_cell_size (self, cell),
         start = pd_goal_add (event->time, params->overhead.ps);
  PdGoalEvent arrival = { pd_goal_add (start, params->latency.ps),
                          self->next_number++,
                          cell->peer,
                          event->op,
                          host,
                          pd_goal_cell_tag (self, cell),
                          (guint32) MIN (size, PD_GOAL_SIZE_WIDE) };
  gint64 end;

  pd_goal_set_costs (self, size);
  end = pd_goal_add (start, self->last_overhead);
  pd_goal_set_cpu (self, host, lane, end);
  *pd_goal_tx (self, host, lane) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  if (self->early)
    pd_goal_turn_deliver (self, &arrival);
  else
    pd_goal_push (self, &arrival);
  pd_goal_op_started (self, host, event->op, event->time);
  if (size <= params->eager)
    pd_goal_op_done (self, host, event->op, end);
  else if (self->lanes)
    *pd_goal_table_get (&self->side, host, (guint64) event->op + 1, 0) = (guint64) end;
  pd_goal_flush (self, host);
}

/* The message of send @op of @host, who waits for it, is received at @now.
 * Returns when the send ends. */
static gint64
release_sender (PdGoal *self, guint32 host, guint32 op, gint64 now)
{
  PdGoalLane lane = pd_goal_lane_of (self, host, op);
  gint64 *tx;
  guint64 *end;

  pd_goal_set_cpu (self, host, lane, MAX (*pd_goal_cpu (self, host, lane), now));
  tx = pd_goal_tx (self, host, lane);
  *tx = MAX (*tx, now);
  if (!self->lanes)
    return now;
  end = pd_goal_table_find (&self->side, host, (guint64) op + 1);
  if (end != NULL)
    {
      now = MAX (now, (gint64) *end);
      pd_goal_table_remove (&self->side, end);
    }
  return now;
}

/* A receive gets its message. */
typedef struct
{
  guint32 host, op;
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
    pd_goal_op_started (self, match->host, match->op, match->now);
  pd_goal_op_done (self, match->host, match->op, match->end);
}

/* Ends the receive and, if that waits, the send: at the lower rank first. */
static void
do_match (PdGoal *self, const Match *match)
{
  gint64 end;

  if (!match->sender_waits)
    {
      recv_done (self, match);
      pd_goal_flush (self, match->host);
      return;
    }
  end = release_sender (self, match->source, match->send, match->now);
  if (match->source > match->host)
    {
      recv_done (self, match);
      pd_goal_flush (self, match->host);
    }
  else if (match->source == match->host && match->starts)
    pd_goal_op_started (self, match->host, match->op, match->now);
  pd_goal_op_done (self, match->source, match->send, end);
  if (match->source != match->host)
    pd_goal_flush (self, match->source);
  if (match->source == match->host)
    pd_goal_op_done (self, match->host, match->op, match->end);
  else if (match->source < match->host)
    recv_done (self, match);
  pd_goal_flush (self, match->host);
}

/* A message met a receive whose moment has not come: it will be matched then. */
static void
match_later (PdGoal *self, const PdGoalEvent *event, const PdGoalPosted *posted, gboolean waits)
{
  const PdGraphCell *cell = &self->cells[self->hosts[event->host].first + posted->op];
  PdGoalEvent later = { event->time,
                        posted->number,
                        event->host,
                        posted->op,
                        (guint32) (waits ? PD_GOAL_EVENT_RENDEZVOUS : PD_GOAL_EVENT_RECV),
                        event->source,
                        event->op };

  if (cell->flags & PD_GRAPH_CELL_START)
    *pd_goal_table_get (&self->side, event->host, (guint64) posted->op + 1, 0) =
        (guint64) event->source << 32 | (waits ? WAITS_BIT : 0) | event->op;
  else
    pd_goal_push (self, &later);
}

void
pd_goal_do_arrival (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
{
  const PdGoalParams *params = self->params;
  gint64 size = event->size, end;
  gboolean waits, found, later;
  PdGoalPosted posted;

  if (G_UNLIKELY (event->size == PD_GOAL_SIZE_WIDE))
    size = pd_goal_cell_size (self, &self->cells[self->hosts[event->source].first + event->op]);
  waits = size > params->eager;
  pd_goal_set_costs (self, size);
  end =
      pd_goal_add (pd_goal_add (event->time, params->overhead.ps), pd_goal_get_receive_cost (self));
  found = pd_goal_take_recv (self, event->host, event->source, event->tag, &posted);
  later = found && pd_goal_turn_is_later (self, &posted, event->host, event->time, event->number);
  pd_goal_set_cpu (self, event->host, lane, end);
  *pd_goal_rx (self, event->host, lane) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  if (later)
    match_later (self, event, &posted, waits);
  else if (found)
    {
      do_match (self, &(Match){ event->host, posted.op, FALSE, event->time, end, waits,
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
      pd_goal_keep_message (self, event->host, &message);
    }
  pd_goal_turn_settle (self, event->host);
}

/* The moment of a receive whose message is known. */
static void
do_recv (PdGoal *self, const PdGoalEvent *event)
{
  do_match (self, &(Match){ event->host, event->op, TRUE, event->time, event->time,
                            event->source == (guint32) PD_GOAL_EVENT_RENDEZVOUS, event->tag,
                            event->size });
}

/* The moment of a receive that was posted early because of what waits for its
 * start. */
static void
do_post_early (PdGoal *self, const PdGoalEvent *event)
{
  guint64 *message = pd_goal_table_find (&self->side, event->host, (guint64) event->op + 1);

  if (message == NULL)
    {
      pd_goal_op_started (self, event->host, event->op, event->time);
      pd_goal_flush (self, event->host);
    }
  else
    {
      guint64 value = *message;
      pd_goal_table_remove (&self->side, message);
      do_match (self, &(Match){ event->host, event->op, TRUE, event->time, event->time,
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
  else if (pd_goal_take_message (self, event->host, event->op, &message))
    do_match (self,
              &(Match){ event->host, event->op, TRUE, event->time, MAX (event->time, message.time),
                        (message.child & PD_GOAL_NODE_RENDEZVOUS) != 0, message.source,
                        message.op });
  else
    {
      self->next_sequence++;
      pd_goal_post_recv (self, event->host, &posted);
      pd_goal_op_started (self, event->host, event->op, event->time);
      pd_goal_flush (self, event->host);
    }
}

/* ---- what waits */

static void
do_waiting (PdGoal *self, const PdGoalEvent *event, PdGoalWait wait, PdGoalLane lane)
{
  if (wait == PD_GOAL_WAIT_ARRIVAL)
    pd_goal_do_arrival (self, event, lane);
  else if (wait == PD_GOAL_WAIT_SEND)
    pd_goal_do_send (self, event, lane);
  else
    pd_goal_do_calc (self, event, lane);
}

/* Does @event if CPU and adapter are free, else has it wait for them. */
static void
try_event (PdGoal *self, PdGoalEvent *event, PdGoalWait wait, PdGoalLane lane)
{
  gint64 free_at = pd_goal_free_at (self, event->host, wait, lane);

  if (free_at <= event->time)
    do_waiting (self, event, wait, lane);
  else if (self->plain)
    {
      event->time = free_at;
      pd_goal_push (self, event);
    }
  else
    pd_goal_wait (self, wait, lane, event);
}

static void
do_wait (PdGoal *self, PdGoalEvent *event)
{
  PdGoalWait wait = (PdGoalWait) event->size;
  const PdGoalNode *node = &self->nodes[event->op];
  PdGoalLane lane =
      pd_goal_lane_of (self, wait == PD_GOAL_WAIT_ARRIVAL ? node->source : event->host, node->op);

  if (!pd_goal_wait_over (self, lane, event))
    return;
  try_event (self, event, wait, lane);
  pd_goal_wait_next (self, event->host, wait, lane, event->time);
}

static void
do_own (PdGoal *self, PdGoalEvent *event)
{
  const PdGraphCell *cell = &self->cells[self->hosts[event->host].first + event->op];
  gboolean sends = (cell->flags & PD_GRAPH_CELL_KIND) == PD_GRAPH_SEND;

  try_event (self, event, sends ? PD_GOAL_WAIT_SEND : PD_GOAL_WAIT_CALC,
             pd_goal_lane_of (self, event->host, event->op));
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
                 pd_goal_lane_of (self, event->source, event->op));
      break;
    }
}
