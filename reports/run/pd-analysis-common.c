/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-analysis-costs.h"
#include "base/pd-text.h"
#include "analyse/pd-delays.h"
#include "analyse/pd-sites.h"
#include "analyse/pd-waits.h"
#include "intervals/pd-interval-rows.h"
#include "reports/run/pd-analysis-common.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

#define COST(field) PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (PdCallCosts, field)

const PdField pd_report_costs[] = {
  { "count", PD_FIELD_COUNT, .offset = G_STRUCT_OFFSET (PdCallCosts, count) },
  { "time", COST (time), "duration of the calls", .title = "Comm" },
  { "real_sync", COST (real_sync), "waiting for messages not yet sent, receives not yet posted",
    .title = "Real Sync" },
  { "potential_sync", COST (potential_sync), "to the beginning of the collective on the last rank",
    .title = "Potential Sync" },
  { "time_variation", COST (time_variation), "to the end of the collective on the last rank",
    .title = "Time Variation" },
  { "overlap", COST (overlap), "between non-blocking operations and the waits for them",
    .title = "Overlap" },
  PD_FIELDS_END,
};

const char *
pd_report_part_id (const PdCallSite *site)
{
  PdCharacteristic c = site->part == PD_Q_SENDRECV     ? PD_C_SENDRECV_TIME
                       : site->part == PD_Q_COLLECTIVE ? PD_C_COLLECTIVE_TIME
                                                       : PD_C_SYSTEM_TIME;

  return pd_characteristic_row (c)->id;
}

GArray *
pd_report_diagnose (const PdReportRun *run, const PdIntervalResult *r)
{
  gboolean is_root = r->node == PD_INTERVAL_ROOT;

  return pd_diagnosis_new (
      run->analysis, r, run->single != NULL && is_root ? pd_report_result (run->single, 0) : NULL);
}

char *
pd_report_find_statement (const PdReportRun *run, const char *id)
{
  const PdReportRun *analysed = run->analysis != NULL ? run : run->calls;

  if (analysed == NULL)
    return NULL;
  g_autoptr (GArray) diagnosis = pd_report_diagnose (analysed, pd_report_result (analysed, 0));
  for (guint i = 0; i < diagnosis->len; i++)
    if (g_str_equal (g_array_index (diagnosis, PdStatement, i).id, id))
      return g_strdup (g_array_index (diagnosis, PdStatement, i).text);
  return NULL;
}

static gint
compare_costs (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *sites = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  PdWide x = g_array_index (sites, PdCallSite, i).costs.time.ps;
  PdWide y = g_array_index (sites, PdCallSite, k).costs.time.ps;

  if (x != y)
    return x > y ? -1 : 1;
  return i < k ? -1 : i > k;
}

GArray *
pd_report_sites_by_cost (const GArray *sites)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < sites->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_costs, (gpointer) sites);
  return order;
}

char *
pd_report_site_place (const PdReportRun *run, const PdCallSite *site)
{
  g_autofree char *place = pd_analysis_describe_stack (run->analysis, site->site);

  g_autoptr (GString) own = g_string_new (place);

  if (own->len == 0)
    pd_analysis_append_place (run->analysis, own, site->file, site->line);
  return pd_text_show (own->len > 0 ? own->str : "place unknown");
}

static gint
compare_waits (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdTimeSum *waits = data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (waits[i].ps != waits[k].ps)
    return waits[i].ps > waits[k].ps ? -1 : 1;
  return i < k ? -1 : i > k;
}

gboolean
pd_report_has_waits (const PdReportRun *run)
{
  return run->measured || !pd_analysis_is_shared (run->analysis);
}

guint
pd_report_write_waits (const PdReportRun *run, const PdIntervalResult *r, guint top, PdColumns *to)
{
  static const PdColumn columns[] = { { "<Waiting", "<Waiting" },
                                      { "Seconds", "Seconds" },
                                      { "Comm%", "% of communication" },
                                      { "<", "<Which is" } };
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  PdTimeSum waits[PD_N_WAIT_STATES];
  guint order[PD_N_WAIT_STATES], n = 0;

  pd_analysis_get_waits (run->analysis, r->node, waits);
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    if (waits[i].ps != 0)
      order[n++] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_waits, waits);
  for (guint i = 0; i < n && (top == 0 || i < top); i++)
    {
      PdTimeSum wait = waits[order[i]];
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_text (to, pd_wait_state_name ((PdWaitState) order[i]));
      pd_columns_add_fixed (to, pd_time_sum_to_seconds (wait), decimals);
      pd_columns_add_fixed (to, 100 * pd_report_share (wait, r->values[PD_C_COMMUNICATION].sum), 1);
      pd_columns_add_text (to, pd_wait_state_meaning ((PdWaitState) order[i]));
    }
  pd_columns_end (to);
  return n;
}

#define NOTHING 0.001 /* of the whole: a call site that takes less is listed only with all */

static PdTimeSum
waiting_of (const PdCallSite *site)
{
  PdTimeSum sum = { 0 };

  for (guint w = 0; w < PD_N_WAIT_STATES; w++)
    sum.ps += site->waits[w].ps;
  return sum;
}

guint
pd_report_write_sites (const PdReportRun *run, guint top, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "<Call site", NULL }, { "Calls", NULL },   { "Seconds", NULL },
    { "Comm%", NULL },      { "Waiting", NULL }, { "Most on", NULL },
  };
  const PdIntervalResult *r = pd_report_result (run, 0);
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, r->node);
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);

  for (guint i = 0; i < MIN (sites->len, top); i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, g_array_index (order, guint, i));
      gdouble share = pd_report_share (site->costs.time, r->total_time);
      if (share <= (top < sites->len ? NOTHING : 0))
        break;
      g_autoptr (GString) label = g_string_new (NULL);
      pd_analysis_append_place (run->analysis, label, site->file, site->line);
      g_string_append_printf (label, "%s%s", label->len > 0 ? " " : "", site->function);
      g_autofree char *clean = pd_text_show (label->str);
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_text (to, clean);
      pd_columns_add_count (to, site->costs.count);
      pd_columns_add_fixed (to, pd_time_sum_to_seconds (site->costs.time), decimals);
      pd_columns_add_share (to, site->costs.time, r->values[PD_C_COMMUNICATION].sum);
      pd_columns_add_fixed (to, pd_time_sum_to_seconds (waiting_of (site)), decimals);
      pd_columns_add_count (to, pd_call_site_get_spread (site).rank);
    }
  pd_columns_end (to);
  return sites->len;
}

/* ---- root causes */

#define MAX_CAUSES 10 /* of an interval: the rest is in the other forms */

static void
add_cause (PdColumns *to, const PdReportRun *run, const PdRootCause *cause, PdTimeSum waiting,
           int decimals)
{
  const PdIntervalKey key = pd_interval_tree_get_key (run->tree, cause->node);
  g_autofree char *rank = g_strdup_printf ("%u", cause->rank);
  g_autofree char *described = pd_analysis_describe_cause_place (run->analysis, cause);
  g_autofree char *place = pd_text_show (described);
  g_autofree char *interval = pd_report_interval_label (&key);
  PdTimeSum cost = { cause->direct.ps + cause->propagated.ps };

  pd_columns_add_text (to, rank);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (cost), decimals);
  pd_columns_add_fixed (to, 100 * pd_report_share (cost, waiting), 1);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (cause->took), decimals);
  if (cause->n_others > 0)
    pd_columns_add_fixed (to, pd_time_sum_to_seconds (cause->others), decimals);
  else
    pd_columns_add_text (to, "-");
  pd_columns_add_text (to, pd_delay_kind_id (cause->kind));
  pd_columns_add_text (to, place);
  pd_columns_add_text (to, interval);
}

gboolean
pd_report_write_root_causes (const PdReportRun *run, const PdIntervalResult *r, PdColumns *to)
{
  static const PdColumn columns[] = { { "Culprit", "Culprit, rank" },
                                      { "Seconds", "Waiting caused, s" },
                                      { "Wait%", "% of waiting" },
                                      { "Took", "Took, s" },
                                      { "Others", "Others took, s" },
                                      { "<", "<Kind" },
                                      { "<", "<Place" },
                                      { "<", "<Interval" } };
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
  g_autoptr (GArray) causes = pd_analysis_get_root_causes (run->analysis, r->node);
  PdTimeSum waiting = pd_analysis_get_waiting (run->analysis, r->node);

  for (guint i = 0; i < MIN (causes->len, MAX_CAUSES); i++)
    {
      pd_columns_begin (to, PD_COLUMNS (columns));
      add_cause (to, run, &g_array_index (causes, PdRootCause, i), waiting, decimals);
    }
  gboolean any = to->n_rows > 0;
  pd_columns_end (to);
  return any;
}
