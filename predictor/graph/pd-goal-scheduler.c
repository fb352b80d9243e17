/* Simulation of dependency graphs with one CPU and one adapter per rank: a
 * turn in the few steps that nearly all take; rare operations are in
 * pd-goal-events.c.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-scheduler-private.h"
#include "predictor/graph/pd-goal-cost-private.h"
#include "predictor/graph/pd-goal-events-private.h"
#include "predictor/graph/pd-goal-ready-private.h"

#define SCAN_MAX 16 /* posted receives that are looked at here */

static const PdGoalResource no_resource = { 0, 0 };

/* Takes the first out of a list of operations. */
static inline guint32
take_first (PdGoalOp *ops, guint32 *last)
{
  guint32 before = *last, op = ops[before].next;

  ops[before].next = ops[op].next;
  if (op == before)
    *last = PD_GOAL_NONE;
  return op;
}

static inline gboolean
is_plain (const PdGraphCell *cell)
{
  return (cell->flags & (PD_GRAPH_CELL_WIDE | PD_GRAPH_CELL_START)) == 0;
}

static void
do_calc (PdGoal *self, guint32 rank, gint64 now)
{
  PdGoalRank *at = &self->ranks[rank];
  guint32 op = take_first (pd_goal_ops (self, at), &at->lists[PD_GRAPH_CALC]);
  const PdGraphCell *cell = &self->cells[at->first + op];
  gint64 ns = (gint64) ((guint64) cell->peer << 32 | cell->size), end;

  if (!is_plain (cell))
    {
      PdGoalEvent event = { .time = now, .rank = rank, .op = op };
      pd_goal_do_calc (self, &event, no_resource);
      return;
    }
  end = pd_goal_add (now, pd_goal_get_calc_time (self, rank, ns));
  pd_goal_set_cpu (self, rank, no_resource, end);
  pd_goal_end_op (self, rank, op);
}

static void
do_send (PdGoal *self, guint32 rank, gint64 now)
{
  const PdGoalParams *params = self->params;
  PdGoalRank *at = &self->ranks[rank];
  guint32 op = take_first (pd_goal_ops (self, at), &at->lists[PD_GRAPH_SEND]);
  const PdGraphCell *cell = &self->cells[at->first + op];
  gint64 size = cell->size, start = pd_goal_add (now, params->overhead.ps);
  PdGoalEvent event = { .time = now, .rank = rank, .op = op };

  if (!is_plain (cell) || size > params->eager)
    {
      pd_goal_do_send (self, &event, no_resource);
      return;
    }
  event = (PdGoalEvent){
    pd_goal_add (start, params->latency.ps), self->next_number++, cell->peer, op, rank,
    pd_goal_cell_tag (self, cell),           cell->size
  };
  pd_goal_set_costs (self, size);
  pd_goal_set_cpu (self, rank, no_resource, pd_goal_add (start, self->last_overhead));
  at->tx = pd_goal_add (now, pd_goal_add (params->gap.ps, self->last_gap));
  pd_goal_turn_deliver (self, &event);
  pd_goal_end_op (self, rank, op);
}

/* Returns what comes before the first posted receive that a message matches, or
 * PD_GOAL_NONE if that is not easily found. */
static inline guint32
find_recv (const PdGoal *self, const PdGoalRank *at, const PdGoalNode *message)
{
  const PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 last = at->lists[PD_GRAPH_RECV], before = last;

  if (last >= PD_GOAL_INDEXED || self->linked)
    return PD_GOAL_NONE;
  for (guint n = 0; n < SCAN_MAX; n++)
    {
      guint32 op = ops[before].next;
      const PdGraphCell *cell = &self->cells[at->first + op];
      if (cell->flags & PD_GRAPH_CELL_WIDE)
        return PD_GOAL_NONE;
      if (cell->peer == message->source && cell->tag == message->tag)
        return before;
      if (op == last)
        return PD_GOAL_NONE;
      before = op;
    }
  return PD_GOAL_NONE;
}

static void
do_arrival (PdGoal *self, guint32 rank, gint64 now)
{
  const PdGoalParams *params = self->params;
  PdGoalRank *at = &self->ranks[rank];
  PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 item = self->nodes[at->arrivals].next;
  PdGoalNode message = self->nodes[item];
  guint32 before = find_recv (self, at, &message);
  PdGoalPosted posted = { 0, 0 };

  pd_goal_list_unlink (self->nodes, sizeof message, &at->arrivals, at->arrivals);
  pd_goal_node_free (self, item);
  if (before != PD_GOAL_NONE)
    posted = (PdGoalPosted){ ops[ops[before].next].number, ops[before].next };
  if (before == PD_GOAL_NONE || message.child > params->eager || message.child == PD_GOAL_SIZE_WIDE
      || pd_goal_turn_is_later (self, &posted, rank, now, message.number))
    {
      PdGoalEvent event = { now,         message.number, rank, message.op, message.source,
                            message.tag, message.child };
      pd_goal_do_arrival (self, &event, no_resource);
      return;
    }
  pd_goal_set_costs (self, message.child);
  pd_goal_list_unlink (ops, sizeof *ops, &at->lists[PD_GRAPH_RECV], before);
  pd_goal_set_cpu (
      self, rank, no_resource,
      pd_goal_add (pd_goal_add (now, params->overhead.ps), pd_goal_get_receive_cost (self)));
  at->rx = pd_goal_add (now, pd_goal_add (params->gap.ps, self->last_gap));
  pd_goal_end_op (self, rank, posted.op);
}

/* When what waits at @at as @wait can go on. */
static inline gint64
get_event_time (const PdGoalRank *at, guint32 wait)
{
  gint64 other = wait == PD_GOAL_WAIT_SEND ? at->tx : at->rx;

  return wait == PD_GOAL_WAIT_CALC ? at->cpu : MAX (at->cpu, other);
}

void
pd_goal_do_turn (PdGoal *self, const PdGoalEventTime *moment)
{
  guint32 rank = moment->what & PD_GOAL_WHAT_INDEX, wait = moment->what >> PD_GOAL_WHAT_KIND;
  PdGoalRank *at = &self->ranks[rank];

  /* Another, earlier one came in between. */
  if (moment->time != at->turn_time || moment->number != at->turn_number)
    return;
  at->turn_time = G_MAXINT64;
  at->turn_number = G_MAXUINT32;
  if (get_event_time (at, wait) > moment->time)
    pd_goal_turn_settle (self, rank);
  else if (wait == PD_GOAL_WAIT_SEND)
    do_send (self, rank, moment->time);
  else if (wait == PD_GOAL_WAIT_ARRIVAL)
    do_arrival (self, rank, moment->time);
  else
    do_calc (self, rank, moment->time);
}
