/* Efficiencies of a run, how it is distributed over samples, and what was recorded.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-distribution.h"
#include "reports/run/pd-efficiency.h"
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-distribution-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-recorded.h"

#include <math.h>

#define RECORDED_DECIMALS 9

/* ---- efficiencies */

static void
append_efficiencies (GString *out, const PdIntervalResult *r, const gdouble *values, guint n)
{
  g_autofree char *label = pd_report_label (r);

  pd_html_append_branch (out, label, r->depth);
  for (PdEfficiency e = 0; e < n; e++)
    if (isnan (values[e]))
      g_string_append (out, "<td>-</td>");
    else
      pd_html_append_fixed (out, 100 * values[e], 1);
  g_string_append (out, "</tr>\n");
}

static void
append_efficiency_table (PdPage *self, const PdReportRun *run, const gdouble *values, guint n)
{
  const char *headings[PD_N_EFFICIENCIES + 2] = { "<Interval" };
  guint i;

  for (PdEfficiency e = 0; e < n; e++)
    headings[e + 1] = pd_efficiency_row (e)->name;
  pd_html_begin_tree (self->body, headings, 0);
  for (i = 0; i < run->results->len && (i == 0 || pd_page_has_room (self)); i++)
    append_efficiencies (self->body, pd_report_result (run, i),
                         values + (gsize) i * PD_N_EFFICIENCIES, n);
  pd_html_end_table (self->body);
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
  pd_page_add_heading (self, key, "Efficiencies, %",
                       "Each is the product of those below it; the lowest leaf is where to look "
                       "first.");
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
append_histogram (GString *out, const PdDistribution *d, int decimals)
{
  static const char *const headings[] = { "From, s", "to, s", "Samples", "<", NULL };
  guint most = 0;

  for (guint i = 0; i < d->n_bars; i++)
    most = MAX (most, d->bars[i].count);
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < d->n_bars; i++)
    {
      const PdHistogramBar *bar = &d->bars[i];
      g_autofree char *share = pd_report_fixed (100.0 * bar->count / most, 1);
      g_string_append (out, "<tr>");
      pd_html_append_fixed (out, pd_time_to_seconds (bar->from), decimals);
      pd_html_append_fixed (out, pd_time_to_seconds (bar->to), decimals);
      g_string_append_printf (out,
                              "<td>%u</td><td class=\"b\"><div class=\"bar\"><span class=\"c\" "
                              "style=\"width:%s%%\"></span></div></td></tr>\n",
                              bar->count, share);
    }
  pd_html_end_table (out);
}

static void
append_quantiles (GString *out, const PdDistribution *d, int decimals)
{
  static const char *const headings[] = { "Mean, s", "Deviation, s", "Minimum", "1 %",
                                          "5 %",     "25 %",         "Median",  "75 %",
                                          "95 %",    "99 %",         "Maximum", NULL };
  pd_html_begin_table (out, headings);
  g_string_append (out, "<tr>");
  pd_html_append_fixed (out, d->mean, decimals);
  pd_html_append_fixed (out, d->deviation, decimals);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    pd_html_append_fixed (out, pd_time_to_seconds (d->quantiles[i]), decimals);
  g_string_append (out, "</tr>\n");
  pd_html_end_table (out);
}

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
  g_autofree char *key = pd_page_key (prefix, "samples");
  PdDistribution d;

  if (run->samples == NULL)
    return;
  pd_distribution_compute (run->samples, &d);
  int decimals = pd_report_decimals (pd_time_to_seconds (d.quantiles[PD_N_QUANTILES - 1]));
  g_autofree char *heading = g_strdup_printf (
      "Execution time of %u samples, seeds %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, d.n,
      run->first_seed, run->first_seed + d.n - 1);
  pd_page_add_heading (self, key, heading,
                       "The same run again and again, with other noise and other values of what "
                       "is known with an error.");
  add_distribution_data (self, &d, key);
  pd_page_add_chart (self, "histogram", key, "How many samples take how long");
  append_quantiles (self->body, &d, decimals);
  pd_page_begin_details (self, "The same as a table");
  append_histogram (self->body, &d, decimals);
  pd_page_end_details (self);
}

/* ---- recorded */

static void
append_rows (PdPage *self, gboolean is_tree, const char *const *headings, const GArray *rows)
{
  guint i;

  if (is_tree)
    pd_html_begin_tree (self->body, headings, 0);
  else
    pd_html_begin_table (self->body, headings);
  for (i = 0; i < rows->len && (i == 0 || pd_page_has_room (self)); i++)
    {
      const PdRecordedRow *row = &g_array_index (rows, PdRecordedRow, i);
      g_autofree char *error = pd_report_recorded_error (row);
      (is_tree ? pd_html_append_branch : pd_html_append_label) (self->body, row->label, row->depth);
      pd_html_append_fixed (self->body, row->recorded, RECORDED_DECIMALS);
      pd_html_append_fixed (self->body, row->predicted, RECORDED_DECIMALS);
      g_string_append_printf (self->body, "<td>%s</td></tr>\n", error);
    }
  pd_html_end_table (self->body);
  pd_page_add_cut (self, rows->len - i, "rows", "--csv and --db write all of them");
}

/* What of @rows the chart has: names, and two columns. */
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
  static const char *const of_intervals[] = { "<Interval", "Recorded, s", "Predicted, s",
                                              "Error, %", NULL };
  static const char *const of_ranks[] = { "<Rank", "Recorded end, s", "Predicted end, s",
                                          "Error, %", NULL };
  g_autoptr (GArray) intervals = pd_report_recorded_intervals (run);
  g_autofree char *key = pd_page_key (prefix, "recorded");

  if (run->recorded_ends == NULL)
    return;
  g_autoptr (GArray) ranks = pd_report_recorded_ranks (run, TRUE);
  pd_page_add_heading (self, key, "Recorded and predicted",
                       "On the diagonal the prediction is what was measured; above it, it is too "
                       "long.");
  pd_page_data_open (self, key, '{');
  add_recorded_data (self, intervals, "intervals");
  add_recorded_data (self, ranks, "ranks");
  pd_page_data_close (self, '}');
  pd_page_add_chart (self, "recorded", key, "Predicted against recorded times");
  if (intervals->len > 0)
    append_rows (self, TRUE, of_intervals, intervals);
  append_rows (self, FALSE, of_ranks, ranks);
  if (ranks->len < run->n_processors)
    g_string_append_printf (self->body, "<p class=\"dim\">%u more ranks are not farther off.</p>\n",
                            run->n_processors - ranks->len);
}
