/* The matrices of statistics as quantities of the interval tree. The cells of messages have
 * communication as lost time, and the synchronisation in it as productive time. All other
 * times are those of computation and I/O: their lost part is that of other processors which do
 * the same, so that the sum of both is the time of the processor.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-statistics.h"

#include "traces/pppa/pd-pppa.h"

#include <math.h>

typedef struct
{
  const PdPppa *statistics;
  PdIntervalTree *tree;
  guint p;         /* processor */
  guint i;         /* its interval, */
  guint32 node;    /* the node of that, */
  gboolean is_par; /* and whether it is a parallel loop */
  PdTime end;      /* sum of all times */
} Reader;

/* The groups of operations of one kind. All others are of the kind OTHER. */
static const struct
{
  PdPppaGroup group;
  PdOperationKind kind;
  gboolean is_counted; /* each operation of the kind has one call of this group */
} groups[] = {
  { PD_PPPA_START_REDUCTION, PD_OPERATION_REDUCTION, FALSE },
  { PD_PPPA_WAIT_REDUCTION, PD_OPERATION_REDUCTION, TRUE },
  { PD_PPPA_START_SHADOW, PD_OPERATION_SHADOW, FALSE },
  { PD_PPPA_WAIT_SHADOW, PD_OPERATION_SHADOW, TRUE },
  { PD_PPPA_DO_LOOP, PD_OPERATION_PIPELINE, FALSE },
  { PD_PPPA_REMOTE_ACCESS, PD_OPERATION_REMOTE_ACCESS, TRUE },
  { PD_PPPA_REDISTRIBUTION, PD_OPERATION_REDISTRIBUTION, TRUE },
  { PD_PPPA_IO, PD_OPERATION_IO, TRUE },
};

static PdOperationKind
find_kind (guint group)
{
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].group == group)
      return groups[i].kind;
  return PD_OPERATION_OTHER;
}

static PdTime
make_time (gdouble seconds)
{
  return PD_TIME ((gint64) (seconds * 1e12 + 0.5));
}

static void
charge (Reader *self, PdQuantity quantity, PdTime time)
{
  pd_interval_tree_add (self->tree, self->node, quantity, self->p, time);
}

static void
charge_messages (Reader *self, guint outer, const PdPppaCell *cell)
{
  PdTime lost = make_time (cell->lost), waiting = make_time (cell->productive);
  PdOperationKind kind = find_kind (outer);

  charge (self, pd_operation_quantity (kind, PD_OPERATION_COMMUNICATION), lost);
  charge (self, pd_operation_quantity (kind, PD_OPERATION_SYNCHRONIZATION),
          PD_TIME (MIN (waiting.ps, lost.ps)));
  self->end = pd_time_add (self->end, lost);
}

static void
charge_work (Reader *self, guint outer, const PdPppaCell *cell)
{
  PdTime lost = make_time (cell->lost), productive = make_time (cell->productive);
  gboolean is_par = outer == PD_PPPA_USER && self->is_par;
  PdQuantity cpu = is_par ? PD_Q_CPU_PAR : PD_Q_CPU_SEQ;

  charge (self, outer == PD_PPPA_IO ? PD_Q_IO : cpu, productive);
  charge (self, cpu, lost);
  charge (self, is_par ? PD_Q_INSUFF_PAR : PD_Q_INSUFF_SEQ, lost);
  self->end = pd_time_add (self->end, pd_time_add (productive, lost));
}

static void
charge_matrix (Reader *self)
{
  for (guint outer = 0; outer < PD_PPPA_N_GROUPS; outer++)
    for (guint inner = 0; inner < PD_PPPA_N_GROUPS; inner++)
      {
        PdPppaCell cell = pd_pppa_get_cell (self->statistics, self->p, self->i, outer, inner);
        if (inner == PD_PPPA_MESSAGES)
          charge_messages (self, outer, &cell);
        else
          charge_work (self, outer, &cell);
      }
}

/* @share: of the processors that did it together */
static void
count (Reader *self, PdQuantity counter, gdouble share, gint64 n)
{
  charge (self, counter, PD_TIME ((gint64) CLAMP (share * (gdouble) n + 0.5, 0, 1e15)));
}

static void
count_all (Reader *self, const PdPppaInterval *interval)
{
  gint64 all = pd_pppa_get_n_processors (self->statistics);
  gint64 n =
      interval->n_processors > 0 && interval->n_processors <= all ? interval->n_processors : all;

  for (gsize k = 0; k < G_N_ELEMENTS (groups); k++)
    {
      PdPppaCell cell =
          pd_pppa_get_cell (self->statistics, self->p, self->i, PD_PPPA_USER, groups[k].group);
      if (groups[k].is_counted)
        count (self, pd_operation_counter (groups[k].kind), cell.calls, n);
    }
  /* an interval that has times was entered */
  if (self->node != PD_INTERVAL_ROOT && interval->type != PD_PPPA_COLLECTIVE)
    count (self, PD_Q_EXE_COUNT, MAX (interval->entries, 1.0 / (gdouble) n), n);
}

/* The whole program is the root. Operations that have an interval of their own belong to the one
 * around them. */
static guint32
find_node (const Reader *self, const PdPppaInterval *interval, const GArray *nodes)
{
  static const PdIntervalType types[] = { [PD_PPPA_SEQ] = PD_INTERVAL_SEQ,
                                          [PD_PPPA_PAR] = PD_INTERVAL_PAR,
                                          [PD_PPPA_INTERVAL] = PD_INTERVAL_USER };
  guint32 parent = interval->parent < 0 ? PD_INTERVAL_ROOT
                                        : g_array_index (nodes, guint32, (guint) interval->parent);

  if (interval->parent < 0 || interval->type == PD_PPPA_COLLECTIVE)
    return parent;
  const PdIntervalKey key = { .type = types[interval->type],
                              .file = interval->file,
                              .line = interval->line,
                              .index = interval->type == PD_PPPA_INTERVAL ? interval->index
                                                                          : PD_INTERVAL_NO_INDEX };
  return pd_interval_tree_child (self->tree, parent, &key);
}

static void
read_processor (Reader *self)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->end = PD_TIME_ZERO;
  for (self->i = 0; self->i < pd_pppa_get_n_intervals (self->statistics, self->p); self->i++)
    {
      PdPppaInterval interval = pd_pppa_get_interval (self->statistics, self->p, self->i);
      self->node = find_node (self, &interval, nodes);
      self->is_par = interval.type == PD_PPPA_PAR;
      g_array_append_val (nodes, self->node);
      charge_matrix (self);
      count_all (self, &interval);
    }
}

PdReportRun *
pd_dvm_measure_statistics (const PdTraceSource *source, GError **error)
{
  g_autoptr (PdPppa) statistics = pd_pppa_read (source, error);

  if (statistics == NULL)
    return NULL;
  PdReportRun *run = g_new0 (PdReportRun, 1);
  run->messages = pd_messages_new ();
  run->is_recorded = TRUE;
  run->n_processors = pd_pppa_get_n_processors (statistics);
  run->grid = pd_pppa_get_grid (statistics);
  run->tree = pd_interval_tree_new (run->n_processors);
  run->end_times = g_new0 (PdTime, run->n_processors);
  Reader reader = { .statistics = statistics, .tree = run->tree };
  for (reader.p = 0; reader.p < run->n_processors; reader.p++)
    {
      read_processor (&reader);
      run->end_times[reader.p] = reader.end;
    }
  return run;
}
