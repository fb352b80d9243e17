/* The recorded time of a run, beside the predicted one.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-types.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-recorded.h"

#include <math.h>
#include <stdlib.h>

#define DECIMALS     9
#define FEW_DECIMALS 6  /* in a table with more columns */
#define BRIEF_RANKS  16 /* more are not shown at a terminal that does not ask for all */
#define MAX_INDENT   12

/* ---- the run as a whole */

char *
pd_report_describe_recorded (const PdReportRun *run, const char *machine, char **recorded)
{
  PdTime last = run->recorded_time;
  gdouble was, is;

  *recorded = NULL;
  for (guint32 rank = 0; run->recorded_ends != NULL && rank < run->n_processors; rank++)
    last = pd_time_max (last, run->recorded_ends[rank]);
  was = pd_time_to_seconds (last);
  is = pd_time_sum_to_seconds (pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].sum);
  if (!(was > 0) || run->is_recorded)
    return NULL;
  *recorded = g_strdup_printf ("%.6g s", was);
  if (run->recorded_ends != NULL)
    return g_strdup_printf ("the prediction is %.2f %% too %s", 100 * fabs (is / was - 1),
                            is < was ? "short" : "long");
  return g_strdup_printf ("%s%s it takes %.*f times as long", machine != NULL ? "on " : "",
                          machine != NULL ? machine : "predicted", is / was < 0.1 ? 3 : 2,
                          is / was);
}

/* ---- intervals and ranks */

static void
row_clear (gpointer data)
{
  g_free (((PdRecordedRow *) data)->label);
}

static void
add (GArray *rows, char *label, guint depth, PdTimeSum recorded, PdTimeSum predicted)
{
  gdouble was = pd_time_sum_to_seconds (recorded), is = pd_time_sum_to_seconds (predicted);
  PdRecordedRow row = { .label = label,
                        .depth = depth,
                        .recorded = was,
                        .predicted = is,
                        .error = was > 0 ? 100 * (is - was) / was : NAN };

  g_array_append_val (rows, row);
}

/* Of result @i of @run, in the row added last. */
static void
add_communication (GArray *rows, const PdReportRun *run, guint i)
{
  PdRecordedRow *row = &g_array_index (rows, PdRecordedRow, rows->len - 1);
  gdouble predicted =
      pd_time_sum_to_seconds (pd_report_result (run, i)->values[PD_C_COMMUNICATION].sum);

  if (run->recorded_communication == NULL)
    return;
  row->has_communication = TRUE;
  row->recorded_communication =
      pd_time_sum_to_seconds (g_array_index (run->recorded_communication, PdTimeSum, i))
      / run->n_processors;
  row->predicted_communication = predicted / run->n_processors;
}

GArray *
pd_report_recorded_intervals (const PdReportRun *run)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (PdRecordedRow));

  g_array_set_clear_func (rows, row_clear);
  for (guint i = 0; run->recorded != NULL && i < run->recorded->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      add (rows, pd_report_label (r), MIN (r->depth, MAX_INDENT),
           g_array_index (run->recorded, PdTimeSum, i), r->values[PD_C_EXECUTION_TIME].sum);
      add_communication (rows, run, i);
    }
  return rows;
}

/* The farthest off first; what cannot be compared last. */
static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const PdRecordedRow *x = a, *y = b;
  gdouble p = isnan (x->error) ? -1 : fabs (x->error);
  gdouble q = isnan (y->error) ? -1 : fabs (y->error);

  return p < q ? 1 : p > q ? -1 : atoi (x->label) - atoi (y->label);
}

GArray *
pd_report_recorded_ranks (const PdReportRun *run, gboolean brief)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (PdRecordedRow));

  g_array_set_clear_func (rows, row_clear);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    add (rows, g_strdup_printf ("%u", rank), 0, (PdTimeSum){ run->recorded_ends[rank].ps },
         (PdTimeSum){ run->end_times[rank].ps });
  if (brief && rows->len > BRIEF_RANKS)
    {
      g_array_sort (rows, compare_rows);
      g_array_set_size (rows, BRIEF_RANKS);
    }
  return rows;
}

void
pd_report_add_recorded (PdColumns *to, gboolean of_ranks, const PdRecordedRow *row)
{
  static const PdColumn intervals[] = { { "<Interval", "<Interval" },
                                        { "Recorded s", "Recorded, s" },
                                        { "Predicted s", "Predicted, s" },
                                        { "Error%", "Error, %" },
                                        { "Rec. comm.", "Recorded communication, s" },
                                        { "Pred. comm.", "Predicted communication, s" } };
  static const PdColumn ranks[] = { { "<Rank", "<Rank" },
                                    { "Recorded end s", "Recorded end, s" },
                                    { "Predicted end s", "Predicted end, s" },
                                    { "Error%", "Error, %" } };
  int decimals = row->has_communication ? FEW_DECIMALS : DECIMALS;
  g_autofree char *error =
      isnan (row->error) ? g_strdup ("-") : g_strdup_printf ("%+.2f", row->error);

  pd_columns_begin (to, of_ranks ? ranks : intervals,
                    row->has_communication ? G_N_ELEMENTS (intervals) : G_N_ELEMENTS (ranks));
  pd_columns_add_label (to, row->label, row->depth);
  pd_columns_add_fixed (to, row->recorded, decimals);
  pd_columns_add_fixed (to, row->predicted, decimals);
  pd_columns_add_text (to, error);
  if (!row->has_communication)
    return;
  pd_columns_add_fixed (to, row->recorded_communication, decimals);
  pd_columns_add_fixed (to, row->predicted_communication, decimals);
}

static void
write_rows (const GArray *rows, gboolean of_ranks, guint width, GString *out)
{
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < rows->len; i++)
    pd_report_add_recorded (&to, of_ranks, &g_array_index (rows, PdRecordedRow, i));
  pd_columns_end (&to);
}

void
pd_report_write_recorded (const PdReportRun *run, gboolean brief, guint width, GString *out)
{
  g_autoptr (GArray) intervals = pd_report_recorded_intervals (run);

  if (run->recorded_ends == NULL)
    return;
  g_autoptr (GArray) ranks = pd_report_recorded_ranks (run, brief);
  g_string_append (out, "\nRecorded and predicted\n\n");
  if (intervals->len > 0)
    {
      write_rows (intervals, FALSE, width, out);
      if (run->recorded_communication != NULL)
        g_string_append (out, "Communication in s, of a processor on average.\n");
      g_string_append_c (out, '\n');
    }
  write_rows (ranks, TRUE, width, out);
  if (run->outside != NULL)
    {
      PdColumns to = { .out = out, .width = width };
      g_string_append_c (out, '\n');
      pd_report_add_outside (&to, run);
    }
  if (ranks->len < run->n_processors)
    g_string_append_printf (out, "%u more ranks, which are not farther off, with -v\n",
                            run->n_processors - ranks->len);
}
