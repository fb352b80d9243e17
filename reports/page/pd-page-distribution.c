/* Efficiencies of a run, its distribution over samples, and the recorded run.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-distribution-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-recorded.h"
#include "reports/run/pd-report-repeated.h"

/* ---- efficiencies */

static void
append_efficiency_table (PdPage *self, const PdReportRun *run, const gdouble *values, guint n)
{
  PdColumns to = { .out = self->body, .tree = TRUE };
  guint i;

  for (i = 0; i < run->results->len && (i == 0 || pd_page_has_room (self)); i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      g_autofree char *label = pd_report_label (r);
      pd_efficiency_add (&to, label, r->depth, NULL, n, values + (gsize) i * PD_N_EFFICIENCIES);
    }
  pd_columns_end (&to);
  pd_page_add_cut (self, run->results->len - i, "intervals", "--csv and --db write all of them");
  g_string_append (self->body, "<ul class=\"dim\">\n");
  for (PdEfficiency e = 0; e < n; e++)
    g_string_append_printf (self->body, "<li>%s: %s</li>\n", pd_efficiency_row (e)->name,
                            pd_efficiency_row (e)->meaning);
  g_string_append (self->body, "</ul>\n");
}

void
pd_page_add_efficiencies (PdPage *self, const PdReport *report, const PdReportRun *run,
                          const char *prefix)
{
  guint n = pd_report_n_efficiencies (report);
  g_autofree char *key = pd_page_key (prefix, "pop");
  g_autofree gdouble *values = NULL;

  if (!pd_report_has_efficiencies (run))
    return;
  values = pd_report_get_efficiencies (report, run);
  pd_page_add_heading (
      self, key, "Efficiencies, %",
      "Each is the product of those below it; the lowest leaf is the largest loss.");
  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "id", '[');
  for (PdEfficiency e = 0; e < n; e++)
    pd_page_data_string (self, NULL, pd_efficiency_row (e)->id);
  pd_page_data_close (self, ']');
  pd_page_data_open (self, "name", '[');
  for (PdEfficiency e = 0; e < n; e++)
    pd_page_data_string (self, NULL, pd_efficiency_row (e)->name);
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "value", values, n);
  pd_page_data_close (self, '}');
  pd_page_add_chart (self, "pop", key, "Efficiencies of the run as a whole");
  append_efficiency_table (self, run, values, n);
}

/* ---- samples */

static void
add_distribution_data (PdPage *self, const PdDistribution *d, const char *key)
{
  gdouble from[G_N_ELEMENTS (d->bars)], to[G_N_ELEMENTS (d->bars)], count[G_N_ELEMENTS (d->bars)];
  gdouble quantiles[PD_N_QUANTILES];

  for (guint i = 0; i < d->n_bars; i++)
    {
      from[i] = pd_time_to_seconds (d->bars[i].from);
      to[i] = pd_time_to_seconds (d->bars[i].to);
      count[i] = d->bars[i].count;
    }
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    quantiles[i] = pd_time_to_seconds (d->quantiles[i]);
  pd_page_data_open (self, key, '{');
  pd_page_data_numbers (self, "from", from, d->n_bars);
  pd_page_data_numbers (self, "to", to, d->n_bars);
  pd_page_data_numbers (self, "count", count, d->n_bars);
  pd_page_data_numbers (self, "share", pd_distribution_shares, PD_N_QUANTILES);
  pd_page_data_numbers (self, "quantile", quantiles, PD_N_QUANTILES);
  pd_page_data_close (self, '}');
}

void
pd_page_add_samples (PdPage *self, const PdReportRun *run, const char *prefix)
{
  PdColumns to = { .out = self->body };
  g_autofree char *key = pd_page_key (prefix, "samples");
  PdDistribution d;

  if (run->samples == NULL)
    return;
  pd_distribution_compute (run->samples, &d);
  g_autofree char *heading = g_strdup_printf (
      "Execution time of %u samples, seeds %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, d.n,
      run->first_seed, run->first_seed + d.n - 1);
  pd_page_add_heading (self, key, heading,
                       "Repeated predictions of the run, with other noise and other values of "
                       "uncertain parameters.");
  add_distribution_data (self, &d, key);
  pd_page_add_chart (self, "histogram", key, "Distribution of the run time of samples");
  pd_distribution_write_quantiles (&d, &to);
  pd_page_begin_details (self, "The same as a table");
  pd_distribution_write_histogram (&d, &to);
  pd_page_end_details (self);
}

/* ---- recorded */

static void
append_rows (PdPage *self, gboolean of_ranks, const GArray *rows)
{
  PdColumns to = { .out = self->body, .tree = !of_ranks };
  guint i;

  for (i = 0; i < rows->len && (i == 0 || pd_page_has_room (self)); i++)
    pd_report_add_recorded (&to, of_ranks, &g_array_index (rows, PdRecordedRow, i));
  pd_columns_end (&to);
  pd_page_add_cut (self, rows->len - i, "rows", "--csv and --db write all of them");
}

/* The part of @rows in the chart: names, and two columns. */
static void
add_recorded_data (PdPage *self, const GArray *rows, const char *key)
{
  g_autofree gdouble *recorded = g_new (gdouble, rows->len + 1);
  g_autofree gdouble *predicted = g_new (gdouble, rows->len + 1);
  guint i;

  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "name", '[');
  for (i = 0; i < rows->len && pd_page_has_room (self); i++)
    {
      const PdRecordedRow *row = &g_array_index (rows, PdRecordedRow, i);
      recorded[i] = row->recorded;
      predicted[i] = row->predicted;
      pd_page_data_string (self, NULL, row->label);
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "recorded", recorded, i);
  pd_page_data_numbers (self, "predicted", predicted, i);
  pd_page_data_close (self, '}');
}

void
pd_page_add_recorded (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autoptr (GArray) intervals = pd_report_recorded_intervals (run);
  g_autofree char *key = pd_page_key (prefix, "recorded");

  if (run->recorded_ends == NULL)
    return;
  g_autoptr (GArray) ranks = pd_report_recorded_ranks (run, TRUE);
  pd_page_add_heading (
      self, key, "Recorded and predicted",
      "On the diagonal the predicted time equals the measured one; above it, it is "
      "too long.");
  pd_page_data_open (self, key, '{');
  add_recorded_data (self, intervals, "intervals");
  add_recorded_data (self, ranks, "ranks");
  pd_page_data_close (self, '}');
  pd_page_add_chart (self, "recorded", key, "Predicted against recorded times");
  if (intervals->len > 0)
    append_rows (self, FALSE, intervals);
  append_rows (self, TRUE, ranks);
  if (ranks->len < run->n_processors)
    g_string_append_printf (self->body, "<p class=\"dim\">%u more ranks are not farther off.</p>\n",
                            run->n_processors - ranks->len);
}
