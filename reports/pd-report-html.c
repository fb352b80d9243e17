/* The report as one self-contained page, without scripts.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-distribution.h"
#include "reports/pd-efficiency.h"
#include "reports/pd-html-private.h"

#include <math.h>

/* The parts of the bars, in their order; with CPU_time less
 * Insufficient_parallelism they make up Total_time. */
static const struct
{
  const char *style;
  const char *name;
  PdCharacteristic c;
} parts[] = {
  { "w", "productive computation", PD_C_PRODUCTIVE_TIME }, /* less I/O_time */
  { "o", "input and output", PD_C_IO_TIME },
  { "i", "insufficient parallelism", PD_C_INSUFFICIENT_PARALLELISM },
  { "c", "communication", PD_C_COMMUNICATION },
  { "d", "idle", PD_C_IDLE },
};

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#667;--line:#d5d9de;--head:#f2f4f6;"
    "--w:#2e8b57;--o:#8a6fc0;--i:#d98c1f;--c:#3b7dc4;--d:#b9c0c8}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;--dim:#9aa3ad;--line:#343a40;"
    "--head:#1d2125;--w:#3fa56b;--o:#a48be0;--i:#e0a040;--c:#5a9be0;--d:#59616a}}\n"
    "body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;max-width:72em;"
    "margin:2em auto;padding:0 1em}\n"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25em .45em;border-bottom:1px solid var(--line);text-align:right}\n"
    "th{background:var(--head);font-weight:600}th.l,td.l{text-align:left}\n"
    "td.l{overflow-wrap:break-word;min-width:11em}\n"
    ".scroll{overflow-x:auto}.scroll+.scroll{margin-top:1em}details{margin-top:.5em}"
    ".dim{color:var(--dim)}.sum{font-size:1.1em;font-weight:600}\n"
    ".bar{display:flex;height:.9em;min-width:8em;background:var(--head)}.bar span{display:block}\n"
    ".w{background:var(--w)}.o{background:var(--o)}.i{background:var(--i)}.c{background:var(--c)}"
    ".d{background:var(--d)}\n"
    ".key span{display:inline-block;width:.8em;height:.8em;margin:0 .4em 0 1em}\n"
    "code,pre{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere;"
    "white-space:pre-wrap}\n";

/* ---- pieces */

/* How wide one part is, as a share of @whole. */
static gdouble
part_share (const PdIntervalResult *r, gsize part, PdTimeSum whole)
{
  PdTimeSum value = r->values[parts[part].c].sum;

  if (parts[part].c == PD_C_PRODUCTIVE_TIME)
    value.ps -= r->values[PD_C_IO_TIME].sum.ps;
  return pd_report_share (value, whole);
}

/* A bar of the parts of @r; @whole is what fills it. */
static void
append_bar (GString *out, const PdIntervalResult *r, PdTimeSum whole)
{
  g_string_append (out, "<td><div class=\"bar\">");
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gdouble share = part_share (r, i, whole);
      if (!(share > 0))
        continue;
      g_autofree char *width = pd_report_fixed (100 * share, 3);
      g_autofree char *shown = pd_report_fixed (100 * part_share (r, i, r->total_time), 1);
      g_string_append_printf (out,
                              "<span class=\"%s\" style=\"width:%s%%\" title=\"%s %s %%\"></span>",
                              parts[i].style, width, parts[i].name, shown);
    }
  g_string_append (out, "</div></td>");
}

static void
append_key (GString *out)
{
  g_string_append (out, "<p class=\"key dim\">");
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    g_string_append_printf (out, "<span class=\"%s\"></span>%s", parts[i].style, parts[i].name);
  g_string_append (out, "</p>\n");
}

/* ---- sections */

static void
append_comparison (GString *out, const PdReport *self)
{
  static const char *const headings[] = { "Processors",           "Grid",
                                          "Execution time, s",    "Speed-up",
                                          "Efficiency, %",        "Insufficient parallelism, %",
                                          "Communication, %",     "Idle, %",
                                          "<Where the time goes", NULL };
  g_autoptr (GArray) lines = pd_report_compare (self);
  g_autofree char *meaning = pd_comparison_describe_base (lines);
  guint base = pd_comparison_base (lines);
  gdouble largest = 0;

  for (guint i = 0; i < lines->len; i++)
    largest = MAX (largest, g_array_index (lines, PdComparison, i).seconds);
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < lines->len; i++)
    {
      const PdComparison *line = &g_array_index (lines, PdComparison, i);
      const PdIntervalResult *root = pd_report_result (pd_report_run (self, i), 0);
      g_string_append_printf (out, "<tr><td><a href=\"#run%u\">%u</a></td>", i + 1,
                              line->n_processors);
      pd_html_append_cell (out, line->grid);
      pd_html_append_fixed (out, line->seconds, pd_report_decimals (largest));
      pd_html_append_fixed (out, pd_comparison_speed_up (lines, i, base), 2);
      pd_html_append_fixed (out, 100 * line->efficiency, 1);
      for (guint k = 0; k < PD_N_LOSSES; k++)
        pd_html_append_fixed (out, 100 * line->losses[k], 1);
      append_bar (out, root, root->total_time);
      g_string_append (out, "</tr>\n");
    }
  pd_html_end_table (out);
  g_string_append_printf (out, "<p class=\"dim\">%s</p>\n", meaning);
}

static void
append_interval (GString *out, const PdIntervalResult *r, const PdIntervalResult *root,
                 int decimals)
{
  g_autofree char *label = pd_report_label (r);

  pd_html_append_label (out, label, r->depth);
  g_string_append_printf (out, "<td>%" G_GUINT64_FORMAT "</td><td>%u</td>",
                          r->counts[PD_Q_EXE_COUNT - PD_N_TIMES], r->n_processors);
  pd_html_append_fixed (out, pd_time_sum_to_seconds (r->values[PD_C_EXECUTION_TIME].sum), decimals);
  pd_html_append_fixed (out, 100 * r->efficiency, 1);
  for (guint k = 0; k < PD_N_LOSSES; k++)
    pd_html_append_fixed (
        out, 100 * pd_report_share (r->values[pd_report_losses[k]].sum, r->total_time), 1);
  append_bar (out, r, root->total_time);
  g_string_append (out, "</tr>\n");
}

static void
append_characteristics (GString *out, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  static const char *const headings[] = {
    "<Characteristic", "Seconds", "% of total", "Mean", "Minimum", "at", "Maximum", "at", NULL
  };
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (root->total_time));

  pd_html_begin_table (out, headings);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      const PdSummary *s = &root->values[c];
      const PdCharacteristicRow *row = pd_characteristic_row (c);
      if (s->sum.ps == 0 || !pd_characteristic_applies (c, run->model))
        continue;
      g_string_append (out, "<tr><td class=\"l\" title=\"");
      pd_report_append_markup (out, run->model == PD_MODEL_MPI && row->mpi != NULL ? row->mpi
                                                                                   : row->meaning);
      g_string_append_printf (out, "\">%s</td>", row->name);
      pd_html_append_fixed (out, pd_time_sum_to_seconds (s->sum), decimals);
      pd_html_append_fixed (out, 100 * pd_report_share (s->sum, root->total_time), 1);
      pd_html_append_fixed (out, pd_time_sum_to_seconds (pd_report_mean (root, c)), decimals);
      pd_html_append_fixed (out, pd_time_to_seconds (s->min), decimals);
      g_string_append_printf (out, "<td>%u</td>", s->min_at);
      pd_html_append_fixed (out, pd_time_to_seconds (s->max), decimals);
      g_string_append_printf (out, "<td>%u</td></tr>\n", s->max_at);
    }
  pd_html_end_table (out);
}

static void
append_rows (GString *out, const char *const *headings, const GArray *rows)
{
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < rows->len; i++)
    {
      const PdRecordedRow *row = &g_array_index (rows, PdRecordedRow, i);
      g_autofree char *error = pd_report_recorded_error (row);
      pd_html_append_label (out, row->label, row->depth);
      pd_html_append_fixed (out, row->recorded, 9);
      pd_html_append_fixed (out, row->predicted, 9);
      g_string_append_printf (out, "<td>%s</td></tr>\n", error);
    }
  pd_html_end_table (out);
}

static void
append_recorded (GString *out, const PdReportRun *run)
{
  static const char *const of_intervals[] = { "<Interval", "Recorded, s", "Predicted, s",
                                              "Error, %", NULL };
  static const char *const of_ranks[] = { "<Rank", "Recorded end, s", "Predicted end, s",
                                          "Error, %", NULL };
  g_autoptr (GArray) intervals = pd_report_recorded_intervals (run);

  if (run->recorded_ends == NULL)
    return;
  g_autoptr (GArray) ranks = pd_report_recorded_ranks (run, TRUE);
  g_string_append (out, "<h3>Recorded and predicted</h3>\n");
  if (intervals->len > 0)
    append_rows (out, of_intervals, intervals);
  append_rows (out, of_ranks, ranks);
  if (ranks->len < run->n_processors)
    g_string_append_printf (out, "<p class=\"dim\">%u more ranks are not farther off.</p>\n",
                            run->n_processors - ranks->len);
}

static void
append_efficiencies (GString *out, const PdReport *self, const PdReportRun *run)
{
  guint n = pd_report_n_efficiencies (self);
  const char *headings[PD_N_EFFICIENCIES + 2] = { "<Interval" };
  g_autofree gdouble *values = NULL;

  if (!pd_report_has_efficiencies (run))
    return;
  values = pd_report_get_efficiencies (self, run);
  for (PdEfficiency e = 0; e < n; e++)
    headings[e + 1] = pd_efficiency_row (e)->name;
  g_string_append (out, "<h3>Efficiencies, %</h3>\n");
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      g_autofree char *label = pd_report_label (r);
      pd_html_append_label (out, label, r->depth);
      for (PdEfficiency e = 0; e < n; e++)
        {
          gdouble value = values[i * PD_N_EFFICIENCIES + e];
          if (isnan (value))
            g_string_append (out, "<td>-</td>");
          else
            pd_html_append_fixed (out, 100 * value, 1);
        }
      g_string_append (out, "</tr>\n");
    }
  pd_html_end_table (out);
  g_string_append (out, "<ul class=\"dim\">\n");
  for (PdEfficiency e = 0; e < n; e++)
    g_string_append_printf (out, "<li>%s: %s</li>\n", pd_efficiency_row (e)->name,
                            pd_efficiency_row (e)->meaning);
  g_string_append (out, "</ul>\n");
}

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
                              "<td>%u</td><td><div class=\"bar\"><span class=\"c\" "
                              "style=\"width:%s%%\"></span></div></td></tr>\n",
                              bar->count, share);
    }
  pd_html_end_table (out);
}

static void
append_samples (GString *out, const PdReportRun *run)
{
  static const char *const headings[] = { "Mean, s", "Deviation, s", "Minimum", "1 %",
                                          "5 %",     "25 %",         "Median",  "75 %",
                                          "95 %",    "99 %",         "Maximum", NULL };
  PdDistribution d;

  if (run->samples == NULL)
    return;
  pd_distribution_compute (run->samples, &d);
  int decimals = pd_report_decimals (pd_time_to_seconds (d.quantiles[PD_N_QUANTILES - 1]));
  g_string_append_printf (out,
                          "<h3>Execution time of %u samples, seeds %" G_GUINT64_FORMAT
                          " to %" G_GUINT64_FORMAT "</h3>\n",
                          d.n, run->first_seed, run->first_seed + d.n - 1);
  pd_html_begin_table (out, headings);
  g_string_append (out, "<tr>");
  pd_html_append_fixed (out, d.mean, decimals);
  pd_html_append_fixed (out, d.deviation, decimals);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    pd_html_append_fixed (out, pd_time_to_seconds (d.quantiles[i]), decimals);
  g_string_append (out, "</tr>\n");
  pd_html_end_table (out);
  append_histogram (out, &d, decimals);
}

static void
append_run (GString *out, const PdReport *self, guint number)
{
  static const char *const headings[] = { "<Interval",         "Count",
                                          "Processors",        "Execution time, s",
                                          "Efficiency, %",     "Insufficient parallelism, %",
                                          "Communication, %",  "Idle, %",
                                          "<Share of the run", NULL };
  const PdReportRun *run = pd_report_run (self, number - 1);
  const PdIntervalResult *root = pd_report_result (run, 0);
  g_autofree char *size = pd_report_describe_size (run);
  int decimals =
      pd_report_decimals (pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum));

  g_string_append_printf (out, "<h2 id=\"run%u\">", number);
  pd_report_append_markup (out, size);
  g_string_append_printf (out, "</h2>\n<p>%" G_GUINT64_FORMAT " messages of ", run->n_messages);
  pd_report_append_wide (out, run->n_bytes.ps);
  g_string_append_printf (out, " bytes in all.%s</p>\n",
                          !run->incomplete ? ""
                          : run->analysis != NULL
                              ? " The trace ends early: the analysis is of what there is."
                              : " The trace ends early: the prediction is of what there is.");
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < run->results->len; i++)
    append_interval (out, pd_report_result (run, i), root, decimals);
  pd_html_end_table (out);
  g_string_append (out, "<details><summary>All characteristics of the run</summary>\n");
  append_characteristics (out, run);
  g_string_append (out, "</details>\n");
  append_efficiencies (out, self, run);
  append_samples (out, run);
  append_recorded (out, run);
  if (run->analysis != NULL)
    pd_html_append_analysis (out, run, self->per_processor);
}

static void
append_messages (GString *out, const PdReport *self)
{
  g_autoptr (GArray) merged = pd_report_merge_messages (self);

  if (merged->len == 0)
    return;
  g_string_append (out, "<h2>Warnings and notes</h2>\n<ul>\n");
  for (guint i = 0; i < merged->len; i++)
    {
      const PdMergedMessage *m = &g_array_index (merged, PdMergedMessage, i);
      g_string_append_printf (out, "<li><b>%s</b> ",
                              m->first->severity == PD_SEVERITY_WARNING ? "warning" : "note");
      pd_report_append_markup (out, m->first->text);
      g_string_append (out, " <span class=\"dim\">[");
      pd_report_append_markup (out, m->first->id);
      g_string_append_printf (out, "], %" G_GUINT64_FORMAT " time%s", m->count,
                              m->count == 1 ? "" : "s");
      if (m->first->place[0] != '\0')
        g_string_append (out, m->count == 1 ? ", at " : ", first at ");
      pd_report_append_markup (out, m->first->place);
      g_string_append (out, "</span></li>\n");
    }
  g_string_append (out, "</ul>\n");
}

static void
append_origin (GString *out, const PdReport *self)
{
  g_string_append (out, "<h2>How to reproduce this</h2>\n<pre><code>");
  pd_report_append_markup (out, self->command_line);
  g_string_append (out, "</code></pre>\n");
  if (self->inputs->len > 0)
    {
      static const char *const headings[] = { "<Input", "<SHA-256", NULL };
      pd_html_begin_table (out, headings);
      for (guint i = 0; i < self->inputs->len; i++)
        {
          const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
          g_string_append (out, "<tr><td class=\"l\">");
          pd_report_append_markup (out, input->name);
          g_string_append (out, "</td><td class=\"l\"><code>");
          pd_report_append_markup (out, input->sha256);
          g_string_append (out, "</code></td></tr>\n");
        }
      pd_html_end_table (out);
    }
  g_string_append (out, "<p class=\"dim\">Predictor " PD_VERSION);
  if (self->date != NULL)
    g_string_append (out, ", ");
  pd_report_append_markup (out, self->date);
  g_string_append (out, "</p>\n");
}

static void
append_head (GString *out, const PdReport *self, const char *what)
{
  const char *title =
      self->inputs->len > 0 ? g_array_index (self->inputs, PdReportInput, 0).name : "a program";

  g_string_append_printf (
      out,
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>%s of ",
      what);
  pd_report_append_markup (out, title);
  g_string_append_printf (out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s of ", style,
                          what);
  pd_report_append_markup (out, title);
  g_string_append (out, "</h1>\n");
  if (self->machine == NULL)
    return;
  g_string_append (out, "<p>Machine: <b>");
  pd_report_append_markup (out, self->machine);
  g_string_append (out, "</b> ");
  pd_report_append_markup (out, self->machine_text);
  g_string_append (out, "</p>\n");
}

void
pd_report_write_html (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_autofree char *loss = pd_report_describe_loss (self);
  const PdReportRun *first = self->runs->len > 0 ? pd_report_run (self, 0) : NULL;
  gboolean analysed = first != NULL && first->analysis != NULL;

  append_head (out, self, analysed ? "Analysis" : "Prediction");
  if (analysed)
    pd_html_append_diagnosis (out, first);
  else if (loss != NULL)
    {
      g_string_append (out, "<p class=\"sum\">");
      pd_report_append_markup (out, loss);
      g_string_append (out, "</p>\n");
      /* of a message-passing program there is nothing to compare */
      if (self->runs->len > 1 || first->model == PD_MODEL_DVM)
        append_comparison (out, self);
    }
  if (loss != NULL)
    append_key (out);
  for (guint i = 0; i < self->runs->len; i++)
    append_run (out, self, i + 1);
  append_messages (out, self);
  append_origin (out, self);
  g_string_append (out, "</body>\n</html>\n");
}
