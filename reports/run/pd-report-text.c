/* The report for people at a terminal.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-efficiency.h"
#include "analyse/pd-diagnosis.h"
#include "reports/hints/pd-diagnosis-dvm.h"
#include "base/pd-text.h"
#include "reports/run/pd-report-loss.h"
#include "reports/run/pd-report-repeated.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-rows.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-recorded.h"
#include "reports/run/pd-report-scaling.h"
#include "reports/run/pd-report-text.h"
#include "reports/run/pd-sensitivity.h"
#include "reports/hints/pd-what-ifs.h"

#include <stdlib.h>
#include <string.h>

#define BRIEF_INTERVALS  12 /* lines of the tree that fit one screen with the rest */
#define BRIEF_MESSAGES   8
#define BRIEF_PROCESSORS 16
#define BRIEF_SITES      5
/* Diagnosed intervals in brief, and the part of the run's time that each must have. */
#define BRIEF_DIAGNOSES 3
#define DIAGNOSED_PART  0.01

/* The lines of one interval's table. */
static const struct
{
  PdCharacteristic c;
  guint8 indent;
  gboolean always;   /* shown even if it is 0 */
  gboolean extremes; /* shown with minimum and maximum also in brief */
  gboolean detail;   /* of DVM programs not shown in brief: -v has the table of operations */
} lines[] = {
  { PD_C_EXECUTION_TIME, 0, TRUE, TRUE, FALSE },
  { PD_C_PRODUCTIVE_TIME, 0, TRUE, FALSE, FALSE },
  { PD_C_PRODUCTIVE_CPU_TIME, 1, FALSE, FALSE, TRUE },
  { PD_C_CPU_TIME, 1, FALSE, TRUE, FALSE },
  { PD_C_CPU_TIME_PAR, 2, FALSE, FALSE, FALSE },
  { PD_C_CPU_TIME_SEQ, 2, FALSE, FALSE, FALSE },
  { PD_C_IO_TIME, 1, FALSE, FALSE, FALSE },
  { PD_C_LOST_TIME, 0, TRUE, TRUE, FALSE },
  { PD_C_INSUFFICIENT_PARALLELISM, 1, TRUE, FALSE, FALSE },
  { PD_C_INSUFFICIENT_PARALLELISM_PAR, 2, FALSE, FALSE, FALSE },
  { PD_C_INSUFFICIENT_PARALLELISM_SEQ, 2, FALSE, FALSE, FALSE },
  { PD_C_COMMUNICATION, 1, TRUE, TRUE, FALSE },
  { PD_C_WAIT_REDUCTION, 2, FALSE, FALSE, FALSE },
  { PD_C_WAIT_SHADOW, 2, FALSE, FALSE, FALSE },
  { PD_C_REMOTE_ACCESS, 2, FALSE, FALSE, FALSE },
  { PD_C_REDISTRIBUTION, 2, FALSE, FALSE, FALSE },
  { PD_C_IO_COMM, 2, FALSE, FALSE, FALSE },
  { PD_C_OTHER_COMM, 2, FALSE, FALSE, FALSE },
  { PD_C_SENDRECV_TIME, 2, FALSE, FALSE, FALSE },
  { PD_C_COLLECTIVE_TIME, 2, FALSE, FALSE, FALSE },
  { PD_C_SYSTEM_TIME, 2, FALSE, FALSE, FALSE },
  { PD_C_IDLE, 1, TRUE, TRUE, FALSE },
  { PD_C_LOAD_IMBALANCE, 0, FALSE, FALSE, FALSE },
  { PD_C_LIBRARY_TIME, 0, FALSE, FALSE, FALSE },
  { PD_C_SYNCHRONIZATION, 0, FALSE, FALSE, FALSE },
  { PD_C_REAL_SYNC, 0, FALSE, FALSE, TRUE },
  { PD_C_TIME_VARIATION, 0, FALSE, FALSE, TRUE },
  { PD_C_OVERLAP, 0, FALSE, FALSE, FALSE },
  { PD_C_REDUCTION_OVERLAP, 1, FALSE, FALSE, FALSE },
  { PD_C_SHADOW_OVERLAP, 1, FALSE, FALSE, FALSE },
};
G_STATIC_ASSERT (G_N_ELEMENTS (lines) == PD_N_CHARACTERISTICS);

static gboolean
is_shown (const PdReportRun *run, gsize line, const PdSummary *s, int verbose)
{
  if (!pd_characteristic_applies (lines[line].c, run->model))
    return FALSE;
  return verbose || lines[line].always
         || (s->sum.ps != 0 && !(lines[line].detail && run->model == PD_MODEL_DVM));
}

static char *
per_cent (PdTimeSum part, PdTimeSum whole)
{
  return whole.ps == 0 ? g_strdup ("-") : pd_report_fixed (100 * pd_report_share (part, whole), 1);
}

/* ---- characteristics of one interval */

static void
add_extreme (PdTable *table, gboolean show, PdTime value, guint32 at, int decimals)
{
  pd_table_take (table,
                 show ? pd_report_fixed (pd_time_to_seconds (value), decimals) : g_strdup (""));
  pd_table_take (table, show ? g_strdup_printf ("%u", at) : g_strdup (""));
}

static void
write_characteristics (const PdReportRun *run, guint number, int verbose, guint width, GString *out)
{
  const PdIntervalResult *r = pd_report_result (run, number);
  static const char *const headings[] = { "<Characteristic", "Seconds", "Share%", "Minimum", "at",
                                          "Maximum",         "at",      NULL };
  static const char *const single[] = { "<Characteristic", "Seconds", "Share%", NULL };
  gboolean several = r->n_processors > 1;
  g_autoptr (PdTable) table = pd_table_new (several ? headings : single);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));

  pd_table_add (table, "Total_time");
  pd_table_take (table, pd_report_fixed (pd_time_sum_to_seconds (r->total_time), decimals));
  pd_table_take (table, per_cent (r->total_time, r->total_time));
  for (guint i = 0; several && i < 4; i++)
    pd_table_add (table, "");
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const PdSummary *s = &r->values[lines[i].c];
      if (!is_shown (run, i, s, verbose))
        continue;
      /* one blank a level: the longest name just fits 80 columns */
      pd_table_take (table, g_strdup_printf ("%*s%s", (int) lines[i].indent, "",
                                             pd_characteristic_row (lines[i].c)->name));
      pd_table_take (table, pd_report_fixed (pd_time_sum_to_seconds (s->sum), decimals));
      pd_table_take (table, lines[i].c == PD_C_EXECUTION_TIME ? g_strdup ("")
                                                              : per_cent (s->sum, r->total_time));
      if (!several)
        continue;
      add_extreme (table, verbose || lines[i].extremes, s->min, s->min_at, decimals);
      add_extreme (table, verbose || lines[i].extremes, s->max, s->max_at, decimals);
    }
  pd_table_write (table, width, out);
}

static void
write_counts (const PdIntervalResult *r, GString *out)
{
  const char *separator = "";

  for (guint q = 0; q < PD_N_COUNTERS; q++)
    {
      if (r->counts[q] == 0)
        continue;
      g_string_append_printf (out, "%s%s %" G_GUINT64_FORMAT, separator,
                              pd_counter_row (PD_N_TIMES + q)->name, r->counts[q]);
      separator = ", ";
    }
  g_string_append_printf (out, "%s%u processor%s\n", separator, r->n_processors,
                          r->n_processors == 1 ? "" : "s");
}

static void
write_operations (const PdReport *self, const PdReportRun *run, guint number, guint width,
                  GString *out)
{
  const PdIntervalResult *r = pd_report_result (run, number);
  PdColumns to = { .out = out, .width = width };

  if (run->model != PD_MODEL_DVM)
    return;
  pd_report_add_operations (&to, r);
  if (self->per_processor && run->tree != NULL)
    pd_report_add_processor_operations (&to, run, r);
}

/* ---- the tree */

static const char *
get_full_option (const PdReport *self)
{
  return self->full != NULL ? self->full : "-v";
}

static gboolean
is_deep (const PdReport *self, const PdIntervalResult *r)
{
  return self->view.level >= 0 && r->depth > (guint) self->view.level;
}

static void
write_tree (const PdReport *self, const PdReportRun *run, int verbose, guint width, GString *out)
{
  guint limit = verbose || self->view.level >= 0 ? run->results->len : BRIEF_INTERVALS;
  g_autofree gboolean *shown = pd_report_choose_intervals (run, limit);
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < run->results->len; i++)
    if (shown[i] && !is_deep (self, pd_report_result (run, i)))
      pd_report_add_interval (&to, run, i, NULL);
  pd_columns_end (&to);
  g_string_append (out, PD_REPORT_TREE_LEGEND);
  if (run->results->len > limit)
    g_string_append_printf (out, "%u more interval%s with %s\n", run->results->len - limit,
                            run->results->len - limit == 1 ? "" : "s", get_full_option (self));
}

/* ---- efficiencies */

static void
write_efficiencies (const PdReport *self, const PdReportRun *run, int verbose, guint width,
                    GString *out)
{
  guint n = pd_report_n_efficiencies (self);
  PdColumns to = { .out = out, .width = width };
  g_autofree gdouble *values = NULL;
  g_autofree gboolean *shown =
      pd_report_choose_intervals (run, verbose ? run->results->len : BRIEF_INTERVALS);

  if (!pd_report_has_efficiencies (run))
    return;
  values = pd_report_get_efficiencies (self, run);
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      g_autofree char *label = pd_report_label (r);
      if (!shown[i])
        continue;
      pd_efficiency_add (&to, label, r->depth, NULL, n, values + (gsize) i * PD_N_EFFICIENCIES);
    }
  pd_efficiency_end (&to);
}

/* ---- diagnosis */

static void
diagnose_interval (const PdReportRun *run, guint i, guint width, GString *out)
{
  g_autoptr (GArray) statements = pd_diagnosis_new_dvm (run->results, i);
  g_autofree char *label = pd_report_label (pd_report_result (run, i));

  g_string_append_printf (out, "%s\n", label);
  for (guint k = 0; k < statements->len; k++)
    {
      g_autofree char *text = pd_text_show (g_array_index (statements, PdStatement, k).text);
      gsize begin = out->len;
      pd_report_append_wrapped (out, text, "  ", width);
      out->str[begin] = '-';
    }
}

static void
write_diagnosis (const PdReportRun *run, gboolean all, guint width, GString *out)
{
  gdouble whole = 0;
  guint shown = 0;

  if (!pd_report_has_diagnosis (run))
    return;
  g_autofree guint *order = pd_diagnosis_rank (run->results);
  for (guint i = 0; i < run->results->len; i++)
    whole += (gdouble) pd_diagnosis_get_own_time (run->results, i).ps;
  g_string_append (out, "Diagnosis, by the intervals' own time\n");
  diagnose_interval (run, 0, width, out);
  for (guint k = 0; k < run->results->len; k++)
    {
      gdouble own = (gdouble) pd_diagnosis_get_own_time (run->results, order[k]).ps;
      if (order[k] == 0 || own < DIAGNOSED_PART * whole || (!all && shown == BRIEF_DIAGNOSES))
        continue;
      diagnose_interval (run, order[k], width, out);
      shown++;
    }
  g_string_append_c (out, '\n');
}

/* ---- runs */

static void
write_scaling (const PdReport *self, int verbose, guint width, GString *out)
{
  g_autoptr (GPtrArray) runs = pd_scaling_list_runs (self);
  PdColumns to = { .out = out, .width = width };

  if (runs == NULL)
    return;
  g_autofree char *sentence = pd_scaling_describe (runs);
  pd_scaling_add_table (&to, runs, verbose);
  g_string_append (out, PD_SCALING_LEGEND "\n");
  pd_report_append_wrapped (out, sentence, "", width);
  g_string_append_c (out, '\n');
}

/* ---- intervals one by one */

static const PdCharacteristic processor_columns[] = {
  PD_C_EXECUTION_TIME, PD_C_PRODUCTIVE_TIME, PD_C_INSUFFICIENT_PARALLELISM,
  PD_C_COMMUNICATION,  PD_C_SYNCHRONIZATION, PD_C_IDLE,
};

/* Of those that executed it. */
static void
write_processors (const PdReport *self, const PdReportRun *run, guint number, int verbose,
                  guint width, GString *out)
{
  static const char *const headings[] = { "Processor", "Exec_time", "Productive", "Insuff.",
                                          "Comm.",     "Synchr.",   "Idle",       NULL };
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);
  const PdIntervalResult *r = pd_report_result (run, number);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  g_autoptr (PdTable) table = pd_table_new (headings);
  guint n = 0, most = verbose || self->view.processors != NULL ? G_MAXUINT : BRIEF_PROCESSORS;

  pd_interval_tree_get_all_processors (run->tree, r->node, values, present);
  for (guint32 p = 0; p < run->n_processors; p++)
    {
      if (!present[p] || !pd_report_view_has_processor (&self->view, p) || n++ >= most)
        continue;
      pd_table_take (table, g_strdup_printf ("%u", p));
      for (gsize c = 0; c < G_N_ELEMENTS (processor_columns); c++)
        {
          PdTime t = values[(gsize) p * PD_N_CHARACTERISTICS + processor_columns[c]];
          pd_table_take (table, pd_report_fixed (pd_time_to_seconds (t), decimals));
        }
    }
  pd_table_write (table, width, out);
  if (n > most)
    g_string_append_printf (out, "%u more processors with -v\n", n - most);
  g_string_append_c (out, '\n');
}

static void
append_name (GString *line, const char *words, const PdReportRun *run, guint i)
{
  g_autofree char *label = pd_report_label (pd_report_result (run, i));

  g_string_append_printf (line, "%s%s", words, label);
}

/* The enclosing, neighbouring and inner intervals. */
static void
write_relatives (const PdReportRun *run, guint number, guint width, GString *out)
{
  g_autofree guint *positions = pd_report_positions (run);
  guint32 depth = pd_report_result (run, number)->depth;
  guint parent = positions[pd_report_result (run, number)->parent];
  g_autoptr (GString) beside = g_string_new (NULL), inside = g_string_new (NULL);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 1; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      if (i != number && positions[r->parent] == parent && depth > 0)
        append_name (beside, beside->len > 0 ? ", " : "Beside: ", run, i);
      if (positions[r->parent] == number)
        append_name (inside, inside->len > 0 ? ", " : "Contains: ", run, i);
    }
  if (depth > 0)
    append_name (line, "Inside: ", run, parent);
  for (guint i = 0; i < 3; i++)
    {
      const GString *text = i == 0 ? line : i == 1 ? beside : inside;
      if (text->len > 0)
        pd_report_append_wrapped (out, text->str, "", width);
    }
}

static void
write_interval (const PdReport *self, const PdReportRun *run, guint i, int verbose, guint width,
                GString *out)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  gboolean is_named = pd_report_view_is_interval (&self->view, r);
  gboolean has_processors = self->per_processor || self->view.processors != NULL;
  g_autofree char *label = pd_report_label (r);

  g_string_append_printf (out, "%s: ", label);
  write_counts (r, out);
  if (is_named)
    write_relatives (run, i, width, out);
  write_characteristics (run, i, verbose || is_named, width, out);
  write_operations (self, run, i, width, out);
  g_string_append_c (out, '\n');
  if (run->tree != NULL && run->n_processors > 1 && (has_processors || is_named))
    write_processors (self, run, i, verbose, width, out);
  if (is_named && pd_report_has_diagnosis (run))
    {
      diagnose_interval (run, i, width, out);
      g_string_append_c (out, '\n');
    }
}

/* With -v all, else those that are named. */
static void
write_intervals (const PdReport *self, const PdReportRun *run, int verbose, guint width,
                 GString *out)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      if (pd_report_view_is_interval (&self->view, r)
          || (verbose && self->view.file == NULL && !is_deep (self, r)))
        write_interval (self, run, i, verbose, width, out);
    }
}

/* The call sites that take most; with -v all, and what they wait for. */
static void
write_calls (const PdReportRun *run, gboolean verbose, guint width, GString *out)
{
  const PdReportRun *calls = run->calls;

  if (calls == NULL)
    return;
  PdColumns sites = { .out = out, .width = width };
  guint top = verbose ? G_MAXUINT : BRIEF_SITES, n = pd_report_write_sites (calls, top, &sites);
  if (n > top)
    g_string_append_printf (out, "%u call sites in all; -v lists those that take time\n", n);
  if (verbose)
    pd_report_write_waits (calls, pd_report_result (calls, 0), 0,
                           &(PdColumns){ .out = out, .width = width });
  if (n > 0)
    g_string_append_c (out, '\n');
}

static void
write_run_heading (const PdReport *self, const PdReportRun *run, guint width, GString *out)
{
  g_autofree char *size = pd_report_describe_size (run);
  g_autofree char *recorded = NULL;
  g_autofree char *against = pd_report_describe_recorded (run, self->machine, &recorded);
  g_autoptr (GString) bytes = g_string_new (NULL);

  pd_report_append_wide (bytes, run->n_bytes.ps);
  if (run->is_recorded)
    g_string_append_printf (out, "%s, measured\n", size);
  else
    g_string_append_printf (out, "%s, %" G_GUINT64_FORMAT " message%s of %s bytes in all\n", size,
                            run->n_messages, run->n_messages == 1 ? "" : "s", bytes->str);
  if (run->incomplete)
    {
      g_autofree char *cut =
          pd_report_describe_cut (run, run->is_recorded ? "the analysis is" : "the prediction is");
      g_string_append_printf (out, "%s\n", cut);
    }
  if (run->range != NULL)
    pd_time_range_write (run->range, width, out);
  if (against != NULL)
    {
      g_autofree char *line = g_strdup_printf ("Recorded %s; %s", recorded, against);
      pd_report_append_wrapped (out, line, "", width);
    }
  g_string_append_c (out, '\n');
}

static void
write_run (const PdReport *self, const PdReportRun *run, int verbose, guint width, GString *out)
{
  write_run_heading (self, run, width, out);
  if (verbose && run->range != NULL)
    {
      pd_time_range_add_table (run->range, &(PdColumns){ .out = out, .width = width });
      g_string_append_c (out, '\n');
    }
  if (!verbose)
    {
      write_characteristics (run, 0, verbose, width, out);
      g_string_append_c (out, '\n');
      if ((self->per_processor || (self->view.processors != NULL && self->view.file == NULL))
          && run->tree != NULL && run->n_processors > 1)
        write_processors (self, run, 0, verbose, width, out);
    }
  write_tree (self, run, verbose, width, out);
  g_string_append_c (out, '\n');
  write_efficiencies (self, run, verbose, width, out);
  if (verbose || run->what_ifs != NULL)
    write_diagnosis (run, verbose, width, out);
  if (run->samples != NULL)
    pd_report_write_samples (run->samples, run->first_seed, width, out);
  if (run->sensitivity != NULL)
    {
      pd_sensitivity_write_text (run->sensitivity, width, verbose ? NULL : "-v", out);
      g_string_append_c (out, '\n');
    }
  if (run->what_ifs != NULL)
    pd_what_ifs_write (run->what_ifs, pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].sum,
                       width, out);
  write_intervals (self, run, verbose, width, out);
  write_calls (run, verbose, width, out);
}

/* ---- head and end */

static void
write_line (GString *out, const char *name, const char *text)
{
  g_autofree char *clean = pd_text_show (text);

  if (text != NULL && text[0] != '\0')
    g_string_append_printf (out, "%-8s %s\n", name, clean);
}

void
pd_report_write_head (const PdReport *self, int verbose, GString *out)
{
  g_autofree char *machine =
      self->machine_text != NULL && self->machine_text[0] != '\0' ? g_strdup_printf (
          "%s: %s", self->machine != NULL ? self->machine : "", self->machine_text)
                                                                  : g_strdup (self->machine);

  g_string_append (out, "Predictor " PD_VERSION "\n");
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      g_autofree char *text =
          g_strdup_printf ("%s (SHA-256 %.*s%s)", input->name, verbose ? 64 : 16, input->sha256,
                           verbose ? "" : "...");
      write_line (out, i == 0 ? "Input" : "", text);
    }
  write_line (out, "Machine", machine);
  write_line (out, "Date", self->date);
  g_string_append_c (out, '\n');
}

void
pd_report_write_messages (const PdReport *self, int verbose, GString *out)
{
  static const char *const severities[] = {
    [PD_SEVERITY_NOTE] = "note", [PD_SEVERITY_WARNING] = "warning"
  };
  g_autoptr (GArray) merged = pd_report_merge_messages (self);
  guint limit = verbose ? merged->len : MIN (merged->len, BRIEF_MESSAGES);

  if (merged->len > 0)
    g_string_append_c (out, '\n');
  for (guint i = 0; i < limit; i++)
    {
      const PdMergedMessage *m = &g_array_index (merged, PdMergedMessage, i);
      g_autofree char *text = pd_text_show (m->first->text);
      g_autofree char *place = pd_text_show (m->first->place);
      g_string_append_printf (out, "%s: %s [%s]", severities[m->first->severity], text,
                              m->first->id);
      if (place[0] != '\0')
        g_string_append_printf (out, "; %s%s", m->count > 1 ? "first at " : "at ", place);
      /* a note holds for each of several runs: once for all */
      if (m->count > 1 && (m->first->severity == PD_SEVERITY_WARNING || self->runs->len == 1))
        g_string_append_printf (out, "; %" G_GUINT64_FORMAT " times", m->count);
      g_string_append_c (out, '\n');
    }
  if (merged->len > limit)
    g_string_append_printf (out, "%u more messages with %s\n", merged->len - limit,
                            get_full_option (self));
}

void
pd_report_write_text (const PdReport *self, int verbose, guint width, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_autofree char *loss = pd_report_describe_loss (self);
  g_autofree char *command = pd_text_show (self->command_line);
  guint columns = width == 0 ? 80 : width;

  pd_report_write_head (self, verbose, out);
  if (self->model != NULL)
    pd_model_report_write (self->model, verbose, columns, out);
  if (self->runs->len > 1)
    {
      g_autoptr (GArray) comparison = pd_report_compare (self);
      pd_comparison_write (comparison, columns, out);
      g_string_append_c (out, '\n');
      write_scaling (self, verbose, columns, out);
      pd_report_write_efficiencies (self, columns, out);
      pd_report_write_ranges (self, columns, out);
      if (!verbose)
        pd_report_write_sensitivities (self, columns, out);
      pd_report_write_all_samples (self, columns, out);
    }
  for (guint i = 0; i < self->runs->len && (verbose || self->runs->len == 1); i++)
    write_run (self, pd_report_run (self, i), verbose, columns, out);
  if (!verbose && self->runs->len > 1)
    pd_report_write_cut (self, "\n", out);
  if (loss != NULL)
    pd_report_append_wrapped (out, loss, "", columns);
  pd_report_write_messages (self, verbose, out);
  if (command[0] != '\0')
    g_string_append_printf (out, "\nCommand: %s\n", command);
  for (guint i = 0; i < self->runs->len; i++)
    pd_report_write_recorded (pd_report_run (self, i), !verbose, columns, out);
}
