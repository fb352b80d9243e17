/* The report as XML; the schema is schemas/report.rng, the meaning is in
 * predictor-results(5).
 * SPDX-License-Identifier: MIT */
#include "reports/pd-distribution.h"
#include "reports/pd-efficiency.h"
#include "reports/pd-xml-private.h"
#include "reports/pd-sensitivity-private.h"

#include <math.h>

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
      const PdMessage *m = pd_messages_get (messages, i);
      pd_xml_append_indent (out, depth);
      g_string_append (out, m->severity == PD_SEVERITY_WARNING ? "<warning" : "<note");
      pd_xml_append_attribute (out, "id", m->id);
      pd_xml_append_attribute (out, "subject", m->subject);
      pd_xml_append_attribute (out, "place", m->place);
      pd_xml_append_integer (out, "count", m->count);
      g_string_append_c (out, '>');
      pd_report_append_markup (out, m->text);
      g_string_append (out, m->severity == PD_SEVERITY_WARNING ? "</warning>\n" : "</note>\n");
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
  const PdSummary *s = &r->values[c];

  pd_xml_append_indent (out, r->depth + 3);
  g_string_append (out, "<characteristic");
  pd_xml_append_attribute (out, "id", pd_characteristic_row (c)->id);
  pd_xml_append_seconds (out, "sum", s->sum);
  pd_xml_append_seconds (out, "mean", pd_report_mean (r, c));
  pd_xml_append_seconds (out, "min", (PdTimeSum){ s->min.ps });
  pd_xml_append_integer (out, "min_at", s->min_at);
  pd_xml_append_seconds (out, "max", (PdTimeSum){ s->max.ps });
  pd_xml_append_integer (out, "max_at", s->max_at);
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

/* What is not known has no attribute. */
static void
append_efficiencies (GString *out, const PdIntervalResult *r, const gdouble *values)
{
  pd_xml_append_indent (out, r->depth + 3);
  g_string_append (out, "<efficiencies");
  for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
    if (!isnan (values[e]))
      pd_xml_append_double (out, pd_efficiency_row (e)->id, "%.12g", values[e]);
  g_string_append (out, "/>\n");
}

/* @efficiencies: (nullable): those of this interval */
static void
open_interval (GString *out, const PdReportRun *run, guint i, const Processors *all,
               const gdouble *efficiencies)
{
  const PdIntervalResult *r = pd_report_result (run, i);

  pd_xml_append_indent (out, r->depth + 2);
  g_string_append (out, "<interval");
  pd_xml_append_attribute (out, "type", pd_interval_type_name (r->type));
  pd_xml_append_attribute (out, "file", r->file);
  pd_xml_append_integer (out, "line", r->line);
  if (r->index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (out, " index=\"%" G_GINT64_FORMAT "\"", r->index);
  if (run->model == PD_MODEL_MPI && r->name[0] != '\0')
    pd_xml_append_attribute (out, "name", r->name);
  pd_xml_append_integer (out, "processors", r->n_processors);
  pd_xml_append_seconds (out, "total_time", r->total_time);
  pd_xml_append_double (out, "efficiency", "%.12g", r->efficiency);
  if (run->recorded != NULL)
    pd_xml_append_seconds (out, "recorded_time", g_array_index (run->recorded, PdTimeSum, i));
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, run->model))
      pd_xml_append_integer (out, pd_counter_row (PD_N_TIMES + q)->id, r->counts[q]);
  g_string_append (out, ">\n");
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, run->model))
      append_characteristic (out, run, r, c, all);
  if (efficiencies != NULL)
    append_efficiencies (out, r, efficiencies);
  if (run->analysis != NULL)
    pd_xml_append_analysed_interval (out, run, r, all != NULL);
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
append_times (GString *out, const char *name, const PdTime *times, guint32 n)
{
  g_string_append_printf (out, "  <%s>", name);
  for (guint32 p = 0; p < n; p++)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT, p > 0 ? " " : "", times[p].ps);
  g_string_append_printf (out, "</%s>\n", name);
}

static void
append_samples (GString *out, const PdReportRun *run)
{
  PdDistribution d;

  pd_distribution_compute (run->samples, &d);
  g_string_append (out, "  <samples");
  pd_xml_append_integer (out, "count", d.n);
  pd_xml_append_integer (out, "seed", run->first_seed);
  pd_xml_append_double (out, "mean", "%.12g", d.mean);
  pd_xml_append_double (out, "deviation", "%.12g", d.deviation);
  g_string_append (out, ">\n");
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    {
      g_string_append (out, "   <quantile");
      pd_xml_append_double (out, "share", "%g", pd_distribution_shares[i]);
      pd_xml_append_seconds (out, "time", (PdTimeSum){ d.quantiles[i].ps });
      g_string_append (out, "/>\n");
    }
  for (guint i = 0; i < d.n_bars; i++)
    {
      g_string_append (out, "   <bar");
      pd_xml_append_seconds (out, "from", (PdTimeSum){ d.bars[i].from.ps });
      pd_xml_append_seconds (out, "to", (PdTimeSum){ d.bars[i].to.ps });
      pd_xml_append_integer (out, "count", d.bars[i].count);
      g_string_append (out, "/>\n");
    }
  append_times (out, "times_ps", (const PdTime *) (gconstpointer) run->samples->data, d.n);
  g_string_append (out, "  </samples>\n");
}

static void
append_run (GString *out, const PdReport *self, const PdReportRun *run)
{
  const PdIntervalResult *root = pd_report_result (run, 0);

  g_string_append (out, " <run");
  pd_xml_append_integer (out, "processors", run->n_processors);
  pd_xml_append_attribute (out, "grid", run->grid);
  pd_xml_append_seconds (out, "execution_time", root->values[PD_C_EXECUTION_TIME].sum);
  pd_xml_append_seconds (out, "total_time", root->total_time);
  pd_xml_append_double (out, "efficiency", "%.12g", root->efficiency);
  pd_xml_append_integer (out, "messages", run->n_messages);
  pd_xml_append_integer (out, "bytes", run->n_bytes.ps);
  pd_xml_append_integer (out, "events", run->n_events);
  pd_xml_append_attribute (out, "incomplete", run->incomplete ? "true" : "false");
  if (self->date != NULL)
    pd_xml_append_double (out, "elapsed", "%.6f", run->seconds);
  if (run->analysis != NULL)
    pd_xml_append_analysed_run (out, run);
  g_string_append (out, ">\n");
  append_messages (out, 2, run->messages);
  if (self->per_processor || run->recorded_ends != NULL)
    append_times (out, "end_times_ps", run->end_times, run->n_processors);
  if (run->recorded_ends != NULL)
    append_times (out, "recorded_end_times_ps", run->recorded_ends, run->n_processors);
  if (run->samples != NULL)
    append_samples (out, run);
  if (run->sensitivity != NULL)
    pd_xml_append_sensitivity (out, run->sensitivity);
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
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      g_string_append (out, " <input");
      pd_xml_append_attribute (out, "name", input->name);
      pd_xml_append_attribute (out, "sha256", input->sha256);
      g_string_append (out, "/>\n");
    }
  g_string_append (out, " <machine");
  pd_xml_append_attribute (out, "name", self->machine);
  g_string_append_c (out, '>');
  pd_report_append_markup (out, self->machine_text);
  g_string_append (out, "</machine>\n");
  append_messages (out, 1, self->messages);
  for (guint i = 0; i < self->runs->len; i++)
    append_run (out, self, pd_report_run (self, i));
  g_string_append (out, "</report>\n");
}
