/* The report as CSV (RFC 4180): one line per run and interval.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-efficiency.h"
#include "reports/pd-report-private.h"

#include <math.h>

static const char *const fixed_columns[] = { "run",
                                             "processors",
                                             "grid",
                                             "messages",
                                             "bytes",
                                             "interval",
                                             "parent",
                                             "depth",
                                             "type",
                                             "file",
                                             "line",
                                             "index",
                                             "interval_processors",
                                             "total_time",
                                             "efficiency" };

static void
append_heading (GString *out, PdIntervalModel model, gboolean recorded, gboolean efficiencies)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fixed_columns); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? "," : "", fixed_columns[i]);
  if (model == PD_MODEL_MPI)
    g_string_append (out, ",name");
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, model))
      g_string_append_printf (out, ",%s", pd_characteristic_row (c)->id);
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, model))
      g_string_append_printf (out, ",%s", pd_counter_row (PD_N_TIMES + q)->id);
  if (recorded)
    g_string_append (out, ",recorded_time");
  for (PdEfficiency e = 0; efficiencies && e < PD_N_EFFICIENCIES; e++)
    g_string_append_printf (out, ",%s", pd_efficiency_row (e)->id);
  g_string_append (out, "\r\n");
}

/* What is not known is empty. */
static void
append_efficiencies (GString *out, const gdouble *values)
{
  for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
    {
      g_string_append_c (out, ',');
      if (!isnan (values[e]))
        pd_report_append_double (out, "%.12g", values[e]);
    }
}

/* @number: the run's, from 1. @positions: the entry of each node. */
static void
append_interval (GString *out, const PdReportRun *run, guint number, guint i,
                 const guint *positions)
{
  const PdIntervalResult *r = pd_report_result (run, i);

  g_string_append_printf (out, "%u,%u,", number, run->n_processors);
  pd_report_append_csv (out, run->grid);
  g_string_append_printf (out, ",%" G_GUINT64_FORMAT ",", run->n_messages);
  pd_report_append_wide (out, run->n_bytes.ps);
  g_string_append_printf (out, ",%u,", i);
  if (i > 0)
    g_string_append_printf (out, "%u", positions[r->parent]);
  g_string_append_printf (out, ",%u,%s,", r->depth, pd_interval_type_name (r->type));
  pd_report_append_csv (out, r->file);
  g_string_append_printf (out, ",%" G_GINT64_FORMAT ",", r->line);
  if (r->index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, r->index);
  g_string_append_printf (out, ",%u,", r->n_processors);
  pd_report_append_seconds (out, r->total_time);
  g_string_append_c (out, ',');
  pd_report_append_double (out, "%.12g", r->efficiency);
  if (run->model == PD_MODEL_MPI)
    {
      g_string_append_c (out, ',');
      pd_report_append_csv (out, r->name);
    }
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (!pd_characteristic_applies (c, run->model))
        continue;
      g_string_append_c (out, ',');
      pd_report_append_seconds (out, r->values[c].sum);
    }
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, run->model))
      g_string_append_printf (out, ",%" G_GUINT64_FORMAT, r->counts[q]);
  if (run->recorded != NULL)
    {
      g_string_append_c (out, ',');
      pd_report_append_seconds (out, g_array_index (run->recorded, PdTimeSum, i));
    }
}

void
pd_report_write_csv (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  /* without runs the model does not matter; of a recorded run there is one prediction */
  const PdReportRun *first = self->runs->len > 0 ? pd_report_run (self, 0) : NULL;
  append_heading (out, first != NULL ? first->model : PD_MODEL_DVM,
                  first != NULL && first->recorded != NULL,
                  first != NULL && pd_report_has_efficiencies (first));
  for (guint n = 0; n < self->runs->len; n++)
    {
      const PdReportRun *run = pd_report_run (self, n);
      g_autofree guint *positions = pd_report_positions (run);
      g_autofree gdouble *efficiencies =
          pd_report_has_efficiencies (run) ? pd_report_get_efficiencies (self, run) : NULL;
      for (guint i = 0; i < run->results->len; i++)
        {
          append_interval (out, run, n + 1, i, positions);
          if (efficiencies != NULL)
            append_efficiencies (out, efficiencies + (gsize) i * PD_N_EFFICIENCIES);
          g_string_append (out, "\r\n");
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
