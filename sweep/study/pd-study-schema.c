/* The tables of a study's database.
 * SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-db-private.h"
#include "sweep/study/pd-study-schema.h"

#define POINT     "INTEGER NOT NULL REFERENCES point (number)"
#define KEY_POINT PD_FIELD ("point", PD_FIELD_KEY, .offset = PD_STUDY_KEY_POINT, .sql = POINT)

/* ---- the study */

#define ORIGIN(field) .offset = G_STRUCT_OFFSET (PdStudyHead, field)

static const PdField study_fields[] = {
  { "id", PD_FIELD_INTEGER, ORIGIN (id), .sql = "INTEGER PRIMARY KEY CHECK (id = 1)" },
  { "description", PD_FIELD_TEXT, ORIGIN (description),
    "the study as XML: 'predictor sweep' takes it" },
  { "checksum", PD_FIELD_TEXT, ORIGIN (checksum), "SHA-256 of the description" },
  { "program", PD_FIELD_TEXT, ORIGIN (program) },
  { "program_version", PD_FIELD_TEXT, ORIGIN (version) },
  { "command_line", PD_FIELD_TEXT, ORIGIN (command_line), "that has begun the file",
    .sql = "TEXT" },
  { "made", PD_FIELD_TEXT, ORIGIN (made), "when: ISO 8601; NULL if it was suppressed",
    .sql = "TEXT" },
  { "points", PD_FIELD_INTEGER, ORIGIN (n_points), "of the study, finished or not" },
  { "shard", PD_FIELD_INTEGER, ORIGIN (shard),
    "the file is for points with number % shards = shard - 1" },
  { "shards", PD_FIELD_INTEGER, ORIGIN (n_shards) },
  { "per_processor", PD_FIELD_BOOLEAN, ORIGIN (per_processor), "1: processor_value is filled" },
  PD_FIELDS_END,
};

static const PdField input_fields[] = {
  { "name", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdStudyInput, name),
    .sql = "TEXT PRIMARY KEY" },
  { "sha256", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdStudyInput, sha256) },
  PD_FIELDS_END,
};

static const PdField parameter_fields[] = {
  { "name", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdParameter, name),
    .sql = "TEXT PRIMARY KEY" },
  { "value", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdParameter, value) },
  PD_FIELDS_END,
};

#define AXIS(field) .offset = G_STRUCT_OFFSET (PdStudyAxisRow, field)

static const PdField axis_fields[] = {
  { "number", PD_FIELD_INTEGER, AXIS (axis), "from 0", .sql = "INTEGER PRIMARY KEY" },
  { "name", PD_FIELD_TEXT, AXIS (name), .sql = "TEXT NOT NULL UNIQUE" },
  { "unit", PD_FIELD_TEXT, AXIS (unit), "of axis_value.value: 's', 'B', 'B/s', 's/B' or ''" },
  { "kind", PD_FIELD_TEXT, AXIS (kind),
    "'number', 'grid' (value: processors) or 'word' (no value)" },
  PD_FIELDS_END,
};

static const PdField axis_value_fields[] = {
  { "axis", PD_FIELD_INTEGER, AXIS (axis), .sql = "INTEGER NOT NULL REFERENCES axis (number)" },
  { "number", PD_FIELD_INTEGER, AXIS (number), "from 0, in the order of the study" },
  { "text", PD_FIELD_TEXT, AXIS (text), "as a prediction gets it" },
  { "value", PD_FIELD_REAL, AXIS (value), "in the axis' unit; NULL of words", .sql = "REAL" },
  PD_FIELDS_END,
};

/* ---- points */

#define POINT_ROW(field) .offset = G_STRUCT_OFFSET (PdStudyPointRow, field)

static const PdField point_fields[] = {
  { "number", PD_FIELD_KEY, PD_STUDY_KEY_POINT, "from 0", .sql = "INTEGER PRIMARY KEY" },
  { "status", PD_FIELD_TEXT, POINT_ROW (status),
    .sql = "TEXT NOT NULL\n"
           "    CHECK (status IN ('done', 'incomplete', 'deadlock', 'failed', 'crashed'))" },
  { "message", PD_FIELD_TEXT, POINT_ROW (message), "why it is not done; '' if it is" },
  PD_FIELDS_END,
};

static const PdField point_value_fields[] = {
  KEY_POINT,
  { "axis", PD_FIELD_KEY, .offset = PD_STUDY_KEY_NUMBER },
  { "value_number", PD_FIELD_INTEGER, .meaning = "axis_value.number" },
  PD_FIELDS_END,
};

#define FIGURE_NAME                                                                                \
  PD_FIELD ("name", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdPointFigure, name),                \
            "'processors', 'execution_time_ps', 'total_time' (seconds),\n    -- 'efficiency', "    \
            "'messages', 'bytes', 'warnings', and the ends of the 90 % range\n    -- of the "      \
            "time: 'execution_time_low_ps', 'execution_time_high_ps'")

static const PdField figure_fields[] = {
  KEY_POINT,
  FIGURE_NAME,
  { "value", PD_FIELD_INTEGER, .offset = G_STRUCT_OFFSET (PdPointFigure, integer),
    "INTEGER or REAL", .sql = "" },
  PD_FIELDS_END,
};

static const PdField real_figure_fields[] = {
  KEY_POINT,
  FIGURE_NAME,
  { "value", PD_FIELD_REAL, .offset = G_STRUCT_OFFSET (PdPointFigure, real) },
  PD_FIELDS_END,
};

#define PLACE(field) .offset = G_STRUCT_OFFSET (PdStudyIntervalRow, field)

static const PdField interval_fields[] = {
  { "id", PD_FIELD_INTEGER, PLACE (of.id),
    "computed from the following columns and the parent's id", .sql = "INTEGER PRIMARY KEY" },
  { "parent", PD_FIELD_ID, PLACE (parent), "its id; NULL of the whole program" },
  { "depth", PD_FIELD_NUMBER, PLACE (of.depth) },
  { "type", PD_FIELD_TEXT, PLACE (type), "MAIN, SEQ, PAR or USER" },
  { "file", PD_FIELD_TEXT, PLACE (of.file) },
  { "line", PD_FIELD_INTEGER, PLACE (of.line), "0 = unknown" },
  { "idx", PD_FIELD_INDEX, PLACE (of.index), "the user's number; NULL = none" },
  { "name", PD_FIELD_TEXT, PLACE (of.name), "'' if it has none" },
  PD_FIELDS_END,
};

#define WARNING(field) .offset = G_STRUCT_OFFSET (PdPointWarning, field)

static const PdField warning_fields[] = {
  KEY_POINT,
  { "position", PD_FIELD_KEY, PD_STUDY_KEY_NUMBER, "from 0", .in = 0 },
  { "id", PD_FIELD_TEXT, WARNING (id) },
  { "subject", PD_FIELD_TEXT, WARNING (subject) },
  { "text", PD_FIELD_TEXT, WARNING (text) },
  { "place", PD_FIELD_TEXT, WARNING (place), "the first one" },
  { "count", PD_FIELD_COUNT, WARNING (count) },
  PD_FIELDS_END,
};

#define WORK(field) .offset = G_STRUCT_OFFSET (PdStudyWorkRow, field)

static const PdField work_fields[] = {
  { "point", PD_FIELD_KEY, .offset = PD_STUDY_KEY_POINT,
    .sql = "INTEGER PRIMARY KEY REFERENCES point (number)" },
  { "attempts", PD_FIELD_NUMBER, WORK (work.attempts), "1 if nothing went wrong" },
  { "seconds", PD_FIELD_REAL, WORK (seconds),
    "of the prediction itself; NULL if suppressed, as what follows", .sql = "REAL" },
  { "host", PD_FIELD_TEXT, WORK (work.host), .sql = "TEXT" },
  { "finished", PD_FIELD_ID, WORK (work.finished), "seconds since 1970" },
  PD_FIELDS_END,
};

/* ---- values of intervals */

static gboolean
get_counter (guint which G_GNUC_UNUSED, guint i, const char **name, const char **meaning)
{
  *name = pd_counter_row ((PdQuantity) (PD_N_TIMES + i))->id;
  *meaning = pd_counter_row ((PdQuantity) (PD_N_TIMES + i))->meaning;
  return TRUE;
}

static gboolean
get_characteristic (guint which G_GNUC_UNUSED, guint i, const char **name, const char **meaning)
{
  *name = pd_characteristic_row ((PdCharacteristic) i)->id;
  *meaning = pd_characteristic_row ((PdCharacteristic) i)->meaning;
  return TRUE;
}

#define RESULT(field) .offset = G_STRUCT_OFFSET (PdPointInterval, field)

static const PdField result_fields[] = {
  KEY_POINT,
  { "node", PD_FIELD_KEY, PD_STUDY_KEY_NUMBER,
    "number within the point, in preorder; 0 = the whole program", .in = 0 },
  { "interval", PD_FIELD_INTEGER, RESULT (id), .sql = "INTEGER NOT NULL REFERENCES interval (id)" },
  { "processors", PD_FIELD_NUMBER, RESULT (n_processors), "that executed it" },
  { "execution_time_ps", PD_FIELD_INTEGER, RESULT (execution_time_ps),
    "the longest of them, picoseconds" },
  { "total_time", PD_FIELD_REAL, RESULT (total_time), "processors * execution_time, seconds" },
  { "efficiency", PD_FIELD_REAL, RESULT (efficiency), "productive_time / total_time" },
  PD_FIELD (.type = PD_FIELD_COUNT, RESULT (counts), .n = PD_POINT_N_COUNTERS,
            .size = sizeof (guint64), .item = get_counter),
  PD_FIELD (.type = PD_FIELD_REAL, RESULT (values), .n = PD_N_CHARACTERISTICS,
            .size = sizeof (gdouble), .item = get_characteristic),
  PD_FIELDS_END,
};

static const PdField processor_value[] = { { "_ps", PD_FIELD_INTEGER, .in = 0 }, PD_FIELDS_END };

static const PdField processor_fields[] = {
  KEY_POINT,
  { "node", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdPointProcessor, interval) },
  { "processor", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdPointProcessor, processor),
    "from 0; only those that executed the interval" },
  PD_FIELD (.type = PD_FIELD_PART, .offset = G_STRUCT_OFFSET (PdPointProcessor, values),
            .fields = processor_value, .n = PD_N_CHARACTERISTICS, .size = sizeof (gint64),
            .item = get_characteristic),
  PD_FIELDS_END,
};

const PdRecord pd_study_records[PD_N_INSERTS] = {
  [PD_INSERT_STUDY] =
      PD_RECORD (.table = "study", .meaning = "the study: one row", .fields = study_fields),
  [PD_INSERT_INPUT] = PD_RECORD (.table = "input", .meaning = "a file that predictions read",
                                 .key = "", .fields = input_fields),
  [PD_INSERT_PARAMETER] = PD_RECORD (.table = "parameter", .meaning = "a fixed parameter",
                                     .key = "", .fields = parameter_fields),
  [PD_INSERT_AXIS] =
      PD_RECORD (.table = "axis", .meaning = "a varying parameter", .fields = axis_fields),
  [PD_INSERT_AXIS_VALUE] =
      PD_RECORD (.table = "axis_value", .key = "axis, number", .fields = axis_value_fields),
  [PD_INSERT_POINT] = PD_RECORD (.table = "point", .meaning = "one prediction; finished ones only",
                                 .fields = point_fields),
  [PD_INSERT_POINT_VALUE] =
      PD_RECORD (.table = "point_value",
                 .meaning = "the parameters of a point: its value on each axis",
                 .key = "point, axis", .fields = point_value_fields),
  [PD_INSERT_FIGURE] = PD_RECORD (.table = "figure", .meaning = "a result of the whole run",
                                  .key = "point, name", .fields = figure_fields),
  [PD_INSERT_INTERVAL] =
      PD_RECORD (.table = "interval", .meaning = "a place of the program, the same in all points",
                 .fields = interval_fields),
  [PD_INSERT_WARNING] = PD_RECORD (.table = "warning", .meaning = "of the run of a point",
                                   .key = "point, position", .fields = warning_fields),
  [PD_INSERT_WORK] =
      PD_RECORD (.table = "work",
                 .meaning = "what a point has taken: the one table that is not the same every time",
                 .fields = work_fields),
  [PD_INSERT_RESULT] =
      PD_RECORD (.table = "result",
                 .meaning = "an interval of a point; sums over processors, in seconds",
                 .key = "point, node", .fields = result_fields),
  [PD_INSERT_PROCESSOR] =
      PD_RECORD (.table = "processor_value",
                 .meaning = "values of each processor, where asked for; picoseconds",
                 .key = "point, node, processor", .fields = processor_fields),
  [PD_INSERT_REAL_FIGURE] = PD_RECORD (.table = "figure", .fields = real_figure_fields),
};

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
  static const char *const figures[] = { "processors",
                                         "execution_time_ps",
                                         "execution_time_low_ps",
                                         "execution_time_high_ps",
                                         "total_time",
                                         "efficiency",
                                         "messages",
                                         "bytes" };

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
  GString *sql = g_string_new (NULL);

  for (guint i = 0; i < PD_N_TABLES; i++)
    pd_record_append_schema (&pd_study_records[i], sql);
  append_view (sql, study);
  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          PD_STUDY_DB_APPLICATION_ID, PD_STUDY_DB_USER_VERSION);
  return g_string_free (sql, FALSE);
}
