/* Simulation of dependency graphs: what an event does.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-private.h"

#define WAITS_BIT 0x80000000u /* in PdGoal.side, beside an operation: its sender waits */

/* ---- operations that become ready */

static void
enter_recv (PdGoal *self, guint32 host, guint32 op, guint32 number, gint64 time)
{
  const PdGraphCell *cell = &self->cells[self->hosts[host].first + op];
  PdGoalPosted posted = { time, number, op };
  PdGoalEvent event = { time, number, host, op, (guint32) PD_GOAL_EVENT_POST, 0, 0 };
  PdGoalNode message;

  if (!self->early)
    pd_goal_push (self, &event);
  else if (pd_goal_take_message (self, host, op, &message))
    {
      gboolean waits = (message.child & PD_GOAL_NODE_RENDEZVOUS) != 0;
      event.source = (guint32) (waits ? PD_GOAL_EVENT_RENDEZVOUS : PD_GOAL_EVENT_RECV);
      event.tag = message.source;
      event.size = message.op;
      pd_goal_push (self, &event);
    }
  else
    {
      if (cell->flags & PD_GRAPH_CELL_START)
        pd_goal_push (self, &event);
      pd_goal_post_recv (self, host, &posted);
    }
}

/* Operation @op of @host, which is ready, gets its number and its moment, that
 * at which CPU and adapter are free; with several of them not before @time, at
 * which what it waited for ended. */
static void
enter (PdGoal *self, guint32 host, PdGraphKind kind, guint32 op, gint64 time)
{
  guint32 number = self->next_number++;
  PdGoalWait wait = kind == PD_GRAPH_SEND ? PD_GOAL_WAIT_SEND : PD_GOAL_WAIT_CALC;
  PdGoalEvent event = { 0, number, host, op, (guint32) PD_GOAL_EVENT_OWN, 0, 0 };
  PdGoalLane lane = pd_goal_lane_of (self, host, op);
  gint64 free_at;

  if (kind != PD_GRAPH_RECV && !self->lanes && !self->plain)
    {
      pd_goal_wait (self, wait, lane, &event);
      return;
    }
  free_at = pd_goal_free_at (self, host, wait, lane);
  event.time = self->lanes && !self->params->compat ? MAX (free_at, time) : free_at;
  if (kind == PD_GRAPH_RECV)
    enter_recv (self, host, op, number, event.time);
  else if (self->plain || event.time > free_at)
    pd_goal_push (self, &event);
  else
    pd_goal_wait (self, wait, lane, &event);
}

static void
add_to_batch (PdGoal *self, PdGraphKind kind, guint32 op, gint64 time)
{
  gsize n = self->n_batch[kind]++;

  if (n == self->size_batch[kind])
    {
      self->size_batch[kind] = MAX (64, 2 * n);
      self->batch[kind] =
          g_realloc_n (self->batch[kind], self->size_batch[kind], sizeof (PdGoalReady));
    }
  self->batch[kind][n] = (PdGoalReady){ op, time };
}

/* Enters what became ready at @host: sends, then receives, then calcs. */
static void
flush_batch (PdGoal *self, guint32 host)
{
  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    {
      for (gsize i = 0; i < self->n_batch[kind]; i++)
        enter (self, host, kind, self->batch[kind][i].op, self->batch[kind][i].time);
      self->n_batch[kind] = 0;
    }
}

/* One of the operations that operation @op waits for has started or ended at
 * @time. */
static inline void
satisfy (PdGoal *self, guint32 first, guint32 op, PdGraphKind kind, gboolean is_join, gint64 time)
{
  if (is_join)
    {
      if (G_UNLIKELY (self->ready != NULL))
        time = self->ready[first + op] = MAX (self->ready[first + op], time);
      if (G_UNLIKELY (self->left[first + op] == PD_GOAL_MANY))
        {
          if (--*pd_goal_table_find (&self->many, first + op, 1) > 0)
            return;
        }
      else if (--self->left[first + op] > 0)
        return;
    }
  add_to_batch (self, kind, op, time);
}

static inline void
satisfy_edge (PdGoal *self, guint32 first, guint32 edge, gint64 time)
{
  satisfy (self, first, edge & PD_GRAPH_EDGE_OP, edge >> PD_GRAPH_EDGE_KIND & PD_GRAPH_CELL_KIND,
           (edge & PD_GRAPH_EDGE_JOIN) != 0, time);
}

static inline void
op_started (PdGoal *self, guint32 host, guint32 op, gint64 time)
{
  guint32 first = self->hosts[host].first;
  const PdGraphCell *cell = &self->cells[first + op];

  if (G_LIKELY ((cell->flags & PD_GRAPH_CELL_START) == 0))
    return;
  for (guint32 i = cell->edges; i < cell[1].edges && self->edges[i] & PD_GRAPH_EDGE_START; i++)
    satisfy_edge (self, first, self->edges[i], time);
}

static inline void
op_done (PdGoal *self, guint32 host, guint32 op, gint64 time)
{
  guint32 first = self->hosts[host].first;
  const PdGraphCell *cell = &self->cells[first + op];

  self->n_done++;
  if (cell->flags & PD_GRAPH_CELL_NEXT)
    satisfy (self, first, op + 1, cell[1].flags & PD_GRAPH_CELL_KIND,
             (cell[1].flags & PD_GRAPH_CELL_JOIN) != 0, time);
  else
    for (guint32 i = cell->edges; i < cell[1].edges; i++)
      if ((self->edges[i] & PD_GRAPH_EDGE_START) == 0)
        satisfy_edge (self, first, self->edges[i], time);
}

/* ---- what events do */

static void
do_calc (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
{
  const PdGraphCell *cell = &self->cells[self->hosts[event->host].first + event->op];
  gint64 ns = (gint64) ((guint64) cell->peer << 32 | cell->size);
  gint64 *cpu = pd_goal_cpu (self, event->host, lane);

  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_WIDE))
    ns = self->wide[cell->size].size;
  *cpu = pd_goal_add (event->time, pd_goal_get_calc_time (self, event->host, ns));
  op_started (self, event->host, event->op, event->time);
  op_done (self, event->host, event->op, *cpu);
  flush_batch (self, event->host);
}

static void
do_send (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
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
  *pd_goal_cpu (self, host, lane) = end;
  *pd_goal_tx (self, host, lane) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  pd_goal_push (self, &arrival);
  op_started (self, host, event->op, event->time);
  if (size <= params->eager)
    op_done (self, host, event->op, end);
  else if (self->lanes)
    *pd_goal_table_get (&self->side, host, (guint64) event->op + 1, 0) = (guint64) end;
  flush_batch (self, host);
}

/* The message of send @op of @host, who waits for it, is received at @now.
 * Returns when the send ends. */
static gint64
release_sender (PdGoal *self, guint32 host, guint32 op, gint64 now)
{
  PdGoalLane lane = pd_goal_lane_of (self, host, op);
  gint64 *cpu = pd_goal_cpu (self, host, lane), *tx;
  guint64 *end;

  *cpu = MAX (*cpu, now);
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
    op_started (self, match->host, match->op, match->now);
  op_done (self, match->host, match->op, match->end);
}

/* Ends the receive and, if that waits, the send: at the lower rank first. */
static void
do_match (PdGoal *self, const Match *match)
{
  gint64 end;

  if (!match->sender_waits)
    {
      recv_done (self, match);
      flush_batch (self, match->host);
      return;
    }
  end = release_sender (self, match->source, match->send, match->now);
  if (match->source > match->host)
    {
      recv_done (self, match);
      flush_batch (self, match->host);
    }
  else if (match->source == match->host && match->starts)
    op_started (self, match->host, match->op, match->now);
  op_done (self, match->source, match->send, end);
  if (match->source != match->host)
    flush_batch (self, match->source);
  if (match->source == match->host)
    op_done (self, match->host, match->op, match->end);
  else if (match->source < match->host)
    recv_done (self, match);
  flush_batch (self, match->host);
}

/* A message met a receive whose moment has not come: it will be matched then. */
static void
match_later (PdGoal *self, const PdGoalEvent *event, const PdGoalPosted *posted, gboolean waits)
{
  const PdGraphCell *cell = &self->cells[self->hosts[event->host].first + posted->op];
  PdGoalEvent later = { posted->time,
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

static void
do_arrival (PdGoal *self, const PdGoalEvent *event, PdGoalLane lane)
{
  const PdGoalParams *params = self->params;
  gint64 size = event->size, end;
  gboolean waits;
  PdGoalPosted posted;

  if (G_UNLIKELY (event->size == PD_GOAL_SIZE_WIDE))
    size = pd_goal_cell_size (self, &self->cells[self->hosts[event->source].first + event->op]);
  waits = size > params->eager;
  pd_goal_set_costs (self, size);
  end =
      pd_goal_add (pd_goal_add (event->time, params->overhead.ps), pd_goal_get_receive_cost (self));
  *pd_goal_cpu (self, event->host, lane) = end;
  *pd_goal_rx (self, event->host, lane) =
      pd_goal_add (event->time, pd_goal_add (params->gap.ps, self->last_gap));
  if (!pd_goal_take_recv (self, event->host, event->source, event->tag, &posted))
    {
      PdGoalNode message = { .time = end,
                             .op = event->op,
                             .source = event->source,
                             .tag = event->tag,
                             .child = waits ? PD_GOAL_NODE_RENDEZVOUS : 0 };
      pd_goal_keep_message (self, event->host, &message);
    }
  else if (posted.time < event->time
           || (posted.time == event->time && posted.number < event->number))
    do_match (self, &(Match){ event->host, posted.op, FALSE, event->time, end, waits, event->source,
                              event->op });
  else
    match_later (self, event, &posted, waits);
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
      op_started (self, event->host, event->op, event->time);
      flush_batch (self, event->host);
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
  PdGoalPosted posted = { G_MININT64, self->next_sequence, event->op };
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
      op_started (self, event->host, event->op, event->time);
      flush_batch (self, event->host);
    }
}

/* ---- whose turn it is */

/* Does @event if CPU and adapter are free, else has it wait for them. */
static void
try_event (PdGoal *self, PdGoalEvent *event, PdGoalWait wait, PdGoalLane lane)
{
  gint64 free_at = pd_goal_free_at (self, event->host, wait, lane);

  if (free_at > event->time && self->plain)
    {
      event->time = free_at;
      pd_goal_push (self, event);
    }
  else if (free_at > event->time)
    pd_goal_wait (self, wait, lane, event);
  else if (wait == PD_GOAL_WAIT_ARRIVAL)
    do_arrival (self, event, lane);
  else if (wait == PD_GOAL_WAIT_SEND)
    do_send (self, event, lane);
  else
    do_calc (self, event, lane);
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

void
pd_goal_enter_roots (PdGoal *self)
{
  const PdGraphCells *arrays = pd_graph_get_cells (self->graph);

  for (guint32 host = 0; host < self->n_hosts; host++)
    {
      for (guint32 first = arrays->first[host], i = first; i < arrays->first[host + 1]; i++)
        if (self->cells[i].flags & PD_GRAPH_CELL_ROOT)
          add_to_batch (self, self->cells[i].flags & PD_GRAPH_CELL_KIND, i - first, 0);
      flush_batch (self, host);
    }
}
