/* Repeated predictions in the text report: efficiencies and samples.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-repeated.h"

#include "base/pd-text.h"
#include "reports/emit/pd-format.h"

#include <math.h>

/* Named of each run in a summary, if they matter so much. */
#define SENSITIVE_PARAMETERS 3
#define LEAST_ELASTICITY     0.005

/* ---- efficiencies */

void
pd_efficiency_add (PdColumns *to, const char *label, guint depth, const char *grid, guint n,
                   const gdouble *values)
{
  const PdColumn first[] = { { grid != NULL ? "Processors" : "<Interval", "<Interval" },
                             { grid != NULL ? "Grid" : NULL, NULL } };

  if (pd_columns_begin (to, PD_COLUMNS (first)))
    for (PdEfficiency e = 0; e < n; e++)
      pd_columns_add_column (to, pd_efficiency_row (e)->heading, pd_efficiency_row (e)->name);
  pd_columns_add_label (to, label, depth);
  pd_columns_add_text (to, grid);
  for (guint e = 0; e < n; e++)
    pd_columns_add_fixed (to, 100 * values[e], 1);
}

void
pd_efficiency_end (PdColumns *to)
{
  if (to->n_rows == 0)
    return;
  g_string_append (to->out, "Efficiencies (POP), per cent\n");
  pd_columns_end (to);
  g_string_append_c (to->out, '\n');
}

/* Of the whole program in each run. */
void
pd_report_write_efficiencies (const PdReport *self, guint width, GString *out)
{
  guint n = pd_report_n_efficiencies (self);
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      if (!pd_report_has_efficiencies (run))
        continue;
      g_autofree gdouble *values = pd_report_get_efficiencies (self, run);
      g_autofree char *processors = g_strdup_printf ("%u", run->n_processors);
      g_autofree char *grid = pd_text_show (run->grid);
      pd_efficiency_add (&to, processors, 0, grid, n, values);
    }
  pd_efficiency_end (&to);
}

/* ---- ranges */

/* Of several runs, a line each. */
void
pd_report_write_ranges (const PdReport *self, guint width, GString *out)
{
  static const PdColumn columns[] = { { .text = "Processors" },  { .text = "Grid" },
                                      { .text = "Exec_time s" }, { .text = "from s" },
                                      { .text = "to s" },        { .text = "<Mostly of" } };
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      if (run->range == NULL)
        continue;
      PdTimeRangeEnds ends = pd_time_range_get (run->range);
      g_autofree char *sources = pd_time_range_describe_sources (run->range, 1);
      int decimals = pd_report_decimals (pd_time_to_seconds (ends.high));
      gdouble time =
          pd_time_sum_to_seconds (pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].sum);
      pd_columns_begin (&to, PD_COLUMNS (columns));
      pd_columns_add_count (&to, run->n_processors);
      pd_columns_add_text (&to, run->grid);
      pd_columns_add_fixed (&to, time, decimals);
      pd_columns_add_fixed (&to, pd_time_to_seconds (ends.low), decimals);
      pd_columns_add_fixed (&to, pd_time_to_seconds (ends.high), decimals);
      pd_columns_add_text (&to, sources);
    }
  if (to.n_rows == 0)
    return;
  g_string_append (out, "Execution time and its 90 % range\n");
  pd_columns_end (&to);
  g_string_append_c (out, '\n');
}

/* ---- what runs depend on */

/* The parameters of @s with the largest elasticities, "speed -0.93, network/startup 0.03". */
static char *
list_parameters (const PdSensitivity *s)
{
  g_autofree gboolean *named = g_new0 (gboolean, s->parameters->len + 1);
  GString *list = g_string_new (NULL);

  for (guint n = 0; n < SENSITIVE_PARAMETERS; n++)
    {
      const PdSensitivityParameter *most = NULL;
      guint at = 0;
      for (guint i = 0; i < s->parameters->len; i++)
        {
          const PdSensitivityParameter *p =
              &g_array_index (s->parameters, PdSensitivityParameter, i);
          if (!named[i] && (most == NULL || fabs (p->elasticity) > fabs (most->elasticity)))
            most = p, at = i;
        }
      if (most == NULL || fabs (most->elasticity) < LEAST_ELASTICITY)
        break;
      named[at] = TRUE;
      g_string_append_printf (list, "%s%s %.2f", n > 0 ? ", " : "", most->path, most->elasticity);
    }
  return g_string_free (list, FALSE);
}

void
pd_report_write_sensitivities (const PdReport *self, guint width, GString *out)
{
  static const PdColumn columns[] = { { .text = "Processors" },
                                      { .text = "Grid" },
                                      { .text = "<Run time grows by %, of 1 % more" } };
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      if (run->sensitivity == NULL)
        continue;
      g_autofree char *list = list_parameters (run->sensitivity);
      pd_columns_begin (&to, PD_COLUMNS (columns));
      pd_columns_add_count (&to, run->n_processors);
      pd_columns_add_text (&to, run->grid);
      pd_columns_add_text (&to, list);
    }
  if (to.n_rows == 0)
    return;
  g_string_append (out, "Largest sensitivities of the run time; -v shows all\n");
  pd_columns_end (&to);
  g_string_append_c (out, '\n');
}

/* ---- distributions */

void
pd_distribution_write_histogram (const PdDistribution *d, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "From", "From, s" }, { "to", "to, s" }, { "Samples", "Samples" }, { "<", "<" }
  };
  int decimals = pd_report_decimals (pd_time_to_seconds (d->quantiles[PD_N_QUANTILES - 1]));
  guint most = 0;

  for (guint i = 0; i < d->n_bars; i++)
    most = MAX (most, d->bars[i].count);
  pd_columns_begin (to, PD_COLUMNS (columns));
  for (guint i = 0; i < d->n_bars; i++)
    {
      pd_columns_add_fixed (to, pd_time_to_seconds (d->bars[i].from), decimals);
      pd_columns_add_fixed (to, pd_time_to_seconds (d->bars[i].to), decimals);
      pd_columns_add_count (to, d->bars[i].count);
      pd_columns_add_bar (to, d->bars[i].count, most);
    }
  pd_columns_end (to);
}

void
pd_distribution_write_quantiles (const PdDistribution *d, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "Mean", "Mean, s" },    { "Deviation", "Deviation, s" },
    { "Minimum", "Minimum" }, { NULL, "1 %" },
    { "5 %", "5 %" },         { "25 %", "25 %" },
    { "Median", "Median" },   { "75 %", "75 %" },
    { "95 %", "95 %" },       { NULL, "99 %" },
    { "Maximum", "Maximum" },
  };
  int decimals = pd_report_decimals (pd_time_to_seconds (d->quantiles[PD_N_QUANTILES - 1]));

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_fixed (to, d->mean, decimals);
  pd_columns_add_fixed (to, d->deviation, decimals);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    pd_columns_add_fixed (to, pd_time_to_seconds (d->quantiles[i]), decimals);
  pd_columns_end (to);
}

void
pd_report_write_samples (const GArray *samples, guint64 first_seed, guint width, GString *out)
{
  PdColumns to = { .out = out, .width = width };
  PdDistribution d;

  pd_distribution_compute (samples, &d);
  g_string_append_printf (out,
                          "Execution time of %u samples, seeds %" G_GUINT64_FORMAT
                          " to %" G_GUINT64_FORMAT ", s\n",
                          d.n, first_seed, first_seed + d.n - 1);
  pd_distribution_write_quantiles (&d, &to);
  g_string_append_c (out, '\n');
  pd_distribution_write_histogram (&d, &to);
  g_string_append_c (out, '\n');
}

/* Of several runs, what a line each can say. */
void
pd_report_write_all_samples (const PdReport *self, guint width, GString *out)
{
  static const PdColumn columns[] = { { .text = "Processors" }, { .text = "Grid" },
                                      { .text = "Samples" },    { .text = "Mean s" },
                                      { .text = "Deviation" },  { .text = "5 %" },
                                      { .text = "Median" },     { .text = "95 %" } };
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      PdDistribution d;
      if (run->samples == NULL)
        continue;
      pd_distribution_compute (run->samples, &d);
      int decimals = pd_report_decimals (pd_time_to_seconds (d.quantiles[PD_N_QUANTILES - 1]));
      pd_columns_begin (&to, PD_COLUMNS (columns));
      pd_columns_add_count (&to, run->n_processors);
      pd_columns_add_text (&to, run->grid);
      pd_columns_add_count (&to, d.n);
      pd_columns_add_fixed (&to, d.mean, decimals);
      pd_columns_add_fixed (&to, d.deviation, decimals);
      for (guint k = 2; k <= 6; k += 2)
        pd_columns_add_fixed (&to, pd_time_to_seconds (d.quantiles[k]), decimals);
    }
  if (to.n_rows == 0)
    return;
  g_string_append (out, "Execution time of samples\n");
  pd_columns_end (&to);
  g_string_append_c (out, '\n');
}
