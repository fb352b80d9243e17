/* The tables of result files.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-schema.h"

#include "reports/run/pd-report-rows.h"
#include "reports/run/pd-report-sqlite.h"
#include "reports/run/pd-sensitivity-db.h"
#include "reports/run/pd-sensitivity-private.h"
#include "reports/hints/pd-what-ifs.h"

/* ---- tables */

/* One invocation of the program. */
static const PdField report_fields[] = {
  { "id", PD_FIELD_KEY, .offset = PD_KEY_REPORT, .sql = "INTEGER PRIMARY KEY" },
  { "program", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, program) },
  { "version", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, version) },
  { "command_line", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, command_line),
    .sql = "TEXT" },
  { "machine", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, machine), .sql = "TEXT" },
  { "machine_text", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, machine_text),
    "one line for people", .sql = "TEXT" },
  { "date", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdReportRow, date),
    "ISO 8601; NULL if it was suppressed", .sql = "TEXT" },
  PD_FIELDS_END,
};
const PdRecord pd_report_heads =
    PD_RECORD (.table = "report", .meaning = "one invocation of the program",
               .fields = report_fields);

static const char views[] =
    "CREATE VIEW summary AS -- the runs compared; the last three are shares of the total time\n"
    "  SELECT run.id AS run, run.report AS report, report.machine AS machine,\n"
    "    report.date AS date, run.processors AS processors, run.grid AS grid,\n"
    "    i.execution_time AS execution_time,\n"
    "    (SELECT b.execution_time_ps FROM run b WHERE b.report = run.report\n"
    "      ORDER BY b.processors, b.id LIMIT 1) * 1.0 / run.execution_time_ps AS speed_up,\n"
    "    run.efficiency AS efficiency,\n"
    "    coalesce (i.insufficient_parallelism / i.total_time, 0.0) AS insufficient_parallelism,\n"
    "    coalesce (i.communication / i.total_time, 0.0) AS communication,\n"
    "    coalesce (i.idle / i.total_time, 0.0) AS idle\n"
    "  FROM run JOIN report ON report.id = run.report\n"
    "    JOIN interval i ON i.run = run.id AND i.node = 0\n"
    "  ORDER BY run.id;\n"
    "CREATE VIEW lost AS -- where time is lost, seconds; share of the run's total time\n"
    "  SELECT i.run AS run, i.node AS node, i.type AS type, i.file AS file, i.line AS line,\n"
    "    i.idx AS idx, i.lost_time AS lost_time,\n"
    "    coalesce (i.lost_time / run.total_time, 0.0) AS share,\n"
    "    i.insufficient_parallelism AS insufficient_parallelism,\n"
    "    i.communication AS communication, i.idle AS idle, i.name AS name\n"
    "  FROM interval i JOIN run ON run.id = i.run\n"
    "  ORDER BY i.run, i.lost_time DESC, i.node;\n";

static void
append_tables (GString *sql, const PdRecord *const *tables, gsize n)
{
  for (gsize i = 0; i < n; i++)
    pd_record_append_schema (tables[i], sql);
}

/* Those of version 1, of which some have got columns since, and of the versions after it. */
static const PdRecord *const first[] = { &pd_report_heads,     &pd_report_inputs,
                                         &pd_report_runs,      &pd_report_messages,
                                         &pd_report_intervals, &pd_report_processors };
static const PdRecord *const third[] = { &pd_report_recorded_times, &pd_report_recorded_ends };
static const PdRecord *const fifth[] = { &pd_report_efficiency_rows, &pd_report_samples };

static const PdRecord *const seventh[] = {
  &pd_report_recorded_parts, &pd_report_outside,    &pd_report_files,
  &pd_report_pairs,          &pd_report_operations, &pd_report_processor_operations,
  &pd_report_what_ifs,       &pd_report_range_rows
};

/* The tables that came after @version. */
static void
append_later (GString *sql, gint64 version)
{
  if (version < 3)
    append_tables (sql, third, G_N_ELEMENTS (third));
  if (version < 4)
    pd_analysis_append_schema (sql);
  if (version < 5)
    {
      append_tables (sql, fifth, G_N_ELEMENTS (fifth));
      pd_sensitivity_append_schema (sql);
    }
  if (version < 6)
    pd_record_append_schema (&pd_sensitivity_head, sql);
  pd_analysis_append_later_schema (sql);
  append_tables (sql, seventh, G_N_ELEMENTS (seventh));
}

char *
pd_report_db_migration (gint64 version)
{
  GString *sql = g_string_new (NULL);

  if (version < 2)
    {
      g_string_append (sql, "ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'dvm';\n");
      pd_fields_append_added (pd_report_added_values, "interval", sql);
      pd_fields_append_added (pd_report_added_processor_values, "processor", sql);
      g_string_append_printf (sql, "DROP VIEW summary;\nDROP VIEW lost;\n%s", views);
    }
  pd_fields_append_added (pd_report_latest_values, "interval", sql);
  pd_fields_append_added (pd_report_latest_processor_values, "processor", sql);
  if (version >= 4)
    pd_analysis_append_added (sql);
  append_later (sql, version);
  g_string_append_printf (sql, "PRAGMA user_version = %d;\n", PD_REPORT_USER_VERSION);
  return g_string_free (sql, FALSE);
}

char *
pd_report_db_schema (void)
{
  GString *sql = g_string_new (NULL);

  append_tables (sql, first, G_N_ELEMENTS (first));
  append_later (sql, 1);
  g_string_append (sql, views);
  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          PD_REPORT_APPLICATION_ID, PD_REPORT_USER_VERSION);
  return g_string_free (sql, FALSE);
}
