/* The parts of the time of intervals, as bars.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-parts-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

const PdPagePart pd_page_parts[PD_PAGE_N_PARTS] = {
  { "w", "productive computation", PD_C_PRODUCTIVE_TIME },
  { "o", "input and output", PD_C_IO_TIME },
  { "i", "insufficient parallelism", PD_C_INSUFFICIENT_PARALLELISM },
  { "c", "communication", PD_C_COMMUNICATION },
  { "d", "idle", PD_C_IDLE },
};

PdTimeSum
pd_page_get_part (const PdIntervalResult *r, guint part)
{
  PdTimeSum value = r->values[pd_page_parts[part].c].sum;

  if (part == 0)
    value.ps -= r->values[PD_C_IO_TIME].sum.ps;
  return value;
}

char *
pd_page_make_bar (const PdIntervalResult *r, PdTimeSum whole)
{
  GString *out = g_string_new ("<td class=\"b\"><div class=\"bar\">");

  for (guint i = 0; i < PD_PAGE_N_PARTS; i++)
    {
      PdTimeSum part = pd_page_get_part (r, i);
      gdouble share = pd_report_share (part, whole);
      if (!(share > 0))
        continue;
      g_autofree char *width = pd_report_fixed (100 * share, 2);
      g_autofree char *shown = pd_report_fixed (100 * pd_report_share (part, r->total_time), 1);
      g_string_append_printf (out,
                              "<span class=\"%s\" style=\"width:%s%%\" title=\"%s %s %%\"></span>",
                              pd_page_parts[i].style, width, pd_page_parts[i].name, shown);
    }
  g_string_append (out, "</div></td>");
  return g_string_free (out, FALSE);
}

void
pd_page_append_key (GString *out)
{
  g_string_append (out, "<p class=\"key\">");
  for (guint i = 0; i < PD_PAGE_N_PARTS; i++)
    g_string_append_printf (out, "<span><i class=\"%s\"></i>%s</span> ", pd_page_parts[i].style,
                            pd_page_parts[i].name);
  g_string_append (out, "</p>\n");
}
