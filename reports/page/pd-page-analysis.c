/* The analysis of a run: diagnosis, wait states, call sites.
 * SPDX-License-Identifier: MIT */
#include "reports/analysis/pd-analysis-tables.h"
#include "reports/run/pd-analysis-costs.h"
#include "reports/page/pd-page-private.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "reports/page/pd-page-analysis-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

#define MAX_SITES 50 /* of an interval: the rest is in the other forms */
#define MAX_RANKS 64 /* of a call site */
#define MAX_BARS  20 /* call sites in the chart */
#define MAX_FILES 50
#define MAX_TIMES 50 /* intervals in the ranked table */

static void
append_statements (GString *out, const PdReportRun *run, const PdIntervalResult *r)
{
  g_autoptr (GArray) statements = pd_report_diagnose (run, r);

  g_string_append (out, "<ul>\n");
  for (guint i = 0; i < statements->len; i++)
    {
      g_string_append (out, "<li>");
      pd_report_append_shown (out, g_array_index (statements, PdStatement, i).text);
      g_string_append (out, "</li>\n");
    }
  g_string_append (out, "</ul>\n");
}

void
pd_page_add_diagnosis (PdPage *self, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdColumns causes = { .out = self->body };

  pd_page_begin_section (self, "diagnosis", "Diagnosis",
                         "Causes of waiting and of lost time, the most important first.");
  append_statements (self->body, run, root);
  if (pd_report_has_waits (run))
    pd_report_write_root_causes (run, root, &causes);
  pd_page_end_section (self);
}

/* ---- call sites */

static void
add_costs (PdColumns *to, const PdCallCosts *costs, int decimals)
{
  pd_columns_add_count (to, costs->count);
  for (guint i = 0; i < PD_N_COSTS; i++)
    pd_columns_add_fixed (to, pd_time_sum_to_seconds (pd_report_cost (costs, i)), decimals);
}

static gint
compare_ranks (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *ranks = data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  PdWide p = g_array_index (ranks, PdCallSiteRank, x).costs.time.ps;
  PdWide q = g_array_index (ranks, PdCallSiteRank, y).costs.time.ps;

  if (p != q)
    return p > q ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The values of ranks at @site; of many ranks the largest. */
static void
add_ranks (PdColumns *to, const PdPage *page, const PdCallSite *site, int decimals)
{
  g_autofree guint *order = g_new (guint, site->ranks->len + 1);
  guint n = site->ranks->len;

  for (guint i = 0; i < n; i++)
    order[i] = i;
  if (n > MAX_RANKS)
    g_qsort_with_data (order, (gint) n, sizeof *order, compare_ranks, site->ranks);
  for (guint i = 0; i < MIN (n, MAX_RANKS) && pd_page_has_room (page); i++)
    {
      const PdCallSiteRank *own = &g_array_index (site->ranks, PdCallSiteRank, order[i]);
      g_autofree char *label = g_strdup_printf ("rank %u", own->rank);
      pd_columns_add_label (to, label, 1);
      add_costs (to, &own->costs, decimals);
      pd_columns_add_text (to, NULL); /* the critical path is not that of a rank */
      pd_columns_add_text (to, NULL);
    }
}

static void
add_site (PdColumns *to, const PdReportRun *run, const PdCallSite *site, int decimals)
{
  g_autofree char *place = pd_report_site_place (run, site);
  g_autofree char *sizes = pd_analysis_describe_sizes (&site->sizes);
  g_autoptr (GString) cell = g_string_new ("<td class=\"l\"><b>");

  pd_report_append_shown (cell, site->function);
  g_string_append (cell, "</b><br/><span class=\"dim\">");
  pd_report_append_shown (cell, place);
  if (site->sizes.n > 0)
    {
      g_string_append (cell, "<br/>");
      pd_report_append_shown (cell, sizes);
    }
  g_string_append (cell, "</span></td>");
  pd_columns_add_markup (to, NULL, cell->str);
  add_costs (to, &site->costs, decimals);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (site->on_path), decimals);
  pd_columns_add_fixed (to, pd_call_site_get_spread (site).imbalance, 2);
}

static void
append_sites (PdPage *self, const PdReportRun *run, const PdIntervalResult *r, gboolean ranks)
{
  static const PdColumn columns[] = { { .page = "<Call site, by time" },
                                      { .page = "Calls" },
                                      { .page = "Time, s" } };
  PdColumns to = { .out = self->body, .tree = TRUE, .open = 1 };
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, r->node);
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  guint i, n = MIN (sites->len, MAX_SITES);

  if (n == 0)
    return;
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (i = 1; i < PD_N_COSTS; i++)
    pd_columns_add_column (&to, NULL, pd_report_cost_field (i)->title);
  pd_columns_add_column (&to, NULL, "Critical path");
  pd_columns_add_column (&to, NULL, "Imbalance");
  for (i = 0; i < n && (i == 0 || pd_page_has_room (self)); i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, g_array_index (order, guint, i));
      add_site (&to, run, site, decimals);
      if (ranks)
        add_ranks (&to, self, site, decimals);
    }
  pd_columns_end (&to);
  if (i < sites->len)
    g_string_append_printf (self->body, "<p class=\"dim\">%u more call sites took less.</p>\n",
                            sites->len - i);
  if (ranks && run->n_processors > MAX_RANKS)
    g_string_append_printf (
        self->body,
        "<p class=\"dim\">Of each call site the %d ranks that took most; --json "
        "and --db have all.</p>\n",
        MAX_RANKS);
}

/* ---- charts, of the run as a whole */

static void
add_waits_chart (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *key = pd_page_key (prefix, "waits");
  PdTimeSum waits[PD_N_WAIT_STATES];
  gdouble seconds[PD_N_WAIT_STATES];
  guint n = 0;

  pd_analysis_get_waits (run->analysis, pd_report_result (run, 0)->node, waits);
  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "name", '[');
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      if (waits[i].ps == 0)
        continue;
      pd_page_data_string (self, NULL, pd_wait_state_name ((PdWaitState) i));
      seconds[n++] = pd_time_sum_to_seconds (waits[i]);
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "seconds", seconds, n);
  pd_page_data_close (self, '}');
  if (n > 0)
    pd_page_add_chart (self, "waits", key, "Waiting by its cause, time of all ranks");
}

static void
add_sites_chart (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *key = pd_page_key (prefix, "sites");
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, pd_report_result (run, 0)->node);
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);
  guint n = MIN (sites->len, MAX_BARS);
  gdouble time[MAX_BARS], waiting[MAX_BARS];

  if (n == 0)
    return;
  pd_page_data_open (self, key, '{');
  pd_page_data_open (self, "name", '[');
  for (guint i = 0; i < n; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, g_array_index (order, guint, i));
      g_autofree char *place = pd_report_site_place (run, site);
      g_autofree char *name = g_strconcat (site->function, " ", place, NULL);
      pd_page_data_string (self, NULL, name);
      time[i] = pd_time_sum_to_seconds (site->costs.time);
      waiting[i] = 0;
      for (guint w = 0; w < PD_N_WAIT_STATES; w++)
        waiting[i] += pd_time_sum_to_seconds (site->waits[w]);
    }
  pd_page_data_close (self, ']');
  pd_page_data_numbers (self, "time", time, n);
  pd_page_data_numbers (self, "waiting", waiting, n);
  pd_page_data_close (self, '}');
  pd_page_add_chart (self, "sites", key, "Call sites by time of all ranks");
}

/* ---- intervals */

/* The loss in each, without those inside it. */
static void
add_own_times (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autoptr (GArray) ranked = pd_analysis_rank_intervals (run, G_MAXINT64);
  g_autofree char *id = pd_page_key (prefix, "losses");
  PdColumns to = { .out = self->body };
  guint i;

  if (ranked->len < 2)
    return;
  pd_page_add_heading (self, id, "Intervals by loss",
                       "Time of ranks in an interval itself, without nested intervals.");
  for (i = 0; i < MIN (ranked->len, MAX_TIMES) && pd_page_has_room (self); i++)
    pd_analysis_add_own_time (&to, run, &g_array_index (ranked, PdOwnTime, i));
  pd_columns_end (&to);
  pd_page_add_cut (self, ranked->len - i, "intervals", "'predictor analyse --top 0' lists them");
}

static void
add_files (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *id = pd_page_key (prefix, "files");
  PdColumns to = { .out = self->body };
  guint i;

  if (run->files == NULL)
    return;
  pd_page_add_heading (self, id, "Files", "Reads and writes of ranks with MPI-IO.");
  for (i = 0; i < MIN (run->files->len, MAX_FILES) && pd_page_has_room (self); i++)
    pd_analysis_add_file (&to, pd_report_result (run, 0),
                          &g_array_index (run->files, PdFileUse, i));
  pd_columns_end (&to);
  pd_page_add_cut (self, run->files->len - i, "files", "'predictor analyse --top 0' lists them");
}

static void
add_interval (PdPage *self, const PdReportRun *run, const PdIntervalResult *r, gboolean ranks)
{
  PdColumns to = { .out = self->body };

  if (pd_report_has_waits (run))
    pd_report_write_waits (run, r, 0, &to);
  append_sites (self, run, r, ranks);
}

void
pd_page_add_analysis (PdPage *self, const PdReportRun *run, const char *prefix, gboolean ranks)
{
  g_autofree char *id = pd_page_key (prefix, "waiting");
  guint i;

  pd_page_add_heading (self, id, "Waiting and call sites",
                       "Causes of waiting in calls, and the places of the calls in the program.");
  if (pd_report_has_waits (run))
    add_waits_chart (self, run, prefix);
  add_sites_chart (self, run, prefix);
  add_interval (self, run, pd_report_result (run, 0), ranks);
  add_files (self, run, prefix);
  add_own_times (self, run, prefix);
  for (i = 1; i < run->results->len && pd_page_has_room (self); i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      g_autofree char *label = pd_report_label (r);
      pd_page_begin_details (self, label);
      PdColumns causes = { .out = self->body };
      append_statements (self->body, run, r);
      if (pd_report_has_waits (run))
        pd_report_write_root_causes (run, r, &causes);
      add_interval (self, run, r, ranks);
      pd_page_end_details (self);
    }
  pd_page_add_cut (self, run->results->len - i, "intervals", "--json and --db write all of them");
}
