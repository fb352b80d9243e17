/* SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-scaling-private.h"

#include "reports/page/pd-page-data.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-scaling.h"

#define N_CURVES 8

/* Speed-up of the dearest intervals of the largest run against the smallest one. */
static void
add_scaling_data (PdPage *page, const GPtrArray *runs)
{
  const PdReportRun *largest = g_ptr_array_index (runs, runs->len - 1);
  g_autofree gboolean *shown = pd_report_choose_intervals (largest, N_CURVES);
  g_autofree gdouble *values = g_new (gdouble, runs->len);

  pd_page_data_open (page, "scaling", '{');
  for (guint k = 0; k < runs->len; k++)
    values[k] = ((const PdReportRun *) g_ptr_array_index (runs, k))->n_processors;
  pd_page_data_numbers (page, "processors", values, runs->len);
  pd_page_data_open (page, "name", '[');
  for (guint i = 0; i < largest->results->len; i++)
    if (shown[i])
      {
        g_autofree char *label = pd_report_label (pd_report_result (largest, i));
        pd_page_data_string (page, NULL, label);
      }
  pd_page_data_close (page, ']');
  pd_page_data_open (page, "speed_up", '[');
  for (guint i = 0; i < largest->results->len; i++)
    if (shown[i])
      {
        pd_scaling_get_speed_ups (runs, i, values);
        pd_page_data_numbers (page, NULL, values, runs->len);
      }
  pd_page_data_close (page, ']');
  pd_page_data_close (page, '}');
}

void
pd_page_add_scaling (PdPage *page, const PdReport *self)
{
  g_autoptr (GPtrArray) runs = pd_scaling_list_runs (self);
  PdColumns to = { .out = pd_page_get_body (page) };

  if (runs == NULL)
    return;
  g_autofree char *sentence = pd_scaling_describe (runs);
  pd_page_append_element (to.out, "p class=\"sum\"", sentence);
  add_scaling_data (page, runs);
  pd_page_add_chart (page, "scaling", "scaling", "Speed-up of intervals");
  pd_scaling_add_table (&to, runs, TRUE);
  pd_page_append_element (to.out, "p class=\"dim\"", PD_SCALING_LEGEND);
}
