/* The report as one JSON document; its keys are in predictor-results(5).
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-json.h"
#include "reports/run/pd-report-scaling.h"

/* ---- the parts */

void
pd_json_add_messages (PdJson *json, const PdMessages *messages)
{
  pd_json_open (json, pd_report_messages.list, '[');
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      PdMessageRow row = pd_report_message_row (pd_messages_get (messages, i));
      pd_json_open (json, NULL, '{');
      pd_json_add_fields (json, pd_report_messages.fields, &row);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
}

static void
add_characteristics (PdJson *json, const PdReportRun *run, const PdIntervalResult *r)
{
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (!pd_characteristic_applies (c, run->model))
        continue;
      pd_json_add_seconds (json, pd_characteristic_row (c)->id, r->values[c].sum);
      /* total_time belongs right behind execution_time */
      if (c == PD_C_EXECUTION_TIME)
        {
          pd_json_add_seconds (json, "total_time", r->total_time);
          pd_json_add_double (json, "efficiency", "%.12g", r->efficiency);
        }
    }
}

/* One line per characteristic: where its extremes are. */
static void
add_extremes (PdJson *json, const PdReportRun *run, const PdIntervalResult *r)
{
  pd_json_open (json, "extremes", '{');
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      PdExtremesRow row = { NULL, r->values[c], pd_report_mean (r, c) };
      if (!pd_characteristic_applies (c, run->model))
        continue;
      pd_json_open_flat (json, pd_characteristic_row (c)->id);
      pd_json_add_fields (json, pd_report_extremes, &row);
      pd_json_close (json, '}');
    }
  pd_json_close (json, '}');
}

/* A list of each characteristic: picoseconds by processor, null of those outside the interval. */
static void
add_processors (PdJson *json, const PdReportRun *run, const PdIntervalResult *r)
{
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);

  pd_interval_tree_get_all_processors (run->tree, r->node, values, present);
  pd_json_open (json, "by_processor_ps", '{');
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (!pd_characteristic_applies (c, run->model))
        continue;
      pd_json_begin (json, pd_characteristic_row (c)->id);
      g_string_append_c (json->out, '[');
      for (guint32 p = 0; p < run->n_processors; p++)
        {
          g_string_append (json->out, p > 0 ? ", " : "");
          if (present[p])
            pd_report_append_wide (json->out, values[(gsize) p * PD_N_CHARACTERISTICS + c].ps);
          else
            g_string_append (json->out, "null");
        }
      g_string_append_c (json->out, ']');
    }
  pd_json_close (json, '}');
}

/* @efficiencies: (nullable): those of this interval */
static void
open_interval (PdJson *json, const PdReportRun *run, guint i, gboolean per_processor,
               const gdouble *efficiencies)
{
  const PdIntervalResult *r = pd_report_result (run, i);
  PdIntervalRow row = pd_report_interval_row (run, i, NULL);
  PdEmit to = { .json = json };

  pd_json_open (json, NULL, '{');
  pd_json_add_fields (json, pd_report_intervals.fields, &row);
  if (run->recorded != NULL)
    pd_json_add_fields (json, pd_report_recorded, &g_array_index (run->recorded, PdTimeSum, i));
  add_characteristics (json, run, r);
  pd_json_add_fields (json, pd_report_counters[run->model], &row);
  add_extremes (json, run, r);
  if (per_processor && run->model == PD_MODEL_DVM)
    add_processors (json, run, r);
  pd_emit_operations (&to, run, r, per_processor);
  if (efficiencies != NULL)
    pd_emit_row (&to, &pd_report_efficiency_rows, efficiencies);
  pd_emit_interval_analysis (&to, run, i, per_processor);
  pd_json_open (json, "intervals", '[');
}

static void
close_intervals (PdJson *json, guint from, guint to)
{
  for (guint depth = from; depth > to; depth--)
    {
      pd_json_close (json, ']');
      pd_json_close (json, '}');
    }
}

static void
add_intervals (PdJson *json, const PdReport *self, const PdReportRun *run)
{
  g_autofree gdouble *efficiencies =
      pd_report_has_efficiencies (run) ? pd_report_get_efficiencies (self, run) : NULL;
  guint levels = 0;

  pd_json_open (json, "intervals", '[');
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      close_intervals (json, levels, r->depth);
      open_interval (json, run, i, self->per_processor,
                     efficiencies != NULL ? efficiencies + (gsize) i * PD_N_EFFICIENCIES : NULL);
      levels = r->depth + 1;
    }
  close_intervals (json, levels, 0);
  pd_json_close (json, ']');
}

void
pd_json_add_run (PdJson *json, const PdReport *self, const PdReportRun *run)
{
  PdRunRow row = pd_report_run_row (self, run, 0);
  PdIntervalRow root = pd_report_interval_row (run, 0, NULL);

  pd_json_add_fields (json, pd_report_runs.fields, &row);
  add_characteristics (json, run, &root.result);
  pd_json_add_fields (json, pd_report_counters[run->model], &root);
  if (run->is_recorded)
    pd_json_add_string (json, "messages", NULL);
  else
    {
      pd_json_open (json, "messages", '{');
      pd_json_add_integer (json, "count", run->n_messages);
      pd_json_add_integer (json, "bytes", run->n_bytes.ps);
      pd_json_close (json, '}');
    }
  pd_json_add_boolean (json, "incomplete", run->incomplete);
  if (row.recorded_share > 0)
    pd_json_add_double (json, "recorded_share", "%.6f", row.recorded_share);
  if (run->recorded_time.ps > 0)
    pd_json_add_seconds (json, "recorded_time", (PdTimeSum){ run->recorded_time.ps });
}

static void
add_run (PdJson *json, const PdReport *self, const PdReportRun *run)
{
  pd_json_open (json, NULL, '{');
  PdEmit to = { .json = json };

  pd_json_add_run (json, self, run);
  pd_emit_run_parts (&to, self, run);
  add_intervals (json, self, run);
  pd_json_add_messages (json, run->messages);
  if (self->date != NULL)
    {
      pd_json_open (json, "elapsed", '{');
      pd_json_add_double (json, "seconds", "%.6f", run->seconds);
      pd_json_add_integer (json, "events", run->n_events);
      pd_json_add_double (json, "events_per_second", "%.0f",
                          run->seconds > 0 ? (gdouble) run->n_events / run->seconds : 0);
      pd_json_close (json, '}');
    }
  pd_json_close (json, '}');
}

void
pd_json_add_head (PdJson *json, const PdReport *self)
{
  pd_json_begin (json, "format");
  g_string_append (json->out, PD_REPORT_FORMAT);
  pd_json_add_string (json, "program", "predictor");
  pd_json_add_string (json, "version", PD_VERSION);
  pd_json_add_string (json, "command_line", self->command_line);
  pd_json_add_string (json, "date", self->date);
  pd_emit_rows (&(PdEmit){ .json = json }, &pd_report_inputs, self->inputs);
  pd_json_add_string (json, "machine", self->machine);
  pd_json_add_string (json, "machine_text", self->machine_text);
}

void
pd_report_write_json (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  PdJson json = { .out = out, .first = TRUE };
  g_autoptr (GPtrArray) scaling = pd_scaling_list_runs (self);

  pd_json_open (&json, NULL, '{');
  pd_json_add_head (&json, self);
  pd_emit_model (&(PdEmit){ .json = &json }, self->model);
  pd_json_open (&json, "runs", '[');
  for (guint i = 0; i < self->runs->len; i++)
    add_run (&json, self, pd_report_run (self, i));
  pd_json_close (&json, ']');
  if (scaling != NULL)
    pd_scaling_add_json (scaling, &json);
  pd_json_add_messages (&json, self->messages);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}
