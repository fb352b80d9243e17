/* SPDX-License-Identifier: MIT */
#include "reports/analysis/pd-analysis-brief-private.h"

#include "analyse/pd-diagnosis.h"
#include "analyse/pd-outside.h"
#include "analyse/pd-sites.h"
#include "reports/analysis/pd-analysis-tables.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"
#include "base/pd-figures.h"

/* The main figures, by the names of the 2005 analyser. */
static const struct
{
  PdCharacteristic c;
  const char *name;
  gboolean always; /* shown even if it is 0 */
} figures[] = {
  { PD_C_EXECUTION_TIME, "Execution Time", TRUE },
  { PD_C_PRODUCTIVE_TIME, "Productive Time", TRUE },
  { PD_C_LOST_TIME, "Lost Time", TRUE },
  { PD_C_COMMUNICATION, " Communications", TRUE },
  { PD_C_INSUFFICIENT_PARALLELISM, " Insufficient Parallelism", FALSE },
  { PD_C_IDLE, " Idle Time", FALSE },
};

#define LARGE       0.05  /* of the run: what the figures do not have is worth a line */
#define LEAST_WIDTH 120   /* narrower tables would cut names */
#define NOTHING     0.001 /* smaller parts of the whole are listed only if all rows are wanted */

static PdColumns
begin (const PdAnalysisWriter *self)
{
  return (PdColumns){ .out = self->out, .width = MAX (self->width, LEAST_WIDTH) };
}

/* ---- main figures, and on which ranks they are least and greatest */

static void
add_extreme (PdColumns *to, PdTime value, guint32 at, int decimals)
{
  pd_columns_add_fixed (to, pd_time_to_seconds (value), decimals);
  pd_columns_add_count (to, at);
}

static void
write_figures (PdAnalysisWriter *self)
{
  static const PdColumn columns[] = { { "<Main figures", NULL },
                                      { "Seconds", NULL },
                                      { "Share%", NULL } };
  static const PdColumn extremes[] = {
    { "Minimum", NULL }, { "at rank", NULL }, { "Maximum", NULL }, { "at rank", NULL }
  };
  g_auto (PdColumns) to = begin (self);
  gboolean ranks = self->show->per_process && self->run->n_processors > 1;

  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (gsize i = 0; ranks && i < G_N_ELEMENTS (extremes); i++)
    pd_columns_add_column (&to, extremes[i].text, extremes[i].page);
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      const PdSummary *s = &self->r->values[figures[i].c];
      if (s->sum.ps == 0 && !figures[i].always)
        continue;
      pd_columns_add_text (&to, figures[i].name);
      pd_columns_add_fixed (&to, pd_time_sum_to_seconds (s->sum), self->decimals);
      if (figures[i].c == PD_C_EXECUTION_TIME)
        pd_columns_add_text (&to, "");
      else
        pd_columns_add_share (&to, s->sum, self->r->total_time);
      if (!ranks)
        continue;
      add_extreme (&to, s->min, s->min_at, self->decimals);
      add_extreme (&to, s->max, s->max_at, self->decimals);
    }
  pd_columns_end (&to);
}

/* Kinds that the figures do not contain. Negligible ones are left out. */
static void
write_outside (PdAnalysisWriter *self)
{
  const PdOutside *outside = self->run->outside;
  g_autoptr (GString) text = g_string_new (NULL);
  gdouble all = 0;

  for (guint i = 0; outside != NULL && i < PD_N_OUTSIDE; i++)
    {
      gdouble share = pd_report_share (outside->times[i].sum, self->r->total_time);
      g_autofree char *percent = pd_report_fixed (100 * share, 1);
      PdTimeSum mean = { outside->times[i].sum.ps / MAX (self->run->n_processors, 1) };
      g_autofree char *time = pd_figures_time (mean);
      all += share;
      if (share >= NOTHING)
        g_string_append_printf (text, "%s%s %s (%s %%)", text->len > 0 ? ", " : "",
                                pd_outside_name (i), time, percent);
    }
  if (all >= LARGE)
    g_string_append_printf (
        self->out, "Not in these figures, mean of the ranks and share of the run: %s\n", text->str);
}

/* ---- ranked tables */

/* Whether a row with @share of the whole is listed, where @shown are. */
static gboolean
is_listed (const PdAnalysisWriter *self, guint shown, gdouble share)
{
  return self->show->top == 0 || (shown < self->show->top && share >= NOTHING);
}

/* Below a table: how much is left out. */
static void
end_table (PdAnalysisWriter *self, PdColumns *to, guint n, const char *what)
{
  guint shown = to->n_rows;

  pd_columns_end (to);
  if (shown < n)
    g_string_append_printf (self->out, "%u of %u %s; --top 0 lists all\n", shown, n, what);
  if (n > 0)
    g_string_append_c (self->out, '\n');
}

static void
write_waits (PdAnalysisWriter *self)
{
  g_auto (PdColumns) to = begin (self);
  if (!self->with_waits)
    {
      g_string_append (self->out,
                       "--measured shows how long ranks waited, and in which calls.\n\n");
      return;
    }
  guint top = self->show->top, n = pd_report_write_waits (self->run, self->r, top, &to);

  if (top > 0 && top < n)
    g_string_append_printf (self->out, "%u of %u wait states; --top 0 lists all\n", top, n);
  if (n > 0)
    g_string_append_c (self->out, '\n');
}

static void
write_sites (PdAnalysisWriter *self)
{
  g_autoptr (GArray) sites = pd_analysis_get_sites (self->run->analysis, self->r->node);
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);
  g_auto (PdColumns) to = begin (self);

  for (guint i = 0; i < sites->len; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, g_array_index (order, guint, i));
      if (is_listed (self, i, pd_report_share (site->costs.time, self->r->total_time)))
        pd_analysis_add_site (&to, self->run, self->r, site, self->with_waits);
    }
  end_table (self, &to, sites->len, "call sites");
}

static void
write_files (PdAnalysisWriter *self)
{
  g_auto (PdColumns) to = begin (self);
  guint n = self->run->files != NULL ? self->run->files->len : 0;

  for (guint i = 0; i < n && (self->show->top == 0 || i < self->show->top); i++)
    pd_analysis_add_file (&to, self->r, &g_array_index (self->run->files, PdFileUse, i));
  end_table (self, &to, n, "files");
}

static void
write_intervals (PdAnalysisWriter *self)
{
  g_autoptr (GArray) ranked = pd_analysis_rank_intervals (self->run, self->show->level);
  g_auto (PdColumns) to = begin (self);

  for (guint i = 0; i < ranked->len && ranked->len > 1; i++)
    {
      const PdOwnTime *own = &g_array_index (ranked, PdOwnTime, i);
      if (is_listed (self, to.n_rows, pd_report_share (own->time, self->r->total_time)))
        pd_analysis_add_own_time (&to, self->run, own);
    }
  end_table (self, &to, ranked->len > 1 ? ranked->len : 0, "intervals");
}

void
pd_analysis_write_brief (PdAnalysisWriter *self)
{
  self->r = pd_report_result (self->run, 0);
  self->decimals = pd_report_decimals (pd_time_sum_to_seconds (self->r->total_time));
  pd_analysis_write_diagnosis (self);
  write_figures (self);
  pd_analysis_write_efficiencies (self);
  write_outside (self);
  g_string_append_c (self->out, '\n');
  write_waits (self);
  write_sites (self);
  write_files (self);
  write_intervals (self);
  g_string_append (self->out, "--full shows all of each interval, rank and call site.\n");
}
