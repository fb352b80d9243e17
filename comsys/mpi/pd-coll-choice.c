/* Which algorithm an operation is played by: the machine's own choices, then the
 * table of its set.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-coll-choice-private.h"

#include "comsys/coll/pd-coll-algorithms.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-coll-tables.h"
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/machine/pd-machine.h"

#include <string.h>

#define SIMPLE "simple"

const PdAlgorithm *
pd_algorithm_find (PdOp op, const char *name)
{
  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    if (a->op == op && strcmp (a->name, name) == 0)
      return a;
  return NULL;
}

static char *
list_algorithms (PdOp op)
{
  GString *names = g_string_new (NULL);

  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    if (a->op == op)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", a->name);
  return g_string_free (names, FALSE);
}

static PdOp
find_op (const char *name)
{
  guint op = 0;

  while (op < PD_N_OPS && strcmp (pd_ops[op].name, name) != 0)
    op++;
  return (PdOp) op;
}

/* ---- the table in use */

static void
add_choice (PdCollectiveSet *self, PdOp op, const PdAlgorithmRow *choice, PdMeasure measure)
{
  const PdAlgorithm *algorithm = pd_algorithm_find (op, choice->algorithm);
  PdChosen chosen = { .choice = *choice, .measure = measure, .algorithm = algorithm };

  if (algorithm->otherwise != NULL)
    chosen.otherwise = pd_algorithm_find (op, algorithm->otherwise);
  chosen.choice.algorithm = algorithm->name; /* which lasts */
  g_array_append_val (self->chosen[op], chosen);
}

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  const PdCollectiveUse *x = *(const PdCollectiveUse *const *) a;
  const PdCollectiveUse *y = *(const PdCollectiveUse *const *) b;

  if (x->up_to != y->up_to)
    return x->up_to < y->up_to ? -1 : 1;
  if (x->max_ranks != y->max_ranks)
    return x->max_ranks < y->max_ranks ? -1 : 1;
  return (x->min_ranks < y->min_ranks) - (x->min_ranks > y->min_ranks);
}

/* "use operation=x algorithm=y", the narrower first. */
static gboolean
add_uses (PdCollectiveSet *self, const PdMachine *machine, GError **error)
{
  g_autoptr (GPtrArray) uses = g_ptr_array_new ();

  for (guint i = 0; i < machine->uses->len; i++)
    g_ptr_array_add (uses, &g_array_index (machine->uses, PdCollectiveUse, i));
  g_ptr_array_sort (uses, compare_uses);
  for (guint i = 0; i < uses->len; i++)
    {
      const PdCollectiveUse *use = g_ptr_array_index (uses, i);
      PdOp op = find_op (use->operation);
      const PdAlgorithm *algorithm = op < PD_N_OPS ? pd_algorithm_find (op, use->algorithm) : NULL;
      if (algorithm == NULL)
        {
          g_autofree char *names = op < PD_N_OPS ? list_algorithms (op) : g_strdup ("none");
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                       "%s: no algorithm '%s' for operation '%s'; it has %s", machine->origin,
                       use->algorithm, use->operation, names);
          return FALSE;
        }
      add_choice (self, op,
                  &(PdAlgorithmRow){ .min_ranks = (guint32) MIN (use->min_ranks, G_MAXUINT32),
                                     .max_ranks = (guint32) MIN (use->max_ranks, G_MAXUINT32),
                                     .up_to = use->up_to,
                                     .algorithm = algorithm->name,
                                     .segment = use->segment },
                  pd_ops[op].measure);
    }
  return TRUE;
}

static void
add_table (PdCollectiveSet *self, const PdCollectiveTable *table)
{
  for (guint op = 0; op < PD_N_OPS; op++)
    {
      const PdSelection *selection = &table->selections[op];
      if (selection->n_choices == 0)
        selection = &pd_collective_tables[0]->selections[op];
      for (guint i = 0; i < selection->n_choices; i++)
        add_choice (self, (PdOp) op, &selection->choices[i], selection->measure);
    }
}

static void
add_costs (PdCollectiveSet *self, const PdMachine *machine)
{
  for (guint op = 0; op < PD_N_OPS; op++)
    {
      self->in[op] = machine->fan_in;
      self->out[op] = machine->fan_out;
      for (guint i = 0; i < machine->costs->len; i++)
        {
          const PdCollectiveCost *cost = &g_array_index (machine->costs, PdCollectiveCost, i);
          if (strcmp (cost->operation, pd_ops[op].name) != 0)
            continue;
          self->in[op] = cost->in;
          self->out[op] = cost->out;
        }
    }
}

static const PdCollectiveTable *
find_table (const PdMachine *machine, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (strcmp (machine->collectives, SIMPLE) == 0)
    return pd_collective_tables[0];
  for (gsize i = 0; pd_collective_tables[i] != NULL; i++)
    {
      if (strcmp (machine->collectives, pd_collective_tables[i]->name) == 0)
        return pd_collective_tables[i];
      g_string_append_printf (names, "%s, ", pd_collective_tables[i]->name);
    }
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
               "%s: unknown collective set '%s', expected %sor " SIMPLE, machine->origin,
               machine->collectives, names->str);
  return NULL;
}

PdCollectiveSet *
pd_collective_set_new (const PdMachine *machine, GError **error)
{
  const PdCollectiveTable *table = find_table (machine, error);
  g_autoptr (PdCollectiveSet) self = NULL;

  if (table == NULL)
    return NULL;
  self = g_new0 (PdCollectiveSet, 1);
  self->is_simple = strcmp (machine->collectives, SIMPLE) == 0;
  for (guint op = 0; op < PD_N_OPS; op++)
    self->chosen[op] = g_array_new (FALSE, FALSE, sizeof (PdChosen));
  if (!add_uses (self, machine, error))
    return NULL;
  add_table (self, table);
  add_costs (self, machine);
  return g_steal_pointer (&self);
}

void
pd_collective_set_free (PdCollectiveSet *self)
{
  if (self == NULL)
    return;
  for (guint op = 0; op < PD_N_OPS; op++)
    g_array_unref (self->chosen[op]);
  g_free (self);
}

/* ---- choosing */

static gint64
sum_of (const gint64 *counts, guint32 n)
{
  gint64 sum = 0;

  for (guint32 i = 0; i < n; i++)
    sum = counts[i] > G_MAXINT64 - sum ? G_MAXINT64 : sum + counts[i];
  return sum;
}

/* The size that the table is entered with. */
static gint64
measure (const PdExecution *exec, PdMeasure what)
{
  const PdScheduleArgs *args = &exec->args;
  gint64 total;

  if (what == PD_MEASURE_NONE)
    return 0;
  if (what == PD_MEASURE_BYTES)
    return args->bytes;
  if (args->recv_counts != NULL)
    total = sum_of (args->recv_counts, exec->n);
  else
    total = args->bytes > G_MAXINT64 / exec->n ? G_MAXINT64 : args->bytes * exec->n;
  return what == PD_MEASURE_MEAN ? total / exec->n : total;
}

static gboolean
has_equal_blocks (const PdExecution *exec)
{
  const gint64 *counts = exec->args.recv_counts;

  for (guint32 i = 1; counts != NULL && i < exec->n; i++)
    if (counts[i] != counts[0])
      return FALSE;
  return TRUE;
}

static gboolean
applies (const PdAlgorithmRow *choice, const PdExecution *exec, gint64 size)
{
  guint32 n = exec->n;
  gboolean is_power = (n & (n - 1)) == 0;
  guint is = (exec->is_ordered ? PD_WHEN_ORDERED : PD_WHEN_COMMUTES)
             | (is_power ? PD_WHEN_POWER : PD_WHEN_NOT_POWER)
             | (exec->args.bytes / 8 >= n ? PD_WHEN_MANY : 0)
             | (exec->args.bytes / 8 >= pd_floor_power (n) ? PD_WHEN_PIECES : 0);

  if ((choice->when & PD_WHEN_EQUAL) != 0 && has_equal_blocks (exec))
    is |= PD_WHEN_EQUAL;
  return n >= choice->min_ranks && (choice->max_ranks == 0 || n <= choice->max_ranks)
         && size <= choice->up_to && (choice->when & ~is) == 0;
}

static gboolean
fits (const PdAlgorithm *algorithm, guint32 n)
{
  switch (algorithm->fit)
    {
    case PD_FIT_TWO:
      return n == 2;
    case PD_FIT_EVEN:
      return n % 2 == 0;
    case PD_FIT_POWER:
      return (n & (n - 1)) == 0;
    case PD_FIT_ANY:
      break;
    }
  return TRUE;
}

void
pd_collective_choose (const PdCollectiveSet *set, PdExecution *exec)
{
  const GArray *rows = set->chosen[exec->args.op];
  const PdChosen *chosen = NULL;
  gint64 size = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      const PdChosen *before = chosen;
      chosen = &g_array_index (rows, PdChosen, i);
      if (rows->len > 1 && (before == NULL || before->measure != chosen->measure))
        size = measure (exec, chosen->measure);
      if (applies (&chosen->choice, exec, size))
        break;
    }
  exec->segment = chosen->choice.segment;
  exec->algorithm = fits (chosen->algorithm, exec->n) ? chosen->algorithm : chosen->otherwise;
}
