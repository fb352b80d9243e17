/* Results of points as messages, and in the database of a study.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-sqlite.h"
#include "sweep/study/pd-result-message.h"
#include "sweep/study/pd-study-db.h"
#include "tests/support/folders.h"
#include "sweep/study/pd-study-db-add.h"

#include <glib/gstdio.h>
#include <string.h>

/* ---- messages */

/* A run of two processors with three intervals and a warning. */
static PdReportRun *
make_run (gint64 time)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);
  const PdIntervalKey outer = { PD_INTERVAL_SEQ, "a.fdv", 7, PD_INTERVAL_NO_INDEX, NULL };
  const PdIntervalKey inner = { PD_INTERVAL_USER, "a.fdv", 9, 3, "solve" };

  run->n_processors = 2;
  run->tree = pd_interval_tree_new (2);
  guint32 a = pd_interval_tree_child (run->tree, PD_INTERVAL_ROOT, &outer);
  guint32 b = pd_interval_tree_child (run->tree, a, &inner);
  for (guint32 p = 0; p < 2; p++)
    {
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_EXE_COUNT, p, PD_TIME (1));
      pd_interval_tree_add (run->tree, a, PD_Q_EXE_COUNT, p, PD_TIME (1));
      pd_interval_tree_add (run->tree, b, PD_Q_EXE_COUNT, p, PD_TIME (1));
      pd_interval_tree_add (run->tree, b, PD_Q_CPU_PAR, p, PD_TIME (time + p));
    }
  run->end_times = g_new0 (PdTime, 2);
  run->n_messages = 5;
  run->n_bytes.ps = 1000;
  run->messages = pd_messages_new ();
  pd_messages_add (run->messages, PD_SEVERITY_WARNING, "some-id", "subject", NULL, "a text");
  pd_messages_add (run->messages, PD_SEVERITY_NOTE, "other-id", NULL, NULL, "not kept");
  run->seconds = 0.25;
  return run;
}

static GByteArray *
make_message (gint64 point, gint64 time, gboolean per_processor)
{
  GByteArray *out = g_byte_array_new ();
  PdReportRun *run = make_run (time);

  pd_result_message_write_run (out, point, run, per_processor);
  pd_report_run_free (run);
  return out;
}

static void
test_message (void)
{
  g_autoptr (GByteArray) bytes = make_message (42, 1000, TRUE);
  g_auto (PdPointResult) result;
  g_autoptr (GError) error = NULL;

  pd_point_result_init (&result);
  /* a second time into the same one */
  for (guint i = 0; i < 2; i++)
    g_assert_true (pd_result_message_read (bytes->data, bytes->len, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpint (result.point, ==, 42);
  g_assert_cmpint (result.status, ==, PD_POINT_DONE);
  g_assert_cmpfloat (result.seconds, ==, 0.25);
  g_assert_cmpint (pd_point_result_find (&result, "execution_time_ps")->integer, ==, 1001);
  g_assert_cmpint (pd_point_result_find (&result, "messages")->integer, ==, 5);
  g_assert_cmpint (pd_point_result_find (&result, "warnings")->integer, ==, 1);
  g_assert_null (pd_point_result_find (&result, "nothing"));
  g_assert_cmpuint (result.intervals->len, ==, 3);
  const PdPointInterval *r = &g_array_index (result.intervals, PdPointInterval, 2);
  g_assert_cmpuint (r->parent, ==, 1);
  g_assert_cmpuint (r->depth, ==, 2);
  g_assert_cmpstr (r->name, ==, "solve");
  g_assert_cmpint (r->index, ==, 3);
  g_assert_cmpfloat (r->values[PD_C_CPU_TIME_PAR], ==, 2001e-12);
  g_assert_cmpuint (result.processors->len, ==, 6);
  g_assert_cmpint (g_array_index (result.processors, PdPointProcessor, 5).values[PD_C_CPU_TIME], ==,
                   1001);
  g_assert_cmpuint (result.warnings->len, ==, 1);
  g_assert_cmpstr (g_array_index (result.warnings, PdPointWarning, 0).subject, ==, "subject");
}

static void
test_message_failure (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_auto (PdPointResult) result;

  pd_point_result_init (&result);
  pd_result_message_write_failure (bytes, 7, PD_POINT_DEADLOCK, "who waits", 0.5);
  g_assert_true (pd_result_message_read (bytes->data, bytes->len, &result, NULL));
  g_assert_cmpint (result.status, ==, PD_POINT_DEADLOCK);
  g_assert_cmpstr (result.message, ==, "who waits");
  g_assert_cmpuint (result.intervals->len, ==, 0);
}

/* Cut at every byte, and with one more. */
static void
test_message_cut (void)
{
  g_autoptr (GByteArray) bytes = make_message (42, 1000, TRUE);
  g_auto (PdPointResult) result;

  pd_point_result_init (&result);
  for (gsize n = 0; n < bytes->len; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *cut = g_malloc (n + 1);
      memcpy (cut, bytes->data, n);
      g_assert_false (pd_result_message_read (cut, n, &result, &error));
      g_assert_error (error, PD_RESULT_ERROR, PD_RESULT_ERROR_TRUNCATED);
    }
  const guint8 zero = 0;
  g_byte_array_append (bytes, &zero, 1);
  g_assert_false (pd_result_message_read (bytes->data, bytes->len, &result, NULL));
}

/* Any byte may be another: an error or not, but no crash, and no memory for what is
 * not there. */
static void
test_message_changed (void)
{
  g_autoptr (GByteArray) bytes = make_message (42, 1000, TRUE);
  g_auto (PdPointResult) result;
  static const guint8 others[] = { 0, 1, 0x7f, 0x80, 0xff };

  pd_point_result_init (&result);
  for (gsize n = 0; n < bytes->len; n++)
    for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
      {
        guint8 was = bytes->data[n];
        bytes->data[n] = others[i];
        pd_result_message_read (bytes->data, bytes->len, &result, NULL);
        g_assert_cmpuint (result.intervals->len, <=, bytes->len);
        bytes->data[n] = was;
      }
}

/* ---- the database */

typedef struct
{
  char *folder;
  char *path;
  PdStudy *study;
} Fixture;

static PdStudy *
make_study (const char *values)
{
  PdStudy *study = pd_study_new (NULL);

  g_assert_true (pd_study_set (study, "machine", "m", NULL));
  g_assert_true (pd_study_add_axis (study, "a\"b", values, NULL));
  g_assert_true (pd_study_add_axis (study, "c", "x,y", NULL));
  g_assert_true (pd_study_complete (study, 1000, NULL));
  return study;
}

static void
set_up (Fixture *self, gconstpointer data)
{
  (void) data;
  self->folder = g_dir_make_tmp ("predictor-study-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->path = g_build_filename (self->folder, "study.sqlite", NULL);
  self->study = make_study ("1us,2us,3us");
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  (void) data;
  test_remove_all (self->folder);
  g_free (self->folder);
  g_free (self->path);
  pd_study_free (self->study);
}

static PdStudyDb *
open_db (const Fixture *self, const PdStudy *study, GError **error)
{
  const PdStudyOrigin origin = { .command_line = "test" };

  return pd_study_db_open (self->path, study, NULL, &origin, error);
}

static void
add (PdStudyDb *db, gint64 point, gint64 time)
{
  g_autoptr (GByteArray) bytes = time > 0 ? make_message (point, time, FALSE) : g_byte_array_new ();
  g_auto (PdPointResult) result;
  g_autoptr (GError) error = NULL;
  const PdStudyWork work = { .attempts = 1 };

  if (time == 0)
    pd_result_message_write_failure (bytes, point, PD_POINT_FAILED, "why", 0);
  pd_point_result_init (&result);
  g_assert_true (pd_result_message_read (bytes->data, bytes->len, &result, NULL));
  g_assert_true (pd_study_db_add (db, &result, &work, &error));
  g_assert_no_error (error);
}

static gint64
ask (PdStudyDb *db, const char *sql)
{
  gint64 value = -1;

  g_assert_true (pd_report_db_get_integer (pd_study_db_get_sqlite (db), sql, &value));
  return value;
}

/* What is committed is there again; what is not, is not. */
static void
test_continue (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 best;
  PdTime time;

  (void) data;
  g_autoptr (PdStudyDb) db = open_db (self, self->study, &error);
  g_assert_no_error (error);
  g_assert_false (pd_study_db_get_best (db, &best, &time));
  add (db, 4, 2000);
  add (db, 1, 0);
  add (db, 2, 1000);
  g_assert_true (pd_study_db_commit (db, NULL));
  add (db, 3, 10);
  pd_study_db_close (g_steal_pointer (&db));

  db = open_db (self, self->study, &error);
  g_assert_no_error (error);
  for (gint64 p = 0; p < 6; p++)
    g_assert_cmpint (pd_study_db_is_done (db, p), ==, p == 1 || p == 2 || p == 4);
  g_assert_cmpint (pd_study_db_count (db, PD_POINT_DONE), ==, 2);
  g_assert_cmpint (pd_study_db_count (db, PD_POINT_FAILED), ==, 1);
  g_assert_true (pd_study_db_get_best (db, &best, &time));
  g_assert_cmpint (best, ==, 2);
  g_assert_cmpint (time.ps, ==, 1001);
  g_assert_cmpint (ask (db, "SELECT count (*) FROM interval"), ==, 3);
  g_assert_cmpint (ask (db, "SELECT count (*) FROM result"), ==, 6);
  g_assert_cmpint (ask (db, "SELECT count (*) FROM point_value"), ==, 6);
  g_assert_cmpint (ask (db, "SELECT value_number FROM point_value WHERE point = 4 AND axis = 0"),
                   ==, 2);
  g_assert_cmpint (ask (db, "SELECT 1e9 * \"a\"\"b\" FROM points WHERE point = 4"), ==, 3000);
  g_assert_cmpint (ask (db, "SELECT c = 'x' FROM points WHERE point = 4"), ==, 1);
  g_assert_cmpint (ask (db, "SELECT execution_time_ps FROM points WHERE point = 4"), ==, 2001);
  /* one and the same place in all points */
  g_assert_cmpint (ask (db, "SELECT count (DISTINCT interval) FROM result"), ==, 3);
  add (db, 3, 10);
  g_assert_true (pd_study_db_commit (db, NULL));
}

/* Who reads sees what is committed, while it grows. */
static void
test_read (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdStudyDb) db = open_db (self, self->study, &error);

  (void) data;
  g_assert_no_error (error);
  add (db, 0, 1000);
  g_assert_true (pd_study_db_commit (db, NULL));
  g_autoptr (PdStudyDb) reader = pd_study_db_open_to_read (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ask (reader, "SELECT count (*) FROM point"), ==, 1);
  add (db, 1, 1000);
  g_assert_cmpint (ask (reader, "SELECT count (*) FROM point"), ==, 1);
  g_assert_true (pd_study_db_commit (db, NULL));
  g_assert_cmpint (ask (reader, "SELECT count (*) FROM point"), ==, 2);
  g_autoptr (PdStudy) study = pd_study_db_read_study (reader, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (pd_study_compare (study, self->study, NULL));

  /* but nobody else may add */
  g_assert_null (open_db (self, self->study, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_WRITE);
}

static void
execute (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* Files that are refused, and stay as they are. */
static void
test_refused (Fixture *self, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    int code;
  } files[] = {
    { "CREATE TABLE t (x)", PD_REPORT_ERROR_FOREIGN },
    { "PRAGMA application_id = 4711", PD_REPORT_ERROR_FOREIGN },
    { "PRAGMA application_id = 1349665891; PRAGMA user_version = 4", PD_REPORT_ERROR_FOREIGN },
    { "PRAGMA application_id = 1348752129; PRAGMA user_version = 2", PD_REPORT_ERROR_VERSION },
    { "PRAGMA application_id = 1348752129; PRAGMA user_version = 1", PD_REPORT_ERROR_READ },
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *before = NULL, *after = NULL;
      gsize n_before, n_after;
      g_unlink (self->path);
      execute (self->path, files[i].sql);
      g_assert_true (g_file_get_contents (self->path, &before, &n_before, NULL));
      g_assert_null (open_db (self, self->study, &error));
      g_assert_error (error, PD_REPORT_ERROR, files[i].code);
      g_assert_true (g_file_get_contents (self->path, &after, &n_after, NULL));
      g_assert_true (n_before == n_after && memcmp (before, after, n_before) == 0);
    }
}

static void
test_not_there (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_null (pd_study_db_open_to_read (self->path, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (self->path, "no database at all", -1, NULL));
  g_assert_null (open_db (self, self->study, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
}

/* Another study, another part of it, another version of an input or of the program. */
static void
test_other (Fixture *self, gconstpointer data)
{
  g_autoptr (PdStudy) other = make_study ("1us,2us,4us");
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (PdStudyInput));
  PdStudyInput input = { .name = (char *) "t.ti", .sha256 = (char *) "abc" };
  PdStudyOrigin origin = { .inputs = inputs };
  g_autoptr (GError) error = NULL;

  (void) data;
  g_array_append_val (inputs, input);
  pd_study_db_close (pd_study_db_open (self->path, self->study, NULL, &origin, &error));
  g_assert_no_error (error);

  g_assert_null (pd_study_db_open (self->path, other, NULL, &origin, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS);
  g_assert_nonnull (strstr (error->message, "axis 'a\"b'"));
  g_clear_error (&error);

  origin.shard = 1;
  origin.n_shards = 2;
  g_assert_null (pd_study_db_open (self->path, self->study, NULL, &origin, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS);
  g_clear_error (&error);
  origin.n_shards = 0;

  g_array_index (inputs, PdStudyInput, 0).sha256 = (char *) "abd";
  g_assert_null (pd_study_db_open (self->path, self->study, NULL, &origin, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS);
  g_clear_error (&error);
  g_array_index (inputs, PdStudyInput, 0).sha256 = (char *) "abc";

  pd_study_db_close (pd_study_db_open (self->path, self->study, NULL, &origin, &error));
  g_assert_no_error (error);
  execute (self->path, "UPDATE study SET program_version = '0.0'");
  g_assert_null (pd_study_db_open (self->path, self->study, NULL, &origin, &error));
  g_assert_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS);
}

/* A damaged file: cut, or with a point that the study does not have. */
static void
test_damaged (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = NULL;
  gsize size;

  (void) data;
  g_autoptr (PdStudyDb) db = open_db (self, self->study, &error);
  add (db, 0, 1000);
  g_assert_true (pd_study_db_commit (db, NULL));
  pd_study_db_close (g_steal_pointer (&db));
  g_assert_true (g_file_get_contents (self->path, &whole, &size, NULL));
  for (gsize n = 1; n < size; n += n < 200 ? 7 : 997)
    {
      g_assert_true (g_file_set_contents (self->path, whole, (gssize) n, NULL));
      g_autoptr (PdStudyDb) cut = open_db (self, self->study, &error);
      g_assert_null (cut);
      g_assert_true (error->domain == PD_REPORT_ERROR);
      g_clear_error (&error);
    }
  g_assert_true (g_file_set_contents (self->path, whole, (gssize) size, NULL));
  execute (self->path, "INSERT INTO point VALUES (6, 'done', '')");
  g_assert_null (open_db (self, self->study, &error));
  g_assert_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/sweep/db/continue", test_continue }, { "/sweep/db/read", test_read },
    { "/sweep/db/refused", test_refused },   { "/sweep/db/not-there", test_not_there },
    { "/sweep/db/other", test_other },       { "/sweep/db/damaged", test_damaged },
  };

  g_test_init (&argc, &argv, NULL);
  g_assert_true (pd_sqlite_load (NULL));
  g_test_add_func ("/sweep/message/run", test_message);
  g_test_add_func ("/sweep/message/failure", test_message_failure);
  g_test_add_func ("/sweep/message/cut", test_message_cut);
  g_test_add_func ("/sweep/message/changed", test_message_changed);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
