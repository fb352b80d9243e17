/* The tables of a study's database.
 * SPDX-License-Identifier: MIT */
#include "sweep/pd-study-db.h"

static const char tables[] =
    "CREATE TABLE study ( -- what is studied: one row\n"
    "  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
    "  description TEXT NOT NULL, -- the study as XML: 'predictor sweep' takes it\n"
    "  checksum TEXT NOT NULL, -- SHA-256 of the description\n"
    "  program TEXT NOT NULL,\n"
    "  program_version TEXT NOT NULL,\n"
    "  command_line TEXT, -- that has begun the file\n"
    "  made TEXT, -- when: ISO 8601; NULL if it was suppressed\n"
    "  points INTEGER NOT NULL, -- of the study, finished or not\n"
    "  shard INTEGER NOT NULL, -- the file is for points with number % shards = shard - 1\n"
    "  shards INTEGER NOT NULL,\n"
    "  per_processor INTEGER NOT NULL -- 1: processor_value is filled\n"
    ");\n"
    "CREATE TABLE input ( -- a file that predictions read\n"
    "  name TEXT PRIMARY KEY,\n"
    "  sha256 TEXT NOT NULL\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE parameter ( -- what does not vary\n"
    "  name TEXT PRIMARY KEY,\n"
    "  value TEXT NOT NULL\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE axis ( -- what varies\n"
    "  number INTEGER PRIMARY KEY, -- from 0\n"
    "  name TEXT NOT NULL UNIQUE,\n"
    "  unit TEXT NOT NULL, -- of axis_value.value: 's', 'B', 'B/s', 's/B' or ''\n"
    "  kind TEXT NOT NULL -- 'number', 'grid' (value: processors) or 'word' (no value)\n"
    ");\n"
    "CREATE TABLE axis_value (\n"
    "  axis INTEGER NOT NULL REFERENCES axis (number),\n"
    "  number INTEGER NOT NULL, -- from 0, in the order of the study\n"
    "  text TEXT NOT NULL, -- as a prediction gets it\n"
    "  value REAL, -- in the axis' unit; NULL of words\n"
    "  PRIMARY KEY (axis, number)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE point ( -- one prediction; only what is finished is here\n"
    "  number INTEGER PRIMARY KEY, -- from 0\n"
    "  status TEXT NOT NULL\n"
    "    CHECK (status IN ('done', 'incomplete', 'deadlock', 'failed', 'crashed')),\n"
    "  message TEXT NOT NULL -- why it is not done; '' if it is\n"
    ");\n"
    "CREATE TABLE point_value ( -- the parameters of a point: its value on each axis\n"
    "  point INTEGER NOT NULL REFERENCES point (number),\n"
    "  axis INTEGER NOT NULL,\n"
    "  value_number INTEGER NOT NULL, -- axis_value.number\n"
    "  PRIMARY KEY (point, axis)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE figure ( -- what is of the run as a whole\n"
    "  point INTEGER NOT NULL REFERENCES point (number),\n"
    "  name TEXT NOT NULL, -- 'processors', 'execution_time_ps', 'total_time' (seconds),\n"
    "    -- 'efficiency', 'messages', 'bytes', 'warnings'\n"
    "  value, -- INTEGER or REAL\n"
    "  PRIMARY KEY (point, name)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE interval ( -- a place of the program, the same in all points\n"
    "  id INTEGER PRIMARY KEY, -- made of what follows and the parent's id\n"
    "  parent INTEGER, -- its id; NULL of the whole program\n"
    "  depth INTEGER NOT NULL,\n"
    "  type TEXT NOT NULL, -- MAIN, SEQ, PAR or USER\n"
    "  file TEXT NOT NULL,\n"
    "  line INTEGER NOT NULL, -- 0 = unknown\n"
    "  idx INTEGER, -- the user's number; NULL = none\n"
    "  name TEXT NOT NULL -- '' if it has none\n"
    ");\n"
    "CREATE TABLE warning ( -- of the run of a point\n"
    "  point INTEGER NOT NULL REFERENCES point (number),\n"
    "  position INTEGER NOT NULL, -- from 0\n"
    "  id TEXT NOT NULL,\n"
    "  subject TEXT NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  place TEXT NOT NULL, -- the first one\n"
    "  count INTEGER NOT NULL,\n"
    "  PRIMARY KEY (point, position)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE work ( -- what a point has taken: the one table that is not the same every time\n"
    "  point INTEGER PRIMARY KEY REFERENCES point (number),\n"
    "  attempts INTEGER NOT NULL, -- 1 if nothing went wrong\n"
    "  seconds REAL, -- of the prediction itself; NULL if suppressed, as what follows\n"
    "  host TEXT,\n"
    "  finished INTEGER -- seconds since 1970\n"
    ");\n";

static const char result_head[] =
    "CREATE TABLE result ( -- an interval of a point; sums over processors, in seconds\n"
    "  point INTEGER NOT NULL REFERENCES point (number),\n"
    "  node INTEGER NOT NULL, -- number within the point, in preorder; 0 = the whole program\n"
    "  interval INTEGER NOT NULL REFERENCES interval (id),\n"
    "  processors INTEGER NOT NULL, -- that executed it\n"
    "  execution_time_ps INTEGER NOT NULL, -- the longest of them, picoseconds\n"
    "  total_time REAL NOT NULL, -- processors * execution_time, seconds\n"
    "  efficiency REAL NOT NULL, -- productive_time / total_time\n";

static const char processor_head[] =
    "CREATE TABLE processor_value ( -- values of each processor, where asked for; picoseconds\n"
    "  point INTEGER NOT NULL REFERENCES point (number),\n"
    "  node INTEGER NOT NULL,\n"
    "  processor INTEGER NOT NULL, -- from 0; only those that executed the interval\n";

static void
append_columns (GString *sql)
{
  g_string_append (sql, result_head);
  for (guint q = PD_N_TIMES; q < PD_N_QUANTITIES; q++)
    g_string_append_printf (sql, "  %s INTEGER NOT NULL, -- %s\n",
                            pd_counter_row ((PdQuantity) q)->id,
                            pd_counter_row ((PdQuantity) q)->meaning);
  for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
    g_string_append_printf (sql, "  %s REAL NOT NULL, -- %s\n",
                            pd_characteristic_row ((PdCharacteristic) c)->id,
                            pd_characteristic_row ((PdCharacteristic) c)->meaning);
  g_string_append (sql, "  PRIMARY KEY (point, node)\n) WITHOUT ROWID;\n");
  g_string_append (sql, processor_head);
  for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
    g_string_append_printf (sql, "  %s_ps INTEGER NOT NULL,\n",
                            pd_characteristic_row ((PdCharacteristic) c)->id);
  g_string_append (sql, "  PRIMARY KEY (point, node, processor)\n) WITHOUT ROWID;\n");
}

static void
append_name (GString *sql, const char *name)
{
  g_string_append_c (sql, '"');
  for (const char *p = name; *p != '\0'; p++)
    g_string_append_printf (sql, *p == '"' ? "\"\"" : "%c", *p);
  g_string_append_c (sql, '"');
}

/* A line for each point, a column for each axis. */
static void
append_view (GString *sql, const PdStudy *study)
{
  static const char *const figures[] = { "processors", "execution_time_ps", "total_time",
                                         "efficiency", "messages",          "bytes" };

  g_string_append (sql, "CREATE VIEW points AS -- a line for each point that is finished\n"
                        "  SELECT p.number AS point, p.status AS status");
  for (guint i = 0; i < pd_study_get_n_axes (study); i++)
    {
      const PdAxis *axis = pd_study_get_axis (study, i);
      g_string_append_printf (
          sql,
          ",\n    (SELECT a.%s FROM point_value v JOIN axis_value a ON a.axis = "
          "v.axis AND a.number = v.value_number\n"
          "      WHERE v.point = p.number AND v.axis = %u) AS ",
          axis->kind == PD_AXIS_NUMBER ? "value" : "text", i);
      append_name (sql, axis->name);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    g_string_append_printf (sql,
                            ",\n    (SELECT f.value FROM figure f WHERE f.point = p.number AND "
                            "f.name = '%s') AS %s",
                            figures[i], figures[i]);
  g_string_append (sql, ",\n    p.message AS message\n  FROM point p ORDER BY p.number;\n");
}

char *
pd_study_db_schema (const PdStudy *study)
{
  GString *sql = g_string_new (tables);

  append_columns (sql);
  append_view (sql, study);
  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          PD_STUDY_DB_APPLICATION_ID, PD_STUDY_DB_USER_VERSION);
  return g_string_free (sql, FALSE);
}
