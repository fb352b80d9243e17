/* SPDX-License-Identifier: MIT */
#include "reports/pd-sensitivity.h"

#include "reports/pd-sensitivity-private.h"
#include "reports/pd-table.h"

#define ROWS(name)       G_STRUCT_OFFSET (PdSensitivity, name)
#define PART(field)      G_STRUCT_OFFSET (PdSensitivityPart, field)
#define PARAMETER(field) G_STRUCT_OFFSET (PdSensitivityParameter, field)
#define INTERVAL(field)  G_STRUCT_OFFSET (PdSensitivityInterval, field)
#define TOLERANCE(field) G_STRUCT_OFFSET (PdSensitivityTolerance, field)
#define SEGMENT(field)   G_STRUCT_OFFSET (PdSensitivitySegment, field)

static const PdSensitivityTable sensitivity_tables[] = {
  { "path_part",
    "part",
    "what the critical path consists of: the times add up to the run time",
    ROWS (parts),
    {
        { "kind", PD_COLUMN_KIND, PART (kind), "computation, transfer, queued ..." },
        { "time", PD_COLUMN_TIME, PART (time), "seconds of the path" },
    } },
  { "sensitivity",
    "parameter",
    "by how much the run time grows with a parameter of the machine",
    ROWS (parameters),
    {
        { "path", PD_COLUMN_TEXT, PARAMETER (path), "as for --set" },
        { "kind", PD_COLUMN_KIND, PARAMETER (kind), "latency, per-byte, overhead, gap or speed" },
        { "unit", PD_COLUMN_KIND, PARAMETER (unit), "of the value: s or s/B" },
        { "value", PD_COLUMN_REAL, PARAMETER (value), "of a bandwidth its reciprocal" },
        { "derivative", PD_COLUMN_REAL, PARAMETER (derivative),
          "of the run time in seconds, if the parameter grows" },
        { "elasticity", PD_COLUMN_REAL, PARAMETER (elasticity),
          "percent of the run time for a percent of the parameter" },
    } },
  { "interval_sensitivity",
    "computation",
    "by how much the run time grows with the computation of an interval itself",
    ROWS (intervals),
    {
        { "node", PD_COLUMN_NUMBER, INTERVAL (node), "the interval" },
        { "label", PD_COLUMN_TEXT, INTERVAL (label), "the same for people" },
        { "on_path", PD_COLUMN_TIME, INTERVAL (on_path), "its seconds of the critical path" },
        { "derivative", PD_COLUMN_TIME, INTERVAL (derivative),
          "seconds of the run time to the logarithm of its time, if that grows" },
        { "elasticity", PD_COLUMN_REAL, INTERVAL (elasticity),
          "percent of the run time for a percent of its time" },
    } },
  { "latency_tolerance",
    "tolerance",
    "how much latency may grow before the run is so much slower",
    ROWS (tolerances),
    {
        { "path", PD_COLUMN_TEXT, TOLERANCE (path), "the parameter that is the latency" },
        { "slowdown", PD_COLUMN_REAL, TOLERANCE (slowdown), "0.01 is 1 %" },
        { "value", PD_COLUMN_TIME, TOLERANCE (value), "up to which it may grow, seconds" },
        { "growth", PD_COLUMN_TIME, TOLERANCE (growth), "from what it is, seconds" },
        { "linear", PD_COLUMN_TIME, TOLERANCE (linear),
          "the growth that the derivative promises, seconds" },
        { "at_linear", PD_COLUMN_REAL, TOLERANCE (at_linear), "the slowdown simulated there" },
        { "is_linear", PD_COLUMN_BOOLEAN, TOLERANCE (is_linear),
          "whether that is what was promised" },
    } },
  { "path_segment",
    "segment",
    "the critical path from the beginning",
    ROWS (segments),
    {
        { "rank", PD_COLUMN_NUMBER, SEGMENT (rank), "of a message, who sends" },
        { "peer", PD_COLUMN_NUMBER, SEGMENT (peer), "of a message, who receives it" },
        { "kind", PD_COLUMN_KIND, SEGMENT (kind), "as of path_part" },
        { "node", PD_COLUMN_NUMBER, SEGMENT (node), "interval of computation" },
        { "count", PD_COLUMN_NUMBER, SEGMENT (count), "so many of the kind in a row" },
        { "begin", PD_COLUMN_TIME, SEGMENT (begin), "seconds" },
        { "end", PD_COLUMN_TIME, SEGMENT (end), "seconds" },
    } },
};

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

/* ---- documents */

static void
add_value (PdJson *json, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
    case PD_COLUMN_KIND:
      pd_json_add_string (json, column->name, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      pd_json_add_integer (json, column->name, G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      pd_json_add_boolean (json, column->name, G_STRUCT_MEMBER (gboolean, row, column->offset));
      break;
    case PD_COLUMN_TIME:
      pd_json_add_seconds (json, column->name, pd_sensitivity_time (row, column));
      break;
    case PD_COLUMN_REAL:
    default:
      pd_json_add_double (json, column->name, "%.12g",
                          G_STRUCT_MEMBER (gdouble, row, column->offset));
    }
}

void
pd_json_add_sensitivity (PdJson *json, const PdSensitivity *self)
{
  pd_json_open (json, "sensitivity", '{');
  pd_json_add_seconds (json, "makespan", (PdTimeSum){ self->makespan.ps });
  pd_json_add_integer (json, "rank", self->rank);
  pd_json_add_integer (json, "messages", (PdWide) self->n_messages);
  pd_json_add_integer (json, "ties", (PdWide) self->n_ties);
  for (guint t = 0; t < G_N_ELEMENTS (sensitivity_tables); t++)
    {
      const PdSensitivityTable *table = &sensitivity_tables[t];
      pd_json_open (json, table->name, '[');
      for (guint i = 0; i < pd_sensitivity_rows (self, table)->len; i++)
        {
          pd_json_open (json, NULL, '{');
          for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
            add_value (json, c, pd_sensitivity_row (self, table, i));
          pd_json_close (json, '}');
        }
      pd_json_close (json, ']');
    }
  pd_json_close (json, '}');
}

static void
append_value (GString *out, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
    case PD_COLUMN_KIND:
      pd_xml_append_attribute (out, column->name,
                               G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      pd_xml_append_integer (out, column->name, G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      pd_xml_append_attribute (out, column->name,
                               G_STRUCT_MEMBER (gboolean, row, column->offset) ? "true" : "false");
      break;
    case PD_COLUMN_TIME:
      pd_xml_append_seconds (out, column->name, pd_sensitivity_time (row, column));
      break;
    case PD_COLUMN_REAL:
    default:
      pd_xml_append_double (out, column->name, "%.12g",
                            G_STRUCT_MEMBER (gdouble, row, column->offset));
    }
}

void
pd_xml_append_sensitivity (GString *out, const PdSensitivity *self)
{
  g_string_append (out, "  <sensitivity");
  pd_xml_append_seconds (out, "makespan", (PdTimeSum){ self->makespan.ps });
  pd_xml_append_integer (out, "rank", self->rank);
  pd_xml_append_integer (out, "messages", (PdWide) self->n_messages);
  pd_xml_append_integer (out, "ties", (PdWide) self->n_ties);
  g_string_append (out, ">\n");
  for (guint t = 0; t < G_N_ELEMENTS (sensitivity_tables); t++)
    for (guint i = 0; i < pd_sensitivity_rows (self, &sensitivity_tables[t])->len; i++)
      {
        const PdSensitivityTable *table = &sensitivity_tables[t];
        g_string_append_printf (out, "   <%s", table->element);
        for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
          append_value (out, c, pd_sensitivity_row (self, table, i));
        g_string_append (out, "/>\n");
      }
  g_string_append (out, "  </sensitivity>\n");
}
