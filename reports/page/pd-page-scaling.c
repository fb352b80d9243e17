/* SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-scaling-private.h"

#include "reports/page/pd-page-data.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-scaling.h"

#include <math.h>

#define N_CURVES 8
#define N_SHOWN  200 /* intervals of a validation */

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

/* ---- a model: time against ranks */

static PdTimeRangeEnds
get_ends (const PdReportRun *run, PdTime time)
{
  return run->range != NULL ? pd_time_range_get (run->range) : (PdTimeRangeEnds){ time, time };
}

static void
add_predicted_runs (PdPage *page, const PdReport *self)
{
  guint n = self->runs->len;
  g_autofree gdouble *values = g_new (gdouble, 4 * (gsize) n);

  for (guint i = 0; i < n; i++)
    {
      const PdReportRun *run = pd_report_run (self, i);
      PdTime time = pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].max;
      PdTimeRangeEnds ends = get_ends (run, time);
      values[i] = run->n_processors;
      values[n + i] = pd_time_to_seconds (time);
      values[2 * n + i] = pd_time_to_seconds (ends.low);
      values[3 * n + i] = pd_time_to_seconds (ends.high);
    }
  pd_page_data_numbers (page, "processors", values, n);
  pd_page_data_numbers (page, "seconds", values + n, n);
  pd_page_data_numbers (page, "low", values + 2 * (gsize) n, n);
  pd_page_data_numbers (page, "high", values + 3 * (gsize) n, n);
}

static void
add_recorded_runs (PdPage *page, const GArray *recordings)
{
  g_autofree gdouble *counts = g_new (gdouble, recordings->len + 1);
  g_autofree gdouble *seconds = g_new (gdouble, recordings->len + 1);
  guint n = 0;

  pd_page_data_open (page, "recorded_name", '[');
  for (guint i = 0; i < recordings->len; i++)
    {
      const PdModelRecording *one = &g_array_index (recordings, PdModelRecording, i);
      if (isnan (one->seconds))
        continue;
      counts[n] = one->n_processors;
      seconds[n++] = one->seconds;
      pd_page_data_string (page, NULL, one->name);
    }
  pd_page_data_close (page, ']');
  pd_page_data_numbers (page, "recorded_processors", counts, n);
  pd_page_data_numbers (page, "recorded_seconds", seconds, n);
}

static void
add_curves (PdPage *page, const PdReport *self)
{
  if (self->runs->len == 0)
    return;
  pd_page_data_open (page, "ranks", '{');
  add_predicted_runs (page, self);
  add_recorded_runs (page, self->model->recordings);
  pd_page_data_close (page, '}');
  pd_page_add_chart (page, "ranks", "ranks", "Execution time against ranks");
}

/* ---- a model: tables */

static void
add_recordings (PdPage *page, const GArray *recordings)
{
  static const PdColumn columns[] = { { NULL, "<Recording" },
                                      { NULL, "Ranks" },
                                      { NULL, "Recorded run, s" } };
  PdColumns to = { .out = pd_page_get_body (page) };

  for (guint i = 0; i < recordings->len; i++)
    {
      const PdModelRecording *one = &g_array_index (recordings, PdModelRecording, i);
      pd_columns_begin (&to, PD_COLUMNS (columns));
      pd_columns_add_label (&to, one->name, 0);
      pd_columns_add_count (&to, one->n_processors);
      pd_columns_add_fixed (&to, one->seconds, 6);
    }
  pd_columns_end (&to);
}

static void
add_approximations (PdPage *page, const PdModelReport *model)
{
  g_autofree char *about = pd_model_report_describe_approximations (model);
  PdColumns to = { .out = pd_page_get_body (page) };

  if (about == NULL)
    return;
  pd_page_add_heading (page, "approximated", "Approximated", about);
  pd_model_report_add_approximations (model, &to);
}

static void
add_validation (PdPage *page, const PdModelReport *model)
{
  PdColumns to = { .out = pd_page_get_body (page) };

  if (model->n_validated == 0)
    return;
  g_autofree char *about = pd_model_report_describe_validation (model);
  pd_page_add_heading (page, "validation", "Validation", about);
  pd_model_report_add_checks (model, &to);
  pd_model_report_add_times (model, N_SHOWN, &to);
  if (model->times->len > N_SHOWN)
    pd_page_add_cut (page, model->times->len - N_SHOWN, "intervals", "--json and --xml write all");
}

/* One class after the other, as long as there is room. */
static void
add_places (PdPage *page, const PdModelReport *model)
{
  guint n = model->places->len;
  guint n_classes = n > 0 ? g_array_index (model->places, PdModelPlace, n - 1).class : 0;
  guint i = 0, class;

  pd_page_add_heading (page, "rules", "Rules and models of computation",
                       "P, n: ranks of the program, of the communicator; k: the repetition, of m.");
  for (class = 1; class <= n_classes && pd_page_has_room (page); class ++)
    {
      PdColumns to = { .out = pd_page_get_body (page), .tree = TRUE };
      while (i < n && g_array_index (model->places, PdModelPlace, i).class < class)
        i++;
      g_autofree char *title =
          g_strdup_printf ("Class %u, %u recorded ranks", class,
                           g_array_index (model->places, PdModelPlace, i).n_ranks);
      pd_page_begin_details (page, title);
      pd_model_report_add_places (model, class, &to);
      pd_page_end_details (page);
    }
  pd_page_add_cut (page, n_classes + 1 - class, "classes", "--model --json writes all of them");
}

void
pd_page_add_model (PdPage *page, const PdReport *self)
{
  const PdModelReport *model = self->model;

  if (model == NULL)
    return;
  g_autofree char *lead = g_strdup_printf ("Ranks are arranged in %s, and differ by %s.",
                                           model->arrangement, model->classes);
  pd_page_begin_section (page, "model", "The model", lead);
  add_curves (page, self);
  add_recordings (page, model->recordings);
  add_approximations (page, model);
  add_validation (page, model);
  add_places (page, model);
  pd_page_end_section (page);
}
