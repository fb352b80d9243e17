/* A study whose worker is the process itself, and databases of its parts put together.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-sqlite.h"
#include "sweep/run/pd-in-process-worker.h"
#include "sweep/study/pd-study-merge.h"
#include "sweep/run/pd-sweep.h"
#include "tests/support/folders.h"
#include "tests/support/study-points.h"

#include <stdio.h>
#include <string.h>

/* Computes a part; returns the path of its file. */
static char *
run (TestStudyFolder *self, const PdStudy *study, gint64 shard, gint64 n_shards, GError **error)
{
  char *path = g_strdup_printf ("%s/%d-of-%d-%u", self->folder, (int) shard, (int) n_shards,
                                pd_study_get_n_axes (study));
  const PdStudyOrigin origin = { .shard = shard, .n_shards = n_shards };
  const PdSweepOptions options = { .shard = shard, .n_shards = n_shards, .no_times = TRUE };
  g_autoptr (GError) local = NULL;
  g_autoptr (PdStudyDb) db = pd_study_db_open (path, study, NULL, &origin, &local);
  PdSweepProgress progress;

  g_assert_no_error (local);
  g_autoptr (PdTransport) worker = pd_in_process_worker_new (study, &test_study_points);
  pd_sweep_run (study, db, worker, &options, &progress, error);
  return path;
}

static gint64
count (const char *path, const char *status)
{
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (path, NULL);
  g_autofree char *sql =
      g_strdup_printf ("SELECT count (*) FROM point WHERE status = '%s'", status);
  gint64 n = -1;

  g_assert_nonnull (db);
  g_assert_true (pd_report_db_get_integer (pd_study_db_get_sqlite (db), sql, &n));
  return n;
}

/* ---- the worker */

static void
test_own (TestStudyFolder *self, gconstpointer data)
{
  static const struct
  {
    const char *whats;
    gboolean broken;
    gboolean ok;
    gint64 n_done;
    gint64 n_failed;
  } cases[] = {
    { "fine", FALSE, TRUE, 10, 0 },
    { "fine,fail,other", FALSE, TRUE, 20, 10 },
    { "fine,fatal,other", FALSE, FALSE, 10, 0 },
    { "fine", TRUE, FALSE, 0, 0 },
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PdStudy) study =
          test_study_new (cases[i].whats, 10, cases[i].broken ? "broken" : NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *path = run (self, study, 1, 1, &error);
      if (cases[i].ok)
        g_assert_no_error (error);
      else
        g_assert_error (error, PD_SWEEP_ERROR, PD_SWEEP_ERROR_STUDY);
      g_assert_cmpint (count (path, "done"), ==, cases[i].n_done);
      g_assert_cmpint (count (path, "failed"), ==, cases[i].n_failed);
      g_assert_cmpint (remove (path), ==, 0);
    }
}

/* ---- parts */

static gboolean
merge (TestStudyFolder *self, const char *a, const char *b, PdStudyMerged *merged, GError **error)
{
  const char *const paths[] = { a, b, NULL };
  const PdStudyOrigin origin = { .command_line = NULL };

  return pd_study_merge (self->path, paths, NULL, &origin, merged, error);
}

static void
test_merge (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = test_study_new ("fine,fail,other", 10, NULL);
  g_autofree char *a = run (self, study, 1, 3, NULL), *b = run (self, study, 3, 3, NULL);
  g_autofree char *c = run (self, study, 2, 3, NULL);
  g_auto (PdStudyMerged) first = { .best = 0 }, second = { .best = 0 };
  g_autoptr (GError) error = NULL;

  (void) data;
  g_assert_true (merge (self, a, b, &first, &error));
  g_assert_no_error (error);
  g_assert_cmpint (first.n_points, ==, 30);
  g_assert_cmpint (first.n_done, ==, 20);
  g_assert_cmpint (first.n_shared, ==, 0);
  g_assert_cmpint (first.counts[PD_POINT_FAILED], ==, 6);
  g_assert_cmpstr (first.missing, ==, "1, 4, 7, 10, 13, 16, 19, 22, 25, 28");
  g_assert_cmpint (first.best, ==, 0);
  g_assert_cmpint (first.best_time.ps, ==, 1000);
  g_assert_cmpstr (first.best_text, ==, "what=fine n=1");
  /* into what is there */
  g_assert_true (merge (self, b, c, &second, &error));
  g_assert_cmpint (second.n_done, ==, 30);
  g_assert_cmpint (second.n_shared, ==, 10);
  g_assert_null (second.missing);
}

static void
test_refused (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = test_study_new ("fine,fail", 10, NULL),
                      other = test_study_new ("fine", 10, NULL);
  g_autofree char *a = run (self, study, 1, 2, NULL), *b = run (self, other, 2, 2, NULL);
  g_autofree char *text = g_build_filename (self->folder, "text", NULL);
  g_autofree char *empty = g_build_filename (self->folder, "empty", NULL);
  const struct
  {
    const char *a;
    const char *b;
    GQuark domain;
    int code;
  } cases[] = {
    { a, b, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS },
    { a, text, PD_REPORT_ERROR, PD_REPORT_ERROR_READ },
    { a, "nowhere", PD_REPORT_ERROR, PD_REPORT_ERROR_READ },
    { empty, empty, PD_REPORT_ERROR, PD_REPORT_ERROR_READ },
  };

  (void) data;
  g_assert_true (g_file_set_contents (text, "no database, whatever its name says", -1, NULL));
  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (PdStudyMerged) merged = { .best = 0 };
      g_autoptr (GError) error = NULL;
      g_assert_false (merge (self, cases[i].a, cases[i].b, &merged, &error));
      g_assert_true (g_error_matches (error, cases[i].domain, cases[i].code));
      g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
    }
}

/* A damaged part: an error, or what is left of it; never more, and no half file. */
static void
test_damaged (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = test_study_new ("fine,fail", 10, NULL);
  g_autofree char *a = run (self, study, 1, 2, NULL), *b = run (self, study, 2, 2, NULL);
  g_autofree char *bad = g_build_filename (self->folder, "bad", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree char *text = NULL;
  guint n_refused = 0;
  gsize size;

  (void) data;
  g_assert_true (g_file_get_contents (b, &text, &size, NULL));
  for (guint i = 0; i < 120; i++)
    {
      g_auto (PdStudyMerged) merged = { .best = 0 };
      g_autoptr (GError) error = NULL;
      g_autofree char *copy = g_malloc (size);
      memcpy (copy, text, size);
      for (guint k = 0; k < 8 && i >= 60; k++)
        copy[g_rand_int_range (rand, 0, (gint32) size)] = (char) g_rand_int_range (rand, 0, 256);
      gsize length = i < 60 ? 1 + size * i / 60 : size;
      g_assert_true (g_file_set_contents (bad, copy, (gssize) length, NULL));
      if (merge (self, a, bad, &merged, &error))
        {
          g_assert_no_error (error);
          g_assert_cmpint (merged.n_done, <=, 20);
          g_assert_cmpint (remove (self->path), ==, 0);
          continue;
        }
      g_assert_nonnull (error);
      g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
      n_refused++;
    }
  g_assert_cmpuint (n_refused, >=, 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/sweep/parts/own-worker", TestStudyFolder, NULL, test_study_folder_set_up, test_own,
              test_study_folder_tear_down);
  g_test_add ("/sweep/parts/merge", TestStudyFolder, NULL, test_study_folder_set_up, test_merge,
              test_study_folder_tear_down);
  g_test_add ("/sweep/parts/refused", TestStudyFolder, NULL, test_study_folder_set_up, test_refused,
              test_study_folder_tear_down);
  g_test_add ("/sweep/parts/damaged", TestStudyFolder, NULL, test_study_folder_set_up, test_damaged,
              test_study_folder_tear_down);
  return g_test_run ();
}
