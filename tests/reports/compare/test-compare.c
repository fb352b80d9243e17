/* Two runs compared, and the readers of stored runs: whatever a file holds, there is a
 * run or an error.
 * SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare.h"
#include "reports/results/pd-results-read.h"
#include "reports/results/pd-results-xml.h"
#include "reports/run/pd-report-db.h"
#include "reports/run/pd-report-xml.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#define MS (1000 * PD_PS_PER_US)

/* ---- runs made by hand */

static void
charge (PdIntervalTree *tree, guint32 node, PdQuantity q, guint32 p, gint64 ms)
{
  pd_interval_tree_add (tree, node, q, p, PD_TIME (ms * MS));
}

/* Of 2 ranks: @outside ms of computation, then an interval with the rest. */
static PdReport *
make_report (const char *name, gint64 outside, gint64 computation, gint64 waiting)
{
  const PdIntervalKey key = { PD_INTERVAL_USER, "a.c", 3, PD_INTERVAL_NO_INDEX, name };
  PdReport *report = pd_report_new ();
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->tree = pd_interval_tree_new_mpi (2);
  guint32 node = pd_interval_tree_child (run->tree, PD_INTERVAL_ROOT, &key);
  for (guint32 p = 0; p < 2; p++)
    {
      charge (run->tree, PD_INTERVAL_ROOT, PD_Q_CPU_SEQ, p, outside);
      pd_interval_tree_add (run->tree, node, PD_Q_EXE_COUNT, p, PD_TIME (1));
      charge (run->tree, node, PD_Q_CPU_SEQ, p, computation);
      charge (run->tree, node, PD_Q_SENDRECV, p, waiting);
    }
  run->n_processors = 2;
  run->end_times = g_new0 (PdTime, 2);
  report->machine = g_strdup ("ideal");
  pd_report_add_run (report, run);
  return report;
}

static PdCompareSide
make_side (const char *name, gint64 outside, gint64 computation, gint64 waiting)
{
  g_autoptr (PdReport) report = make_report (name, outside, computation, waiting);
  PdCompareSide side = { g_strdup ("made"), 0, g_strdup (""),
                         g_ptr_array_steal_index (report->runs, 0), NULL };

  return side;
}

/* ---- what explains a difference */

static const struct
{
  const char *name;
  gint64 a[3], b[3]; /* outside, computation, waiting */
  const char *sentences;
} cases[] = {
  { "same", { 1, 2, 3 }, { 1, 2, 3 }, "A and B take the same time, 0.00600000 s." },
  { "inside",
    { 1, 2, 3 },
    { 1, 8, 3 },
    "B takes 6 ms more than A (100.00 %): 0.0120000 s instead of 0.0060000 s. Computation is 6 ms "
    "more per "
    "processor, most in USER loop a.c:3 (6 ms more)." },
  { "outside",
    { 11, 2, 3 },
    { 3, 2, 3 },
    "B takes 8 ms less than A (50.00 %): 0.0080000 s instead of 0.0160000 s. Computation is 8 ms "
    "less per "
    "processor, most outside the intervals (8 ms less)." },
  { "both-ways",
    { 1, 2, 3 },
    { 1, 1, 10 },
    "B takes 6 ms more than A (100.00 %): 0.0120000 s instead of 0.0060000 s. SendRecv_time is 7 "
    "ms more per "
    "processor, most in USER loop a.c:3 (7 ms more)." },
  { "but",
    { 1, 4, 3 },
    { 1, 2, 9 },
    "B takes 4 ms more than A (50.00 %): 0.0120000 s instead of 0.0080000 s. SendRecv_time is 6 ms "
    "more per "
    "processor, most in USER loop a.c:3 (6 ms more); but computation is 2 ms less per processor, "
    "most in USER loop a.c:3 (2 ms less)." },
  { "exchanged",
    { 1, 4, 3 },
    { 1, 3, 4 },
    "A and B take the same time, 0.00800000 s. SendRecv_time is 1 ms more per processor, most in "
    "USER loop "
    "a.c:3 (1 ms more); but computation is 1 ms less per processor, most in USER loop a.c:3 (1 ms "
    "less)." },
  { "from-nothing",
    { 0, 0, 0 },
    { 0, 0, 5 },
    "B takes 5 ms more than A: 0.00500000 s instead of 0.00000000 s. SendRecv_time is 5 ms more "
    "per "
    "processor, most in USER loop a.c:3 (5 ms more)." },
};

static void
test_explained (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const PdCompareOptions options = { .level = 9, .tolerance = -1 };
  PdCompareSide a = make_side ("loop", cases[i].a[0], cases[i].a[1], cases[i].a[2]);
  PdCompareSide b = make_side ("loop", cases[i].b[0], cases[i].b[1], cases[i].b[2]);
  g_autoptr (PdCompare) compare = pd_compare_new (&a, &b, &options);

  g_ptr_array_add (compare->sentences, NULL);
  g_autofree char *text = g_strjoinv (" ", (char **) compare->sentences->pdata);
  g_assert_cmpstr (text, ==, cases[i].sentences);
}

/* What only one run has counts as far off, up to the level. */
static void
test_alone (void)
{
  PdCompareOptions options = { .level = 1,
                               .tolerance = 1000,
                               .wanted = { [PD_C_EXECUTION_TIME] = TRUE } };

  for (; options.level >= 0; options.level--)
    {
      PdCompareSide a = make_side ("one", 1, 2, 3), b = make_side ("two", 1, 2, 3);
      g_autoptr (PdCompare) compare = pd_compare_new (&a, &b, &options);
      g_assert_cmpuint (compare->pairs->len, ==, 3);
      g_assert_cmpuint (compare->n_compared, ==, options.level == 0 ? 1 : 3);
      g_assert_cmpuint (compare->n_beyond, ==, options.level == 0 ? 0 : 2);
      g_assert_cmpuint (compare->notes->len, ==, 1);
    }
}

/* ---- XML */

static GBytes *
write_xml (void)
{
  g_autoptr (PdReport) report = make_report ("a<b", 1, 2, 3);
  g_autoptr (GString) out = g_string_new (NULL);

  pd_report_write_xml (report, out);
  return g_bytes_new (out->str, out->len);
}

static gboolean
parse (GBytes *bytes, gint64 id, PdStoredRun *stored)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_results_parse_xml (bytes, "test", id, stored, &error);

  if (!ok)
    g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
  g_assert_true (ok == (error == NULL));
  return ok;
}

static void
test_xml_exact (void)
{
  g_autoptr (GBytes) bytes = write_xml ();
  g_auto (PdStoredRun) stored = { 0 };

  g_assert_true (parse (bytes, 1, &stored));
  g_assert_cmpuint (stored.run->results->len, ==, 2);
  const PdIntervalResult *r = &g_array_index (stored.run->results, PdIntervalResult, 1);
  g_assert_cmpstr (r->name, ==, "a<b");
  g_assert_cmpint (r->index, ==, PD_INTERVAL_NO_INDEX);
  g_assert_true (r->values[PD_C_SENDRECV_TIME].sum.ps == 6 * MS);
  g_assert_true (r->total_time.ps == 10 * MS);
  g_assert_cmpstr (stored.machine, ==, "ideal");
}

/* Operations and counts are read again. */
static void
test_xml_operations (void)
{
  const PdOperationKind kind = PD_OPERATION_PIPELINE;
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_autoptr (GString) out = g_string_new (NULL);
  g_auto (PdStoredRun) stored = { 0 };

  run->n_processors = 2;
  run->grid = g_strdup ("2");
  run->messages = pd_messages_new ();
  run->end_times = g_new0 (PdTime, 2);
  run->tree = pd_interval_tree_new (2);
  for (guint32 p = 0; p < 2; p++)
    for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
      pd_interval_tree_add (run->tree, 0, pd_operation_quantity (kind, t), p, PD_TIME (5 - t + p));
  pd_interval_tree_add (run->tree, 0, pd_operation_counter (kind), 1, PD_TIME (3));
  pd_report_add_run (report, run);
  pd_report_write_xml (report, out);
  g_autoptr (GBytes) bytes = g_bytes_new (out->str, out->len);
  g_assert_true (parse (bytes, 1, &stored));
  const PdIntervalResult *r = &g_array_index (stored.run->results, PdIntervalResult, 0);
  g_assert_cmpuint (r->counts[pd_operation_counter (kind) - PD_N_TIMES], ==, 3);
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    g_assert_true (r->operations[kind][t].ps == 2 * (5 - t) + 1);
}

static void
test_xml_cut (void)
{
  g_autoptr (GBytes) bytes = write_xml ();

  for (gsize n = 0; n + 1 < g_bytes_get_size (bytes); n++)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, n);
      PdStoredRun stored = { 0 };
      g_assert_false (parse (part, 0, &stored));
    }
}

static const struct
{
  const char *from, *to;
} spoilt_xml[] = {
  { "<report ", "<machine " },
  { "processors=\"2\"", "processors=\"0\"" },
  { "processors=\"2\"", "processors=\"1000000000000\"" },
  { "type=\"MAIN\"", "type=\"MINE\"" },
  { "line=\"3\"", "line=\"9223372036854775808\"" },
  { "line=\"3\"", "line=\"three\"" },
  { "total_time=\"0.012", "total_time=\"1e9" },
  { "sum=\"0.006000000000\"", "sum=\"0.00600000000\"" },
  { "sum=\"0.006000000000\"", "sum=\"9999999999999999.000000000000\"" },
  { "sum=\"0.006000000000\"", "sum=\"-0.006000000000\"" },
  { "id=\"idle\"", "id=\"idler\"" },
  { "<interval", "<period" },
  { "<run", "<walk" },
};

static void
test_xml_spoilt (void)
{
  g_autoptr (GBytes) bytes = write_xml ();
  const char *text = g_bytes_get_data (bytes, NULL);
  g_autofree char *copy = g_strndup (text, g_bytes_get_size (bytes));

  for (gsize i = 0; i < G_N_ELEMENTS (spoilt_xml); i++)
    {
      g_auto (GStrv) parts = g_strsplit (copy, spoilt_xml[i].from, -1);
      g_assert_nonnull (parts[1]);
      g_autofree char *spoilt = g_strjoinv (spoilt_xml[i].to, parts);
      g_autoptr (GBytes) bad = g_bytes_new (spoilt, strlen (spoilt));
      PdStoredRun stored = { 0 };
      g_assert_false (parse (bad, 0, &stored));
    }
}

/* ---- databases */

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (PdReport) report = make_report ("loop", 1, 2, 3);

  (void) data;
  f->folder = g_dir_make_tmp ("predictor-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "r.sqlite", NULL);
  g_assert_true (pd_report_write_db (report, f->path, NULL));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  (void) data;
  g_unlink (f->path);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
  g_free (f->path);
}

static gboolean
read_db (const Fixture *f, gint64 id, PdStoredRun *stored)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_results_read_run (f->path, id, stored, &error);

  g_assert_true (ok == (error == NULL));
  return ok;
}

static void
test_db_exact (Fixture *f, gconstpointer data)
{
  g_auto (PdStoredRun) stored = { 0 };

  (void) data;
  g_assert_true (read_db (f, 1, &stored));
  const PdIntervalResult *r = &g_array_index (stored.run->results, PdIntervalResult, 1);
  g_assert_cmpstr (r->name, ==, "loop");
  g_assert_true (r->values[PD_C_SENDRECV_TIME].sum.ps == 6 * MS);
  g_assert_cmpuint (r->depth, ==, 1);
}

static const char *const spoilt_db[] = {
  "UPDATE interval SET communication = 9e999",
  "UPDATE interval SET idle = -1e30",
  "UPDATE interval SET total_time = 'x' || 1e300, idle = 1e300",
  "UPDATE interval SET type = 'MINE' WHERE node = 1",
  "UPDATE interval SET parent = 1 WHERE node = 1",
  "UPDATE interval SET parent = -5 WHERE node = 1",
  "UPDATE interval SET parent = 4294967296 WHERE node = 1",
  "UPDATE interval SET node = 7 WHERE node = 1",
  "INSERT INTO operation VALUES (1, 0, 'mine', 1, 0, 0, 0, 0, 0)",
  "INSERT INTO operation VALUES (1, 7, 'io', 1, 0, 0, 0, 0, 0)",
  "INSERT INTO operation VALUES (1, 0, 'io', 1, 0, 0, 0, 0, 1e300)",
  "DROP TABLE operation",
  "DELETE FROM interval",
  "DELETE FROM run",
  "DROP VIEW lost; DROP VIEW summary; ALTER TABLE interval DROP COLUMN idle",
};

static void
test_db_spoilt (Fixture *f, gconstpointer data)
{
  const char *sql = data;
  PdStoredRun stored = { 0 };
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (f->path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  g_assert_false (read_db (f, 0, &stored));
}

/* Each page cut short, and bytes overwritten at many places: a run or an error. */
static void
test_db_bytes (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;
  gsize size;
  guint n_refused = 0;

  (void) data;
  g_assert_true (g_file_get_contents (f->path, &text, &size, NULL));
  for (gsize at = 1; at < size; at += 509)
    for (guint cut = 0; cut < 2; cut++)
      {
        g_auto (PdStoredRun) stored = { 0 };
        g_autofree char *copy = memcpy (g_malloc (size), text, size);
        memset (copy + at, 0xa5, MIN (7, size - at));
        g_assert_true (g_file_set_contents (f->path, copy, (gssize) (cut ? at : size), NULL));
        n_refused += read_db (f, 0, &stored) ? 0 : 1;
        g_assert_true (!cut || stored.run == NULL);
      }
  g_assert_cmpuint (n_refused, >=, size / 509);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (pd_sqlite_load (NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/compare/explained/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_explained);
    }
  g_test_add_func ("/compare/alone", test_alone);
  g_test_add_func ("/compare/xml/exact", test_xml_exact);
  g_test_add_func ("/compare/xml/operations", test_xml_operations);
  g_test_add_func ("/compare/xml/cut", test_xml_cut);
  g_test_add_func ("/compare/xml/spoilt", test_xml_spoilt);
  g_test_add ("/compare/db/exact", Fixture, NULL, set_up, test_db_exact, tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (spoilt_db); i++)
    {
      g_autofree char *path = g_strdup_printf ("/compare/db/spoilt/%zu", i);
      g_test_add (path, Fixture, spoilt_db[i], set_up, test_db_spoilt, tear_down);
    }
  g_test_add ("/compare/db/bytes", Fixture, NULL, set_up, test_db_bytes, tear_down);
  return g_test_run ();
}
