/* Result files: what they are, and their tables.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-analysis-private.h"
#include "reports/pd-efficiency.h"
#include "reports/pd-sensitivity-private.h"
#include "reports/pd-report-sqlite.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* Of the header of an SQLite file: see "The Database Header" in the
 * description of its format. Numbers are big-endian. */
#define HEADER_SIZE     100
#define AT_PAGE_SIZE    16
#define AT_CHANGES      24
#define AT_N_PAGES      28
#define AT_USER_VERSION 60
#define AT_APPLICATION  68
#define AT_VALID_FOR    92

static const char magic[16] = "SQLite format 3"; /* with its NUL */

/* ---- identification */

static guint32
read_number (const guint8 *header, gsize at)
{
  guint32 value;

  memcpy (&value, header + at, sizeof value);
  return GUINT32_FROM_BE (value);
}

/* Whether a file of @length bytes lacks pages that its header counts; with a journal or a log
 * beside it, it is being written, or will be repaired. */
static gboolean
is_cut (const char *path, const guint8 *header, gint64 length)
{
  g_autofree char *journal = g_strconcat (path, "-journal", NULL);
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  gint64 page = header[AT_PAGE_SIZE] << 8 | header[AT_PAGE_SIZE + 1];
  gint64 n_pages = read_number (header, AT_N_PAGES);

  return read_number (header, AT_CHANGES) == read_number (header, AT_VALID_FOR)
         && length < n_pages * (page == 1 ? 65536 : page)
         && !g_file_test (journal, G_FILE_TEST_EXISTS) && !g_file_test (log, G_FILE_TEST_EXISTS);
}

/* @size: of what there is of @header */
static PdReportFile
judge_header (const char *path, const PdReportDbKind *kind, const guint8 *header, gsize size,
              GError **error)
{
  GStatBuf info;

  if (size < HEADER_SIZE || memcmp (header, magic, sizeof magic) != 0)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   "'%s' is not a %s: expected an SQLite database", path, kind->what);
      return PD_REPORT_FILE_BAD;
    }

  guint32 application = read_number (header, AT_APPLICATION);
  guint32 version = read_number (header, AT_USER_VERSION);
  if (application == 0 && version == 0)
    return PD_REPORT_FILE_BLANK;
  if (application != kind->application_id)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_FOREIGN,
                   "'%s' is a database of another application (0x%08x), expected 0x%08x, a %s",
                   path, application, kind->application_id, kind->what);
      return PD_REPORT_FILE_BAD;
    }
  if (version < 1 || version > kind->user_version)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_VERSION,
                   "'%s' has version %u of the tables, this program knows %u", path, version,
                   kind->user_version);
      return PD_REPORT_FILE_BAD;
    }
  if (g_stat (path, &info) == 0 && is_cut (path, header, info.st_size))
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   "'%s' is a damaged %s: its end is missing", path, kind->what);
      return PD_REPORT_FILE_BAD;
    }
  return PD_REPORT_FILE_OURS;
}

/* To open a pipe would wait for who writes to it, and devices do as they like. */
static gboolean
is_file (const char *path, GError **error)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0 || S_ISREG (info.st_mode))
    return TRUE;
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
               "'%s': expected a regular file for a database, not a folder, pipe, socket or device",
               path);
  return FALSE;
}

PdReportFile
pd_report_db_identify_kind (const char *path, const PdReportDbKind *kind, GError **error)
{
  guint8 header[HEADER_SIZE];

  if (!is_file (path, error))
    return PD_REPORT_FILE_BAD;
  FILE *file = fopen (path, "rb");
  if (file == NULL && errno == ENOENT)
    return PD_REPORT_FILE_ABSENT;
  errno = 0;
  gsize size = file != NULL ? fread (header, 1, sizeof header, file) : 0;
  gboolean bad = file == NULL || ferror (file);
  int saved = errno;
  if (file != NULL)
    fclose (file);
  if (bad)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "cannot read '%s': %s", path,
                   g_strerror (saved));
      return PD_REPORT_FILE_BAD;
    }
  return size == 0 ? PD_REPORT_FILE_ABSENT : judge_header (path, kind, header, size, error);
}

PdReportFile
pd_report_db_identify (const char *path, GError **error)
{
  static const PdReportDbKind results = { PD_REPORT_APPLICATION_ID, PD_REPORT_USER_VERSION,
                                          "result file" };

  return pd_report_db_identify_kind (path, &results, error);
}

/* ---- access */

void
pd_report_db_fail (sqlite3 *db, PdReportError code, GError **error)
{
  int status = sqlite3_errcode (db);
  /* SQLITE_ERROR: a statement does not fit the tables */
  gboolean damaged = status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR
                     || status == SQLITE_FORMAT;

  g_set_error (error, PD_REPORT_ERROR, (gint) (damaged ? PD_REPORT_ERROR_READ : code), "%s: %s",
               damaged ? "damaged result file" : "result file", sqlite3_errmsg (db));
}

sqlite3 *
pd_report_db_open (const char *path, int flags, GError **error)
{
  /* a relative name is never one of SQLite's special ones, like ":memory:" */
  g_autofree char *name =
      g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (".", path, NULL);
  g_autoptr (sqlite3) db = NULL;

  if (sqlite3_open_v2 (name, &db, flags, NULL) != SQLITE_OK)
    {
      g_set_error (error, PD_REPORT_ERROR,
                   flags & SQLITE_OPEN_READONLY ? PD_REPORT_ERROR_READ : PD_REPORT_ERROR_WRITE,
                   "cannot open '%s': %s", path, db != NULL ? sqlite3_errmsg (db) : "no memory");
      return NULL;
    }
  /* others may append at the same time */
  sqlite3_busy_timeout (db, 10000);
  return g_steal_pointer (&db);
}

gboolean
pd_report_db_get_integer (sqlite3 *db, const char *sql, gint64 *value)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) != SQLITE_OK
      || sqlite3_step (statement) != SQLITE_ROW)
    return FALSE;
  *value = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

/* ---- tables */

static const char tables[] =
    "CREATE TABLE report ( -- one invocation of the program\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  program TEXT NOT NULL,\n"
    "  version TEXT NOT NULL,\n"
    "  command_line TEXT,\n"
    "  machine TEXT,\n"
    "  machine_text TEXT, -- one line for people\n"
    "  date TEXT -- ISO 8601; NULL if it was suppressed\n"
    ");\n"
    "CREATE TABLE input ( -- a file that was read\n"
    "  report INTEGER NOT NULL REFERENCES report (id),\n"
    "  name TEXT NOT NULL,\n"
    "  sha256 TEXT NOT NULL\n"
    ");\n"
    "CREATE TABLE run ( -- one prediction: one number of processors\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  report INTEGER NOT NULL REFERENCES report (id),\n"
    "  processors INTEGER NOT NULL,\n"
    "  grid TEXT NOT NULL,\n"
    "  execution_time_ps INTEGER NOT NULL, -- picoseconds\n"
    "  total_time REAL NOT NULL, -- seconds\n"
    "  efficiency REAL NOT NULL, -- 0 to 1\n"
    "  messages INTEGER NOT NULL,\n"
    "  bytes INTEGER NOT NULL,\n"
    "  events INTEGER NOT NULL, -- steps of the simulation\n"
    "  elapsed REAL, -- seconds the simulation itself took; NULL if suppressed\n"
    "  incomplete INTEGER NOT NULL, -- 1: the trace ends early\n"
    "  kind TEXT NOT NULL DEFAULT 'dvm' -- of program: 'dvm' or 'mpi'\n"
    ");\n"
    "CREATE TABLE warning ( -- of one run, or of reading the inputs\n"
    "  report INTEGER NOT NULL REFERENCES report (id),\n"
    "  run INTEGER REFERENCES run (id), -- NULL: of the inputs\n"
    "  severity TEXT NOT NULL, -- 'warning' or 'note'\n"
    "  id TEXT NOT NULL,\n"
    "  subject TEXT NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  place TEXT NOT NULL, -- the first one\n"
    "  count INTEGER NOT NULL\n"
    ");\n";

static const char interval_head[] =
    "CREATE TABLE interval ( -- sums over processors in seconds, extremes in picoseconds\n"
    "  run INTEGER NOT NULL REFERENCES run (id),\n"
    "  node INTEGER NOT NULL, -- number within the run, in preorder; 0 = the whole program\n"
    "  parent INTEGER, -- a node; NULL for node 0\n"
    "  depth INTEGER NOT NULL,\n"
    "  type TEXT NOT NULL, -- MAIN, SEQ, PAR or USER\n"
    "  file TEXT NOT NULL,\n"
    "  line INTEGER NOT NULL, -- 0 = unknown\n"
    "  idx INTEGER, -- the user's number; NULL = none\n"
    "  processors INTEGER NOT NULL, -- that executed it\n"
    "  total_time REAL NOT NULL, -- processors * execution_time, seconds\n"
    "  efficiency REAL NOT NULL, -- productive_time / total_time\n";

static const char processor_head[] =
    "CREATE TABLE processor ( -- values of each processor, where they were asked for; picoseconds\n"
    "  run INTEGER NOT NULL,\n"
    "  node INTEGER NOT NULL,\n"
    "  processor INTEGER NOT NULL, -- from 0; only those that executed the interval\n";

/* Version 3 has come with these. */
static const char recorded[] =
    "CREATE TABLE recorded_interval ( -- with --reproduce: what was recorded of an interval\n"
    "  run INTEGER NOT NULL,\n"
    "  node INTEGER NOT NULL,\n"
    "  execution_time REAL NOT NULL, -- seconds\n"
    "  PRIMARY KEY (run, node)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE recorded_end ( -- with --reproduce: when the ranks end; picoseconds\n"
    "  run INTEGER NOT NULL,\n"
    "  rank INTEGER NOT NULL,\n"
    "  recorded_ps INTEGER NOT NULL,\n"
    "  predicted_ps INTEGER NOT NULL,\n"
    "  PRIMARY KEY (run, rank)\n"
    ") WITHOUT ROWID;\n";

/* Version 4 has come with these, and those that append_analysis() writes. */
static const char analysed[] =
    "CREATE TABLE analysed_run ( -- of predictor analyse\n"
    "  run INTEGER PRIMARY KEY REFERENCES run (id),\n"
    "  makespan_ps INTEGER NOT NULL, -- from the first beginning to the last end\n"
    "  path_begin INTEGER NOT NULL, -- the rank where the critical path begins,\n"
    "  path_end INTEGER NOT NULL, -- and where it ends\n"
    "  path_changes INTEGER NOT NULL, -- how often it goes from one rank to another\n"
    "  unmatched INTEGER NOT NULL -- messages without a receive, receives without one\n"
    ");\n"
    "CREATE TABLE diagnosis ( -- of each interval, in words\n"
    "  run INTEGER NOT NULL,\n"
    "  node INTEGER NOT NULL,\n"
    "  position INTEGER NOT NULL, -- from 0: the order to read them in\n"
    "  id TEXT NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  PRIMARY KEY (run, node, position)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE frame ( -- of the stacks of call sites\n"
    "  run INTEGER NOT NULL,\n"
    "  stack INTEGER NOT NULL,\n"
    "  position INTEGER NOT NULL, -- from 0: the innermost place\n"
    "  file TEXT NOT NULL,\n"
    "  line INTEGER NOT NULL, -- 0 = unknown\n"
    "  function TEXT NOT NULL, -- that contains the place\n"
    "  PRIMARY KEY (run, stack, position)\n"
    ") WITHOUT ROWID;\n";

static const char site_head[] =
    "CREATE TABLE call_site ( -- calls of one function from one place; seconds\n"
    "  run INTEGER NOT NULL,\n"
    "  node INTEGER NOT NULL, -- the interval, with those inside it\n"
    "  number INTEGER NOT NULL, -- from 1, by place\n"
    "  function TEXT NOT NULL, -- that is called\n"
    "  file TEXT NOT NULL,\n"
    "  line INTEGER NOT NULL, -- 0 = unknown\n"
    "  stack INTEGER, -- see frame; NULL = unknown\n"
    "  part TEXT NOT NULL, -- sendrecv_time, collective_time or system_time\n"
    "  count INTEGER NOT NULL,\n";

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

/* Columns that version 2 has come with, or those of version 1. @prefix and
 * @separator stand around each; ADD COLUMN wants a default. */
static void
append_counters (GString *sql, gboolean added, const char *prefix, const char *separator)
{
  const char *otherwise = added ? " DEFAULT 0" : "";

  for (guint q = 0; q < PD_N_COUNTERS; q++)
    {
      const PdCharacteristicRow *row = pd_counter_row (PD_N_TIMES + q);
      if (pd_report_db_is_added_counter (q) == added)
        g_string_append_printf (sql, "%s%s INTEGER NOT NULL%s%s -- %s\n", prefix, row->id,
                                otherwise, separator, row->meaning);
    }
}

static void
append_characteristics (GString *sql, gboolean added, const char *prefix, const char *separator)
{
  static const char *const extremes[] = { "min_ps", "min_at", "max_ps", "max_at" };
  const char *otherwise = added ? " DEFAULT 0" : "";

  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      const PdCharacteristicRow *row = pd_characteristic_row (c);
      if (pd_report_db_is_added (c) != added)
        continue;
      g_string_append_printf (sql, "%s%s REAL NOT NULL%s%s -- %s\n", prefix, row->id, otherwise,
                              separator, row->meaning);
      for (gsize i = 0; i < G_N_ELEMENTS (extremes); i++)
        g_string_append_printf (sql, "%s%s_%s INTEGER NOT NULL%s%s\n", prefix, row->id, extremes[i],
                                otherwise, separator);
    }
}

static void
append_processors (GString *sql, gboolean added, const char *prefix, const char *separator)
{
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_report_db_is_added (c) == added)
      g_string_append_printf (sql, "%s%s_ps INTEGER NOT NULL%s%s\n", prefix,
                              pd_characteristic_row (c)->id, added ? " DEFAULT 0" : "", separator);
}

static void
append_costs (GString *sql)
{
  for (guint i = 0; i < PD_N_COSTS; i++)
    g_string_append_printf (sql, "  %s REAL NOT NULL, -- %s\n", pd_report_costs[i].id,
                            pd_report_costs[i].meaning);
}

static void
append_waits (GString *sql)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    g_string_append_printf (sql, "  %s REAL NOT NULL, -- %s\n", pd_wait_state_id ((PdWaitState) i),
                            pd_wait_state_meaning ((PdWaitState) i));
}

static void
append_analysis (GString *sql)
{
  g_string_append (sql, analysed);
  g_string_append (sql, "CREATE TABLE analysis ( -- waiting and critical path; seconds\n"
                        "  run INTEGER NOT NULL,\n"
                        "  node INTEGER NOT NULL,\n");
  append_waits (sql);
  g_string_append (sql, "  path_computation REAL NOT NULL, -- its share of the critical path\n"
                        "  path_communication REAL NOT NULL,\n"
                        "  PRIMARY KEY (run, node)\n) WITHOUT ROWID;\n");
  g_string_append (sql, site_head);
  append_costs (sql);
  g_string_append (sql, "  on_path REAL NOT NULL, -- its share of the critical path\n");
  append_waits (sql);
  g_string_append (sql, "  PRIMARY KEY (run, node, number)\n) WITHOUT ROWID;\n"
                        "CREATE TABLE call_site_rank ( -- of each rank, where they were asked for\n"
                        "  run INTEGER NOT NULL,\n"
                        "  node INTEGER NOT NULL,\n"
                        "  number INTEGER NOT NULL, -- of the call site\n"
                        "  rank INTEGER NOT NULL,\n"
                        "  count INTEGER NOT NULL,\n");
  append_costs (sql);
  g_string_append (sql, "  PRIMARY KEY (run, node, number, rank)\n) WITHOUT ROWID;\n");
}

/* Version 5 has come with these. */
static void
append_efficiencies_and_samples (GString *sql)
{
  g_string_append (sql, "CREATE TABLE efficiency ( -- with --pop: 1 is best; NULL = not known\n"
                        "  run INTEGER NOT NULL,\n"
                        "  node INTEGER NOT NULL,\n");
  for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
    g_string_append_printf (sql, "  %s REAL, -- %s\n", pd_efficiency_row (e)->id,
                            pd_efficiency_row (e)->meaning);
  g_string_append (sql, "  PRIMARY KEY (run, node)\n) WITHOUT ROWID;\n"
                        "CREATE TABLE sample ( -- with --samples\n"
                        "  run INTEGER NOT NULL,\n"
                        "  number INTEGER NOT NULL, -- from 0\n"
                        "  seed INTEGER NOT NULL,\n"
                        "  execution_time_ps INTEGER NOT NULL,\n"
                        "  PRIMARY KEY (run, number)\n) WITHOUT ROWID;\n");
}

static const char name_column[] = "name TEXT NOT NULL DEFAULT ''";

/* The columns of version 2. */
static void
append_new_columns (GString *sql)
{
  static const char interval[] = "ALTER TABLE interval ADD COLUMN ";

  g_string_append (sql, "ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'dvm';\n");
  g_string_append_printf (sql, "%s%s;\n", interval, name_column);
  append_counters (sql, TRUE, interval, ";");
  append_characteristics (sql, TRUE, interval, ";");
  append_processors (sql, TRUE, "ALTER TABLE processor ADD COLUMN ", ";");
  g_string_append_printf (sql, "DROP VIEW summary;\nDROP VIEW lost;\n%s", views);
}

char *
pd_report_db_migration (gint64 version)
{
  GString *sql = g_string_new (NULL);

  if (version < 2)
    append_new_columns (sql);
  if (version < 3)
    g_string_append (sql, recorded);
  if (version < 4)
    append_analysis (sql);
  if (version < 5)
    {
      append_efficiencies_and_samples (sql);
      pd_sensitivity_append_schema (sql);
    }
  pd_sensitivity_append_head_schema (sql);
  g_string_append_printf (sql, "PRAGMA user_version = %d;\n", PD_REPORT_USER_VERSION);
  return g_string_free (sql, FALSE);
}

char *
pd_report_db_schema (void)
{
  GString *sql = g_string_new (tables);

  g_string_append (sql, interval_head);
  append_counters (sql, FALSE, "  ", ",");
  append_characteristics (sql, FALSE, "  ", ",");
  g_string_append_printf (sql, "  %s, -- what the program calls it\n", name_column);
  append_counters (sql, TRUE, "  ", ",");
  append_characteristics (sql, TRUE, "  ", ",");
  g_string_append (sql, "  PRIMARY KEY (run, node)\n) WITHOUT ROWID;\n");
  g_string_append (sql, processor_head);
  append_processors (sql, FALSE, "  ", ",");
  append_processors (sql, TRUE, "  ", ",");
  g_string_append (sql, "  PRIMARY KEY (run, node, processor)\n) WITHOUT ROWID;\n");
  g_string_append (sql, recorded);
  append_analysis (sql);
  append_efficiencies_and_samples (sql);
  pd_sensitivity_append_schema (sql);
  pd_sensitivity_append_head_schema (sql);
  g_string_append (sql, views);
  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          PD_REPORT_APPLICATION_ID, PD_REPORT_USER_VERSION);
  return g_string_free (sql, FALSE);
}
