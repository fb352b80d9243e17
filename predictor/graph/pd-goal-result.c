/* After the last event of graph simulation: clocks and sums, or who waits.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-private.h"
#include "predictor/common/pd-errors.h"
#include "predictor/graph/pd-goal-match-private.h"
#include "predictor/graph/pd-goal-result-private.h"
#include "predictor/graph/pd-goal-result.h"

#include <string.h>

#define MAX_BLOCKED       1000 /* ranks in PdGoalResult.blocked */
#define MAX_BLOCKED_SHOWN 20   /* rows of the message */

/* ---- deadlocks */

static PdGoalBlocked
describe (const PdGraph *graph, guint32 rank, guint32 op)
{
  PdGraphOp decoded;

  pd_graph_get_op (graph, rank, op, &decoded);
  return (PdGoalBlocked){ rank, op, decoded.kind, FALSE, decoded.peer, decoded.tag, decoded.size };
}

/* Operations that wait for another rank, by rank and operation. */
static void
collect_blocked (PdGoal *self, guint32 rank, const PdGoalNode *node, gboolean is_message,
                 gpointer data)
{
  PdGoalBlocked row;

  if (is_message && (node->child & PD_GOAL_NODE_RENDEZVOUS) == 0)
    return;
  row = describe (self->graph, is_message ? node->source : rank, node->op);
  g_array_append_val ((GArray *) data, row);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const PdGoalBlocked *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->op < y->op ? -1 : x->op > y->op;
}

/* Operations of @rank that do not become ready even if every message comes, by
 * the number of dependencies left over; G_MAXUINT32: it was ready. Returns
 * whether there are any. */
static gboolean
find_never_ready (const PdGraph *graph, guint32 rank, guint32 *left, guint32 *stack)
{
  guint32 n = pd_graph_get_n_ops (graph, rank), n_ready = 0, top = 0;

  pd_graph_count_dependencies (graph, rank, left);
  for (guint32 i = 0; i < n; i++)
    if (left[i] == 0)
      stack[top++] = i;
  while (top > 0)
    {
      guint32 op = stack[--top];
      gboolean on_start;
      left[op] = G_MAXUINT32;
      n_ready++;
      for (guint32 k = 0; k < pd_graph_get_n_successors (graph, rank, op); k++)
        {
          guint32 next = pd_graph_get_successor (graph, rank, op, k, &on_start);
          if (--left[next] == 0)
            stack[top++] = next;
        }
    }
  return n_ready < n;
}

/* The lowest operation that waits for itself through others, by taking away
 * what only waits behind: an operation on which nothing that is left depends. */
static guint32
find_cycle (const PdGraph *graph, guint32 rank, const guint32 *left, guint32 *before)
{
  guint32 n = pd_graph_get_n_ops (graph, rank), op = 0;
  gboolean on_start;

  /* Each that is never ready has one such before it; going back n times from
   * any ends in a cycle, whose lowest member is the answer. */
  for (guint32 i = n; i-- > 0;)
    for (guint32 k = 0; left[i] != G_MAXUINT32 && k < pd_graph_get_n_successors (graph, rank, i);
         k++)
      {
        guint32 next = pd_graph_get_successor (graph, rank, i, k, &on_start);
        if (left[next] != G_MAXUINT32)
          before[next] = i;
      }
  while (left[op] == G_MAXUINT32)
    op++;
  for (guint32 i = 0; i < n; i++)
    op = before[op];
  for (guint32 lowest = op, i = before[op];; i = before[i])
    {
      if (i == op)
        return lowest;
      lowest = MIN (lowest, i);
    }
}

static void
collect_cycles (const PdGraph *graph, GArray *rows)
{
  guint32 n_ranks = pd_graph_get_n_ranks (graph), n_max = 0;
  g_autofree guint32 *left = NULL, *scratch = NULL;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    n_max = MAX (n_max, pd_graph_get_n_ops (graph, rank));
  left = g_new (guint32, n_max);
  scratch = g_new (guint32, n_max);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    if (find_never_ready (graph, rank, left, scratch))
      {
        PdGoalBlocked row = describe (graph, rank, find_cycle (graph, rank, left, scratch));
        row.cycle = TRUE;
        g_array_append_val (rows, row);
      }
}

static void
append_value (GString *table, guint width, guint32 value)
{
  if (value == PD_GRAPH_ANY)
    g_string_append_printf (table, " %*s", (int) width, "any");
  else
    g_string_append_printf (table, " %*u", (int) width, value);
}

static char *
format_table (const GArray *rows)
{
  static const char *const functions[] = {
    [PD_GRAPH_SEND] = "send", [PD_GRAPH_RECV] = "recv", [PD_GRAPH_CALC] = "calc"
  };
  GString *table = g_string_new (NULL);

  for (guint i = 0; i < rows->len && i < MAX_BLOCKED_SHOWN; i++)
    {
      const PdGoalBlocked *row = &g_array_index (rows, PdGoalBlocked, i);
      g_string_append_printf (table, "\n%9u %9u  %s", row->rank, row->op, functions[row->kind]);
      if (row->kind == PD_GRAPH_CALC)
        g_string_append_printf (table, " %9s %10s %12s", "-", "-", "-");
      else
        {
          append_value (table, 9, row->peer);
          append_value (table, 10, row->tag);
          g_string_append_printf (table, " %12" G_GINT64_FORMAT, row->bytes);
        }
      if (row->cycle)
        g_string_append (table, "  waits for itself");
    }
  return g_string_free (table, FALSE);
}

void
pd_goal_set_deadlock (const PdGraph *graph, GArray *rows, PdGoalResult *result, GError **error)
{
  g_autofree char *table = NULL;
  guint64 n_more;

  collect_cycles (graph, rows);
  g_array_sort (rows, compare_rows);
  for (guint i = 0; i < rows->len; i++)
    {
      PdGoalBlocked row = g_array_index (rows, PdGoalBlocked, i);
      if (i > 0 && row.rank == g_array_index (rows, PdGoalBlocked, i - 1).rank)
        continue;
      result->n_blocked++;
      if (result->blocked->len < MAX_BLOCKED)
        g_array_append_val (result->blocked, row);
    }
  table = format_table (result->blocked);
  n_more = result->n_blocked - MIN (result->n_blocked, MAX_BLOCKED_SHOWN);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK,
               "deadlock: %" G_GUINT64_FORMAT
               " of %u processors wait for ever\nprocessor operation  "
               "what      peer        tag        bytes%s",
               result->n_blocked, result->n_ranks, table);
  if (error != NULL && n_more > 0)
    {
      char *message =
          g_strdup_printf ("%s\n… and %" G_GUINT64_FORMAT " more", (*error)->message, n_more);
      g_free ((*error)->message);
      (*error)->message = message;
    }
}

static void
report_deadlock (PdGoal *self, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PdGoalBlocked));

  pd_goal_foreach_left (self, collect_blocked, rows);
  pd_goal_set_deadlock (self->graph, rows, self->result, error);
}

/* ---- clocks */

/* The latest clock of each rank. */
static void
fill_ends (PdGoal *self)
{
  PdGoalResult *result = self->result;

  result->ends = g_new0 (PdTime, result->n_ranks);
  for (guint32 i = 0; i < result->n_ranks; i++)
    result->ends[i] = PD_TIME (self->ranks[i].cpu);
  for (gsize i = 0; i < self->resource_table.size; i++)
    {
      const PdHashMapEntry *entry = &self->resource_table.entries[i];
      if (entry->b >> 16 == PD_GOAL_RESOURCE_CPU)
        result->ends[entry->a] =
            pd_time_max (result->ends[entry->a], PD_TIME ((gint64) entry->value));
    }
  for (guint32 i = 0; i < result->n_ranks; i++)
    result->end = pd_time_max (result->end, result->ends[i]);
}

static gboolean
report_overflow (GError **error)
{
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW,
               "the clock of a processor runs beyond 106 days");
  return FALSE;
}

/* ---- sums */

static void
count_unmatched (PdGoal *self, guint32 rank G_GNUC_UNUSED, const PdGoalNode *node,
                 gboolean is_message, gpointer data G_GNUC_UNUSED)
{
  PdGoalResult *result = self->result;
  PdGoalBlocked row;

  if (!is_message)
    return;
  row = describe (self->graph, node->source, node->op);
  if (result->n_unmatched++ == 0 || compare_rows (&row, &result->unmatched) < 0)
    result->unmatched = row;
}

static gsize
get_state_bytes (const PdGoal *self)
{
  guint64 n_ops = pd_graph_get_totals (self->graph)->n_ops;

  return self->n_ranks * sizeof *self->ranks + n_ops * sizeof *self->ops
         + (self->ready != NULL ? n_ops * sizeof *self->ready : 0)
         + self->size_nodes * (sizeof *self->nodes + sizeof *self->free_nodes)
         + (self->resource_table.size + self->index.size + self->side.size)
               * sizeof (PdHashMapEntry)
         + pd_goal_queue_get_bytes (&self->queue);
}

static void
fill_sums (PdGoal *self)
{
  PdGoalResult *result = self->result;
  const PdGraphTotals *totals = pd_graph_get_totals (self->graph);

  result->n_messages = totals->n_of[PD_GRAPH_SEND];
  result->n_bytes = totals->n_sent;
  result->n_events = totals->n_ops + result->n_messages;
  result->n_state_bytes = get_state_bytes (self);
  pd_goal_foreach_left (self, count_unmatched, NULL);
}

gboolean
pd_goal_check_end (PdGoal *self, GError **error)
{
  fill_ends (self);
  if (self->overflow || self->result->end.ps == G_MAXINT64)
    return report_overflow (error);
  if (self->n_done == pd_graph_get_totals (self->graph)->n_ops)
    {
      fill_sums (self);
      return TRUE;
    }
  report_deadlock (self, error);
  return FALSE;
}

void
pd_goal_result_clear (PdGoalResult *result)
{
  g_free (result->ends);
  if (result->blocked != NULL)
    g_array_unref (result->blocked);
  memset (result, 0, sizeof *result);
}
