/* The identities that every tree must fulfil, checked exactly.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-private.h"
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold-private.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows-private.h"
#include "intervals/pd-interval-rows.h"

G_DEFINE_QUARK (pd_interval_error_quark, pd_interval_error)

#define C(name) (1u << PD_C_##name)
#define DVM     (1u << PD_MODEL_DVM)
#define MPI     (1u << PD_MODEL_MPI)
#define ALL     (DVM | MPI)

/* The sum of the characteristics on the left and that on the right, of one
 * processor: equal, or for an upper bound not larger. */
static const struct
{
  const char *name;
  guint32 left;
  gboolean is_bound;
  guint32 right;
  guint models; /* bits: of which programs */
} identities[] = {
  { "Execution_time = CPU_time + I/O_time + Communication", C (EXECUTION_TIME), FALSE,
    C (CPU_TIME) | C (IO_TIME) | C (COMMUNICATION), ALL },
  { "CPU_time = CPU_time_Par + CPU_time_Seq", C (CPU_TIME), FALSE,
    C (CPU_TIME_PAR) | C (CPU_TIME_SEQ), ALL },
  { "Communication = the sum of its components", C (COMMUNICATION), FALSE,
    C (WAIT_REDUCTION) | C (WAIT_SHADOW) | C (REMOTE_ACCESS) | C (REDISTRIBUTION) | C (IO_COMM)
        | C (OTHER_COMM) | C (SENDRECV_TIME) | C (COLLECTIVE_TIME) | C (SYSTEM_TIME),
    ALL },
  { "Insufficient_parallelism = the sum of its components", C (INSUFFICIENT_PARALLELISM), FALSE,
    C (INSUFFICIENT_PARALLELISM_PAR) | C (INSUFFICIENT_PARALLELISM_SEQ), ALL },
  { "Lost_time = Insufficient_parallelism + Communication + Idle", C (LOST_TIME), FALSE,
    C (INSUFFICIENT_PARALLELISM) | C (COMMUNICATION) | C (IDLE), ALL },
  { "Productive_time + Insufficient_parallelism = CPU_time + I/O_time",
    C (PRODUCTIVE_TIME) | C (INSUFFICIENT_PARALLELISM), FALSE, C (CPU_TIME) | C (IO_TIME), ALL },
  { "Insufficient_parallelism_Seq <= CPU_time_Seq", C (INSUFFICIENT_PARALLELISM_SEQ), TRUE,
    C (CPU_TIME_SEQ), ALL },
  { "Insufficient_parallelism_Par <= CPU_time_Par", C (INSUFFICIENT_PARALLELISM_PAR), TRUE,
    C (CPU_TIME_PAR), ALL },
  { "Library_time <= Communication", C (LIBRARY_TIME), TRUE, C (COMMUNICATION), DVM },
  { "Synchronization <= Communication", C (SYNCHRONIZATION), TRUE, C (COMMUNICATION), DVM },
  { "Real_sync <= SendRecv_time", C (REAL_SYNC), TRUE, C (SENDRECV_TIME), MPI },
  { "Real_sync <= Communication", C (REAL_SYNC), TRUE, C (COMMUNICATION), DVM },
  { "Productive_time = Productive_CPU_time + I/O_time", C (PRODUCTIVE_TIME), FALSE,
    C (PRODUCTIVE_CPU_TIME) | C (IO_TIME), DVM },
  { "Reduction_overlap + Shadow_overlap <= Overlap", C (REDUCTION_OVERLAP) | C (SHADOW_OVERLAP),
    TRUE, C (OVERLAP), ALL },
};

/* Characteristics that are 0 on one processor. */
static const PdCharacteristic zero_on_one[] = { PD_C_COMMUNICATION, PD_C_IDLE,
                                                PD_C_INSUFFICIENT_PARALLELISM };

typedef struct
{
  const PdTime *end_times; /* may be NULL */
  gint64 *above;           /* entry counts of the parent, n_processors */
  GError *error;           /* the first that was found */
} Check;

/* Notes that @left and @right, which @identity compares, are not as they must
 * be; @processor may be negative: the whole machine. */
static void
violate (GError **error, const char *identity, const PdIntervalNode *node, gint64 processor,
         PdTimeSum left, PdTimeSum right)
{
  char a[64], b[64];
  g_autofree char *where = processor >= 0
                               ? g_strdup_printf ("processor %" G_GINT64_FORMAT, processor)
                               : g_strdup ("all processors");

  g_set_error (error, PD_INTERVAL_ERROR, PD_INTERVAL_ERROR_IDENTITY,
               "%s does not hold in %s %s:%" G_GINT64_FORMAT " (interval %u), %s: %s s and %s s",
               identity, pd_interval_type_name (node->key.type), node->key.file, node->key.line,
               node->number, where, pd_time_sum_format (left, a), pd_time_sum_format (right, b));
}

static PdTimeSum
sum_of (const PdTime *values, guint32 mask)
{
  PdTimeSum sum = { 0 };

  for (; mask != 0; mask &= mask - 1)
    pd_time_sum_add (&sum, values[__builtin_ctz (mask)]);
  return sum;
}

/* ---- per processor */

static void
check_absent (const PdIntervalVisit *visit, const PdIntervalNode *node, guint32 p, GError **error)
{
  for (guint32 q = 0; q < PD_N_QUANTITIES; q++)
    if (visit->inclusive[q] != NULL && visit->inclusive[q][p] != 0)
      {
        violate (error, "no value without entry", node, p, (PdTimeSum){ visit->inclusive[q][p] },
                 (PdTimeSum){ 0 });
        return;
      }
}

static gboolean
check_values (const PdIntervalTree *self, const PdIntervalVisit *visit, guint32 p, GError **error)
{
  const PdIntervalNode *node = pd_interval_node (self, visit->node);
  PdTime values[PD_N_CHARACTERISTICS];

  pd_interval_get_values (self, visit, p, values);
  for (gsize i = 0; i < G_N_ELEMENTS (identities); i++)
    {
      if ((identities[i].models & 1u << self->model) == 0)
        continue;
      PdTimeSum left = sum_of (values, identities[i].left);
      PdTimeSum right = sum_of (values, identities[i].right);
      if (identities[i].is_bound ? left.ps <= right.ps : left.ps == right.ps)
        continue;
      violate (error, identities[i].name, node, p, left, right);
      return FALSE;
    }
  for (guint32 c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (values[c].ps < 0 || values[c].ps == G_MAXINT64)
      {
        g_autofree char *name =
            g_strconcat ("0 <= ", pd_characteristic_row (c)->name, " < 106 days", NULL);
        violate (error, name, node, p, (PdTimeSum){ values[c].ps }, (PdTimeSum){ G_MAXINT64 });
        return FALSE;
      }
  PdTimeSum sum = sum_of (values, C (EXECUTION_TIME) | C (IDLE));
  PdTimeSum max = { visit->bases[PD_BASE_MAX_EXECUTION] };
  if (sum.ps != max.ps)
    violate (error, "Execution_time + Idle = the largest Execution_time", node, p, sum, max);
  return sum.ps == max.ps;
}

static void
check_end (const PdIntervalTree *self, const PdIntervalVisit *visit, guint32 p, Check *check)
{
  const PdIntervalNode *node = pd_interval_node (self, visit->node);
  PdTime values[PD_N_CHARACTERISTICS];

  pd_interval_get_values (self, visit, p, values);
  if (values[PD_C_EXECUTION_TIME].ps != check->end_times[p].ps)
    violate (&check->error, "Execution_time = the clock at the end", node, p,
             (PdTimeSum){ values[PD_C_EXECUTION_TIME].ps }, (PdTimeSum){ check->end_times[p].ps });
}

/* Of operations of one kind on one processor: what waiting there is, is communication. */
static const PdOperationTime within_communication[] = { PD_OPERATION_REAL_SYNC,
                                                        PD_OPERATION_SYNCHRONIZATION };

static void
check_operations (const PdIntervalTree *self, const PdIntervalVisit *visit, guint32 p,
                  GError **error)
{
  const PdIntervalNode *node = pd_interval_node (self, visit->node);

  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    for (gsize i = 0; i < G_N_ELEMENTS (within_communication); i++)
      {
        const gint64 *comm =
            visit->inclusive[pd_operation_quantity (kind, PD_OPERATION_COMMUNICATION)];
        const gint64 *part =
            visit->inclusive[pd_operation_quantity (kind, within_communication[i])];
        gint64 whole = comm != NULL ? comm[p] : 0;
        if (part == NULL || part[p] <= whole)
          continue;
        g_autofree char *name = g_strdup_printf (
            "%s of operations '%s' <= Communication of these",
            pd_characteristic_row (pd_operation_characteristic (within_communication[i]))->name,
            pd_operation_row (kind)->name);
        violate (error, name, node, p, (PdTimeSum){ part[p] }, (PdTimeSum){ whole });
        return;
      }
}

static void
check_node (const PdIntervalTree *self, const PdIntervalVisit *visit, gpointer data)
{
  Check *check = data;
  const PdIntervalNode *node = pd_interval_node (self, visit->node);
  gboolean is_root = visit->node == PD_INTERVAL_ROOT;

  if (check->error != NULL)
    return;
  if (!is_root)
    pd_interval_get_exe_counts (self, node->parent, check->above);
  for (guint32 p = 0; p < self->n_processors && check->error == NULL; p++)
    {
      if (visit->exe_count[p] <= 0)
        check_absent (visit, node, p, &check->error);
      else if (!is_root && check->above[p] <= 0)
        violate (&check->error, "an interval is entered inside its parent only", node, p,
                 (PdTimeSum){ visit->exe_count[p] }, (PdTimeSum){ 0 });
      else if (check_values (self, visit, p, &check->error))
        {
          check_operations (self, visit, p, &check->error);
          if (check->error == NULL && is_root && check->end_times != NULL)
            check_end (self, visit, p, check);
        }
    }
}

/* ---- operations */

/* Rows that are characteristics, too: the sum of two rows at most. */
static const struct
{
  PdCharacteristic c;
  PdOperationTime time;
  PdOperationKind rows[2];
} row_sums[] = {
  { PD_C_IO_COMM, PD_OPERATION_COMMUNICATION, { PD_OPERATION_IO, PD_N_OPERATIONS } },
  { PD_C_WAIT_REDUCTION, PD_OPERATION_COMMUNICATION, { PD_OPERATION_REDUCTION, PD_N_OPERATIONS } },
  { PD_C_WAIT_SHADOW, PD_OPERATION_COMMUNICATION, { PD_OPERATION_SHADOW, PD_OPERATION_PIPELINE } },
  { PD_C_REMOTE_ACCESS,
    PD_OPERATION_COMMUNICATION,
    { PD_OPERATION_REMOTE_ACCESS, PD_N_OPERATIONS } },
  { PD_C_REDISTRIBUTION,
    PD_OPERATION_COMMUNICATION,
    { PD_OPERATION_REDISTRIBUTION, PD_N_OPERATIONS } },
  { PD_C_OTHER_COMM, PD_OPERATION_COMMUNICATION, { PD_OPERATION_TASK, PD_OPERATION_OTHER } },
  { PD_C_REDUCTION_OVERLAP, PD_OPERATION_OVERLAP, { PD_OPERATION_REDUCTION, PD_N_OPERATIONS } },
  { PD_C_SHADOW_OVERLAP, PD_OPERATION_OVERLAP, { PD_OPERATION_SHADOW, PD_OPERATION_PIPELINE } },
};

static gboolean
check_sum (const PdIntervalTree *self, const PdIntervalResult *r, PdCharacteristic c,
           PdTimeSum of_table, GError **error)
{
  PdTimeSum of_tree = r->values[c].sum;

  if (of_tree.ps == of_table.ps)
    return TRUE;
  g_autofree char *name =
      g_strconcat (pd_characteristic_row (c)->name, " = its sum in the table of operations", NULL);
  violate (error, name, pd_interval_node (self, r->node), -1, of_tree, of_table);
  return FALSE;
}

/* Rows and columns of the table of operations add up to the characteristics. */
static gboolean
check_table (const PdIntervalTree *self, const PdIntervalResult *r, GError **error)
{
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    {
      PdTimeSum sum = { 0 };
      for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
        sum.ps += r->operations[kind][t].ps;
      if (!check_sum (self, r, pd_operation_characteristic (t), sum, error))
        return FALSE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (row_sums); i++)
    {
      PdTimeSum sum = { 0 };
      for (guint k = 0; k < G_N_ELEMENTS (row_sums[i].rows); k++)
        if (row_sums[i].rows[k] != PD_N_OPERATIONS)
          sum.ps += r->operations[row_sums[i].rows[k]][row_sums[i].time].ps;
      if (!check_sum (self, r, row_sums[i].c, sum, error))
        return FALSE;
    }
  return TRUE;
}

/* Each operation of the program is counted once: no processor takes part in more, and of each
 * there is one that does. */
static gboolean
check_counts (const PdIntervalTree *self, const PdIntervalResult *r,
              const PdProcessorOperations *all, GError **error)
{
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      guint64 once = r->counts[pd_operation_counter (kind) - PD_N_TIMES], most = 0, sum = 0;
      for (guint32 p = 0; p < self->n_processors; p++)
        {
          most = MAX (most, all[p].counts[kind]);
          sum += all[p].counts[kind];
        }
      if (most <= once && once <= sum)
        continue;
      g_autofree char *name = g_strdup_printf ("'%s' counts each operation once (in units of 1 ps)",
                                               pd_counter_row (pd_operation_counter (kind))->name);
      violate (error, name, pd_interval_node (self, r->node), -1, (PdTimeSum){ (PdWide) once },
               (PdTimeSum){ (PdWide) sum });
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_all_operations (const PdIntervalTree *self, const GArray *results, GError **error)
{
  g_autofree PdProcessorOperations *all = g_new (PdProcessorOperations, self->n_processors);

  for (guint32 i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      pd_interval_tree_get_operations (self, r->node, all);
      if (!check_table (self, r, error) || !check_counts (self, r, all, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- the machine */

/* The sum over processors of the own value of @node for @c. */
static PdWide
own_sum (const PdIntervalTree *self, const PdIntervalNode *node, PdCharacteristic c)
{
  PdWide sum = 0;

  for (guint64 mask = pd_interval_formula (c, self->model)->plus; mask != 0; mask &= mask - 1)
    {
      guint32 q = (guint32) __builtin_ctzll (mask);
      const gint64 *column = self->columns[(gsize) node->number * PD_N_QUANTITIES + q];
      for (guint32 p = 0; column != NULL && p < self->n_processors; p++)
        sum += column[p];
      for (guint32 s = 0; s < node->n_shared; s++)
        if (node->shared[s] != NULL)
          sum += (PdWide) node->shared[s][q] * g_array_index (self->sets, PdIntervalSet, s).n;
    }
  return sum;
}

/* @sums: the expected value of each node, [node], for @c. */
static gboolean
check_additive (const PdIntervalTree *self, const GArray *results, PdCharacteristic c,
                PdTimeSum *sums, GError **error)
{
  for (guint32 i = 0; i < self->nodes->len; i++)
    sums[i].ps = own_sum (self, pd_interval_node (self, i), c);
  /* a child's number is larger than its parent's */
  for (guint32 i = self->nodes->len; i-- > 1;)
    sums[pd_interval_node (self, i)->parent].ps += sums[i].ps;
  for (guint32 i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      if (r->values[c].sum.ps == sums[r->node].ps)
        continue;
      g_autofree char *name =
          g_strconcat (pd_characteristic_row (c)->name, " = own part + that of the children", NULL);
      violate (error, name, pd_interval_node (self, r->node), -1, r->values[c].sum, sums[r->node]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_machine (const PdIntervalTree *self, const PdIntervalResult *r, gboolean is_single,
               GError **error)
{
  const PdIntervalNode *node = pd_interval_node (self, r->node);
  PdTimeSum productive = r->values[PD_C_PRODUCTIVE_TIME].sum;
  PdTimeSum sum = { productive.ps + r->values[PD_C_LOST_TIME].sum.ps };

  if (sum.ps != r->total_time.ps)
    {
      violate (error, "Total_time = Productive_time + Lost_time", node, -1, r->total_time, sum);
      return FALSE;
    }
  if (!(r->efficiency >= 0 && r->efficiency <= 1))
    {
      violate (error, "0 <= Efficiency <= 1", node, -1, productive, r->total_time);
      return FALSE;
    }
  for (gsize i = 0; is_single && i < G_N_ELEMENTS (zero_on_one); i++)
    {
      const PdSummary *value = &r->values[zero_on_one[i]];
      if (value->sum.ps == 0)
        continue;
      g_autofree char *name =
          g_strconcat (pd_characteristic_row (zero_on_one[i])->name, " = 0 on one processor", NULL);
      violate (error, name, node, -1, value->sum, (PdTimeSum){ 0 });
      return FALSE;
    }
  return TRUE;
}

gboolean
pd_interval_tree_check (const PdIntervalTree *self, const PdTime *end_times, gboolean is_single,
                        GError **error)
{
  g_autofree gint64 *above = g_new (gint64, self->n_processors);
  g_autofree PdTimeSum *sums = g_new (PdTimeSum, self->nodes->len);
  Check check = { end_times, above, NULL };

  pd_interval_walk (self, check_node, &check);
  if (check.error != NULL)
    {
      g_propagate_error (error, check.error);
      return FALSE;
    }

  g_autoptr (GArray) results = pd_interval_tree_fold (self);
  for (guint32 i = 0; i < results->len; i++)
    if (!check_machine (self, &g_array_index (results, PdIntervalResult, i), is_single, error))
      return FALSE;
  if (self->model == PD_MODEL_DVM && !check_all_operations (self, results, error))
    return FALSE;
  for (guint32 c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      const PdFormula *formula = pd_interval_formula (c, self->model);
      gboolean is_additive =
          formula->minus == 0 && formula->base == PD_BASE_ZERO && c != PD_C_EXECUTION_TIME;
      if (is_additive && !check_additive (self, results, c, sums, error))
        return FALSE;
    }
  return TRUE;
}
