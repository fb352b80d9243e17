/* The recorded times are folded like predicted ones: a tree of the same shape, to
 * which each rank's actions charge what they took when they were recorded.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp-reproduce.h"

#include "reports/pd-table.h"

#define DECIMALS 9

typedef struct
{
  const PdProgram *program;
  PdIntervalTree *tree;
  GArray *open; /* guint32: nodes, the innermost last */
  gboolean any; /* a call has a recorded time */
} Recorded;

static void
enter (Recorded *self, guint32 rank, guint32 interval)
{
  const PdProgramInterval *marked = pd_program_get_interval (self->program, interval);
  PdIntervalKey key = { .type = PD_INTERVAL_USER,
                        .file = marked->file,
                        .line = marked->line,
                        .index = marked->index >= 0 ? marked->index : PD_INTERVAL_NO_INDEX,
                        .name = marked->name };
  guint32 around = g_array_index (self->open, guint32, self->open->len - 1);
  guint32 node = pd_interval_tree_child (self->tree, around, &key);

  g_array_append_val (self->open, node);
  pd_interval_tree_add (self->tree, node, PD_Q_EXE_COUNT, rank, PD_TIME (1));
}

/* How long the action took, and of what kind that is. */
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
  const PdCell *end, *cell = pd_program_get_cells (self->program, rank, &end);
  PdTime sum = PD_TIME_ZERO;
  PdAction action;

  g_array_set_size (self->open, 1);
  while (cell != end)
    {
      PdQuantity quantity;
      cell = pd_action_read (cell, &action);
      if (action.kind == PD_ACT_ENTER)
        enter (self, rank, action.interval);
      else if (action.kind == PD_ACT_LEAVE && self->open->len > 1)
        g_array_set_size (self->open, self->open->len - 1);
      PdTime t = time_of (self, &action, &quantity);
      pd_interval_tree_add (self->tree, g_array_index (self->open, guint32, self->open->len - 1),
                            quantity, rank, t);
      sum = pd_time_add (sum, t);
    }
  return sum;
}

/* ---- tables */

static char *
seconds (PdTimeSum t)
{
  return g_strdup_printf ("%.*f", DECIMALS, pd_time_sum_to_seconds (t));
}

static void
add_row (PdTable *table, char *label, PdTimeSum recorded, PdTimeSum predicted)
{
  gdouble was = pd_time_sum_to_seconds (recorded), is = pd_time_sum_to_seconds (predicted);

  pd_table_take (table, label);
  pd_table_take (table, seconds (recorded));
  pd_table_take (table, seconds (predicted));
  pd_table_take (table,
                 was > 0 ? g_strdup_printf ("%+.2f", 100 * (is - was) / was) : g_strdup ("-"));
}

static char *
label_of (const PdIntervalResult *r)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%*s%s", (int) (2 * MIN (r->depth, 12)), "",
                          pd_interval_type_name (r->type));
  if (r->name[0] != '\0')
    g_string_append_printf (text, " %s", r->name);
  if (r->file[0] != '\0')
    g_string_append_printf (text, " %s:%" G_GINT64_FORMAT, r->file, r->line);
  if (r->index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (text, " [%" G_GINT64_FORMAT "]", r->index);
  char *valid = g_utf8_make_valid (text->str, -1);
  g_string_free (text, TRUE);
  return valid;
}

static void
write_intervals (const PdReportRun *run, GString *out)
{
  static const char *const headings[] = { "<Interval", "Recorded s", "Predicted s", "Error%",
                                          NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint i = 0; i < run->recorded->len; i++)
    {
      const PdIntervalResult *is = &g_array_index (run->results, PdIntervalResult, i);
      add_row (table, label_of (is), g_array_index (run->recorded, PdTimeSum, i),
               is->values[PD_C_EXECUTION_TIME].sum);
    }
  pd_table_write (table, 100, out);
}

static void
write_ranks (const PdReportRun *run, GString *out)
{
  static const char *const headings[] = { "<Rank", "Recorded end s", "Predicted end s", "Error%",
                                          NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint32 rank = 0; rank < run->n_processors; rank++)
    add_row (table, g_strdup_printf ("%u", rank), (PdTimeSum){ run->recorded_ends[rank].ps },
             (PdTimeSum){ run->end_times[rank].ps });
  pd_table_write (table, 100, out);
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

gboolean
pd_mp_reproduce (PdReportRun *run, const PdMpTrace *trace, GString *out, GError **error)
{
  guint32 n = run->n_processors;
  g_autofree PdTime *ends = g_new (PdTime, n);
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new_mpi (n);
  g_autoptr (GArray) open = g_array_new (FALSE, TRUE, sizeof (guint32));
  Recorded recorded = { trace->program, tree, open, FALSE };
  gboolean any_end = FALSE, is_time;

  g_array_set_size (open, 1);
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
  g_string_append (out, "\nRecorded and predicted\n\n");
  if (recorded.any)
    {
      run->recorded = fold (run, tree);
      write_intervals (run, out);
      g_string_append_c (out, '\n');
    }
  write_ranks (run, out);
  return TRUE;
}
