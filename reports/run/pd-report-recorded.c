/* What a run took when it was recorded, beside what is predicted.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-types.h"
#include "reports/emit/pd-table.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-recorded.h"

#include <math.h>
#include <stdlib.h>

#define DECIMALS    9
#define BRIEF_RANKS 16 /* more are not shown at a terminal that does not ask for all */
#define MAX_INDENT  12

static void
row_clear (gpointer data)
{
  g_free (((PdRecordedRow *) data)->label);
}

static void
add (GArray *rows, char *label, guint depth, PdTimeSum recorded, PdTimeSum predicted)
{
  gdouble was = pd_time_sum_to_seconds (recorded), is = pd_time_sum_to_seconds (predicted);
  PdRecordedRow row = { label, depth, was, is, was > 0 ? 100 * (is - was) / was : NAN };

  g_array_append_val (rows, row);
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

char *
pd_report_recorded_error (const PdRecordedRow *row)
{
  return isnan (row->error) ? g_strdup ("-") : g_strdup_printf ("%+.2f", row->error);
}

static void
write_rows (const GArray *rows, const char *const *headings, guint width, GString *out)
{
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (guint i = 0; i < rows->len; i++)
    {
      const PdRecordedRow *row = &g_array_index (rows, PdRecordedRow, i);
      pd_table_take (table, g_strdup_printf ("%*s%s", (int) (2 * row->depth), "", row->label));
      pd_table_take (table, pd_report_fixed (row->recorded, DECIMALS));
      pd_table_take (table, pd_report_fixed (row->predicted, DECIMALS));
      pd_table_take (table, pd_report_recorded_error (row));
    }
  pd_table_write (table, width, out);
}

void
pd_report_write_recorded (const PdReportRun *run, gboolean brief, guint width, GString *out)
{
  static const char *const of_intervals[] = { "<Interval", "Recorded s", "Predicted s", "Error%",
                                              NULL };
  static const char *const of_ranks[] = { "<Rank", "Recorded end s", "Predicted end s", "Error%",
                                          NULL };
  g_autoptr (GArray) intervals = pd_report_recorded_intervals (run);

  if (run->recorded_ends == NULL)
    return;
  g_autoptr (GArray) ranks = pd_report_recorded_ranks (run, brief);
  g_string_append (out, "\nRecorded and predicted\n\n");
  if (intervals->len > 0)
    {
      write_rows (intervals, of_intervals, width, out);
      g_string_append_c (out, '\n');
    }
  write_rows (ranks, of_ranks, width, out);
  if (ranks->len < run->n_processors)
    g_string_append_printf (out, "%u more ranks, which are not farther off, with -v\n",
                            run->n_processors - ranks->len);
}
