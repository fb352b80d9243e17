/* Simulation of dependency graphs on a LogGOPS machine: the main loop.
 * SPDX-License-Identifier: MIT */
#include "base/pd-huge.h"
#include "predictor/pd-goal-private.h"
#include "predictor/pd-simulation.h"

#include <string.h>

#define STOP_EVERY 65536 /* events between two looks at PdGoalParams.stop */
/* So many events ahead this is fetched: */
#define FETCH_HOST  24
#define FETCH_CELL  16
#define FETCH_EDGES 8

G_STATIC_ASSERT (FETCH_HOST <= PD_GOAL_PEEK);

G_STATIC_ASSERT (sizeof (PdGoalHost) == 64);
G_STATIC_ASSERT (sizeof (PdGoalNode) == 32);

/* ---- the main loop */

/* Without the statement that may not be dropped gcc takes whoever calls this
 * for a function without effect, and leaves out the call. */
static inline void
fetch (const void *address)
{
  __builtin_prefetch (address);
  __asm__ volatile("");
}

/* The operation that @event is about, as far as is known: whose turn it is, else
 * the last posted receive. Masks, since branches would be guessed wrong. */
static inline guint32
guess_op (const PdGoalEvent *event, const PdGoalHost *host)
{
  guint32 own = -(guint32) ((event->source == (guint32) PD_GOAL_EVENT_TURN)
                            & (event->size != (guint32) PD_GOAL_WAIT_ARRIVAL));
  guint32 op = (event->op & own) | (host->recvs & ~own);

  return op & -(guint32) (op < PD_GOAL_INDEXED);
}

/* Has the processor fetch what events to come will touch, each sooner than
 * what it leads to: rank; operation and those that follow; its successors, or
 * the first posted receive, which comes after the last. */
static inline void
fetch_ahead (const PdGoal *self)
{
  const PdGoalEvent *event = pd_goal_queue_peek (&self->queue, 0);
  const PdGoalHost *host = &self->hosts[event[FETCH_CELL].host];
  guint32 i = host->first + guess_op (&event[FETCH_CELL], host);

  fetch (&self->hosts[event[FETCH_HOST].host]);
  fetch (&self->ops[i]);
  fetch (&self->ops[i] + 8);
  fetch (&self->cells[i]);
  fetch (&self->cells[i] + 4);
  host = &self->hosts[event[FETCH_EDGES].host];
  i = host->first + guess_op (&event[FETCH_EDGES], host);
  fetch (&self->edges[self->cells[i].edges]);
  i = host->first + self->ops[i].next;
  fetch (&self->cells[i]);
  fetch (&self->cells[i] + 4);
}

static gboolean
run (PdGoal *self, GError **error)
{
  const volatile sig_atomic_t *stop = self->params->stop;
  PdGoalEvent event;
  guint n = 0;

  while (pd_goal_queue_pop (&self->queue, &event))
    {
      fetch_ahead (self);
      pd_goal_do_event (self, &event);
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

void
pd_goal_enlarge_nodes (PdGoal *self)
{
  gsize used = self->n_nodes * sizeof *self->nodes;

  self->size_nodes = MAX (1024, self->size_nodes + self->size_nodes / 2);
  self->nodes = pd_huge_grow (self->nodes, used, self->size_nodes * sizeof *self->nodes);
  /* None is free now. */
  pd_huge_free (self->free_nodes);
  self->free_nodes = pd_huge_new (self->size_nodes * sizeof *self->free_nodes);
}

/* Counts what each operation waits for; only joins are looked at. */
static void
count_dependencies (PdGoal *self)
{
  const PdGraphCells *arrays = pd_graph_get_cells (self->graph);

  for (guint32 host = 0; host < self->n_hosts; host++)
    {
      guint32 first = arrays->first[host], end = arrays->first[host + 1];
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
                    .n_hosts = pd_graph_get_n_ranks (graph),
                    .lanes = totals->max_cpu > 0 || totals->max_nic > 0,
                    .linked = totals->any_source || totals->any_tag || totals->sends_any,
                    .last_size = -1 };
  self->plain = params->compat && (self->lanes || (gdouble) params->overhead.ps < per_byte + 1);
  self->early = !self->lanes && !self->plain;
  pd_goal_queue_init (&self->queue, self->plain);
  self->hosts = pd_huge_new (self->n_hosts * sizeof *self->hosts);
  for (guint32 i = 0; i < self->n_hosts; i++)
    self->hosts[i] = (PdGoalHost){ .turn_time = G_MAXINT64,
                                   .turn_number = G_MAXUINT32,
                                   .recvs = PD_GOAL_NONE,
                                   .messages = PD_GOAL_NONE,
                                   .waits = { PD_GOAL_NONE, PD_GOAL_NONE, PD_GOAL_NONE },
                                   .first = arrays->first[i] };
  self->ops = pd_huge_new ((totals->n_ops + 1) * sizeof *self->ops);
  if (totals->joins)
    count_dependencies (self);
  if (totals->joins && self->lanes && !params->compat)
    self->ready = g_new0 (gint64, totals->n_ops);
}

static void
clear (PdGoal *self)
{
  pd_huge_free (self->hosts);
  pd_huge_free (self->ops);
  g_free (self->ready);
  pd_huge_free (self->nodes);
  pd_huge_free (self->free_nodes);
  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    g_free (self->batch[kind]);
  pd_goal_queue_clear (&self->queue);
  pd_goal_table_clear (&self->lane_table);
  pd_goal_table_clear (&self->index);
  pd_goal_table_clear (&self->side);
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
