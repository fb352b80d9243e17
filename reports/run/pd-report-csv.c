/* The report as CSV (RFC 4180): one line per run and interval.
 * SPDX-License-Identifier: MIT */
#include "reports/hints/pd-what-ifs.h"
#include "reports/run/pd-report-rows.h"
#include "reports/run/pd-sensitivity-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-csv.h"
#include "reports/run/pd-sensitivity.h"

static const PdField name_field[] = {
  { "name", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdIntervalRow, result.name) },
  PD_FIELDS_END,
};

/* @run: (nullable): %NULL: the headings */
static void
append_range (GString *out, const PdReportRun *run)
{
  PdTimeRangeEnds ends;

  if (run != NULL)
    ends = pd_time_range_get (run->range);
  pd_csv_append_fields (out, pd_report_range_ends, run != NULL ? &ends : NULL);
}

/* @run: (nullable): %NULL: the headings; @kind: a run like it, for what lines have. The others are
 * of interval @i; @efficiencies: (nullable): without these */
static void
append_line (GString *out, const PdReportRun *kind, const PdRunRow *run, const PdIntervalRow *row,
             const PdTimeSum *recorded, const gdouble *efficiencies)
{
  PdIntervalModel model = kind != NULL ? kind->model : PD_MODEL_DVM;

  pd_csv_append_fields (out, pd_report_runs.fields, run);
  pd_csv_append_fields (out, pd_report_intervals.fields, row);
  if (model == PD_MODEL_MPI)
    pd_csv_append_fields (out, name_field, row);
  pd_csv_append_fields (out, pd_report_sums[model], row);
  pd_csv_append_fields (out, pd_report_counters[model], row);
  if (model == PD_MODEL_DVM)
    pd_csv_append_fields (out, pd_report_operation_times, row != NULL ? &row->result : NULL);
  if (kind != NULL && kind->outside != NULL)
    pd_csv_append_fields (out, pd_report_outside_sums, row != NULL ? kind->outside : NULL);
  if (kind != NULL && kind->files != NULL)
    pd_csv_append_files (out, row != NULL ? kind->files : NULL);
  if (kind != NULL && kind->recorded != NULL)
    pd_csv_append_fields (out, pd_report_recorded, recorded);
  if (kind != NULL && kind->range != NULL)
    append_range (out, row != NULL ? kind : NULL);
  if (kind != NULL && pd_report_has_efficiencies (kind))
    pd_csv_append_fields (out, pd_report_efficiency_rows.fields, efficiencies);
  pd_csv_end_line (out);
}

void
pd_report_write_csv (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  /* without runs the model does not matter; of a recorded run there is one prediction */
  const PdReportRun *first = self->runs->len > 0 ? pd_report_run (self, 0) : NULL;
  append_line (out, first, NULL, NULL, NULL, NULL);
  for (guint n = 0; n < self->runs->len; n++)
    {
      const PdReportRun *run = pd_report_run (self, n);
      PdRunRow run_row = pd_report_run_row (self, run, n + 1);
      g_autofree guint *positions = pd_report_positions (run);
      g_autofree gdouble *efficiencies =
          pd_report_has_efficiencies (run) ? pd_report_get_efficiencies (self, run) : NULL;
      for (guint i = 0; i < run->results->len; i++)
        {
          PdIntervalRow row = pd_report_interval_row (run, i, positions);
          append_line (out, run, &run_row, &row,
                       run->recorded != NULL ? &g_array_index (run->recorded, PdTimeSum, i) : NULL,
                       efficiencies != NULL ? efficiencies + (gsize) i * PD_N_EFFICIENCIES : NULL);
        }
    }
}

gboolean
pd_report_write_sensitivity_csv (const PdReport *self, GString *out)
{
  g_return_val_if_fail (self != NULL && out != NULL, FALSE);

  gboolean any = FALSE;

  for (guint n = 0; n < self->runs->len; n++)
    {
      const PdReportRun *run = pd_report_run (self, n);
      if (run->sensitivity == NULL)
        continue;
      if (!any)
        pd_sensitivity_append_csv_heading (out);
      pd_sensitivity_append_csv (run->sensitivity, n + 1, out);
      any = TRUE;
    }
  return any;
}

void
pd_report_write_what_if_csv (const PdReport *self, GString *out)
{
  for (guint32 n = 0; n < self->runs->len; n++)
    if (pd_report_run (self, n)->what_ifs != NULL)
      pd_what_ifs_append_csv (pd_report_run (self, n)->what_ifs, n + 1, out);
}
