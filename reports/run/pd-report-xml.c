/* The report as XML; the schema is schemas/report.rng, the meaning is in
 * predictor-results(5).
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"
#include "reports/emit/pd-xml.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-xml.h"

static void
append_element (GString *out, const char *name, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (out, " <%s>", name);
  pd_report_append_markup (out, text);
  g_string_append_printf (out, "</%s>\n", name);
}

static void
append_messages (GString *out, guint depth, const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      PdMessageRow row = pd_report_message_row (pd_messages_get (messages, i));
      pd_xml_append_row (out, depth, row.severity, pd_report_messages.fields, &row);
    }
}

/* ---- intervals */

/* The values of one interval by processor; %NULL where they are not wanted. */
typedef struct
{
  PdTime *values; /* n_processors * PD_N_CHARACTERISTICS */
  gboolean *present;
} Processors;

static void
append_characteristic (GString *out, const PdReportRun *run, const PdIntervalResult *r,
                       PdCharacteristic c, const Processors *all)
{
  PdExtremesRow row = { pd_characteristic_row (c)->id, r->values[c], pd_report_mean (r, c) };

  pd_xml_append_indent (out, r->depth + 3);
  g_string_append (out, "<characteristic");
  pd_xml_append_fields (out, pd_report_extremes, &row);
  if (all == NULL)
    {
      g_string_append (out, "/>\n");
      return;
    }
  g_string_append_c (out, '>');
  for (guint32 p = 0; p < run->n_processors; p++)
    {
      if (p > 0)
        g_string_append_c (out, ' ');
      if (all->present[p])
        pd_report_append_wide (out, all->values[(gsize) p * PD_N_CHARACTERISTICS + c].ps);
      else
        g_string_append_c (out, '-');
    }
  g_string_append (out, "</characteristic>\n");
}

/* @efficiencies: (nullable): those of this interval */
static void
open_interval (GString *out, const PdReportRun *run, guint i, const Processors *all,
               const gdouble *efficiencies)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  PdIntervalRow row = pd_report_interval_row (run, i, NULL);
  PdEmit to = { .xml = out, .depth = r->depth + 3 };

  pd_xml_append_indent (out, r->depth + 2);
  g_string_append (out, "<interval");
  pd_xml_append_fields (out, pd_report_intervals.fields, &row);
  if (run->recorded != NULL)
    pd_xml_append_fields (out, pd_report_recorded, &g_array_index (run->recorded, PdTimeSum, i));
  pd_xml_append_fields (out, pd_report_counters[run->model], &row);
  g_string_append (out, ">\n");
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, run->model))
      append_characteristic (out, run, r, c, all);
  pd_emit_operations (&to, run, r, all != NULL);
  if (efficiencies != NULL)
    pd_emit_row (&to, &pd_report_efficiency_rows, efficiencies);
  pd_emit_interval_analysis (&to, run, i, all != NULL);
}

static void
close_intervals (GString *out, guint from, guint to)
{
  for (guint depth = from; depth > to; depth--)
    {
      pd_xml_append_indent (out, depth + 1);
      g_string_append (out, "</interval>\n");
    }
}

static void
append_intervals (GString *out, const PdReport *self, const PdReportRun *run)
{
  gboolean per_processor = self->per_processor;
  g_autofree gdouble *efficiencies =
      pd_report_has_efficiencies (run) ? pd_report_get_efficiencies (self, run) : NULL;
  g_autofree PdTime *values = NULL;
  g_autofree gboolean *present = NULL;
  guint open = 0; /* levels */

  if (per_processor)
    {
      values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
      present = g_new (gboolean, run->n_processors);
    }
  Processors all = { values, present };
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      close_intervals (out, open, r->depth);
      if (per_processor)
        pd_interval_tree_get_all_processors (run->tree, r->node, values, present);
      open_interval (out, run, i, per_processor ? &all : NULL,
                     efficiencies != NULL ? efficiencies + (gsize) i * PD_N_EFFICIENCIES : NULL);
      open = r->depth + 1;
    }
  close_intervals (out, open, 0);
}

/* ---- runs */

static void
append_run (GString *out, const PdReport *self, const PdReportRun *run)
{
  PdRunRow row = pd_report_run_row (self, run, 0);
  PdEmit to = { .xml = out, .depth = 2 };

  g_string_append (out, " <run");
  pd_xml_append_fields (out, pd_report_runs.fields, &row);
  if (run->analysis != NULL)
    pd_xml_append_fields (out, pd_analysed_runs.fields, run->analysis);
  if (run->range != NULL)
    {
      PdTimeRangeEnds ends = pd_time_range_get (run->range);
      pd_xml_append_fields (out, pd_report_range_ends, &ends);
    }
  g_string_append (out, ">\n");
  append_messages (out, 2, run->messages);
  pd_emit_run_parts (&to, self, run);
  append_intervals (out, self, run);
  g_string_append (out, " </run>\n");
}

void
pd_report_write_xml (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_string_append (out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<report format=\"" PD_REPORT_FORMAT
                        "\" program=\"predictor\" version=\"" PD_VERSION "\">\n");
  append_element (out, "command_line", self->command_line);
  append_element (out, "date", self->date);
  pd_emit_rows (&(PdEmit){ .xml = out, .depth = 1 }, &pd_report_inputs, self->inputs);
  g_string_append (out, " <machine");
  pd_xml_append_attribute (out, "name", self->machine);
  g_string_append_c (out, '>');
  pd_report_append_markup (out, self->machine_text);
  g_string_append (out, "</machine>\n");
  append_messages (out, 1, self->messages);
  pd_emit_model (&(PdEmit){ .xml = out, .depth = 1 }, self->model);
  for (guint i = 0; i < self->runs->len; i++)
    append_run (out, self, pd_report_run (self, i));
  g_string_append (out, "</report>\n");
}
