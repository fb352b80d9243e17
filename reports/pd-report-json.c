/* The report as one JSON document; its keys are in predictor-results(5).
 * SPDX-License-Identifier: MIT */
#include "reports/pd-report-private.h"

#define MAX_INDENT 24 /* deeper trees are not indented any further */

/* ---- writing JSON */

typedef struct
{
  GString *out;
  guint depth;
  gboolean first; /* nothing has been written on this level yet */
} Json;

static void
append_quoted (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    {
      guchar c = (guchar) *p;
      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", c);
      else if (c < 0x20 || c == 0x7f)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

/* Starts an element; @key is NULL inside arrays. */
static void
begin (Json *json, const char *key)
{
  if (!json->first)
    g_string_append_c (json->out, ',');
  if (json->depth > 0)
    g_string_append_printf (json->out, "\n%*s", (int) MIN (json->depth, MAX_INDENT), "");
  json->first = FALSE;
  if (key == NULL)
    return;
  append_quoted (json->out, key);
  g_string_append (json->out, ": ");
}

static void
open_level (Json *json, const char *key, char bracket)
{
  begin (json, key);
  g_string_append_c (json->out, bracket);
  json->depth++;
  json->first = TRUE;
}

static void
close_level (Json *json, char bracket)
{
  json->depth--;
  if (!json->first)
    g_string_append_printf (json->out, "\n%*s", (int) MIN (json->depth, MAX_INDENT), "");
  g_string_append_c (json->out, bracket);
  json->first = FALSE;
}

/* %NULL becomes null. */
static void
add_string (Json *json, const char *key, const char *text)
{
  begin (json, key);
  if (text == NULL)
    g_string_append (json->out, "null");
  else
    append_quoted (json->out, text);
}

static void
add_seconds (Json *json, const char *key, PdTimeSum sum)
{
  begin (json, key);
  pd_report_append_seconds (json->out, sum);
}

static void
add_integer (Json *json, const char *key, PdWide value)
{
  begin (json, key);
  pd_report_append_wide (json->out, value);
}

static void
add_double (Json *json, const char *key, const char *format, gdouble value)
{
  begin (json, key);
  pd_report_append_double (json->out, format, value);
}

static void
add_boolean (Json *json, const char *key, gboolean value)
{
  begin (json, key);
  g_string_append (json->out, value ? "true" : "false");
}

/* ---- the parts */

static void
add_messages (Json *json, const PdMessages *messages)
{
  open_level (json, "warnings", '[');
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      open_level (json, NULL, '{');
      add_string (json, "id", m->id);
      add_string (json, "severity", m->severity == PD_SEVERITY_WARNING ? "warning" : "note");
      add_string (json, "subject", m->subject);
      add_string (json, "text", m->text);
      add_string (json, "place", m->place);
      add_integer (json, "count", m->count);
      close_level (json, '}');
    }
  close_level (json, ']');
}

static void
add_characteristics (Json *json, const PdIntervalResult *r)
{
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      add_seconds (json, pd_characteristic_row (c)->id, r->values[c].sum);
      /* total_time belongs right behind execution_time */
      if (c == PD_C_EXECUTION_TIME)
        {
          add_seconds (json, "total_time", r->total_time);
          add_double (json, "efficiency", "%.12g", r->efficiency);
        }
    }
}

static void
add_counters (Json *json, const PdIntervalResult *r)
{
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    add_integer (json, pd_counter_row (PD_N_TIMES + q)->id, r->counts[q]);
}

/* One line per characteristic: where its extremes are. */
static void
add_extremes (Json *json, const PdIntervalResult *r)
{
  open_level (json, "extremes", '{');
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      const PdSummary *s = &r->values[c];
      begin (json, pd_characteristic_row (c)->id);
      g_string_append (json->out, "{\"mean\": ");
      pd_report_append_seconds (json->out, pd_report_mean (r, c));
      g_string_append (json->out, ", \"min\": ");
      pd_report_append_seconds (json->out, (PdTimeSum){ s->min.ps });
      g_string_append_printf (json->out, ", \"min_at\": %u, \"max\": ", s->min_at);
      pd_report_append_seconds (json->out, (PdTimeSum){ s->max.ps });
      g_string_append_printf (json->out, ", \"max_at\": %u}", s->max_at);
    }
  close_level (json, '}');
}

static void
open_interval (Json *json, const PdIntervalResult *r)
{
  open_level (json, NULL, '{');
  add_string (json, "type", pd_interval_type_name (r->type));
  add_string (json, "file", r->file);
  add_integer (json, "line", r->line);
  begin (json, "index");
  if (r->index == PD_INTERVAL_NO_INDEX)
    g_string_append (json->out, "null");
  else
    g_string_append_printf (json->out, "%" G_GINT64_FORMAT, r->index);
  add_integer (json, "processors", r->n_processors);
  add_characteristics (json, r);
  add_counters (json, r);
  add_extremes (json, r);
  open_level (json, "intervals", '[');
}

static void
close_intervals (Json *json, guint from, guint to)
{
  for (guint depth = from; depth > to; depth--)
    {
      close_level (json, ']');
      close_level (json, '}');
    }
}

static void
add_intervals (Json *json, const PdReportRun *run)
{
  guint levels = 0;

  open_level (json, "intervals", '[');
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (run, i);
      close_intervals (json, levels, r->depth);
      open_interval (json, r);
      levels = r->depth + 1;
    }
  close_intervals (json, levels, 0);
  close_level (json, ']');
}

static void
add_run (Json *json, const PdReport *self, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);

  open_level (json, NULL, '{');
  add_integer (json, "processors", run->n_processors);
  add_string (json, "grid", run->grid);
  add_characteristics (json, root);
  add_counters (json, root);
  open_level (json, "messages", '{');
  add_integer (json, "count", run->n_messages);
  add_integer (json, "bytes", run->n_bytes.ps);
  close_level (json, '}');
  add_boolean (json, "incomplete", run->incomplete);
  if (self->per_processor)
    {
      begin (json, "end_times_ps");
      for (guint32 p = 0; p < run->n_processors; p++)
        g_string_append_printf (json->out, "%s%" G_GINT64_FORMAT, p > 0 ? ", " : "[",
                                run->end_times[p].ps);
      g_string_append_c (json->out, ']');
    }
  add_intervals (json, run);
  add_messages (json, run->messages);
  if (self->date != NULL)
    {
      open_level (json, "elapsed", '{');
      add_double (json, "seconds", "%.6f", run->seconds);
      add_integer (json, "events", run->n_events);
      add_double (json, "events_per_second", "%.0f",
                  run->seconds > 0 ? (gdouble) run->n_events / run->seconds : 0);
      close_level (json, '}');
    }
  close_level (json, '}');
}

void
pd_report_write_json (const PdReport *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  Json json = { out, 0, TRUE };

  open_level (&json, NULL, '{');
  begin (&json, "format");
  g_string_append (out, PD_REPORT_FORMAT);
  add_string (&json, "program", "predictor");
  add_string (&json, "version", PD_VERSION);
  add_string (&json, "command_line", self->command_line);
  add_string (&json, "date", self->date);
  open_level (&json, "inputs", '[');
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      open_level (&json, NULL, '{');
      add_string (&json, "name", input->name);
      add_string (&json, "sha256", input->sha256);
      close_level (&json, '}');
    }
  close_level (&json, ']');
  add_string (&json, "machine", self->machine);
  add_string (&json, "machine_text", self->machine_text);
  open_level (&json, "runs", '[');
  for (guint i = 0; i < self->runs->len; i++)
    add_run (&json, self, pd_report_run (self, i));
  close_level (&json, ']');
  add_messages (&json, self->messages);
  close_level (&json, '}');
  g_string_append_c (out, '\n');
}
