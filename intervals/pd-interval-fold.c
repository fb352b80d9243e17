/* The results: inclusive values, and characteristics computed from them.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-private.h"
#include "intervals/pd-interval-fold-private.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows-private.h"

#include <string.h>

/* ---- inclusive columns */

/* Columns are recycled: a walk allocates few, whatever the number of nodes. */
typedef struct
{
  guint32 n;        /* processors */
  GPtrArray *spare; /* gint64[n], owned */
} Pool;

static gint64 *
pool_take (Pool *pool)
{
  if (pool->spare->len == 0)
    return g_new0 (gint64, pool->n);

  gint64 *column = g_ptr_array_steal_index_fast (pool->spare, pool->spare->len - 1);
  memset (column, 0, pool->n * sizeof *column);
  return column;
}

static void
add_column (gint64 *sum, const gint64 *column, guint32 n)
{
  for (guint32 p = 0; p < n; p++)
    sum[p] = pd_interval_plus (sum[p], column[p]);
}

/* Adds the values that @node shares among sets. */
static void
add_shared (const PdIntervalTree *self, const PdIntervalNode *node, guint32 quantity, gint64 *sum)
{
  for (guint32 s = 0; s < node->n_shared; s++)
    {
      if (node->shared[s] == NULL || node->shared[s][quantity] == 0)
        continue;
      const PdIntervalSet *set = &g_array_index (self->sets, PdIntervalSet, s);
      gint64 value = node->shared[s][quantity];
      for (guint32 i = 0; i < set->n; i++)
        {
          guint32 p = set->members == NULL ? i : set->members[i];
          sum[p] = pd_interval_plus (sum[p], value);
        }
    }
}

static gboolean
has_shared (const PdIntervalNode *node, guint32 quantity)
{
  for (guint32 s = 0; s < node->n_shared; s++)
    if (node->shared[s] != NULL && node->shared[s][quantity] != 0)
      return TRUE;
  return FALSE;
}

/* Adds the own values of @number to @columns. */
static void
add_own (const PdIntervalTree *self, guint32 number, Pool *pool, gint64 **columns)
{
  const PdIntervalNode *node = pd_interval_node (self, number);

  for (guint32 q = 0; q < PD_Q_EXE_COUNT; q++)
    {
      const gint64 *own = self->columns[(gsize) number * PD_N_QUANTITIES + q];
      gboolean shared = has_shared (node, q);
      if (own == NULL && !shared)
        continue;
      if (columns[q] == NULL)
        columns[q] = pool_take (pool);
      if (own != NULL)
        add_column (columns[q], own, self->n_processors);
      if (shared)
        add_shared (self, node, q, columns[q]);
    }
}

/* Moves @from into @to, and leaves @from empty. */
static void
merge (Pool *pool, gint64 **to, gint64 **from)
{
  for (guint32 q = 0; q < PD_N_QUANTITIES; q++)
    {
      if (from[q] == NULL)
        continue;
      if (to[q] == NULL)
        to[q] = from[q];
      else
        {
          add_column (to[q], from[q], pool->n);
          g_ptr_array_add (pool->spare, from[q]);
        }
      from[q] = NULL;
    }
}

void
pd_interval_get_exe_counts (const PdIntervalTree *self, guint32 node, gint64 *counts)
{
  const gint64 *own = self->columns[(gsize) node * PD_N_QUANTITIES + PD_Q_EXE_COUNT];

  if (node == PD_INTERVAL_ROOT)
    {
      for (guint32 p = 0; p < self->n_processors; p++)
        counts[p] = 1;
      return;
    }
  if (own != NULL)
    memcpy (counts, own, self->n_processors * sizeof *counts);
  else
    memset (counts, 0, self->n_processors * sizeof *counts);
  add_shared (self, pd_interval_node (self, node), PD_Q_EXE_COUNT, counts);
}

/* ---- characteristics */

/* @formula without the columns that are all 0 at @visit. */
static PdFormula
without_zeros (const PdFormula *formula, const PdIntervalVisit *visit)
{
  PdFormula own = *formula;

  for (guint q = 0; q < PD_N_TIMES; q++)
    if (visit->inclusive[q] == NULL)
      {
        own.plus &= ~(G_GUINT64_CONSTANT (1) << q);
        own.minus &= ~(G_GUINT64_CONSTANT (1) << q);
      }
  return own;
}

/* Picoseconds of one processor: base - minus + plus; in this order nothing in
 * between is larger than the result, which fits. */
static gint64
evaluate (const PdFormula *formula, const PdIntervalVisit *visit, guint32 processor)
{
  gint64 value = visit->bases[formula->base];

  for (guint64 mask = formula->minus; mask != 0; mask &= mask - 1)
    {
      const gint64 *column = visit->inclusive[__builtin_ctzll (mask)];
      if (column != NULL)
        value = pd_interval_minus (value, column[processor]);
    }
  for (guint64 mask = formula->plus; mask != 0; mask &= mask - 1)
    {
      const gint64 *column = visit->inclusive[__builtin_ctzll (mask)];
      if (column != NULL)
        value = pd_interval_plus (value, column[processor]);
    }
  return value;
}

/* The same for all processors, column by column; without columns that are NULL. */
static void
evaluate_all (const PdFormula *formula, const PdIntervalVisit *visit, guint32 n, gint64 *values)
{
  for (guint32 p = 0; p < n; p++)
    values[p] = visit->bases[formula->base];
  for (guint64 mask = formula->minus; mask != 0; mask &= mask - 1)
    {
      const gint64 *column = visit->inclusive[__builtin_ctzll (mask)];
      for (guint32 p = 0; p < n; p++)
        values[p] = pd_interval_minus (values[p], column[p]);
    }
  for (guint64 mask = formula->plus; mask != 0; mask &= mask - 1)
    add_column (values, visit->inclusive[__builtin_ctzll (mask)], n);
}

/* The largest value among those who executed the interval. */
static gint64
largest (const PdIntervalTree *self, PdCharacteristic c, const PdIntervalVisit *visit)
{
  PdFormula formula = without_zeros (pd_interval_formula (c, self->model), visit);
  gint64 max = 0;

  for (guint32 p = 0; p < self->n_processors; p++)
    if (visit->exe_count[p] > 0)
      max = MAX (max, evaluate (&formula, visit, p));
  return max;
}

/* Completes a visit whose inclusive columns are there. */
static void
complete (const PdIntervalTree *self, PdIntervalVisit *visit)
{
  pd_interval_get_exe_counts (self, visit->node, visit->exe_count);
  visit->bases[PD_BASE_ZERO] = 0;
  visit->bases[PD_BASE_MAX_EXECUTION] = largest (self, PD_C_EXECUTION_TIME, visit);
  visit->bases[PD_BASE_MAX_WORK] =
      largest (self, self->model == PD_MODEL_MPI ? PD_C_PRODUCTIVE_TIME : PD_C_CPU_TIME_PAR, visit);
}

void
pd_interval_get_values (const PdIntervalTree *self, const PdIntervalVisit *visit, guint32 processor,
                        PdTime *values)
{
  for (guint32 c = 0; c < PD_N_CHARACTERISTICS; c++)
    values[c] = PD_TIME (evaluate (pd_interval_formula (c, self->model), visit, processor));
}

/* ---- walking */

GArray *
pd_interval_preorder (const PdIntervalTree *self, guint32 top)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 number = top;

  while (TRUE)
    {
      const PdIntervalNode *node = pd_interval_node (self, number);
      g_array_append_val (order, number);
      number = node->first_child;
      /* no child: the next sibling of the nearest one that has one */
      while (number == PD_INTERVAL_NONE && node->number != top)
        {
          number = node->next_sibling;
          node = pd_interval_node (self, node->parent);
        }
      if (number == PD_INTERVAL_NONE)
        return order;
    }
}

static guint32
tree_height (const PdIntervalTree *self)
{
  guint32 height = 0;

  for (guint32 i = 0; i < self->nodes->len; i++)
    height = MAX (height, pd_interval_node (self, i)->depth);
  return height;
}

void
pd_interval_walk (const PdIntervalTree *self, PdIntervalVisitFunc func, gpointer data)
{
  g_autoptr (GArray) order = pd_interval_preorder (self, PD_INTERVAL_ROOT);
  Pool pool = { self->n_processors, g_ptr_array_new_with_free_func (g_free) };
  g_autofree gint64 *exe_count = g_new (gint64, self->n_processors);
  /* by depth: the sums over the siblings that have been visited */
  gsize n_levels = (gsize) tree_height (self) + 2;
  g_autofree gint64 **levels = g_new0 (gint64 *, n_levels * PD_N_QUANTITIES);

  /* backwards, a parent comes right after the last of its descendants */
  for (guint32 i = order->len; i-- > 0;)
    {
      PdIntervalVisit visit = { .node = g_array_index (order, guint32, i), .position = i };
      guint32 depth = pd_interval_node (self, visit.node)->depth;

      visit.exe_count = exe_count;
      merge (&pool, visit.inclusive, levels + ((gsize) depth + 1) * PD_N_QUANTITIES);
      add_own (self, visit.node, &pool, visit.inclusive);
      complete (self, &visit);
      func (self, &visit, data);
      merge (&pool, levels + (gsize) depth * PD_N_QUANTITIES, visit.inclusive);
    }
  for (gsize i = 0; i < n_levels * PD_N_QUANTITIES; i++)
    g_free (levels[i]);
  g_ptr_array_unref (pool.spare);
}

/* ---- folding */

static PdSummary
summarise (const gint64 *values, const gint64 *exe_count, guint32 n)
{
  PdSummary s = { { 0 }, PD_TIME_ZERO, PD_TIME_ZERO, 0, 0 };
  gboolean any = FALSE;

  for (guint32 p = 0; p < n; p++)
    {
      if (exe_count[p] <= 0)
        continue;
      PdTime value = PD_TIME (values[p]);
      pd_time_sum_add (&s.sum, value);
      if (!any || value.ps < s.min.ps)
        {
          s.min = value;
          s.min_at = p;
        }
      if (!any || value.ps > s.max.ps)
        {
          s.max = value;
          s.max_at = p;
        }
      any = TRUE;
    }
  return s;
}

/* One characteristic of the @n_members that executed the interval, the first of which is @first.
 * Without columns all have the same value. */
static PdSummary
summarise_formula (const PdFormula *formula, const PdIntervalVisit *visit, guint32 n,
                   guint32 n_members, guint32 first, gint64 *scratch)
{
  PdFormula own = without_zeros (formula, visit);
  PdTime value = PD_TIME (visit->bases[own.base]);

  if ((own.plus | own.minus) == 0 && n_members > 0)
    return (PdSummary){ { (PdWide) n_members * value.ps }, value, value, first, first };
  evaluate_all (&own, visit, n, scratch);
  return summarise (scratch, visit->exe_count, n);
}

static void
count_operations (const PdIntervalVisit *visit, guint32 n, PdIntervalResult *result)
{
  guint64 *exe = &result->counts[PD_Q_EXE_COUNT - PD_N_TIMES];

  for (guint32 p = 0; p < n; p++)
    {
      if (visit->exe_count[p] <= 0)
        continue;
      result->n_processors++;
      *exe = MAX (*exe, (guint64) visit->exe_count[p]);
      for (guint32 q = PD_Q_N_SENDS; q < PD_Q_EXE_COUNT; q++)
        if (visit->inclusive[q] != NULL)
          result->counts[q - PD_N_TIMES] += (guint64) visit->inclusive[q][p];
    }
}

static void
sum_operations (const PdIntervalVisit *visit, guint32 n, PdIntervalResult *result)
{
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      const gint64 *count = visit->inclusive[pd_operation_counter (kind)];
      guint64 *most = &result->counts[pd_operation_counter (kind) - PD_N_TIMES];
      for (guint32 p = 0; count != NULL && p < n; p++)
        *most = MAX (*most, (guint64) count[p]);
      for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
        {
          const gint64 *column = visit->inclusive[pd_operation_quantity (kind, t)];
          for (guint32 p = 0; column != NULL && p < n; p++)
            pd_time_sum_add (&result->operations[kind][t], PD_TIME (column[p]));
        }
    }
}

/* The operations of each interval and of those inside it, each once. Of kinds of which none has
 * been counted so, it stays at the most that a processor takes part in. */
static void
count_program_operations (const PdIntervalTree *self, GArray *results)
{
  typedef guint64 Counts[PD_N_OPERATIONS];
  g_autofree Counts *counts = g_new (Counts, self->nodes->len);

  for (guint32 i = 0; i < self->nodes->len; i++)
    memcpy (counts[i], pd_interval_node (self, i)->n_operations, sizeof counts[i]);
  /* a child's number is larger than its parent's */
  for (guint32 i = self->nodes->len; i-- > 1;)
    for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
      counts[pd_interval_node (self, i)->parent][kind] += counts[i][kind];
  for (guint32 i = 0; i < results->len; i++)
    {
      PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
        if (counts[PD_INTERVAL_ROOT][kind] > 0)
          r->counts[pd_operation_counter (kind) - PD_N_TIMES] = counts[r->node][kind];
    }
}

typedef struct
{
  GArray *results;
  gint64 *scratch;
} Fold;

static void
fold_node (const PdIntervalTree *self, const PdIntervalVisit *visit, gpointer data)
{
  Fold *fold = data;
  PdIntervalResult *result = &g_array_index (fold->results, PdIntervalResult, visit->position);
  const PdIntervalNode *node = pd_interval_node (self, visit->node);
  guint32 first = 0;

  *result = (PdIntervalResult){
    .node = visit->node,
    .parent = node->parent == PD_INTERVAL_NONE ? PD_INTERVAL_ROOT : node->parent,
    .depth = node->depth,
    .type = node->key.type,
    .file = node->key.file,
    .line = node->key.line,
    .index = node->key.index,
    .name = node->key.name,
  };
  count_operations (visit, self->n_processors, result);
  while (first < self->n_processors && visit->exe_count[first] <= 0)
    first++;
  sum_operations (visit, self->n_processors, result);
  for (guint32 c = 0; c < PD_N_CHARACTERISTICS; c++)
    result->values[c] =
        summarise_formula (pd_interval_formula (c, self->model), visit, self->n_processors,
                           result->n_processors, first, fold->scratch);

  PdSummary *execution = &result->values[PD_C_EXECUTION_TIME];
  PdWide productive = result->values[PD_C_PRODUCTIVE_TIME].sum.ps;
  execution->sum.ps = execution->max.ps;
  result->total_time.ps = (PdWide) result->n_processors * execution->max.ps;
  result->efficiency =
      result->total_time.ps == 0 ? 1 : (gdouble) productive / (gdouble) result->total_time.ps;
}

GArray *
pd_interval_tree_fold (const PdIntervalTree *self)
{
  g_autofree gint64 *scratch = g_new (gint64, self->n_processors);
  Fold fold = { g_array_sized_new (FALSE, TRUE, sizeof (PdIntervalResult), self->nodes->len),
                scratch };

  g_array_set_size (fold.results, self->nodes->len);
  pd_interval_walk (self, fold_node, &fold);
  count_program_operations (self, fold.results);
  return fold.results;
}

/* ---- single processors */

/* Fills the columns of @visit with the inclusive values of visit->node. */
static void
gather (const PdIntervalTree *self, Pool *pool, PdIntervalVisit *visit)
{
  g_autoptr (GArray) order = pd_interval_preorder (self, visit->node);

  for (guint32 i = 0; i < order->len; i++)
    add_own (self, g_array_index (order, guint32, i), pool, visit->inclusive);
  complete (self, visit);
}

static void
release (Pool *pool, PdIntervalVisit *visit)
{
  for (guint32 q = 0; q < PD_N_QUANTITIES; q++)
    g_free (visit->inclusive[q]);
  g_free (visit->exe_count);
  g_ptr_array_unref (pool->spare);
}

gboolean
pd_interval_tree_get_processor (const PdIntervalTree *self, guint32 node, guint32 processor,
                                PdTime *values)
{
  g_return_val_if_fail (node < self->nodes->len && processor < self->n_processors, FALSE);

  Pool pool = { self->n_processors, g_ptr_array_new_with_free_func (g_free) };
  PdIntervalVisit visit = { .node = node, .exe_count = g_new (gint64, self->n_processors) };

  gather (self, &pool, &visit);
  pd_interval_get_values (self, &visit, processor, values);

  gboolean present = visit.exe_count[processor] > 0;
  if (!present)
    memset (values, 0, PD_N_CHARACTERISTICS * sizeof *values);
  release (&pool, &visit);
  return present;
}

void
pd_interval_tree_get_all_processors (const PdIntervalTree *self, guint32 node, PdTime *values,
                                     gboolean *present)
{
  g_return_if_fail (node < self->nodes->len && values != NULL);

  Pool pool = { self->n_processors, g_ptr_array_new_with_free_func (g_free) };
  PdIntervalVisit visit = { .node = node, .exe_count = g_new (gint64, self->n_processors) };

  gather (self, &pool, &visit);
  for (guint32 p = 0; p < self->n_processors; p++)
    {
      PdTime *row = values + (gsize) p * PD_N_CHARACTERISTICS;
      /* who was not there has no Idle time either */
      if (visit.exe_count[p] > 0)
        pd_interval_get_values (self, &visit, p, row);
      else
        memset (row, 0, PD_N_CHARACTERISTICS * sizeof *row);
      if (present != NULL)
        present[p] = visit.exe_count[p] > 0;
    }
  release (&pool, &visit);
}

void
pd_interval_tree_get_counts (const PdIntervalTree *self, guint32 node, guint64 *counts)
{
  g_return_if_fail (node < self->nodes->len && counts != NULL);

  Pool pool = { self->n_processors, g_ptr_array_new_with_free_func (g_free) };
  PdIntervalVisit visit = { .node = node, .exe_count = g_new (gint64, self->n_processors) };
  const guint n = PD_N_QUANTITIES - PD_N_TIMES;

  gather (self, &pool, &visit);
  for (guint32 p = 0; p < self->n_processors; p++)
    for (guint32 q = PD_N_TIMES; q < PD_N_QUANTITIES; q++)
      {
        const gint64 *column = q == PD_Q_EXE_COUNT ? visit.exe_count : visit.inclusive[q];
        counts[p * n + q - PD_N_TIMES] = column != NULL ? (guint64) column[p] : 0;
      }
  release (&pool, &visit);
}

void
pd_interval_tree_get_operations (const PdIntervalTree *self, guint32 node,
                                 PdProcessorOperations *values)
{
  g_return_if_fail (node < self->nodes->len && values != NULL);

  Pool pool = { self->n_processors, g_ptr_array_new_with_free_func (g_free) };
  PdIntervalVisit visit = { .node = node, .exe_count = g_new (gint64, self->n_processors) };

  gather (self, &pool, &visit);
  memset (values, 0, self->n_processors * sizeof *values);
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      const gint64 *count = visit.inclusive[pd_operation_counter (kind)];
      for (guint32 p = 0; count != NULL && p < self->n_processors; p++)
        values[p].counts[kind] = (guint64) count[p];
      for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
        {
          const gint64 *column = visit.inclusive[pd_operation_quantity (kind, t)];
          for (guint32 p = 0; column != NULL && p < self->n_processors; p++)
            values[p].times[kind][t] = PD_TIME (column[p]);
        }
    }
  release (&pool, &visit);
}
