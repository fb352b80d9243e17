/* The report as one JSON document; its keys are in predictor-results(5).
 * SPDX-License-Identifier: MIT */
#include "reports/pd-distribution.h"
#include "reports/pd-efficiency.h"
#include "reports/pd-json-private.h"
#include "reports/pd-sensitivity-private.h"

#include <math.h>

/* ---- the parts */

void
pd_json_add_messages (PdJson *json, const PdMessages *messages)
{
  pd_json_open (json, "warnings", '[');
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_string (json, "id", m->id);
      pd_json_add_string (json, "severity",
                          m->severity == PD_SEVERITY_WARNING ? "warning" : "note");
      pd_json_add_string (json, "subject", m->subject);
      pd_json_add_string (json, "text", m->text);
      pd_json_add_string (json, "place", m->place);
      pd_json_add_integer (json, "count", m->count);
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

static void
add_counters (PdJson *json, const PdReportRun *run, const PdIntervalResult *r)
{
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, run->model))
      pd_json_add_integer (json, pd_counter_row (PD_N_TIMES + q)->id, r->counts[q]);
}

/* One line per characteristic: where its extremes are. */
static void
add_extremes (PdJson *json, const PdReportRun *run, const PdIntervalResult *r)
{
  pd_json_open (json, "extremes", '{');
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      const PdSummary *s = &r->values[c];
      if (!pd_characteristic_applies (c, run->model))
        continue;
      pd_json_begin (json, pd_characteristic_row (c)->id);
      g_string_append (json->out, "{\"mean\": ");
      pd_report_append_seconds (json->out, pd_report_mean (r, c));
      g_string_append (json->out, ", \"min\": ");
      pd_report_append_seconds (json->out, (PdTimeSum){ s->min.ps });
      g_string_append_printf (json->out, ", \"min_at\": %u, \"max\": ", s->min_at);
      pd_report_append_seconds (json->out, (PdTimeSum){ s->max.ps });
      g_string_append_printf (json->out, ", \"max_at\": %u}", s->max_at);
    }
  pd_json_close (json, '}');
}

/* What is not known is null. */
static void
add_efficiencies (PdJson *json, const gdouble *values)
{
  pd_json_open (json, "efficiencies", '{');
  for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
    {
      pd_json_begin (json, pd_efficiency_row (e)->id);
      if (isnan (values[e]))
        g_string_append (json->out, "null");
      else
        pd_report_append_double (json->out, "%.12g", values[e]);
    }
  pd_json_close (json, '}');
}

/* @efficiencies: (nullable): those of this interval */
static void
open_interval (PdJson *json, const PdReportRun *run, guint i, gboolean per_processor,
               const gdouble *efficiencies)
{
  const PdIntervalResult *r = pd_report_result (run, i);

  pd_json_open (json, NULL, '{');
  pd_json_add_string (json, "type", pd_interval_type_name (r->type));
  pd_json_add_string (json, "file", r->file);
  pd_json_add_integer (json, "line", r->line);
  pd_json_begin (json, "index");
  if (r->index == PD_INTERVAL_NO_INDEX)
    g_string_append (json->out, "null");
  else
    g_string_append_printf (json->out, "%" G_GINT64_FORMAT, r->index);
  if (run->model == PD_MODEL_MPI)
    pd_json_add_string (json, "name", r->name);
  pd_json_add_integer (json, "processors", r->n_processors);
  if (run->recorded != NULL)
    pd_json_add_seconds (json, "recorded_time", g_array_index (run->recorded, PdTimeSum, i));
  add_characteristics (json, run, r);
  add_counters (json, run, r);
  add_extremes (json, run, r);
  if (efficiencies != NULL)
    add_efficiencies (json, efficiencies);
  if (run->analysis != NULL)
    pd_json_add_analysed_interval (json, run, r, per_processor);
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
pd_json_add_run (PdJson *json, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);

  pd_json_add_integer (json, "processors", run->n_processors);
  pd_json_add_string (json, "grid", run->grid);
  add_characteristics (json, run, root);
  add_counters (json, run, root);
  pd_json_open (json, "messages", '{');
  pd_json_add_integer (json, "count", run->n_messages);
  pd_json_add_integer (json, "bytes", run->n_bytes.ps);
  pd_json_close (json, '}');
  pd_json_add_boolean (json, "incomplete", run->incomplete);
}

static void
add_times (PdJson *json, const char *key, const PdTime *times, guint32 n)
{
  pd_json_begin (json, key);
  g_string_append_c (json->out, '[');
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (json->out, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", times[i].ps);
  g_string_append_c (json->out, ']');
}

static void
add_samples (PdJson *json, const PdReportRun *run)
{
  PdDistribution d;

  pd_distribution_compute (run->samples, &d);
  pd_json_open (json, "samples", '{');
  pd_json_add_integer (json, "count", d.n);
  pd_json_add_integer (json, "seed", run->first_seed);
  pd_json_add_double (json, "mean", "%.12g", d.mean);
  pd_json_add_double (json, "deviation", "%.12g", d.deviation);
  pd_json_open (json, "quantiles", '[');
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    {
      pd_json_open (json, NULL, '{');
      pd_json_add_double (json, "share", "%g", pd_distribution_shares[i]);
      pd_json_add_seconds (json, "time", (PdTimeSum){ d.quantiles[i].ps });
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
  pd_json_open (json, "histogram", '[');
  for (guint i = 0; i < d.n_bars; i++)
    {
      pd_json_open (json, NULL, '{');
      pd_json_add_seconds (json, "from", (PdTimeSum){ d.bars[i].from.ps });
      pd_json_add_seconds (json, "to", (PdTimeSum){ d.bars[i].to.ps });
      pd_json_add_integer (json, "count", d.bars[i].count);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
  add_times (json, "times_ps", (const PdTime *) (gconstpointer) run->samples->data, d.n);
  pd_json_close (json, '}');
}

static void
add_run (PdJson *json, const PdReport *self, const PdReportRun *run)
{
  pd_json_open (json, NULL, '{');
  pd_json_add_run (json, run);
  if (self->per_processor || run->recorded_ends != NULL)
    add_times (json, "end_times_ps", run->end_times, run->n_processors);
  if (run->recorded_ends != NULL)
    add_times (json, "recorded_end_times_ps", run->recorded_ends, run->n_processors);
  if (run->analysis != NULL)
    pd_json_add_analysed_run (json, run);
  if (run->samples != NULL)
    add_samples (json, run);
  if (run->sensitivity != NULL)
    pd_json_add_sensitivity (json, run->sensitivity);
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
  pd_json_open (json, "inputs", '[');
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_string (json, "name", input->name);
      pd_json_add_string (json, "sha256", input->sha256);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
  pd_json_add_string (json, "machine", self->machine);
  pd_json_add_string (json, "machine_text", self->machine_text);
}

void
pd_report_write_json (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  PdJson json = { out, 0, TRUE };

  pd_json_open (&json, NULL, '{');
  pd_json_add_head (&json, self);
  pd_json_open (&json, "runs", '[');
  for (guint i = 0; i < self->runs->len; i++)
    add_run (&json, self, pd_report_run (self, i));
  pd_json_close (&json, ']');
  pd_json_add_messages (&json, self->messages);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}
