/* Simulation of dependency graphs on a LogGOPS machine: the main loop.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-huge.h"
#include "comsys/queue/pd-lines.h"
#include "predictor/graph/pd-goal-private.h"
#include "predictor/common/pd-errors.h"
#include "predictor/graph/pd-goal-events-private.h"
#include "predictor/graph/pd-goal-ready-private.h"
#include "predictor/graph/pd-goal-result-private.h"
#include "predictor/graph/pd-goal-scheduler-private.h"

#include <string.h>

#define STOP_EVERY 65536 /* events between two looks at PdGoalParams.stop */
/* So many events ahead this is fetched: */
#define FETCH_RANK  24
#define FETCH_LISTS 18
#define FETCH_CELL  12

G_STATIC_ASSERT (PD_GRAPH_MAX_RANKS <= PD_GOAL_MAX_NODES);
G_STATIC_ASSERT (FETCH_RANK <= PD_GOAL_PEEK);

G_STATIC_ASSERT (sizeof (PdGoalRank) == 64);
G_STATIC_ASSERT (sizeof (PdGoalNode) == 32);

/* ---- the main loop */

/* The subject of a coming moment. An event, which is rare, is taken for a turn of the first
 * rank. */
static inline guint32
peek_what (const PdGoal *self, gsize ahead)
{
  guint32 what = pd_goal_queue_peek (&self->queue, ahead)->what;

  return G_LIKELY (what < PD_GOAL_WHAT_EVENT << PD_GOAL_WHAT_KIND) ? what : 0;
}

/* The first and the last operation of a list of @rank; any of the rank's if it has none. */
static inline guint32
peek_last (const PdGoalRank *rank, guint32 list)
{
  return rank->first + (list & -(guint32) (list < PD_GOAL_INDEXED));
}

static inline guint32
peek_first (const PdGoal *self, const PdGoalRank *rank, guint32 list)
{
  guint32 next = self->ops[peek_last (rank, list)].next;

  return rank->first + (next & -(guint32) (list < PD_GOAL_INDEXED));
}

static inline guint32
peek_node (const PdGoalRank *rank)
{
  return rank->arrivals & -(guint32) (rank->arrivals != PD_GOAL_NONE);
}

/* Has the processor fetch what moments to come will touch, each sooner than
 * what it leads to: rank; the last of the operations of which the first has its
 * turn, or of the posted receives, and messages under way; the first, its
 * successors and whom it sends to. */
static inline void
fetch_ahead (PdGoal *self)
{
  guint32 what = peek_what (self, FETCH_LISTS), op;
  const PdGoalRank *rank = &self->ranks[what & PD_GOAL_WHAT_INDEX];
  const PdGraphCell *cell;

  pd_prefetch (&self->ranks[peek_what (self, FETCH_RANK) & PD_GOAL_WHAT_INDEX]);
  pd_prefetch (&self->ops[peek_last (rank, rank->lists[what >> PD_GOAL_WHAT_KIND])]);
  pd_prefetch (&self->nodes[peek_node (rank)]);
  what = peek_what (self, FETCH_CELL);
  rank = &self->ranks[what & PD_GOAL_WHAT_INDEX];
  op = peek_first (self, rank, rank->lists[what >> PD_GOAL_WHAT_KIND]);
  pd_prefetch (&self->ops[op]);
  pd_prefetch (&self->ops[op] + 8);
  pd_prefetch (&self->cells[op]);
  pd_prefetch (&self->cells[op] + 4);
  self->fetched[self->n_fetched % PD_GOAL_FETCHED] = op;
  self->n_fetched++;
  cell = &self->cells[self->fetched[self->n_fetched % PD_GOAL_FETCHED]];
  pd_prefetch (&self->edges[cell->edges]);
  pd_prefetch (&self->edges[cell->edges] + 7);
  pd_prefetch (&self->ranks[cell->peer]);
}

static void
do_event (PdGoal *self, const PdGoalEventTime *moment)
{
  guint32 index = moment->what & PD_GOAL_WHAT_INDEX;
  const PdGoalNode *node = &self->nodes[index];
  PdGoalEvent event = { moment->time, moment->number, node->next, node->op,
                        node->source, node->tag,      node->child };

  pd_goal_node_free (self, index);
  pd_goal_do_event (self, &event);
}

static gboolean
run (PdGoal *self, GError **error)
{
  const volatile sig_atomic_t *stop = self->params->stop;
  PdGoalEventTime moment;
  guint n = 0;

  while (pd_goal_queue_pop (&self->queue, &moment))
    {
      if (self->early)
        fetch_ahead (self);
      if (moment.what >> PD_GOAL_WHAT_KIND == PD_GOAL_WHAT_EVENT)
        do_event (self, &moment);
      else
        pd_goal_do_turn (self, &moment);
      if (G_UNLIKELY (++n == STOP_EVERY))
        {
          n = 0;
          if (stop != NULL && *stop != 0)
            {
              g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED,
                           "interrupted");
              return FALSE;
            }
        }
    }
  return pd_goal_check_end (self, error);
}

/* ---- before and after */

/* Counts what each operation waits for; only joins are looked at. */
static void
count_dependencies (PdGoal *self)
{
  const PdGraphCells *arrays = pd_graph_get_cells (self->graph);

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      guint32 first = arrays->first[rank], end = arrays->first[rank + 1];
      guint32 edges_end = self->cells[end].edges, next = 0;
      for (guint32 i = first; i < end; i++)
        {
          self->ops[i].next = next;
          next = (self->cells[i].flags & PD_GRAPH_CELL_NEXT) != 0;
        }
      for (guint32 k = self->cells[first].edges; k < edges_end; k++)
        self->ops[first + (self->edges[k] & PD_GRAPH_EDGE_OP)].next++;
    }
}

static void
init (PdGoal *self, const PdGraph *graph, const PdGoalParams *params, PdGoalResult *result)
{
  const PdGraphCells *arrays = pd_graph_get_cells (graph);
  const PdGraphTotals *totals = pd_graph_get_totals (graph);
  gdouble per_byte = MAX (params->gap_per_byte, params->overhead_per_byte);

  *self = (PdGoal){ .graph = graph,
                    .params = params,
                    .result = result,
                    .cells = arrays->cells,
                    .edges = arrays->edges,
                    .wide = arrays->wide,
                    .n_ranks = pd_graph_get_n_ranks (graph),
                    .has_many = totals->max_cpu > 0 || totals->max_nic > 0,
                    .starts = totals->starts,
                    .linked = totals->any_source || totals->any_tag || totals->sends_any,
                    .last_size = -1 };
  self->plain = params->compat && (self->has_many || (gdouble) params->overhead.ps < per_byte + 1);
  self->early = !self->has_many && !self->plain;
  pd_goal_queue_init (&self->queue, self->plain);
  self->ranks = pd_huge_new (self->n_ranks * sizeof *self->ranks);
  for (guint32 i = 0; i < self->n_ranks; i++)
    self->ranks[i] = (PdGoalRank){ .turn_time = G_MAXINT64,
                                   .turn_number = G_MAXUINT32,
                                   .lists = { PD_GOAL_NONE, PD_GOAL_NONE, PD_GOAL_NONE },
                                   .arrivals = PD_GOAL_NONE,
                                   .messages = PD_GOAL_NONE,
                                   .first = arrays->first[i] };
  self->ops = pd_huge_new ((totals->n_ops + 1) * sizeof *self->ops);
  if (totals->joins)
    count_dependencies (self);
  if (totals->joins && self->has_many && !params->compat)
    self->ready = g_new0 (gint64, totals->n_ops);
}

static void
clear (PdGoal *self)
{
  pd_huge_free (self->ranks);
  pd_huge_free (self->ops);
  g_free (self->ready);
  pd_huge_free (self->nodes);
  pd_huge_free (self->free_nodes);
  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    g_free (self->batch[kind]);
  pd_goal_queue_clear (&self->queue);
  pd_hash_map_clear (&self->resource_table);
  pd_hash_map_clear (&self->index);
  pd_hash_map_clear (&self->side);
}

gboolean
pd_goal_goes_back (const PdGoalParams *params)
{
  gdouble most = MAX (params->gap_per_byte, params->overhead_per_byte);

  return params->compat
         && ((gdouble) params->overhead.ps < most
             || (gdouble) params->gap.ps < params->gap_per_byte);
}

gboolean
pd_goal_simulate (const PdGraph *graph, const PdGoalParams *params, PdGoalResult *result,
                  GError **error)
{
  PdGoal self;
  gboolean done;

  *result = (PdGoalResult){ .n_ranks = pd_graph_get_n_ranks (graph),
                            .blocked = g_array_new (FALSE, FALSE, sizeof (PdGoalBlocked)) };
  init (&self, graph, params, result);
  pd_goal_enter_roots (&self);
  done = run (&self, error);
  clear (&self);
  return done;
}
