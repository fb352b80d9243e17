/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-loss.h"
#include "reports/run/pd-report-types.h"
#include "reports/results/pd-results.h"
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "reports/page/pd-page-report.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-csv.h"
#include "reports/run/pd-report-db.h"
#include "reports/run/pd-report-json.h"
#include "reports/run/pd-report-text.h"
#include "reports/run/pd-report-xml.h"

#include <glib/gstdio.h>
#include <libxml/relaxng.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define US   PD_PS_PER_US
#define ROOT PD_INTERVAL_ROOT

/* "abc" by FIPS 180 */
#define SHA_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

/* Markup, quotes, a broken UTF-8 sequence, a control character. */
#define HOSTILE "<a href=\"x\">&amp; 'b', \\ \xff \x01 \xc3\xa9\n]]>"

/* ---- a made-up report */

static void
charge (PdIntervalTree *tree, guint32 node, PdQuantity q, guint32 p, gint64 value)
{
  pd_interval_tree_add (tree, node, q, p, PD_TIME (q < PD_N_TIMES ? value * US : value));
}

static guint32
enter (PdIntervalTree *tree, guint32 parent, PdIntervalType type, gint64 line, gint64 index)
{
  PdIntervalKey key = { type, "heat2d.fdv", line, index, NULL };
  guint32 node = pd_interval_tree_child (tree, parent, &key);

  for (guint32 p = 0; p < pd_interval_tree_get_n_processors (tree); p++)
    charge (tree, node, PD_Q_EXE_COUNT, p, 10);
  return node;
}

static PdReportRun *
make_run (guint32 n, const char *grid)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  PdIntervalTree *tree = pd_interval_tree_new (n);
  guint32 main_loop = enter (tree, ROOT, PD_INTERVAL_SEQ, 12, PD_INTERVAL_NO_INDEX);
  guint32 sweep = enter (tree, main_loop, PD_INTERVAL_PAR, 19, PD_INTERVAL_NO_INDEX);
  guint32 user = enter (tree, main_loop, PD_INTERVAL_USER, 29, 7);
  static const PdQuantity clocks[] = { PD_Q_CPU_SEQ, PD_Q_CPU_PAR, PD_Q_IO, PD_Q_WAIT_SHADOW,
                                       PD_Q_IO_COMM };
  PdTime values[PD_N_CHARACTERISTICS];

  run->n_processors = n;
  run->grid = g_strdup (grid);
  run->tree = tree;
  run->end_times = g_new (PdTime, n);
  for (guint32 p = 0; p < n; p++)
    {
      charge (tree, ROOT, clocks[0], p, 500);
      charge (tree, ROOT, PD_Q_INSUFF_SEQ, p, 500 - 500 / n);
      charge (tree, sweep, clocks[1], p, 8000 / n + 10 * p);
      charge (tree, user, clocks[0], p, 2000);
      charge (tree, user, PD_Q_INSUFF_SEQ, p, 2000 - 2000 / n);
      charge (tree, ROOT, p == 0 ? clocks[2] : clocks[4], p, 300);
      if (n > 1)
        {
          charge (tree, sweep, clocks[3], p, 400 + 3 * p);
          charge (tree, sweep,
                  pd_operation_quantity (PD_OPERATION_SHADOW, PD_OPERATION_SYNCHRONIZATION), p, 40);
          charge (tree, sweep, PD_Q_N_SHADOW, p, 10);
        }
    }
  for (guint i = 0; n > 1 && i < 10; i++)
    pd_interval_tree_count_operation (tree, sweep, PD_OPERATION_SHADOW);
  charge (tree, ROOT, PD_Q_N_IO, 0, 1);
  pd_interval_tree_count_operation (tree, ROOT, PD_OPERATION_IO);
  for (guint32 p = 0; p < n; p++)
    {
      pd_interval_tree_get_processor (tree, ROOT, p, values);
      run->end_times[p] = values[PD_C_EXECUTION_TIME];
    }
  run->n_messages = n > 1 ? 80 * n : 0;
  run->n_bytes.ps = (PdWide) run->n_messages * 256;
  run->n_events = 1000 * n;
  run->seconds = 0.25;
  run->messages = pd_messages_new ();
  return run;
}

/* @n_runs: 1: four processors; 2: one and four. */
static PdReport *
make_report (guint n_runs, gboolean hostile)
{
  PdReport *report = pd_report_new ();
  PdReportInput input = { g_strdup (hostile ? HOSTILE : "examples/heat2d.ptr"),
                          g_strdup (SHA_ABC) };
  PdPlace place = { "heat2d.ptr", 17, "call_foo_", 4, -1, FALSE };
  const char *grids[] = { "1x1", hostile ? HOSTILE : "2x2" };

  report->command_line =
      g_strdup (hostile ? HOSTILE : "predictor run examples/heat2d.ptr -m mvs1000 -n 1,4");
  report->machine = g_strdup (hostile ? HOSTILE : "mvs1000");
  report->machine_text = g_strdup (hostile ? HOSTILE : "Myrinet, 7 us, 100 MB/s");
  g_array_append_val (report->inputs, input);
  pd_messages_add (report->messages, PD_SEVERITY_NOTE, "startup", NULL, NULL,
                   "the start-up record is left out");
  for (guint i = 2 - n_runs; i < 2; i++)
    {
      PdReportRun *run = make_run (i == 0 ? 1 : 4, grids[i]);
      for (guint k = 0; k < 3; k++)
        pd_messages_add (run->messages, PD_SEVERITY_WARNING, "unknown-function", "foo_", &place,
                         "unknown function '%s' is taken as an ordinary one",
                         hostile ? HOSTILE : "foo_");
      pd_report_add_run (report, run);
    }
  return report;
}

static void
write_brief (const PdReport *report, GString *out)
{
  pd_report_write_text (report, 0, 80, out);
}

static void
write_verbose (const PdReport *report, GString *out)
{
  pd_report_write_text (report, 1, 100, out);
}

typedef void (*WriteFunc) (const PdReport *report, GString *out);

static char *
write_to_string (const PdReport *report, WriteFunc write)
{
  GString *out = g_string_new (NULL);

  write (report, out);
  return g_string_free (out, FALSE);
}

/* Of a page what it says, and the data of its charts: style and scripts are files. */
static void
write_words (const PdReport *report, GString *out)
{
  g_autofree char *text = write_to_string (report, pd_report_write_html);
  const char *from = strstr (text, "<body>"), *to = strstr (text, "<!-- Charts");

  to = to != NULL ? to : strstr (text, "<script>");
  g_assert_true (from != NULL && to > from);
  g_string_append_len (out, from, to - from);
}

/* ---- golden files */

static const struct
{
  const char *file;
  guint n_runs;
  WriteFunc write;
} golden[] = {
  { "compare.txt", 2, write_brief },          { "single.txt", 1, write_brief },
  { "verbose.txt", 2, write_verbose },        { "report.xml", 2, pd_report_write_xml },
  { "report.json", 2, pd_report_write_json }, { "report.csv", 2, pd_report_write_csv },
  { "report.html", 2, write_words },
};

/* The files say @VERSION@ for the version of the program. */
static void
test_golden (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = make_report (golden[i].n_runs, FALSE);
  g_autofree char *text = write_to_string (report, golden[i].write);
  g_autofree char *path = g_build_filename ("tests", "data", "report", golden[i].file, NULL);
  g_autofree char *wanted = NULL;
  g_auto (GStrv) parts = g_strsplit (text, PD_VERSION, -1);
  g_autofree char *neutral = g_strjoinv ("@VERSION@", parts);

  if (g_getenv ("PREDICTOR_UPDATE_GOLDEN") != NULL)
    g_assert_true (g_file_set_contents (path, neutral, -1, NULL));
  g_assert_true (g_file_get_contents (path, &wanted, NULL, NULL));
  g_assert_cmpstr (neutral, ==, wanted);

  g_autoptr (PdReport) again = make_report (golden[i].n_runs, FALSE);
  g_autofree char *repeated = write_to_string (again, golden[i].write);
  g_assert_cmpstr (text, ==, repeated);
}

/* Runs without their trees say the same; but pages have nothing of each processor then, see
 * tests/reports/page/test-page.c. */
static void
test_compact (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = make_report (golden[i].n_runs, FALSE);
  g_autofree char *before = write_to_string (report, golden[i].write);

  for (guint n = 0; n < report->runs->len; n++)
    pd_report_run_compact (g_ptr_array_index (report->runs, n));
  g_autofree char *after = write_to_string (report, golden[i].write);
  g_assert_cmpstr (before, ==, after);
}

/* With 80 columns and ordinary names no table is wider than the screen. */
static void
test_width (void)
{
  for (guint n = 1; n <= 2; n++)
    {
      g_autoptr (PdReport) report = make_report (n, FALSE);
      g_autofree char *text = write_to_string (report, write_brief);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        if (!g_str_has_prefix (lines[i], "warning:") && !g_str_has_prefix (lines[i], "Most"))
          g_assert_cmpint (g_utf8_strlen (lines[i], -1), <=, 80);
    }
}

/* A tree of many intervals is cut to its dearest ones, with their ancestors. */
static void
test_cut (void)
{
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = make_run (2, "2x1");
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < 40; i++)
    {
      guint32 outer = enter (run->tree, ROOT, PD_INTERVAL_SEQ, 1000 + i, PD_INTERVAL_NO_INDEX);
      guint32 inner = enter (run->tree, outer, PD_INTERVAL_PAR, 2000 + i, PD_INTERVAL_NO_INDEX);
      charge (run->tree, inner, PD_Q_CPU_PAR, 0, i == 23 ? 90000 : 1 + i % 7);
    }
  pd_report_add_run (report, run);
  pd_report_write_text (report, 0, 80, out);
  g_assert_nonnull (strstr (out->str, "\n  SEQ heat2d.fdv:1023 "));
  g_assert_nonnull (strstr (out->str, "\n    PAR heat2d.fdv:2023 "));
  g_assert_nonnull (strstr (out->str, "72 more intervals with -v"));
  pd_report_write_text (report, 1, 80, out);
  g_assert_nonnull (strstr (out->str, "PAR heat2d.fdv:2000"));
  g_string_free (out, TRUE);
}

/* ---- the closing sentence */

static const struct
{
  const char *name;
  gint64 comm_root, comm_child, insufficient, only_first; /* us */
  const char *sentence;
} sentences[] = {
  { "none", 0, 0, 0, 0, "No time is lost." },
  { "communication", 10, 90, 50, 0,
    "Most of the lost time (67 %) is communication, chiefly Remote_access. By place: 60 % in PAR "
    "heat2d.fdv:5 (remote access, 9 us per entry), 40 % outside of all intervals (computation "
    "that every processor repeats)." },
  { "insufficient", 0, 10, 90, 0,
    "Most of the lost time (90 %) is insufficient parallelism. By place: 90 % outside of all "
    "intervals (computation that every processor repeats), 10 % in PAR heat2d.fdv:5 (remote "
    "access, 1 us per entry)." },
  { "idle", 0, 0, 0, 100,
    "Most of the lost time (100 %) is idle time. By place: 100 % outside of all intervals "
    "(waiting for the last processor at the end)." },
  { "spread", 60, 40, 0, 0,
    "Most of the lost time (100 %) is communication, chiefly Remote_access. By place: 60 % "
    "outside of all intervals (remote access), 40 % in PAR heat2d.fdv:5 (remote access, 4 us per "
    "entry)." },
  { "no-majority", 40, 0, 35, 70,
    "The largest part of the lost time (36 %) is communication, chiefly Remote_access. By place: "
    "100 % outside of all intervals (remote access)." },
};

static void
test_sentence (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->n_processors = 2;
  run->tree = pd_interval_tree_new (2);
  run->end_times = g_new0 (PdTime, 2);
  guint32 child = enter (run->tree, ROOT, PD_INTERVAL_PAR, 5, PD_INTERVAL_NO_INDEX);
  for (guint32 p = 0; p < 2; p++)
    {
      charge (run->tree, ROOT, PD_Q_CPU_SEQ, p, 100);
      charge (run->tree, ROOT, PD_Q_INSUFF_SEQ, p, sentences[i].insufficient);
      charge (run->tree, ROOT, PD_Q_REMOTE_ACCESS, p, sentences[i].comm_root);
      charge (run->tree, child, PD_Q_REMOTE_ACCESS, p, sentences[i].comm_child);
    }
  charge (run->tree, child, PD_Q_CPU_PAR, 0, sentences[i].only_first);
  pd_report_add_run (report, run);

  g_autofree char *sentence = pd_report_describe_loss (report);
  g_assert_cmpstr (sentence, ==, sentences[i].sentence);
}

/* ---- validity */

static void
quiet (void *context, const char *format, ...)
{
  (void) context;
  (void) format;
}

static xmlDocPtr
parse_xml (const char *text)
{
  xmlDocPtr doc = xmlReadMemory (text, (int) strlen (text), "report", NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);

  g_assert_nonnull (doc);
  return doc;
}

static int
validate (const char *text)
{
  xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt ("schemas/report.rng");
  xmlRelaxNGPtr schema = xmlRelaxNGParse (parser);
  g_assert_nonnull (schema);
  xmlRelaxNGValidCtxtPtr context = xmlRelaxNGNewValidCtxt (schema);
  xmlDocPtr doc = parse_xml (text);

  xmlRelaxNGSetValidErrors (context, quiet, quiet, NULL);
  int status = xmlRelaxNGValidateDoc (context, doc);
  xmlFreeDoc (doc);
  xmlRelaxNGFreeValidCtxt (context);
  xmlRelaxNGFree (schema);
  xmlRelaxNGFreeParserCtxt (parser);
  return status;
}

/* Every combination of what is optional, and text of any kind. */
static void
test_schema (void)
{
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (PdReport) report = make_report (2, i & 1);
      report->per_processor = (i & 2) != 0;
      report->date = i & 4 ? g_strdup ("2026-01-02T03:04:05Z") : NULL;
      g_autofree char *text = write_to_string (report, pd_report_write_xml);
      g_assert_cmpint (validate (text), ==, 0);
      g_assert_cmpint (strstr (text, "<end_times_ps>") != NULL, ==, report->per_processor);
      g_assert_cmpint (strstr (text, "elapsed=") != NULL, ==, report->date != NULL);
    }
  g_assert_cmpint (validate ("<report format='1' program='predictor' version='0'/>"), !=, 0);
}

static void
test_html (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (PdReport) report = make_report (2, i == 1);
      g_autofree char *text = write_to_string (report, pd_report_write_html);
      xmlFreeDoc (parse_xml (text));
      g_assert_null (strstr (text, "<a href=\"x\">"));
    }
}

/* The text that @sql gives for @json, or NULL. */
static char *
query_json (const char *sql, const char *json)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  sqlite3_bind_text (statement, 1, json, -1, SQLITE_TRANSIENT);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  char *text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return text;
}

static const struct
{
  const char *path;
  const char *value;
} json_values[] = {
  { "$.program", "predictor" },
  { "$.runs[1].processors", "4" },
  { "$.runs[1].messages.bytes", "81920" },
  { "$.runs[1].end_times_ps[3]", "5239000000" },
  { "$.runs[1].intervals[0].type", "MAIN" },
  { "$.runs[1].intervals[0].intervals[0].intervals[1].index", "7" },
  { "$.runs[1].intervals[0].intervals[0].intervals[1].exe_count", "10" },
  { "$.runs[1].intervals[0].intervals[0].intervals[0].extremes.wait_shadow.max_at", "3" },
  { "$.runs[1].warnings[0].count", "3" },
  { "$.warnings[0].id", "startup" },
};

static void
test_json (void)
{
  g_autoptr (PdReport) report = make_report (2, FALSE);
  g_autoptr (PdReport) hostile = make_report (2, TRUE);

  report->per_processor = TRUE;
  g_autofree char *text = write_to_string (report, pd_report_write_json);
  g_autofree char *valid = query_json ("SELECT json_valid (?)", text);
  g_assert_cmpstr (valid, ==, "1");
  for (gsize i = 0; i < G_N_ELEMENTS (json_values); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT json_extract (?, '%s')", json_values[i].path);
      g_autofree char *value = query_json (sql, text);
      g_assert_cmpstr (value, ==, json_values[i].value);
    }
  g_assert_nonnull (strstr (text, "\"execution_time\": 0.005239000000,"));

  hostile->date = g_strdup ("2026-01-02T03:04:05Z");
  g_autofree char *wild = write_to_string (hostile, pd_report_write_json);
  g_autofree char *expected = g_utf8_make_valid (HOSTILE, -1);
  g_autofree char *machine = query_json ("SELECT json_extract (?, '$.machine')", wild);
  g_autofree char *elapsed =
      query_json ("SELECT json_extract (?, '$.runs[0].elapsed.events_per_second')", wild);
  g_assert_cmpstr (machine, ==, expected);
  g_assert_cmpstr (elapsed, ==, "4000");
}

static guint
n_rows_of (PdIntervalModel model)
{
  guint n = 0;

  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    n += pd_characteristic_applies (c, model) ? 1 : 0;
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    n += pd_counter_applies (PD_N_TIMES + q, model) ? 1 : 0;
  return n;
}

/* RFC 4180: the number of fields of every record; quotes are balanced. */
static void
test_csv (void)
{
  g_autoptr (PdReport) report = make_report (2, TRUE);
  g_autofree char *text = write_to_string (report, pd_report_write_csv);
  guint fields = 1, records = 0, expected = 0;
  gboolean quoted = FALSE;

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        quoted = !quoted;
      else if (*p == ',' && !quoted)
        fields++;
      else if (*p == '\n' && !quoted)
        {
          g_assert_cmpint (p[-1], ==, '\r');
          expected = records == 0 ? fields : expected;
          g_assert_cmpuint (fields, ==, expected);
          records++;
          fields = 1;
        }
    }
  g_assert_false (quoted);
  g_assert_cmpuint (records, ==, 1 + 2 * 4);
  g_assert_cmpuint (expected, ==,
                    15 + n_rows_of (PD_MODEL_DVM) + PD_N_OPERATIONS * PD_N_OPERATION_TIMES);
}

/* ---- lists that must not drift */

/* predictor-results(5) lists the rows, in their order and no others. */
static void
test_man_page (void)
{
  g_autofree char *text = NULL;
  const char *at;
  guint n = 0;

  g_assert_true (g_file_get_contents ("man/predictor-results.5", &text, NULL, NULL));
  at = text;
  for (guint i = 0; i < PD_N_CHARACTERISTICS + PD_N_COUNTERS; i++)
    {
      const PdCharacteristicRow *row = i < PD_N_CHARACTERISTICS
                                           ? pd_characteristic_row (i)
                                           : pd_counter_row (PD_N_TIMES + i - PD_N_CHARACTERISTICS);
      g_autofree char *wanted =
          g_strdup_printf (".It Va %s\n%s:\n%s\n%s%s%s", row->id, row->name, row->meaning,
                           row->mpi != NULL ? ".br\nOf message-passing programs:\n" : "",
                           row->mpi != NULL ? row->mpi : "", row->mpi != NULL ? "\n" : "");
      at = strstr (at, wanted);
      g_assert_nonnull (at);
    }
  for (at = text; (at = strstr (at, ".It Va ")) != NULL; at++)
    n++;
  g_assert_cmpuint (n, ==, PD_N_CHARACTERISTICS + PD_N_COUNTERS);
}

/* The schema knows every characteristic; that it knows no others is shown by
 * the count. */
static void
test_schema_rows (void)
{
  g_autofree char *text = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents ("schemas/report.rng", &text, NULL, NULL));
  const char *at = strstr (text, "<define name=\"characteristic\">");
  g_assert_nonnull (at);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      g_autofree char *wanted =
          g_strdup_printf ("<value>%s</value>", pd_characteristic_row (c)->id);
      g_assert_nonnull (strstr (at, wanted));
    }
  for (; (at = strstr (at, "<value>")) != NULL; at++)
    n++;
  g_assert_cmpuint (n, ==, PD_N_CHARACTERISTICS + 1); /* and "-" */
}

/* ---- the database */

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  (void) data;
  f->folder = g_dir_make_tmp ("predictor-XXXXXX", NULL);
  g_assert_nonnull (f->folder);
  f->path = g_build_filename (f->folder, "results.sqlite", NULL);
}

/* Also asserts that nothing but the named file was left behind. */
static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  g_unlink (f->path);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_free (f->path);
}

static GBytes *
read_bytes (const char *path)
{
  char *data;
  gsize size;

  return g_file_get_contents (path, &data, &size, NULL) ? g_bytes_new_take (data, size) : NULL;
}

static void
execute (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static char *
query (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  char *text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return text;
}

static void
write_db (const char *path, gboolean per_processor)
{
  g_autoptr (PdReport) report = make_report (2, FALSE);
  g_autoptr (GError) error = NULL;

  report->per_processor = per_processor;
  pd_report_write_db (report, path, &error);
  g_assert_no_error (error);
}

static const struct
{
  const char *sql;
  const char *value;
} stored[] = {
  { "SELECT count (*) FROM report", "2" },
  { "SELECT count (*) FROM input WHERE sha256 = '" SHA_ABC "'", "2" },
  { "SELECT group_concat (processors) FROM run", "1,4,1,4" },
  { "SELECT execution_time_ps FROM run WHERE id = 4", "5239000000" },
  { "SELECT bytes FROM run WHERE id = 4", "81920" },
  { "SELECT elapsed IS NULL FROM run WHERE id = 4", "1" },
  { "SELECT count (*) FROM interval", "16" },
  { "SELECT group_concat (ifnull (parent, '-')) FROM interval WHERE run = 2", "-,0,1,1" },
  { "SELECT idx FROM interval WHERE run = 2 AND node = 3", "7" },
  { "SELECT wait_shadow_max_at FROM interval WHERE run = 2 AND node = 2", "3" },
  { "SELECT round (wait_shadow, 12) FROM interval WHERE run = 2 AND node = 2", "0.001618" },
  { "SELECT count (*) FROM processor", "20" },
  { "SELECT wait_shadow_ps FROM processor WHERE run = 4 AND node = 0 AND processor = 3",
    "409000000" },
  { "SELECT count FROM warning WHERE run = 2", "3" },
  { "SELECT count (*) FROM warning WHERE run IS NULL AND severity = 'note'", "2" },
  { "SELECT round (speed_up, 3) FROM summary WHERE run = 2", "2.061" },
  { "SELECT line FROM lost WHERE run = 2 AND node > 1 LIMIT 1", "29" },
  { "PRAGMA user_version", "7" },
  { "PRAGMA integrity_check", "ok" },
};

static void
test_db_round_trip (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);

  (void) data;
  write_db (f->path, FALSE);
  write_db (f->path, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (stored); i++)
    {
      g_autofree char *value = query (f->path, stored[i].sql);
      g_assert_cmpstr (value, ==, stored[i].value);
    }
  pd_report_read_db (f->path, out, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (out->str, "Input    examples/heat2d.ptr\n"));
  g_assert_nonnull (strstr (out->str, "\n  4      4   2x2  "));

  g_string_truncate (out, 0);
  pd_results_write_run (f->path, 4, 80, out, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (out->str, "\n    USER heat2d.fdv:29 [7] "));
  g_string_truncate (out, 0);
  pd_results_write_csv (f->path, 0, out, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (out->str, "run,report,machine,"));
  g_assert_nonnull (strstr (out->str, "\r\n4,2,mvs1000,,4,2x2,0.005239,"));
  g_assert_false (pd_results_write_run (f->path, 5, 80, out, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
  g_string_free (out, TRUE);
}

static void
test_db_same_bytes (Fixture *f, gconstpointer data)
{
  (void) data;
  write_db (f->path, TRUE);
  g_autoptr (GBytes) first = read_bytes (f->path);
  g_unlink (f->path);
  write_db (f->path, TRUE);
  g_autoptr (GBytes) second = read_bytes (f->path);
  g_assert_true (g_bytes_equal (first, second));
}

/* A file that the first version of the tables was in is read as it is; it becomes
 * present when results are appended, and what was in it stays. */
static void
test_db_migrated (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    const char *value;
  } migrated[] = {
    { "PRAGMA user_version", "7" },
    { "SELECT count (*) FROM run", "3" },
    { "SELECT group_concat (kind) FROM run", "dvm,dvm,dvm" },
    { "SELECT count (*) FROM interval WHERE run = 1 AND name = '' AND sendrecv_time = 0", "1" },
    { "SELECT count (*) FROM processor WHERE real_sync_ps = 0", "1" },
    { "SELECT idx FROM interval WHERE run = 3 AND node = 3", "7" },
    { "SELECT count (name) FROM lost WHERE run = 1", "1" },
    { "PRAGMA integrity_check", "ok" },
  };
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);

  (void) data;
  g_assert_true (g_file_get_contents ("tests/data/report/results-1.sql", &sql, NULL, NULL));
  execute (f->path, sql);
  g_assert_true (pd_report_read_db (f->path, out, &error));
  g_assert_true (pd_results_write_run (f->path, 1, 80, out, &error));
  g_assert_true (pd_results_write_csv (f->path, 1, out, &error));
  g_assert_no_error (error);
  g_autofree char *before = query (f->path, "PRAGMA user_version");
  g_assert_cmpstr (before, ==, "1");
  write_db (f->path, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (migrated); i++)
    {
      g_autofree char *value = query (f->path, migrated[i].sql);
      g_assert_cmpstr (value, ==, migrated[i].value);
    }
  g_string_free (out, TRUE);
}

/* All columns as they are now. */
static const char present[] =
    "SELECT group_concat (t || '.' || c) FROM (SELECT m.name AS t, c.name || c.type || c.pk AS c "
    "FROM sqlite_master m, pragma_table_info (m.name) c WHERE m.type = 'table' ORDER BY t, c.name)";

/* What the seventh version added. */
static const char drop_seventh[] =
    "DROP TABLE call_site_traffic; DROP TABLE call_site_size; DROP TABLE root_cause; "
    "DROP TABLE recorded_part; DROP TABLE outside; DROP TABLE file_use; "
    "DROP TABLE rank_pair; DROP TABLE what_if; DROP TABLE execution_range; DROP TABLE operation; "
    "DROP TABLE processor_operation; "
    "ALTER TABLE analysis DROP COLUMN early_scan; "
    "ALTER TABLE analysis DROP COLUMN late_neighbour; "
    "ALTER TABLE analysis DROP COLUMN late_post; "
    "ALTER TABLE analysis DROP COLUMN late_complete; "
    "ALTER TABLE analysis DROP COLUMN late_wait; "
    "ALTER TABLE analysis DROP COLUMN lock_competition; "
    "ALTER TABLE call_site DROP COLUMN early_scan; "
    "ALTER TABLE call_site DROP COLUMN late_neighbour; "
    "ALTER TABLE call_site DROP COLUMN late_post; "
    "ALTER TABLE call_site DROP COLUMN late_complete; "
    "ALTER TABLE call_site DROP COLUMN late_wait; "
    "ALTER TABLE call_site DROP COLUMN lock_competition; "
    "ALTER TABLE call_site DROP COLUMN polls; "
    "ALTER TABLE interval DROP COLUMN pipeline_count; "
    "ALTER TABLE interval DROP COLUMN task_count; "
    "ALTER TABLE interval DROP COLUMN other_count; "
    "ALTER TABLE interval DROP COLUMN productive_cpu_time; "
    "ALTER TABLE interval DROP COLUMN productive_cpu_time_min_ps; "
    "ALTER TABLE interval DROP COLUMN productive_cpu_time_min_at; "
    "ALTER TABLE interval DROP COLUMN productive_cpu_time_max_ps; "
    "ALTER TABLE interval DROP COLUMN productive_cpu_time_max_at; "
    "ALTER TABLE interval DROP COLUMN library_time; "
    "ALTER TABLE interval DROP COLUMN library_time_min_ps; "
    "ALTER TABLE interval DROP COLUMN library_time_min_at; "
    "ALTER TABLE interval DROP COLUMN library_time_max_ps; "
    "ALTER TABLE interval DROP COLUMN library_time_max_at; "
    "ALTER TABLE processor DROP COLUMN productive_cpu_time_ps; "
    "ALTER TABLE processor DROP COLUMN library_time_ps; PRAGMA user_version = 6";

/* The fifth version lacked the head of a critical path, the sixth the traffic of call sites and
 * root causes. */
static void
test_db_migrated_last (Fixture *f, gconstpointer data)
{
  static const char *const older[] = {
    "DROP TABLE critical_path; PRAGMA user_version = 5",
    "PRAGMA user_version = 6",
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (older); i++)
    {
      write_db (f->path, FALSE);
      g_autofree char *tables = query (f->path, present);
      execute (f->path, drop_seventh);
      execute (f->path, older[i]);
      write_db (f->path, FALSE);
      g_autofree char *migrated = query (f->path, present);
      g_assert_cmpstr (migrated, ==, tables);
      g_autofree char *version = query (f->path, "PRAGMA user_version");
      g_assert_cmpstr (version, ==, "7");
      g_unlink (f->path);
    }
}

/* The second version lacked the tables of what was recorded, the third one those of
 * analyses, and the fourth those of sensitivity. */
static void
test_db_migrated_later (Fixture *f, gconstpointer data)
{
  static const char *const older[] = {
    "PRAGMA user_version = 4",
    "DROP TABLE analysed_run; DROP TABLE diagnosis; DROP TABLE analysis; DROP TABLE call_site; "
    "DROP TABLE call_site_rank; DROP TABLE frame; PRAGMA user_version = 3",
    "DROP TABLE analysed_run; DROP TABLE diagnosis; DROP TABLE analysis; DROP TABLE call_site; "
    "DROP TABLE call_site_rank; DROP TABLE frame; "
    "DROP TABLE recorded_interval; DROP TABLE recorded_end; PRAGMA user_version = 2",
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (older); i++)
    {
      write_db (f->path, FALSE);
      g_autofree char *tables = query (f->path, present);
      execute (f->path, "DROP TABLE path_part; DROP TABLE sensitivity; "
                        "DROP TABLE interval_sensitivity; DROP TABLE latency_tolerance; "
                        "DROP TABLE path_segment; DROP TABLE efficiency; DROP TABLE sample; "
                        "DROP TABLE critical_path");
      execute (f->path, drop_seventh);
      execute (f->path, older[i]);
      write_db (f->path, FALSE);
      g_autofree char *n = query (f->path, "SELECT count (*) FROM run");
      g_assert_cmpstr (n, ==, "4");
      g_autofree char *migrated = query (f->path, present);
      g_assert_cmpstr (migrated, ==, tables);
      g_autofree char *version = query (f->path, "PRAGMA user_version");
      g_assert_cmpstr (version, ==, "7");
      g_unlink (f->path);
    }
}

/* ---- message-passing programs */

static PdReport *
make_mpi_report (void)
{
  static const PdIntervalKey key = { PD_INTERVAL_USER, "a.c", 12, PD_INTERVAL_NO_INDEX, "so<ve" };
  PdReport *report = pd_report_new ();
  PdReportRun *run = g_new0 (PdReportRun, 1);
  PdIntervalTree *tree = pd_interval_tree_new_mpi (2);
  guint32 node = pd_interval_tree_child (tree, ROOT, &key);

  report->command_line = g_strdup ("predictor run a.ti");
  report->machine = g_strdup ("ideal");
  run->n_processors = 2;
  run->tree = tree;
  run->end_times = g_new0 (PdTime, 2);
  for (guint32 p = 0; p < 2; p++)
    {
      charge (tree, node, PD_Q_EXE_COUNT, p, 1);
      charge (tree, ROOT, PD_Q_CPU_SEQ, p, 100 + 20 * p);
      charge (tree, node, PD_Q_SENDRECV, p, 50);
      charge (tree, node, PD_Q_COLLECTIVE, p, 4);
      charge (tree, ROOT, PD_Q_SYSTEM, p, 3);
      charge (tree, node, PD_Q_REAL_SYNC, p, 30);
      charge (tree, node, PD_Q_SYNCHRONIZATION, p, 9);
      charge (tree, node, PD_Q_TIME_VARIATION, p, 7);
      charge (tree, node, PD_Q_OTHER_OVERLAP, p, 6);
      charge (tree, node, PD_Q_N_SENDS, p, 2);
      run->end_times[p] = PD_TIME ((157 + 20 * p) * US);
    }
  g_assert_true (pd_interval_tree_check (tree, run->end_times, FALSE, NULL));
  pd_report_add_run (report, run);
  report->per_processor = TRUE;
  return report;
}

/* The same with what was recorded: the whole took 150 us, the interval 50. */
static PdReport *
make_recorded_report (void)
{
  PdReport *report = make_mpi_report ();
  PdReportRun *run = g_ptr_array_index (report->runs, 0);
  const PdTimeSum recorded[] = { { 150 * US }, { 50 * US } };

  report->per_processor = FALSE;
  run->recorded = g_array_new (FALSE, FALSE, sizeof (PdTimeSum));
  g_array_append_vals (run->recorded, recorded, G_N_ELEMENTS (recorded));
  run->recorded_ends = g_new (PdTime, 2);
  run->recorded_ends[0] = PD_TIME (0);
  run->recorded_ends[1] = PD_TIME (150 * US);
  return report;
}

/* By writer. */
static void
test_recorded_texts (void)
{
  static const struct
  {
    void (*write) (const PdReport *self, GString *out);
    const char *has[3];
  } rows[] = {
    { pd_report_write_xml,
      { " recorded_time=\"0.000150000000\" send_count",
        "<end_times_ps>157000000 177000000</end_times_ps>",
        "<recorded_end_times_ps>0 150000000</recorded_end_times_ps>" } },
    { pd_report_write_csv, { ",recorded_time\r\n", ",0.000150000000\r\n", ",0.000050000000\r\n" } },
    { pd_report_write_json,
      { "\"recorded_time\": 0.000050000000", "\"recorded_end_times_ps\": [0, 150000000]",
        "\"end_times_ps\": [157000000, 177000000]" } },
    { write_words, { "Recorded and predicted", "a.c:12</td><td>0.000050000</td>", "<td>-</td>" } },
  };
  g_autoptr (PdReport) report = make_recorded_report ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      rows[i].write (report, out);
      g_assert_null (strstr (out->str, "Speed-up")); /* there is one run */
      for (gsize k = 0; k < G_N_ELEMENTS (rows[i].has); k++)
        if (strstr (out->str, rows[i].has[k]) == NULL)
          g_error ("no '%s' in %s", rows[i].has[k], out->str);
    }
}

/* Of many ranks one screen shows those that are farthest off. */
static void
test_recorded_brief (void)
{
  const guint32 n = 40;
  PdReport *report = pd_report_new ();
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_autoptr (GString) brief = g_string_new (NULL), whole = g_string_new (NULL);

  run->n_processors = n;
  run->tree = pd_interval_tree_new_mpi (n);
  run->end_times = g_new (PdTime, n);
  run->recorded_ends = g_new (PdTime, n);
  for (guint32 p = 0; p < n; p++)
    {
      charge (run->tree, ROOT, PD_Q_CPU_SEQ, p, 100);
      run->end_times[p] = PD_TIME (100 * US);
      run->recorded_ends[p] = PD_TIME ((100 + p) * US);
    }
  pd_report_add_run (report, run);
  pd_report_write_text (report, 0, 80, brief);
  pd_report_write_text (report, 1, 80, whole);
  g_assert_nonnull (strstr (brief->str, "\n39       0.000139000      0.000100000  -28.06\n38  "));
  g_assert_nonnull (strstr (brief->str, "\n24 more ranks, "));
  g_assert_null (strstr (brief->str, "\n23  "));
  g_assert_nonnull (strstr (whole->str, "\n0        0.000100000      0.000100000   +0.00\n1  "));
  g_assert_null (strstr (whole->str, "more ranks"));
  pd_report_free (report);
}

static void
test_db_recorded (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    const char *value;
  } rows[] = {
    { "SELECT group_concat (round (execution_time * 1e6)) FROM recorded_interval", "150.0,50.0" },
    { "SELECT group_concat (recorded_ps) FROM recorded_end", "0,150000000" },
    { "SELECT predicted_ps FROM recorded_end WHERE rank = 1", "177000000" },
    { "SELECT count (*) FROM recorded_interval JOIN interval USING (run, node)", "2" },
  };
  g_autoptr (PdReport) report = make_recorded_report ();
  g_autoptr (GError) error = NULL;

  (void) data;
  pd_report_write_db (report, f->path, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *value = query (f->path, rows[i].sql);
      g_assert_cmpstr (value, ==, rows[i].value);
    }
}

static void
test_labels (void)
{
  static const struct
  {
    PdIntervalKey key;
    const char *label;
  } rows[] = {
    { { PD_INTERVAL_MAIN, "", 0, PD_INTERVAL_NO_INDEX, "" }, "MAIN" },
    { { PD_INTERVAL_PAR, "a.f", 19, PD_INTERVAL_NO_INDEX, "" }, "PAR a.f:19" },
    { { PD_INTERVAL_USER, "a.f", 3, 7, "" }, "USER a.f:3 [7]" },
    { { PD_INTERVAL_USER, "", 3, PD_INTERVAL_NO_INDEX, "" }, "USER line 3" },
    { { PD_INTERVAL_USER, "a.c", 0, PD_INTERVAL_NO_INDEX, "solve" }, "USER solve a.c" },
    { { PD_INTERVAL_USER, "a.c", 3, PD_INTERVAL_NO_INDEX, "solve" }, "USER solve a.c:3" },
    { { PD_INTERVAL_USER, "6", 3, PD_INTERVAL_NO_INDEX, "6:3" }, "USER 6:3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *label = pd_report_interval_label (&rows[i].key);
      g_assert_cmpstr (label, ==, rows[i].label);
    }
}

/* By writer: what is there of message passing, and what is not, of DVM. */
static void
test_mpi_texts (void)
{
  static const struct
  {
    void (*write) (const PdReport *report, GString *out);
    const char *there[5];
    const char *absent[3];
  } writers[] = {
    { write_brief,
      { "USER so<ve a.c:12", " SendRecv_time", "Real_sync", "Time_variation",
        "chiefly SendRecv_time" },
      { "Wait_shadow", "Reduction_overlap" } },
    { pd_report_write_json,
      { "\"name\": \"so<ve\"", "\"sendrecv_time\": 0.000100000000", "\"send_count\": 4",
        "\"load_imbalance\": 0.000020000000", "\"synchronization\": 0.000018000000" },
      { "wait_shadow", "io_count", "other_comm" } },
    { pd_report_write_csv,
      { ",efficiency,name,", ",sendrecv_time,", ",time_variation,", ",so<ve,", ",send_count," },
      { "wait_shadow", "shadow_count", "reduction_overlap" } },
    { pd_report_write_xml,
      { "name=\"so&#60;ve\"", "id=\"system_time\"", "send_count=\"4\"", "id=\"real_sync\"",
        "id=\"overlap\"" },
      { "wait_shadow", "io_count", "other_comm" } },
    { write_words,
      { "USER so&#60;ve a.c:12", ">SendRecv_time<", "SendRecv_time + Collective_time",
        ">Real_sync<", "less the rank" },
      { "Wait_shadow", "six components", "Shadow_overlap" } },
  };
  g_autoptr (PdReport) report = make_mpi_report ();

  for (gsize i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      writers[i].write (report, out);
      for (gsize k = 0; k < G_N_ELEMENTS (writers[i].there); k++)
        if (strstr (out->str, writers[i].there[k]) == NULL)
          g_error ("no %s in %s", writers[i].there[k], out->str);
      for (gsize k = 0; k < G_N_ELEMENTS (writers[i].absent); k++)
        g_assert_true (writers[i].absent[k] == NULL
                       || strstr (out->str, writers[i].absent[k]) == NULL);
    }
}

static void
test_mpi_xml (void)
{
  g_autoptr (PdReport) report = make_mpi_report ();
  g_autoptr (GString) out = g_string_new (NULL);

  pd_report_write_xml (report, out);
  g_assert_cmpint (validate (out->str), ==, 0);
}

static void
test_mpi_db (Fixture *f, gconstpointer data)
{
  g_autoptr (PdReport) report = make_mpi_report ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  (void) data;
  write_db (f->path, FALSE);
  g_assert_true (pd_report_write_db (report, f->path, &error));
  g_assert_true (pd_results_write_run (f->path, 3, 80, out, &error));
  g_assert_nonnull (strstr (out->str, "USER so<ve a.c:12"));
  g_string_truncate (out, 0);
  g_assert_true (pd_results_write_csv (f->path, 3, out, &error));
  g_assert_nonnull (strstr (out->str, ",sendrecv_time,"));
  g_assert_null (strstr (out->str, "wait_shadow"));
  g_autofree char *value =
      query (f->path, "SELECT real_sync_ps FROM processor WHERE run = 3 AND node = 1");
  g_assert_cmpstr (value, ==, "30000000");
}

/* What may be there before: it becomes a result file. */
static void
test_db_initialised (Fixture *f, gconstpointer data)
{
  (void) data;
  g_assert_true (g_file_set_contents (f->path, "", 0, NULL));
  write_db (f->path, FALSE);
  g_unlink (f->path);
  execute (f->path, "CREATE TABLE t (x); DROP TABLE t");
  write_db (f->path, FALSE);
  g_autofree char *n = query (f->path, "SELECT count (*) FROM run");
  g_assert_cmpstr (n, ==, "2");
}

/* ---- what is refused stays as it is */

static const struct
{
  const char *name;
  const char *sql;  /* applied to a result file, or to no file */
  const char *text; /* contents instead */
  gboolean ours;    /* start from a result file */
  PdReportError code;
} refused[] = {
  { "foreign", "CREATE TABLE t (x); PRAGMA application_id = 1234", NULL, FALSE,
    PD_REPORT_ERROR_FOREIGN },
  { "foreign-anonymous", "CREATE TABLE t (x)", NULL, FALSE, PD_REPORT_ERROR_FOREIGN },
  { "foreign-version", "CREATE TABLE t (x); PRAGMA user_version = 1", NULL, FALSE,
    PD_REPORT_ERROR_FOREIGN },
  { "newer", "PRAGMA user_version = 8", NULL, TRUE, PD_REPORT_ERROR_VERSION },
  { "no-table", "DROP VIEW summary; DROP VIEW lost; DROP TABLE interval", NULL, TRUE,
    PD_REPORT_ERROR_READ },
  { "text", NULL,
    "this is a text and no database, whatever its name may say about it; and it is long enough "
    "for a header",
    FALSE, PD_REPORT_ERROR_READ },
  { "short", NULL, "SQLite format 3", FALSE, PD_REPORT_ERROR_READ },
};

static void
assert_refused (const char *path, PdReportError code)
{
  g_autoptr (GBytes) before = read_bytes (path);
  g_autoptr (PdReport) report = make_report (2, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_false (pd_report_write_db (report, path, &error));
  g_assert_error (error, PD_REPORT_ERROR, (gint) code);
  g_autoptr (GBytes) after = read_bytes (path);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_db_refused (Fixture *f, gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  GString *out = g_string_new ("kept");

  if (refused[i].ours)
    write_db (f->path, FALSE);
  if (refused[i].sql != NULL)
    execute (f->path, refused[i].sql);
  else
    g_assert_true (g_file_set_contents (f->path, refused[i].text, -1, NULL));
  assert_refused (f->path, refused[i].code);
  g_assert_false (pd_report_read_db (f->path, out, NULL));
  g_assert_cmpstr (out->str, ==, "kept");
  g_string_free (out, TRUE);
}

static void
test_db_truncated (Fixture *f, gconstpointer data)
{
  (void) data;
  write_db (f->path, FALSE);
  g_autoptr (GBytes) whole = read_bytes (f->path);
  gsize size;
  const char *bytes = g_bytes_get_data (whole, &size);

  for (guint i = 1; i < 16; i++)
    {
      gsize cut = i < 8 ? i * 16 : size * i / 16;
      GString *out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_assert_true (g_file_set_contents (f->path, bytes, (gssize) cut, NULL));
      assert_refused (f->path, PD_REPORT_ERROR_READ);
      g_assert_false (pd_report_read_db (f->path, out, &error));
      g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
      g_string_free (out, TRUE);
    }
}

/* Overwritten pages: either it is noticed, and nothing changes, or the rows
 * go to sound pages; never a crash, never a half-written file. */
static void
test_db_damaged (Fixture *f, gconstpointer data)
{
  (void) data;
  write_db (f->path, FALSE);
  g_autoptr (GBytes) whole = read_bytes (f->path);
  gsize size;
  const char *bytes = g_bytes_get_data (whole, &size);
  guint noticed = 0;

  for (gsize at = 4096; at < size; at += 4096)
    {
      g_autofree char *copy = g_malloc (size);
      memcpy (copy, bytes, size);
      g_autoptr (PdReport) report = make_report (2, FALSE);
      g_autoptr (GError) error = NULL;
      GString *out = g_string_new (NULL);
      memset (copy + at, 0x5a, 4096);
      g_assert_true (g_file_set_contents (f->path, copy, (gssize) size, NULL));
      g_autoptr (GBytes) before = g_bytes_new (copy, size);
      if (!pd_report_write_db (report, f->path, &error))
        {
          g_autoptr (GBytes) after = read_bytes (f->path);
          g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
          g_assert_true (g_bytes_equal (before, after));
          noticed++;
        }
      pd_report_read_db (f->path, out, NULL);
      g_string_free (out, TRUE);
    }
  g_assert_cmpuint (noticed, >, 0);
}

/* ---- targets that cannot be written */

static void
test_unwritable (Fixture *f, gconstpointer data)
{
  g_autoptr (PdReport) report = make_report (2, FALSE);
  g_autofree char *missing = g_build_filename (f->folder, "none", "results.sqlite", NULL);
  const char *paths[] = { missing, f->folder };
  g_autoptr (GString) text = g_string_new ("text");

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (pd_report_write_db (report, paths[i], &error));
      g_assert_true (g_error_matches (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE)
                     || g_error_matches (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ));
      g_clear_error (&error);
      g_assert_false (pd_report_save (paths[i], text, &error));
      g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE);
    }
  g_assert_false (g_file_test (missing, G_FILE_TEST_EXISTS));
}

static void
test_read_only (Fixture *f, gconstpointer data)
{
  (void) data;
  write_db (f->path, FALSE);
  g_assert_cmpint (g_chmod (f->path, 0444), ==, 0);
  if (access (f->path, W_OK) == 0)
    {
      g_test_skip ("this user may write read-only files");
      return;
    }
  assert_refused (f->path, PD_REPORT_ERROR_WRITE);
}

/* SQLite cannot start its journal: fails in the middle of the transaction,
 * whoever runs the test. */
static void
test_db_no_journal (Fixture *f, gconstpointer data)
{
  g_autofree char *journal = g_strconcat (f->path, "-journal", NULL);
  g_autoptr (PdReport) report = make_report (2, FALSE);
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_cmpint (g_mkdir (journal, 0777), ==, 0);
  g_assert_false (pd_report_write_db (report, f->path, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE);
  g_assert_false (g_file_test (f->path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (journal), ==, 0);

  write_db (f->path, FALSE);
  g_assert_cmpint (g_mkdir (journal, 0777), ==, 0);
  assert_refused (f->path, PD_REPORT_ERROR_WRITE);
  g_assert_cmpint (g_rmdir (journal), ==, 0);
}

static void
test_save (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) one = g_string_new ("one");
  g_autoptr (GString) two = g_string_new_len ("t\0wo", 4);
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_true (pd_report_save (f->path, one, &error));
  g_assert_true (pd_report_save (f->path, two, &error));
  g_assert_no_error (error);
  g_autoptr (GBytes) bytes = read_bytes (f->path);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 4);
  g_assert_cmpint (memcmp (g_bytes_get_data (bytes, NULL), two->str, 4), ==, 0);

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    return;
  g_assert_false (pd_report_save ("/dev/full", one, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE);
  g_assert_true (pd_report_save ("/dev/null", one, NULL));
}

static void
test_save_stdout (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GString) text = g_string_new ("to standard output\n");
      g_assert_true (pd_report_save ("-", text, NULL));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*to standard output\n*");
  g_assert_false (g_file_test ("-", G_FILE_TEST_EXISTS));
}

static void
test_input (Fixture *f, gconstpointer data)
{
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_true (g_file_set_contents (f->path, "abc", 3, NULL));
  g_assert_true (pd_report_add_input (report, f->path, &error));
  g_assert_cmpstr (g_array_index (report->inputs, PdReportInput, 0).sha256, ==, SHA_ABC);
  g_assert_cmpstr (g_array_index (report->inputs, PdReportInput, 0).name, ==, f->path);
  g_assert_false (pd_report_add_input (report, f->folder, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
  g_clear_error (&error);
  g_unlink (f->path);
  g_assert_false (pd_report_add_input (report, f->path, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
  g_assert_cmpuint (report->inputs->len, ==, 1);
}

/* ---- edges */

/* No runs, nothing filled: every writer copes. */
static void
test_empty (void)
{
  g_autoptr (PdReport) report = pd_report_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (golden); i++)
    {
      g_autofree char *text = write_to_string (report, golden[i].write);
      g_assert_cmpuint (strlen (text), >, 0);
    }
  g_autofree char *xml = write_to_string (report, pd_report_write_xml);
  g_autofree char *json = write_to_string (report, pd_report_write_json);
  g_autofree char *valid = query_json ("SELECT json_valid (?)", json);
  g_assert_cmpint (validate (xml), ==, 0);
  g_assert_cmpstr (valid, ==, "1");
}

static const struct
{
  PdWide value;
  const char *text;
} wide[] = { { 0, "0" },
             { 7, "7" },
             { G_MAXINT64, "9223372036854775807" },
             { (PdWide) G_MAXINT64 * 1000 + 7, "9223372036854775807007" } };

static void
test_wide (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wide); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      pd_report_append_wide (out, wide[i].value);
      g_assert_cmpstr (out->str, ==, wide[i].text);
    }
  g_assert_cmpint (pd_report_decimals (0.00542494), ==, 8);
  g_assert_cmpint (pd_report_decimals (123.456), ==, 3);
  g_assert_cmpint (pd_report_decimals (1e9), ==, 0);
  g_assert_cmpint (pd_report_decimals (1e-12), ==, 12);
}

static void
add_db_test (const char *path, gconstpointer data, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (pd_sqlite_load (NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (golden); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/golden/", golden[i].file, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_golden);
      g_autofree char *compact = g_strconcat ("/reports/compact/", golden[i].file, NULL);
      if (golden[i].write != write_words)
        g_test_add_data_func (compact, GSIZE_TO_POINTER (i), test_compact);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/sentence/", sentences[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_sentence);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/db/refused/", refused[i].name, NULL);
      add_db_test (path, GSIZE_TO_POINTER (i), test_db_refused);
    }
  g_test_add_func ("/reports/text/width", test_width);
  g_test_add_func ("/reports/text/cut", test_cut);
  g_test_add_func ("/reports/xml/schema", test_schema);
  g_test_add_func ("/reports/html/well-formed", test_html);
  g_test_add_func ("/reports/json/valid", test_json);
  g_test_add_func ("/reports/csv/rfc4180", test_csv);
  g_test_add_func ("/reports/man/characteristics", test_man_page);
  g_test_add_func ("/reports/xml/rows", test_schema_rows);
  g_test_add_func ("/reports/empty", test_empty);
  g_test_add_func ("/reports/numbers", test_wide);
  add_db_test ("/reports/db/round-trip", NULL, test_db_round_trip);
  add_db_test ("/reports/db/same-bytes", NULL, test_db_same_bytes);
  add_db_test ("/reports/db/initialised", NULL, test_db_initialised);
  add_db_test ("/reports/db/migrated", NULL, test_db_migrated);
  add_db_test ("/reports/db/migrated-2", NULL, test_db_migrated_later);
  add_db_test ("/reports/db/migrated-5", NULL, test_db_migrated_last);
  add_db_test ("/reports/db/recorded", NULL, test_db_recorded);
  g_test_add_func ("/reports/labels", test_labels);
  g_test_add_func ("/reports/recorded/texts", test_recorded_texts);
  g_test_add_func ("/reports/recorded/brief", test_recorded_brief);
  add_db_test ("/reports/mpi/db", NULL, test_mpi_db);
  g_test_add_func ("/reports/mpi/texts", test_mpi_texts);
  g_test_add_func ("/reports/mpi/schema", test_mpi_xml);
  add_db_test ("/reports/db/truncated", NULL, test_db_truncated);
  add_db_test ("/reports/db/damaged", NULL, test_db_damaged);
  add_db_test ("/reports/db/read-only", NULL, test_read_only);
  add_db_test ("/reports/db/no-journal", NULL, test_db_no_journal);
  add_db_test ("/reports/unwritable", NULL, test_unwritable);
  add_db_test ("/reports/save/file", NULL, test_save);
  g_test_add_func ("/reports/save/stdout", test_save_stdout);
  add_db_test ("/reports/input", NULL, test_input);
  return g_test_run ();
}
