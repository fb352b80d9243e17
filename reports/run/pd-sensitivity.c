/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-sensitivity.h"

#include "reports/run/pd-report-rows.h"
#include "reports/run/pd-sensitivity-private.h"
#include "reports/emit/pd-table.h"

#define PART(field)      G_STRUCT_OFFSET (PdSensitivityPart, field)
#define PARAMETER(field) G_STRUCT_OFFSET (PdSensitivityParameter, field)
#define INTERVAL(field)  G_STRUCT_OFFSET (PdSensitivityInterval, field)
#define TOLERANCE(field) G_STRUCT_OFFSET (PdSensitivityTolerance, field)
#define HEAD(field)      G_STRUCT_OFFSET (PdSensitivity, field)
#define SEGMENT(field)   G_STRUCT_OFFSET (PdSensitivitySegment, field)

/* The second column. */
#define KEY_POSITION                                                                               \
  PD_FIELD ("position", PD_FIELD_KEY, PD_KEY_POSITION, "from 0", PD_IN_DB, .sql = NULL)

static const PdField parts[] = {
  KEY_RUN,
  KEY_POSITION,
  { "kind", PD_FIELD_KIND, .offset = PART (kind), "computation, transfer, queued ..." },
  { "time", PD_FIELD_TIME, .offset = PART (time), "seconds of the path" },
  PD_FIELDS_END,
};

static const PdField parameters[] = {
  KEY_RUN,
  KEY_POSITION,
  { "path", PD_FIELD_TEXT, .offset = PARAMETER (path), "as for --set" },
  { "kind", PD_FIELD_KIND, .offset = PARAMETER (kind),
    "latency, per-byte, overhead, gap or speed" },
  { "unit", PD_FIELD_KIND, .offset = PARAMETER (unit), "of the value: s or s/B" },
  { "value", PD_FIELD_REAL, .offset = PARAMETER (value), "for a bandwidth its reciprocal" },
  { "derivative", PD_FIELD_REAL, .offset = PARAMETER (derivative),
    "of the run time in seconds, if the parameter grows" },
  { "elasticity", PD_FIELD_REAL, .offset = PARAMETER (elasticity),
    "percent of the run time for a percent of the parameter" },
  PD_FIELDS_END,
};

static const PdField intervals[] = {
  KEY_RUN,
  KEY_POSITION,
  { "node", PD_FIELD_NUMBER, .offset = INTERVAL (node), "the interval" },
  { "label", PD_FIELD_TEXT, .offset = INTERVAL (label), "the interval as text" },
  { "on_path", PD_FIELD_TIME, .offset = INTERVAL (on_path), "its seconds of the critical path" },
  { "derivative", PD_FIELD_TIME, .offset = INTERVAL (derivative),
    "seconds of the run time per logarithm of its time, if that grows" },
  { "elasticity", PD_FIELD_REAL, .offset = INTERVAL (elasticity),
    "percent of the run time for a percent of its time" },
  PD_FIELDS_END,
};

static const PdField tolerances[] = {
  KEY_RUN,
  KEY_POSITION,
  { "path", PD_FIELD_TEXT, .offset = TOLERANCE (path), "the parameter that is the latency" },
  { "slowdown", PD_FIELD_REAL, .offset = TOLERANCE (slowdown), "0.01 is 1 %" },
  { "value", PD_FIELD_TIME, .offset = TOLERANCE (value), "the tolerated latency, seconds" },
  { "growth", PD_FIELD_TIME, .offset = TOLERANCE (growth),
    "relative to its present value, seconds" },
  { "linear", PD_FIELD_TIME, .offset = TOLERANCE (linear),
    "the growth predicted by the derivative, seconds" },
  { "at_linear", PD_FIELD_REAL, .offset = TOLERANCE (at_linear),
    "the simulated slowdown with this growth" },
  { "is_linear", PD_FIELD_BOOLEAN, .offset = TOLERANCE (is_linear),
    "whether it equals the predicted slowdown" },
  PD_FIELDS_END,
};

static const PdField segments[] = {
  KEY_RUN,
  KEY_POSITION,
  { "rank", PD_FIELD_NUMBER, .offset = SEGMENT (rank), "of a message, its sender" },
  { "peer", PD_FIELD_NUMBER, .offset = SEGMENT (peer), "the receiver of a message" },
  { "kind", PD_FIELD_KIND, .offset = SEGMENT (kind), "as in path_part" },
  { "node", PD_FIELD_NUMBER, .offset = SEGMENT (node), "interval of computation" },
  { "count", PD_FIELD_NUMBER, .offset = SEGMENT (count), "consecutive segments of this kind" },
  { "begin", PD_FIELD_TIME, .offset = SEGMENT (begin), "seconds" },
  { "end", PD_FIELD_TIME, .offset = SEGMENT (end), "seconds" },
  PD_FIELDS_END,
};

static const PdSensitivityTable sensitivity_tables[] = {
  { { .table = "path_part",
      .element = "part",
      .list = "path_part",
      .with = "--sensitivity",
      .meaning = "the parts of the critical path, whose times sum up to the run time",
      .key = "run, position",
      .quoted = TRUE,
      .fields = parts },
    G_STRUCT_OFFSET (PdSensitivity, parts) },
  { { .table = "sensitivity",
      .element = "parameter",
      .list = "sensitivity",
      .with = "--sensitivity",
      .meaning = "the growth of the run time with a parameter of the machine",
      .key = "run, position",
      .quoted = TRUE,
      .fields = parameters },
    G_STRUCT_OFFSET (PdSensitivity, parameters) },
  { { .table = "interval_sensitivity",
      .element = "computation",
      .list = "interval_sensitivity",
      .with = "--sensitivity",
      .meaning = "the growth of the run time with the computation of an interval itself",
      .key = "run, position",
      .quoted = TRUE,
      .fields = intervals },
    G_STRUCT_OFFSET (PdSensitivity, intervals) },
  { { .table = "latency_tolerance",
      .element = "tolerance",
      .list = "latency_tolerance",
      .with = "--sensitivity",
      .meaning = "the growth of the latency that causes a given slowdown",
      .key = "run, position",
      .quoted = TRUE,
      .fields = tolerances },
    G_STRUCT_OFFSET (PdSensitivity, tolerances) },
  { { .table = "path_segment",
      .element = "segment",
      .list = "path_segment",
      .with = "--sensitivity",
      .meaning = "the critical path from the beginning",
      .key = "run, position",
      .quoted = TRUE,
      .fields = segments },
    G_STRUCT_OFFSET (PdSensitivity, segments) },
};

static const PdField head[] = {
  { "run", PD_FIELD_KEY, PD_KEY_RUN, .in = PD_IN_DB,
    .sql = "INTEGER PRIMARY KEY REFERENCES run (id)" },
  { "makespan", PD_FIELD_TIME, .offset = HEAD (makespan),
    .in = PD_IN_XML | PD_IN_JSON | PD_IN_CSV },
  { "makespan_ps", PD_FIELD_PS, .offset = HEAD (makespan), "the length of the path", PD_IN_DB },
  { "rank", PD_FIELD_NUMBER, .offset = HEAD (rank), "that ends last",
    PD_IN_XML | PD_IN_JSON | PD_IN_DB },
  { "messages", PD_FIELD_COUNT, .offset = HEAD (n_messages), "on the path" },
  { "ties", PD_FIELD_COUNT, .offset = HEAD (n_ties),
    "where two dependencies end at the same moment" },
  PD_FIELDS_END,
};

const PdRecord pd_sensitivity_head =
    PD_RECORD (.table = "critical_path", .element = "sensitivity", .list = "sensitivity",
               .single = TRUE, .with = "--sensitivity", .fields = head);

const PdSensitivityTable *
pd_sensitivity_get_table (guint i)
{
  return i < G_N_ELEMENTS (sensitivity_tables) ? &sensitivity_tables[i] : NULL;
}

/* ---- life */

static void
clear_parameter (gpointer data)
{
  g_free (((PdSensitivityParameter *) data)->path);
}

static void
clear_interval (gpointer data)
{
  g_free (((PdSensitivityInterval *) data)->label);
}

static void
clear_tolerance (gpointer data)
{
  g_free (((PdSensitivityTolerance *) data)->path);
}

PdSensitivity *
pd_sensitivity_new (void)
{
  PdSensitivity *self = g_new0 (PdSensitivity, 1);

  self->parts = g_array_new (FALSE, TRUE, sizeof (PdSensitivityPart));
  self->parameters = g_array_new (FALSE, TRUE, sizeof (PdSensitivityParameter));
  g_array_set_clear_func (self->parameters, clear_parameter);
  self->intervals = g_array_new (FALSE, TRUE, sizeof (PdSensitivityInterval));
  g_array_set_clear_func (self->intervals, clear_interval);
  self->tolerances = g_array_new (FALSE, TRUE, sizeof (PdSensitivityTolerance));
  g_array_set_clear_func (self->tolerances, clear_tolerance);
  self->segments = g_array_new (FALSE, TRUE, sizeof (PdSensitivitySegment));
  return self;
}

void
pd_sensitivity_free (PdSensitivity *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_array_unref (self->parameters);
  g_array_unref (self->intervals);
  g_array_unref (self->tolerances);
  g_array_unref (self->segments);
  g_clear_pointer (&self->kinds, g_string_chunk_free);
  g_free (self);
}

/* ---- the written rows */

void
pd_emit_sensitivity (PdEmit *to, const PdSensitivity *self)
{
  pd_emit_open (to, &pd_sensitivity_head, self);
  for (guint t = 0; t < G_N_ELEMENTS (sensitivity_tables); t++)
    pd_emit_rows (to, &sensitivity_tables[t].record,
                  pd_sensitivity_rows (self, &sensitivity_tables[t]));
  pd_emit_close (to, &pd_sensitivity_head);
}
