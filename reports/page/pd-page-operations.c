/* The operations of a DVM program, by kind, of the interval that is chosen.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-operations-private.h"

#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-operations.h"

static gboolean
has_operations (const PdIntervalResult *r)
{
  gboolean any = FALSE;

  for (guint kind = 0; kind < PD_N_OPERATIONS && !any; kind++)
    any = pd_operations_has_any (r, kind);
  return any;
}

/* data-position: its row in the tree of intervals. */
static void
add_interval (PdPage *self, const PdReportRun *run, guint i)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  g_autofree char *label = pd_report_label (r);
  PdColumns to = { .out = self->body };

  g_string_append_printf (self->body, "<div data-position=\"%u\">", i);
  g_string_append (self->body, "<h4>");
  pd_report_append_shown (self->body, label);
  g_string_append (self->body, "</h4>\n");
  pd_report_add_operations (&to, r);
  g_string_append (self->body, "</div>\n");
}

void
pd_page_add_operations (PdPage *self, const PdReportRun *run, const char *prefix)
{
  g_autofree char *id = pd_page_key (prefix, "operations");
  gsize end = self->body->len + pd_page_get_left (self) / 2;
  guint i, left = 0;

  if (run->model != PD_MODEL_DVM || !has_operations (pd_report_result (run, 0)))
    return;
  pd_page_add_heading (self, id, "Operations",
                       "How many operations of each kind the program has, and what all processors "
                       "together spend in them. Each operation is counted once. Choose an interval "
                       "here, or by its row in the tree of intervals.");
  g_string_append (self->body, "<div class=\"choice\">\n");
  for (i = 0; i < run->results->len && (i == 0 || self->body->len < end); i++)
    if (has_operations (pd_report_result (run, i)))
      add_interval (self, run, i);
  g_string_append (self->body, "</div>\n");
  for (; i < run->results->len; i++)
    left += has_operations (pd_report_result (run, i)) ? 1 : 0;
  pd_page_add_cut (self, left, "intervals", "--csv and --db write all of them");
}
