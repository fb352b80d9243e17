/* The recorded times are folded like predicted ones: a tree of the same shape, to
 * which each rank's actions charge what they took when they were recorded.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-reproduce.h"

#include "analyse/pd-marked.h"
#include "predictor/mp/pd-mp-state.h"
#include "intervals/pd-interval-fold.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-program-sharing.h"

typedef struct
{
  const PdProgram *program;
  PdIntervalTree *tree;
  gboolean any; /* a call has a recorded time */
} Recorded;

/* The node that the rank is in after @action, as the simulation would have it. */
static guint32
move (const Recorded *self, guint32 rank, guint32 node, const PdAction *action)
{
  if (action->kind != PD_ACT_ENTER && action->kind != PD_ACT_LEAVE)
    return node;
  PdIntervalKey key = pd_marked_key (pd_program_get_interval (self->program, action->interval));
  if (action->kind == PD_ACT_LEAVE)
    {
      guint32 open = pd_marked_find_open (self->tree, node, &key);
      return open == PD_INTERVAL_ROOT ? node : pd_interval_tree_get_parent (self->tree, open);
    }
  node = pd_interval_tree_child (self->tree, node, &key);
  pd_interval_tree_add (self->tree, node, PD_Q_EXE_COUNT, rank, PD_TIME (1));
  return node;
}

/* The duration of the action, and its kind. */
static PdTime
time_of (Recorded *self, const PdAction *action, PdQuantity *quantity)
{
  *quantity = PD_Q_SENDRECV;
  if (action->kind == PD_ACT_COMPUTE || action->kind == PD_ACT_DELAY)
    {
      *quantity = PD_Q_CPU_SEQ;
      return action->amount.time;
    }
  if (action->recorded < 0 && (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL))
    return action->amount.time;
  if (action->recorded < 0)
    return PD_TIME_ZERO;
  self->any = TRUE;
  return PD_TIME (action->recorded);
}

/* Returns: the sum of the rank's times. */
static PdTime
charge_rank (Recorded *self, guint32 rank)
{
  g_auto (PdActionReader) reader = { 0 };
  guint32 node = PD_INTERVAL_ROOT;
  PdTime sum = PD_TIME_ZERO;
  const PdAction *action;

  pd_action_reader_init (&reader, self->program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    {
      PdQuantity quantity;
      node = move (self, rank, node, action);
      PdTime t = time_of (self, action, &quantity);
      pd_interval_tree_add (self->tree, node, quantity, rank, t);
      sum = pd_time_add (sum, t);
    }
  return sum;
}

/* Both trees have been made in the order of the program: their nodes are alike. */
static GArray *
fold (const PdReportRun *run, PdIntervalTree *tree)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  GArray *times = g_array_new (FALSE, TRUE, sizeof (PdTimeSum));

  g_array_set_size (times, run->results->len);
  for (guint i = 0; i < MIN (results->len, times->len); i++)
    g_array_index (times, PdTimeSum, i) =
        g_array_index (results, PdIntervalResult, i).values[PD_C_EXECUTION_TIME].sum;
  return times;
}

/* Times of ranks that shared processors differ from their times alone. */
static void
notify_sharing (PdReportRun *run, const PdProgram *program)
{
  gboolean is_cpu = pd_program_get_recorded_clock (program) == PD_CLOCK_CPU;
  PdSharing sharing;

  if (!pd_program_find_sharing (program, &sharing))
    return;
  g_autofree char *text = pd_sharing_describe (&sharing);
  pd_messages_add (run->messages, PD_SEVERITY_NOTE, "recorded-shared", NULL, NULL,
                   "recorded times are of a run in which %s; in the predicted run "
                   "each rank has a processor, so the times are not comparable%s",
                   text, is_cpu ? ": compare with a recording on as many processors as ranks" : "");
}

gboolean
pd_mp_reproduce (PdReportRun *run, const PdMpTrace *trace, GError **error)
{
  guint32 n = run->n_processors;
  g_autofree PdTime *ends = g_new (PdTime, n);
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new_mpi (n);
  Recorded recorded = { trace->program, tree, FALSE };
  gboolean any_end = FALSE, is_time;

  is_time = trace->program != NULL && pd_program_get_unit (trace->program) == PD_AMOUNT_TIME;
  for (guint32 rank = 0; trace->program != NULL && rank < n; rank++)
    {
      PdTime end = pd_program_get_recorded_end (trace->program, rank);
      PdTime sum = is_time ? charge_rank (&recorded, rank) : PD_TIME_ZERO;
      any_end = any_end || !pd_time_is_pending (end);
      ends[rank] = pd_time_is_pending (end) ? sum : end;
    }
  if (!any_end && !recorded.any)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "--reproduce: the trace does not say how long its calls took, or when its ranks "
                   "ended");
      return FALSE;
    }
  run->recorded_ends = g_steal_pointer (&ends);
  if (trace->program != NULL)
    notify_sharing (run, trace->program);
  if (trace->program != NULL)
    run->outside = pd_outside_new (trace->program);
  if (recorded.any)
    run->recorded = fold (run, tree);
  return TRUE;
}

PdTime
pd_mp_recorded_time (const PdMpTrace *trace)
{
  PdTime last = PD_TIME_ZERO;
  PdSharing sharing;

  if (trace->program == NULL || pd_program_find_sharing (trace->program, &sharing))
    return PD_TIME_ZERO;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (trace->program); rank++)
    {
      PdTime end = pd_program_get_recorded_end (trace->program, rank);
      if (pd_time_is_pending (end))
        return PD_TIME_ZERO;
      last = pd_time_max (last, end);
    }
  return last;
}
