/* SPDX-License-Identifier: MIT */
#include "reports/analysis/pd-analysis-text.h"

#include "reports/analysis/pd-analysis-brief-private.h"
#include "reports/analysis/pd-analysis-tables.h"
#include "reports/analysis/pd-analysis-text-private.h"

#include "base/pd-text.h"
#include "reports/run/pd-analysis-costs.h"
#include "reports/emit/pd-table.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "intervals/pd-interval-fold.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-text.h"

/* Remarks may run over the edge: names must not be cut. */
#define WIDE 160

/* The characteristics by the names of the 2005 analyser, in its order. */
static const struct
{
  PdCharacteristic c;
  const char *name;
  const char *brief; /* heading of a column of ranks */
} names[] = {
  { PD_C_EXECUTION_TIME, "Execution Time", "Execution" },
  { PD_C_PRODUCTIVE_TIME, "Productive Time", "Productive" },
  { PD_C_LOST_TIME, "Lost Time", "Lost" },
  { PD_C_INSUFFICIENT_PARALLELISM, "Insufficient Parallelism", "Insuff." },
  { PD_C_IDLE, "Idle Time", "Idle" },
  { PD_C_COMMUNICATION, "Communications", "Comm" },
  { PD_C_REAL_SYNC, "Real Sync", "RealSync" },
  { PD_C_LOAD_IMBALANCE, "Load Imbalance", "Imbalance" },
  { PD_C_SYNCHRONIZATION, "Potential Sync", "PotSync" },
  { PD_C_TIME_VARIATION, "Time Variation", "Variation" },
  { PD_C_OVERLAP, "Overlap", "Overlap" },
};

/* ---- words */

/* @text in lines of the width, the first one behind "- ". */
static void
write_paragraph (PdAnalysisWriter *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gsize column = 1, width = MAX (self->width, 40);

  g_string_append_c (self->out, '-');
  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize n = (gsize) g_utf8_strlen (words[i], -1);
      if (column + 1 + n > width && column > 2)
        {
          g_string_append (self->out, "\n ");
          column = 1;
        }
      g_string_append_printf (self->out, " %s", words[i]);
      column += 1 + n;
    }
  g_string_append_c (self->out, '\n');
}

void
pd_analysis_write_diagnosis (PdAnalysisWriter *self)
{
  g_autoptr (GArray) statements = pd_report_diagnose (self->run, self->r);

  g_string_append (self->out, "Diagnosis\n");
  for (guint i = 0; i < statements->len; i++)
    {
      g_autofree char *text = pd_text_show (g_array_index (statements, PdStatement, i).text);
      write_paragraph (self, text);
    }
  g_string_append_c (self->out, '\n');
}

/* ---- main characteristics */

static char *
seconds (const PdAnalysisWriter *self, PdTimeSum t)
{
  return pd_report_fixed (pd_time_sum_to_seconds (t), self->decimals);
}

static void
add_line (PdAnalysisWriter *self, PdTable *table, const char *name, PdTimeSum t, char *remark)
{
  pd_table_add (table, name);
  pd_table_take (table, seconds (self, t));
  pd_table_take (table, pd_report_fixed (100 * pd_report_share (t, self->r->total_time), 1));
  pd_table_take (table, remark != NULL ? remark : g_strdup (""));
}

static PdTimeSum
sum_of (const PdAnalysisWriter *self, PdCharacteristic c)
{
  return self->r->values[c].sum;
}

static guint64
counted (const PdAnalysisWriter *self, PdQuantity q)
{
  return self->r->counts[q - PD_N_TIMES];
}

static char *
describe_messages (const PdAnalysisWriter *self)
{
  g_autofree char *sync = seconds (self, sum_of (self, PD_C_REAL_SYNC));

  return g_strdup_printf ("Real Sync %s; %" G_GUINT64_FORMAT " sends, %" G_GUINT64_FORMAT
                          " receives, %" G_GUINT64_FORMAT " waits",
                          sync, counted (self, PD_Q_N_SENDS), counted (self, PD_Q_N_RECEIVES),
                          counted (self, PD_Q_N_WAITS));
}

static guint64
count_system (const GArray *sites)
{
  guint64 n = 0;

  for (guint i = 0; i < sites->len; i++)
    if (g_array_index (sites, PdCallSite, i).part == PD_Q_SYSTEM)
      n += g_array_index (sites, PdCallSite, i).costs.count;
  return n;
}

static void
write_main (PdAnalysisWriter *self, const GArray *sites)
{
  static const char *const headings[] = { "<Main characteristics", "Seconds", "Share%", "<", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  PdTimeSum execution = sum_of (self, PD_C_EXECUTION_TIME);

  g_string_append_printf (self->out, "Parallelization Efficiency %.4f on %u processor%s\n",
                          self->r->efficiency, self->r->n_processors,
                          self->r->n_processors == 1 ? "" : "s");
  pd_table_add (table, "Execution Time");
  pd_table_take (table, seconds (self, execution));
  pd_table_add (table, "");
  pd_table_add (table, "");
  add_line (self, table, "Total Time", self->r->total_time, NULL);
  add_line (self, table, "Productive Time", sum_of (self, PD_C_PRODUCTIVE_TIME), NULL);
  add_line (self, table, "Lost Time", sum_of (self, PD_C_LOST_TIME), NULL);
  add_line (self, table, " Communications", sum_of (self, PD_C_COMMUNICATION), NULL);
  add_line (self, table, "  SendRecv Time", sum_of (self, PD_C_SENDRECV_TIME),
            describe_messages (self));
  add_line (
      self, table, "  Collective Time", sum_of (self, PD_C_COLLECTIVE_TIME),
      g_strdup_printf ("%" G_GUINT64_FORMAT " operations", counted (self, PD_Q_N_COLLECTIVES)));
  add_line (self, table, "  System Time", sum_of (self, PD_C_SYSTEM_TIME),
            g_strdup_printf ("%" G_GUINT64_FORMAT " operations", count_system (sites)));
  add_line (self, table, " Insufficient Parallelism", sum_of (self, PD_C_INSUFFICIENT_PARALLELISM),
            NULL);
  add_line (self, table, " Idle Time", sum_of (self, PD_C_IDLE), NULL);
  for (gsize i = 7; i < G_N_ELEMENTS (names); i++)
    add_line (self, table, names[i].name, sum_of (self, names[i].c), NULL);
  pd_table_write (table, MAX (self->width, WIDE), self->out);
  g_string_append_c (self->out, '\n');
}

/* Of the whole run alone. */
static void
write_outside (PdAnalysisWriter *self)
{
  PdColumns to = { .out = self->out, .width = MAX (self->width, WIDE) };

  if (self->r->depth > 0 || self->run->outside == NULL)
    return;
  pd_report_add_outside (&to, self->run);
  g_string_append_c (self->out, '\n');
}

/* Serialisation and transfer, where they are known. @most: the largest useful time */
static void
write_factors (PdAnalysisWriter *self, gdouble most, gdouble execution)
{
  const GArray *ideals = self->run->ideal;
  gdouble ideal =
      ideals != NULL ? pd_time_sum_to_seconds (g_array_index (ideals, PdTimeSum, self->at)) : -1;

  if (ideal <= 0)
    return;
  g_autofree char *time = seconds (self, g_array_index (ideals, PdTimeSum, self->at));
  g_string_append_printf (self->out,
                          "Communication efficiency %.4f = serialisation %.4f x transfer %.4f; "
                          "simulated without costs of communication: %s s\n",
                          most / execution, most / ideal, ideal / execution, time);
}

/* Of useful time u and run time T: mean(u) / max(u), max(u) / T, and their product. */
gboolean
pd_analysis_write_efficiencies (PdAnalysisWriter *self)
{
  const PdSummary *useful = &self->r->values[PD_C_CPU_TIME];
  gdouble most = pd_time_to_seconds (useful->max);
  gdouble mean = pd_time_sum_to_seconds (useful->sum) / MAX (self->r->n_processors, 1);
  gdouble execution = pd_time_sum_to_seconds (sum_of (self, PD_C_EXECUTION_TIME));

  if (most <= 0 || execution <= 0)
    return FALSE;
  g_string_append_printf (self->out,
                          "Parallel efficiency %.4f = load balance %.4f x communication "
                          "efficiency %.4f\n",
                          mean / execution, mean / most, most / execution);
  write_factors (self, most, execution);
  return TRUE;
}

static void
write_waits (PdAnalysisWriter *self)
{
  PdColumns causes = { .out = self->out, .width = MAX (self->width, WIDE) };
  PdColumns to = { .out = self->out, .width = MAX (self->width, WIDE) };
  PdPathShare path = pd_analysis_get_path (self->run->analysis, self->r->node);

  if (!self->with_waits)
    return;
  if (pd_report_write_root_causes (self->run, self->r, &causes))
    g_string_append_c (self->out, '\n');
  if (pd_report_write_waits (self->run, self->r, 0, &to) > 0)
    g_string_append_c (self->out, '\n');
  g_autofree char *computation = seconds (self, path.computation);
  g_autofree char *communication = seconds (self, path.communication);
  g_string_append_printf (self->out, "Critical path: computation %s s, communication %s s\n\n",
                          computation, communication);
}

/* Those of the whole program. */
static void
write_files (PdAnalysisWriter *self)
{
  PdColumns to = { .out = self->out, .width = MAX (self->width, WIDE) };

  if (self->r->depth > 0 || self->run->files == NULL)
    return;
  for (guint i = 0; i < self->run->files->len; i++)
    pd_analysis_add_file (&to, self->r, &g_array_index (self->run->files, PdFileUse, i));
  pd_columns_end (&to);
  g_string_append_c (self->out, '\n');
}

/* ---- comparative characteristics */

static void
write_comparative (PdAnalysisWriter *self)
{
  static const char *const headings[] = {
    "<Comparative characteristics", "Tmin", "Nproc", "Tmax", "Nproc", "Tmid", NULL
  };
  g_autoptr (PdTable) table = pd_table_new (headings);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const PdSummary *s = &self->r->values[names[i].c];
      pd_table_add (table, names[i].name);
      pd_table_take (table, seconds (self, (PdTimeSum){ s->min.ps }));
      pd_table_take (table, g_strdup_printf ("%u", s->min_at));
      pd_table_take (table, seconds (self, (PdTimeSum){ s->max.ps }));
      pd_table_take (table, g_strdup_printf ("%u", s->max_at));
      pd_table_take (table, seconds (self, pd_report_mean (self->r, names[i].c)));
    }
  pd_table_write (table, self->width, self->out);
  g_string_append_c (self->out, '\n');
}

/* ---- execution characteristics */

static void
write_ranks (PdAnalysisWriter *self)
{
  static const PdQuantity counters[] = { PD_Q_N_SENDS, PD_Q_N_RECEIVES, PD_Q_N_WAITS,
                                         PD_Q_N_COLLECTIVES };
  const char *headings[G_N_ELEMENTS (names) + G_N_ELEMENTS (counters) + 2] = { "Rank" };
  guint32 n = self->run->n_processors, n_counts = PD_N_QUANTITIES - PD_N_TIMES;
  g_autofree PdTime *values = g_new (PdTime, (gsize) n * PD_N_CHARACTERISTICS);
  g_autofree guint64 *counts = g_new (guint64, (gsize) n * n_counts);
  g_autofree gboolean *present = g_new (gboolean, n);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    headings[i + 1] = names[i].brief;
  headings[G_N_ELEMENTS (names) + 1] = "Send";
  headings[G_N_ELEMENTS (names) + 2] = "Recv";
  headings[G_N_ELEMENTS (names) + 3] = "Wait";
  headings[G_N_ELEMENTS (names) + 4] = "Coll";
  g_autoptr (PdTable) table = pd_table_new (headings);
  pd_interval_tree_get_all_processors (self->run->tree, self->r->node, values, present);
  pd_interval_tree_get_counts (self->run->tree, self->r->node, counts);
  for (guint32 rank = 0; rank < n; rank++)
    {
      if (!present[rank])
        continue;
      pd_table_take (table, g_strdup_printf ("%u", rank));
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        pd_table_take (
            table,
            seconds (self,
                     (PdTimeSum){ values[(gsize) rank * PD_N_CHARACTERISTICS + names[i].c].ps }));
      for (gsize i = 0; i < G_N_ELEMENTS (counters); i++)
        pd_table_take (table, g_strdup_printf ("%" G_GUINT64_FORMAT,
                                               counts[rank * n_counts + counters[i] - PD_N_TIMES]));
    }
  g_string_append (self->out, "Execution characteristics of each rank, seconds\n");
  pd_table_write (table, 0, self->out);
  g_string_append_c (self->out, '\n');
}

/* ---- call sites */

static void
append_costs (const PdAnalysisWriter *self, const PdCallCosts *costs, GString *out)
{
  for (guint i = 1; i < PD_N_COSTS; i++)
    {
      PdTimeSum cost = pd_report_cost (costs, i);
      g_autofree char *t = seconds (self, cost);
      if (cost.ps != 0)
        g_string_append_printf (out, "  %s %s", pd_report_cost_field (i)->title, t);
    }
}

static void
write_sizes (PdAnalysisWriter *self, const PdSizes *sizes)
{
  g_autofree char *text = pd_analysis_describe_sizes (sizes);

  if (sizes->n > 0)
    g_string_append_printf (self->out, "      %s\n", text);
}

static void
write_site (PdAnalysisWriter *self, guint number, const PdCallSite *site)
{
  g_autofree char *time = seconds (self, site->costs.time);
  g_autofree char *place = pd_report_site_place (self->run, site);

  g_string_append_printf (
      self->out, "%4u  %s  Comm %s (%.1f %%)  %" G_GUINT64_FORMAT " calls", number, site->function,
      time, 100 * pd_report_share (site->costs.time, sum_of (self, PD_C_COMMUNICATION)),
      site->costs.count);
  append_costs (self, &site->costs, self->out);
  for (guint i = 0; self->with_waits && i < PD_N_WAIT_STATES; i++)
    if (site->waits[i].ps > 0)
      {
        g_autofree char *t = seconds (self, site->waits[i]);
        g_string_append_printf (self->out, "  %s %s", pd_wait_state_name ((PdWaitState) i), t);
      }
  g_string_append_printf (self->out, "\n      %s\n", place);
  write_sizes (self, &site->sizes);
  for (guint i = 0; self->show->per_process && i < site->ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (site->ranks, PdCallSiteRank, i);
      g_autofree char *t = seconds (self, own->costs.time);
      g_string_append_printf (self->out, "      rank %u: %" G_GUINT64_FORMAT " calls, %s",
                              own->rank, own->costs.count, t);
      append_costs (self, &own->costs, self->out);
      g_string_append_c (self->out, '\n');
    }
}

/* Those of at least @percent of the communication, by falling time no more than were asked
 * for; numbered by place. */
static void
write_sites (PdAnalysisWriter *self, const GArray *sites, gboolean by_cost, gdouble percent)
{
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);
  PdTimeSum communication = sum_of (self, PD_C_COMMUNICATION);
  guint n = by_cost && self->show->top > 0 ? MIN (sites->len, self->show->top) : sites->len;
  gboolean any = FALSE;

  for (guint i = 0; i < n && percent < 100; i++)
    {
      guint at = by_cost ? g_array_index (order, guint, i) : i;
      const PdCallSite *site = &g_array_index (sites, PdCallSite, at);
      if (100 * pd_report_share (site->costs.time, communication) < percent)
        continue;
      if (!any)
        g_string_append_printf (self->out, "Call sites by %s, seconds\n",
                                by_cost ? "falling time" : "place");
      any = TRUE;
      write_site (self, at + 1, site);
    }
  if (any)
    g_string_append_c (self->out, '\n');
}

/* ---- intervals */

static void
write_interval (PdAnalysisWriter *self)
{
  g_autoptr (GArray) sites = pd_analysis_get_sites (self->run->analysis, self->r->node);
  g_autofree char *label = pd_report_label (self->r);
  guint64 entered = counted (self, PD_Q_EXE_COUNT);

  self->decimals = pd_report_decimals (pd_time_sum_to_seconds (self->r->total_time));
  g_string_append_printf (self->out, "==== %s, level %u, entered %" G_GUINT64_FORMAT " time%s\n\n",
                          label, self->r->depth, entered, entered == 1 ? "" : "s");
  pd_analysis_write_diagnosis (self);
  write_main (self, sites);
  write_outside (self);
  write_files (self);
  if (pd_analysis_write_efficiencies (self))
    g_string_append_c (self->out, '\n');
  write_waits (self);
  write_comparative (self);
  if (self->show->per_process)
    write_ranks (self);
  write_sites (self, sites, TRUE, self->show->by_cost);
  write_sites (self, sites, FALSE, self->show->by_source);
}

/* All of it. */
static void
write_intervals (PdAnalysisWriter *self)
{
  for (guint i = 0; i < self->run->results->len; i++)
    {
      self->r = pd_report_result (self->run, i);
      self->at = i;
      if (self->r->depth <= self->show->level)
        write_interval (self);
    }
}

void
pd_report_write_analysis (const PdReport *self, const PdAnalysisShow *show, guint width,
                          GString *out)
{
  const PdReportRun *run = pd_report_run (self, 0);
  g_autofree char *command = pd_text_show (self->command_line);
  PdAnalysisWriter writer = {
    .run = run, .show = show, .width = width == 0 ? 80 : width, .out = out
  };

  g_return_if_fail (run->analysis != NULL);
  writer.with_waits = pd_report_has_waits (run);
  pd_report_write_head (self, 0, out);
  /* first: they may make figures worthless; with an empty line above */
  gsize head = out->len;
  g_string_truncate (out, head - 1);
  pd_report_write_messages (self, show->full ? 1 : 0, out);
  g_string_append_c (out, '\n');
  if (show->full)
    write_intervals (&writer);
  else
    pd_analysis_write_brief (&writer);
  if (command[0] != '\0' && show->full)
    g_string_append_printf (out, "Command: %s\n", command);
}
