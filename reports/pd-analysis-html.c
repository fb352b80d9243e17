/* SPDX-License-Identifier: MIT */
#include "reports/pd-analysis-private.h"
#include "reports/pd-html-private.h"

#define MAX_SITES 50 /* of an interval: the rest is in the other forms */

static void
append_statements (GString *out, const PdReportRun *run, const PdIntervalResult *r)
{
  g_autoptr (GArray) statements = pd_report_diagnose (run, r);

  g_string_append (out, "<ul>\n");
  for (guint i = 0; i < statements->len; i++)
    {
      g_string_append (out, "<li>");
      pd_report_append_markup (out, g_array_index (statements, PdStatement, i).text);
      g_string_append (out, "</li>\n");
    }
  g_string_append (out, "</ul>\n");
}

void
pd_html_append_diagnosis (GString *out, const PdReportRun *run)
{
  g_string_append (out, "<h2>Diagnosis</h2>\n");
  append_statements (out, run, pd_report_result (run, 0));
}

static void
append_left (GString *out, const char *text)
{
  g_string_append (out, "<td class=\"l\">");
  pd_report_append_markup (out, text);
  g_string_append (out, "</td>");
}

static void
append_waits (GString *out, const PdReportRun *run, const PdIntervalResult *r, int decimals)
{
  static const char *const headings[] = { "<Waiting", "Seconds", "% of communication", "<Which is",
                                          NULL };
  PdTimeSum waits[PD_N_WAIT_STATES];
  gboolean any = FALSE;

  pd_analysis_get_waits (run->analysis, r->node, waits);
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      if (waits[i].ps == 0)
        continue;
      if (!any)
        pd_html_begin_table (out, headings);
      any = TRUE;
      g_string_append (out, "<tr>");
      append_left (out, pd_wait_state_name ((PdWaitState) i));
      pd_html_append_fixed (out, pd_time_sum_to_seconds (waits[i]), decimals);
      pd_html_append_fixed (out,
                            100 * pd_report_share (waits[i], r->values[PD_C_COMMUNICATION].sum), 1);
      append_left (out, pd_wait_state_meaning ((PdWaitState) i));
      g_string_append (out, "</tr>\n");
    }
  if (any)
    pd_html_end_table (out);
}

/* ---- call sites */

static void
append_costs (GString *out, const PdCallCosts *costs, int decimals)
{
  g_string_append_printf (out, "<td>%" G_GUINT64_FORMAT "</td>", costs->count);
  for (guint i = 0; i < PD_N_COSTS; i++)
    pd_html_append_fixed (out, pd_time_sum_to_seconds (pd_report_cost (costs, i)), decimals);
}

static void
append_site (GString *out, const PdReportRun *run, const PdCallSite *site, gboolean ranks,
             int decimals)
{
  g_autofree char *place = pd_report_site_place (run, site);

  g_string_append (out, "<tr><td class=\"l\"><b>");
  pd_report_append_markup (out, site->function);
  g_string_append (out, "</b><br/><span class=\"dim\">");
  pd_report_append_markup (out, place);
  g_string_append (out, "</span></td>");
  append_costs (out, &site->costs, decimals);
  pd_html_append_fixed (out, pd_time_sum_to_seconds (site->on_path), decimals);
  g_string_append (out, "</tr>\n");
  for (guint i = 0; ranks && i < site->ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (site->ranks, PdCallSiteRank, i);
      g_autofree char *label = g_strdup_printf ("rank %u", own->rank);
      pd_html_append_label (out, label, 1);
      append_costs (out, &own->costs, decimals);
      g_string_append (out, "<td></td></tr>\n");
    }
}

static void
append_sites (GString *out, const PdReportRun *run, const PdIntervalResult *r, gboolean ranks,
              int decimals)
{
  static const char *const headings[] = {
    "<Call site, by time", "Calls",   "Time, s",       "Real Sync", "Potential Sync",
    "Time Variation",      "Overlap", "Critical path", NULL
  };
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, r->node);
  g_autoptr (GArray) order = pd_report_sites_by_cost (sites);
  guint n = MIN (sites->len, MAX_SITES);

  if (n == 0)
    return;
  pd_html_begin_table (out, headings);
  for (guint i = 0; i < n; i++)
    append_site (out, run, &g_array_index (sites, PdCallSite, g_array_index (order, guint, i)),
                 ranks, decimals);
  pd_html_end_table (out);
  if (n < sites->len)
    g_string_append_printf (out, "<p class=\"dim\">%u more call sites took less.</p>\n",
                            sites->len - n);
}

void
pd_html_append_analysis (GString *out, const PdReportRun *run, gboolean ranks)
{
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      g_autofree char *label = pd_report_label (r);
      int decimals = pd_report_decimals (pd_time_sum_to_seconds (r->total_time));
      if (i == 0)
        g_string_append (out, "<h2>Waiting and call sites</h2>\n");
      else
        {
          g_string_append (out, "<details><summary>");
          pd_report_append_markup (out, label);
          g_string_append (out, "</summary>\n");
          append_statements (out, run, r);
        }
      append_waits (out, run, r, decimals);
      append_sites (out, run, r, ranks, decimals);
      if (i > 0)
        g_string_append (out, "</details>\n");
    }
}
