/* SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-sensitivity-private.h"

#include "reports/emit/pd-format.h"
#include "reports/page/pd-page-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/hints/pd-what-ifs.h"

static void
add_row (PdColumns *to, const PdWhatIf *what_if, int decimals)
{
  g_autofree char *name =
      g_strconcat (what_if->id, what_if->value[0] != '\0' ? " " : "", what_if->value, NULL);
  g_autofree char *change = g_strdup (what_if->change);

  change[0] = g_ascii_toupper (change[0]);
  pd_columns_add_text (to, name);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (what_if->gain), decimals);
  pd_columns_add_fixed (to, what_if->percent, 1);
  pd_columns_add_fixed (to, pd_time_to_seconds (what_if->time), decimals);
  pd_columns_add_text (to, change);
  pd_columns_add_text (to, what_if->how);
}

void
pd_page_add_what_ifs (PdPage *self, const PdReportRun *run, const char *prefix)
{
  static const PdColumn columns[] = {
    { .page = "<Change" },         { .page = "Gain, s" },     { .page = "Gain, %" },
    { .page = "Time with it, s" }, { .page = "<What to do" }, { .page = "<How it was simulated" }
  };
  PdColumns to = { .out = pd_page_get_body (self) };
  g_autofree char *key = pd_page_key (prefix, "what-ifs");

  if (run->what_ifs == NULL)
    return;
  pd_page_add_heading (self, key, "What-if analysis",
                       "The run predicted again with one change each, by the time gained.");
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (guint i = 0; i < run->what_ifs->len; i++)
    {
      const PdSummary *time = &pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME];
      add_row (&to, &g_array_index (run->what_ifs, PdWhatIf, i),
               pd_report_decimals (pd_time_sum_to_seconds (time->sum)));
    }
  pd_columns_end (&to);
}
