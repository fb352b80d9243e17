/* Simulation of dependency graphs: operations become ready, and get their
 * numbers.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-scheduler-private.h"
#include "predictor/graph/pd-goal-match-private.h"
#include "predictor/graph/pd-goal-ready-private.h"
#include "predictor/graph/pd-goal-wait-private.h"

/* Receive @op of @rank is ready, and its moment will be @time. */
static void
enter_recv_early (PdGoal *self, guint32 rank, guint32 op, guint32 number, gint64 time)
{
  const PdGraphCell *cell = &self->cells[self->ranks[rank].first + op];
  PdGoalEvent event = { time, number, rank, op, (guint32) PD_GOAL_EVENT_POST, 0, 0 };
  PdGoalNode message;

  if (pd_goal_take_message (self, rank, op, &message))
    {
      gboolean waits = (message.child & PD_GOAL_NODE_RENDEZVOUS) != 0;
      event.source = (guint32) (waits ? PD_GOAL_EVENT_RENDEZVOUS : PD_GOAL_EVENT_RECV);
      event.tag = message.source;
      event.size = message.op;
      pd_goal_push (self, &event);
      return;
    }
  if (cell->flags & PD_GRAPH_CELL_START)
    pd_goal_push (self, &event);
  pd_goal_post_recv (self, rank, &(PdGoalPosted){ number, op });
}

/* Operation @op of @rank, which is ready, gets its number and its moment, that
 * at which CPU and adapter are free. */
static inline void
enter_early (PdGoal *self, guint32 rank, PdGraphKind kind, guint32 op)
{
  PdGoalRank *at = &self->ranks[rank];
  guint32 number = self->next_number++;

  if (kind != PD_GRAPH_RECV
      || (at->messages == PD_GOAL_NONE && at->lists[PD_GRAPH_RECV] != PD_GOAL_INDEXED
          && (!self->starts || (self->cells[at->first + op].flags & PD_GRAPH_CELL_START) == 0)))
    pd_goal_append_op (self, at, &at->lists[kind], op, number);
  else
    enter_recv_early (self, rank, op, number, at->cpu);
}

/* Likewise with several CPUs or adapters, then not before @time, at which what
 * it waited for ended, or if clocks may go backwards. */
static void
enter (PdGoal *self, guint32 rank, PdGraphKind kind, guint32 op, gint64 time)
{
  PdGoalWait wait = kind == PD_GRAPH_SEND ? PD_GOAL_WAIT_SEND : PD_GOAL_WAIT_CALC;
  gint32 own = kind == PD_GRAPH_RECV ? PD_GOAL_EVENT_POST : PD_GOAL_EVENT_OWN;
  PdGoalEvent event = { 0, self->next_number++, rank, op, (guint32) own, 0, 0 };
  PdGoalResource resource = pd_goal_resource_of (self, rank, op);
  gint64 free_at = pd_goal_free_at (self, rank, wait, resource);

  event.time = self->has_many && !self->params->compat ? MAX (free_at, time) : free_at;
  if (kind == PD_GRAPH_RECV || self->plain || event.time > free_at)
    pd_goal_push (self, &event);
  else
    pd_goal_wait (self, wait, resource, &event);
}

/* Makes room for @n more operations of each kind. */
static inline void
reserve_batch (PdGoal *self, gsize n)
{
  if (G_LIKELY (self->n_ready + n <= self->size_batch))
    return;
  self->size_batch = MAX (64, 2 * (self->n_ready + n));
  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    self->batch[kind] = g_renew (PdGoalReady, self->batch[kind], self->size_batch);
}

static inline void
add_to_batch (PdGoal *self, PdGraphKind kind, guint32 op, gint64 time)
{
  self->batch[kind][self->n_batch[kind]++] = (PdGoalReady){ op, time };
  self->n_ready++;
}

/* Enters what became ready at @rank: sends, then receives, then calcs. */
static void
enter_batch (PdGoal *self, guint32 rank)
{
  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    {
      for (gsize i = 0; i < self->n_batch[kind]; i++)
        if (self->early)
          enter_early (self, rank, kind, self->batch[kind][i].op);
        else
          enter (self, rank, kind, self->batch[kind][i].op, self->batch[kind][i].time);
      self->n_batch[kind] = 0;
    }
  self->n_ready = 0;
}

void
pd_goal_flush (PdGoal *self, guint32 rank)
{
  if (self->n_ready > 0)
    enter_batch (self, rank);
  pd_goal_turn_settle (self, rank);
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
      if (--self->ops[first + op].next > 0)
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

void
pd_goal_op_started (PdGoal *self, guint32 rank, guint32 op, gint64 time)
{
  guint32 first = self->ranks[rank].first;
  const PdGraphCell *cell = &self->cells[first + op];

  if (G_LIKELY ((cell->flags & PD_GRAPH_CELL_START) == 0))
    return;
  reserve_batch (self, cell[1].edges - cell->edges);
  for (guint32 i = cell->edges; i < cell[1].edges && self->edges[i] & PD_GRAPH_EDGE_START; i++)
    satisfy_edge (self, first, self->edges[i], time);
}

void
pd_goal_op_done (PdGoal *self, guint32 rank, guint32 op, gint64 time)
{
  guint32 first = self->ranks[rank].first;
  const PdGraphCell *cell = &self->cells[first + op];

  self->n_done++;
  reserve_batch (self, (gsize) cell[1].edges - cell->edges + 1);
  if (cell->flags & PD_GRAPH_CELL_NEXT)
    satisfy (self, first, op + 1, cell[1].flags & PD_GRAPH_CELL_KIND,
             (cell[1].flags & PD_GRAPH_CELL_JOIN) != 0, time);
  else
    for (guint32 i = cell->edges; i < cell[1].edges; i++)
      if ((self->edges[i] & PD_GRAPH_EDGE_START) == 0)
        satisfy_edge (self, first, self->edges[i], time);
}

/* Operation @op waited for something that ended; sends enter at once, and the
 * rest after them. */
static inline void
satisfy_early (PdGoal *self, guint32 rank, PdGoalOp *ops, guint32 edge)
{
  guint32 op = edge & PD_GRAPH_EDGE_OP;
  PdGraphKind kind = edge >> PD_GRAPH_EDGE_KIND & PD_GRAPH_CELL_KIND;

  if (edge & PD_GRAPH_EDGE_JOIN && --ops[op].next > 0)
    return;
  if (kind == PD_GRAPH_SEND)
    enter_early (self, rank, PD_GRAPH_SEND, op);
  else
    add_to_batch (self, kind, op, 0);
}

void
pd_goal_end_op (PdGoal *self, guint32 rank, guint32 op)
{
  const PdGoalRank *at = &self->ranks[rank];
  const PdGraphCell *cell = &self->cells[at->first + op];
  PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 n = cell[1].edges - cell->edges;
  const guint32 *edges = self->edges + cell->edges;

  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_START))
    {
      pd_goal_op_done (self, rank, op, 0);
      pd_goal_flush (self, rank);
      return;
    }
  self->n_done++;
  if (cell->flags & PD_GRAPH_CELL_NEXT)
    {
      if ((cell[1].flags & PD_GRAPH_CELL_JOIN) == 0 || --ops[op + 1].next == 0)
        enter_early (self, rank, cell[1].flags & PD_GRAPH_CELL_KIND, op + 1);
    }
  else if (n == 1)
    {
      guint32 next = *edges & PD_GRAPH_EDGE_OP;
      if ((*edges & PD_GRAPH_EDGE_JOIN) == 0 || --ops[next].next == 0)
        enter_early (self, rank, *edges >> PD_GRAPH_EDGE_KIND & PD_GRAPH_CELL_KIND, next);
    }
  else
    {
      reserve_batch (self, n);
      for (guint32 i = 0; i < n; i++)
        satisfy_early (self, rank, ops, edges[i]);
      if (self->n_ready > 0)
        enter_batch (self, rank);
    }
  pd_goal_turn_settle (self, rank);
}

void
pd_goal_enter_roots (PdGoal *self)
{
  const PdGraphCells *arrays = pd_graph_get_cells (self->graph);

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      reserve_batch (self, arrays->first[rank + 1] - arrays->first[rank]);
      for (guint32 first = arrays->first[rank], i = first; i < arrays->first[rank + 1]; i++)
        if (self->cells[i].flags & PD_GRAPH_CELL_ROOT)
          add_to_batch (self, self->cells[i].flags & PD_GRAPH_CELL_KIND, i - first, 0);
      pd_goal_flush (self, rank);
    }
}
