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
        { "kind", PD_COLUMN_TEXT, PART (kind), "computation, transfer, queued ..." },
        { "time", PD_COLUMN_TIME, PART (time), "seconds of the path" },
    } },
  { "sensitivity",
    "parameter",
    "by how much the run time grows with a parameter of the machine",
    ROWS (parameters),
    {
        { "path", PD_COLUMN_TEXT, PARAMETER (path), "as for --set" },
        { "kind", PD_COLUMN_TEXT, PARAMETER (kind), "latency, per-byte, overhead, gap or speed" },
        { "unit", PD_COLUMN_TEXT, PARAMETER (unit), "of the value: s or s/B" },
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
        { "kind", PD_COLUMN_TEXT, SEGMENT (kind), "as of path_part" },
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
  g_free (self);
}

/* ---- rows of any table */

static GArray *
rows_of (const PdSensitivity *self, const PdSensitivityTable *table)
{
  return G_STRUCT_MEMBER (GArray *, self, table->rows);
}

static gconstpointer
row_at (const PdSensitivity *self, const PdSensitivityTable *table, guint i)
{
  const GArray *rows = rows_of (self, table);

  return rows->data + (gsize) i * g_array_get_element_size ((GArray *) rows);
}

static PdTimeSum
time_of (gconstpointer row, const PdSensitivityColumn *column)
{
  return (PdTimeSum){ G_STRUCT_MEMBER (PdTime, row, column->offset).ps };
}

static void
add_value (PdJson *json, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
      pd_json_add_string (json, column->name, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      pd_json_add_integer (json, column->name, G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      pd_json_add_boolean (json, column->name, G_STRUCT_MEMBER (gboolean, row, column->offset));
      break;
    case PD_COLUMN_TIME:
      pd_json_add_seconds (json, column->name, time_of (row, column));
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
      for (guint i = 0; i < rows_of (self, table)->len; i++)
        {
          pd_json_open (json, NULL, '{');
          for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
            add_value (json, c, row_at (self, table, i));
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
      pd_xml_append_seconds (out, column->name, time_of (row, column));
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
    for (guint i = 0; i < rows_of (self, &sensitivity_tables[t])->len; i++)
      {
        const PdSensitivityTable *table = &sensitivity_tables[t];
        g_string_append_printf (out, "   <%s", table->element);
        for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
          append_value (out, c, row_at (self, table, i));
        g_string_append (out, "/>\n");
      }
  g_string_append (out, "  </sensitivity>\n");
}

/* ---- result files */

static const char *const sql_types[] = {
  [PD_COLUMN_TEXT] = "TEXT", [PD_COLUMN_NUMBER] = "INTEGER", [PD_COLUMN_BOOLEAN] = "INTEGER",
  [PD_COLUMN_TIME] = "REAL", [PD_COLUMN_REAL] = "REAL",
};

void
pd_sensitivity_append_schema (GString *sql)
{
  for (guint t = 0; t < G_N_ELEMENTS (sensitivity_tables); t++)
    {
      const PdSensitivityTable *table = &sensitivity_tables[t];
      g_string_append_printf (sql,
                              "CREATE TABLE %s ( -- with --sensitivity: %s\n"
                              "  run INTEGER NOT NULL,\n"
                              "  position INTEGER NOT NULL, -- from 0\n",
                              table->name, table->meaning);
      for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
        g_string_append_printf (sql, "  \"%s\" %s NOT NULL, -- %s\n", c->name, sql_types[c->type],
                                c->meaning);
      g_string_append (sql, "  PRIMARY KEY (run, position)\n) WITHOUT ROWID;\n");
    }
}

static void
insert_value (PdInsert *insert, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
      pd_insert_text (insert, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      pd_insert_integer (insert, G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      pd_insert_integer (insert, G_STRUCT_MEMBER (gboolean, row, column->offset));
      break;
    case PD_COLUMN_TIME:
      pd_insert_double (insert, pd_time_sum_to_seconds (time_of (row, column)));
      break;
    case PD_COLUMN_REAL:
    default:
      pd_insert_double (insert, G_STRUCT_MEMBER (gdouble, row, column->offset));
    }
}

static gboolean
insert_table (sqlite3 *db, gint64 id, const PdSensitivity *self, const PdSensitivityTable *table)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert insert;
  int n_columns = 2;

  for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
    n_columns++;
  gboolean ok = pd_insert_prepare (db, table->name, n_columns, &insert);
  statement = insert.statement;
  for (guint i = 0; ok && i < rows_of (self, table)->len; i++)
    {
      pd_insert_integer (&insert, id);
      pd_insert_integer (&insert, i);
      for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
        insert_value (&insert, c, row_at (self, table, i));
      ok = pd_insert_end_row (&insert);
    }
  return ok;
}

gboolean
pd_insert_sensitivity (sqlite3 *db, gint64 id, const PdSensitivity *self)
{
  for (guint t = 0; t < G_N_ELEMENTS (sensitivity_tables); t++)
    if (!insert_table (db, id, self, &sensitivity_tables[t]))
      return FALSE;
  return TRUE;
}
