/* What the text report says of runs that were predicted again: efficiencies and samples.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-repeated.h"

#include "reports/run/pd-distribution.h"
#include "reports/emit/pd-format.h"

#include <math.h>

/* ---- efficiencies */

PdTable *
pd_efficiency_table_new (gboolean of_runs, guint n)
{
  const char *headings[PD_N_EFFICIENCIES + 3] = { NULL };
  guint at = 0;

  headings[at++] = of_runs ? "Processors" : "<Interval";
  if (of_runs)
    headings[at++] = "Grid";
  for (PdEfficiency e = 0; e < n; e++)
    headings[at++] = pd_efficiency_row (e)->heading;
  return pd_table_new (headings);
}

void
pd_efficiency_table_add (PdTable *table, guint n, const gdouble *values)
{
  for (guint e = 0; e < n; e++)
    pd_table_take (table,
                   isnan (values[e]) ? g_strdup ("-") : pd_report_fixed (100 * values[e], 1));
}

void
pd_efficiency_table_write (const PdTable *table, guint width, GString *out)
{
  g_string_append (out, "Efficiencies (POP), per cent\n");
  pd_table_write (table, width, out);
  g_string_append_c (out, '\n');
}

/* Of the whole program in each run. */
void
pd_report_write_efficiencies (const PdReport *self, guint width, GString *out)
{
  guint n = pd_report_n_efficiencies (self);
  g_autoptr (PdTable) table = pd_efficiency_table_new (TRUE, n);
  gboolean any = FALSE;

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      if (!pd_report_has_efficiencies (run))
        continue;
      g_autofree gdouble *values = pd_report_get_efficiencies (self, run);
      pd_table_take (table, g_strdup_printf ("%u", run->n_processors));
      pd_table_take (table, pd_report_clean (run->grid));
      pd_efficiency_table_add (table, n, values);
      any = TRUE;
    }
  if (any)
    pd_efficiency_table_write (table, width, out);
}

/* ---- distributions */

#define BAR_WIDTH 40

static void
write_histogram (const PdDistribution *d, int decimals, guint width, GString *out)
{
  static const char *const headings[] = { "From", "to", "Samples", "<", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  guint most = 0;

  for (guint i = 0; i < d->n_bars; i++)
    most = MAX (most, d->bars[i].count);
  for (guint i = 0; i < d->n_bars; i++)
    {
      const PdHistogramBar *bar = &d->bars[i];
      guint length = (guint) ((guint64) bar->count * BAR_WIDTH / most);
      pd_table_take (table, pd_report_fixed (pd_time_to_seconds (bar->from), decimals));
      pd_table_take (table, pd_report_fixed (pd_time_to_seconds (bar->to), decimals));
      pd_table_take (table, g_strdup_printf ("%u", bar->count));
      pd_table_take (table, g_strnfill (length, '#'));
    }
  pd_table_write (table, width, out);
}

void
pd_report_write_samples (const GArray *samples, guint64 first_seed, guint width, GString *out)
{
  static const char *const headings[] = { "Mean",   "Deviation", "Minimum", "5 %",     "25 %",
                                          "Median", "75 %",      "95 %",    "Maximum", NULL };
  static const guint shown[] = { 0, 2, 3, 4, 5, 6, 8 };
  PdDistribution d;

  pd_distribution_compute (samples, &d);
  g_autoptr (PdTable) table = pd_table_new (headings);
  int decimals = pd_report_decimals (pd_time_to_seconds (d.quantiles[PD_N_QUANTILES - 1]));
  pd_table_take (table, pd_report_fixed (d.mean, decimals));
  pd_table_take (table, pd_report_fixed (d.deviation, decimals));
  for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
    pd_table_take (table, pd_report_fixed (pd_time_to_seconds (d.quantiles[shown[i]]), decimals));
  g_string_append_printf (out,
                          "Execution time of %u samples, seeds %" G_GUINT64_FORMAT
                          " to %" G_GUINT64_FORMAT ", s\n",
                          d.n, first_seed, first_seed + d.n - 1);
  pd_table_write (table, width, out);
  g_string_append_c (out, '\n');
  write_histogram (&d, decimals, width, out);
  g_string_append_c (out, '\n');
}

/* Of several runs, what a line each can say. */
void
pd_report_write_all_samples (const PdReport *self, guint width, GString *out)
{
  static const char *const headings[] = { "Processors", "Grid",   "Samples", "Mean s", "Deviation",
                                          "5 %",        "Median", "95 %",    NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  gboolean any = FALSE;

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      PdDistribution d;
      if (run->samples == NULL)
        continue;
      pd_distribution_compute (run->samples, &d);
      int decimals = pd_report_decimals (pd_time_to_seconds (d.quantiles[PD_N_QUANTILES - 1]));
      pd_table_take (table, g_strdup_printf ("%u", run->n_processors));
      pd_table_take (table, pd_report_clean (run->grid));
      pd_table_take (table, g_strdup_printf ("%u", d.n));
      pd_table_take (table, pd_report_fixed (d.mean, decimals));
      pd_table_take (table, pd_report_fixed (d.deviation, decimals));
      for (guint k = 2; k <= 6; k += 2)
        pd_table_take (table, pd_report_fixed (pd_time_to_seconds (d.quantiles[k]), decimals));
      any = TRUE;
    }
  if (!any)
    return;
  g_string_append (out, "Execution time of samples\n");
  pd_table_write (table, width, out);
  g_string_append_c (out, '\n');
}
