/* Computing a study: who gets what, workers that die, and that the file does not tell.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "reports/run/pd-report-sqlite.h"
#include "sweep/run/pd-input-message.h"
#include "sweep/run/pd-coordinator.h"
#include "sweep/run/pd-frame.h"
#include "sweep/run/pd-local-workers.h"
#include "sweep/run/pd-sweep.h"
#include "sweep/run/pd-worker.h"
#include "tests/support/folders.h"
#include "tests/support/study-points.h"
#include "reports/results/pd-results-db.h"
#include "sweep/run/pd-local-link.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- the coordinator alone */

static gboolean
skip_odd (gpointer data, gint64 point)
{
  (void) data;
  return point % 2 != 0;
}

/* In order, without those that are skipped, each once; long batches only of cheap points. */
static void
test_order (void)
{
  g_autoptr (PdCoordinator) c = pd_coordinator_new (20000, 1, skip_odd, NULL);
  gint64 points[PD_COORDINATOR_MAX_BATCH], expected = 0;
  guint attempts, longest = 0;

  g_assert_cmpint (pd_coordinator_get_n_left (c), ==, 10000);
  while (pd_coordinator_get_n_left (c) > 0)
    {
      guint n = pd_coordinator_give (c, 0, points);
      g_assert_cmpuint (n, >, 0);
      longest = MAX (longest, n);
      for (guint i = 0; i < n; i++, expected += 2)
        {
          g_assert_cmpint (points[i], ==, expected);
          g_assert_true (pd_coordinator_finish (c, 0, points[i], 500, &attempts));
          g_assert_cmpuint (attempts, ==, 1);
        }
    }
  g_assert_cmpint (expected, ==, 20000);
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 0);
  g_assert_cmpuint (longest, ==, 100); /* of what costs half a millisecond */
}

/* Dear points go one by one, and what nobody has asked for is refused. */
static void
test_dear (void)
{
  g_autoptr (PdCoordinator) c = pd_coordinator_new (100, 2, NULL, NULL);
  gint64 points[PD_COORDINATOR_MAX_BATCH];
  guint attempts;

  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 1);
  g_assert_false (pd_coordinator_finish (c, 0, 5, 1, &attempts));
  g_assert_false (pd_coordinator_finish (c, 1, 0, 1, &attempts));
  g_assert_true (pd_coordinator_finish (c, 0, 0, 10000000, &attempts));
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 1);
  g_assert_cmpuint (pd_coordinator_give (c, 1, points), ==, 1);
  /* one is under way, and none waits behind it: it may be the last */
  g_assert_cmpuint (pd_coordinator_give (c, 1, points), ==, 0);
}

/* Workers that die at random: every point is finished once or given up after as many
 * attempts as it has, and the deadly ones are. */
static void
test_deaths (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 50; round++)
    {
      gint64 n = g_rand_int_range (rand, 1, 400);
      guint n_workers = (guint) g_rand_int_range (rand, 1, 6);
      gint64 deadly = g_rand_int_range (rand, 2, 50);
      g_autoptr (PdCoordinator) c = pd_coordinator_new (n, n_workers, NULL, NULL);
      g_autofree guint8 *ended = g_new0 (guint8, n);
      g_autoptr (GPtrArray) queues = g_ptr_array_new_with_free_func ((GDestroyNotify) g_queue_free);
      gint64 points[PD_COORDINATOR_MAX_BATCH], point;
      guint attempts;
      for (guint w = 0; w < n_workers; w++)
        g_ptr_array_add (queues, g_queue_new ());
      while (pd_coordinator_get_n_left (c) > 0)
        {
          guint w = (guint) g_rand_int_range (rand, 0, (gint32) n_workers);
          GQueue *queue = g_ptr_array_index (queues, w);
          guint got = pd_coordinator_give (c, w, points);
          for (guint i = 0; i < got; i++)
            g_queue_push_tail (queue, GINT_TO_POINTER ((gint) points[i] + 1));
          g_assert_cmpuint (queue->length, ==, pd_coordinator_get_n_given (c, w));
          if (queue->length == 0)
            continue;
          point = GPOINTER_TO_INT (g_queue_peek_head (queue)) - 1;
          gboolean dies = point % deadly == 0;
          if (!dies && g_rand_int_range (rand, 0, 20) > 0)
            {
              g_queue_pop_head (queue);
              g_assert_true (pd_coordinator_finish (c, w, point, g_rand_int_range (rand, 1, 100000),
                                                    &attempts));
              ended[point]++;
              continue;
            }
          g_queue_clear (queue);
          gint64 suspect;
          gboolean killed = !dies;
          if (pd_coordinator_lose (c, w, killed, &suspect, &attempts))
            {
              g_assert_cmpuint (attempts, >=,
                                killed ? PD_COORDINATOR_ATTEMPTS_KILLED : PD_COORDINATOR_ATTEMPTS);
              ended[suspect]++;
            }
          g_assert_cmpint (suspect, ==, point);
        }
      for (gint64 p = 0; p < n; p++)
        g_assert_cmpuint (ended[p], ==, 1);
    }
}

/* A point that a worker has died of is tried alone. */
static void
test_alone (void)
{
  g_autoptr (PdCoordinator) c = pd_coordinator_new (1000, 1, NULL, NULL);
  gint64 points[PD_COORDINATOR_MAX_BATCH], point;
  guint attempts;

  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 1);
  g_assert_true (pd_coordinator_finish (c, 0, 0, 1000, &attempts));
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 50);
  g_assert_true (pd_coordinator_finish (c, 0, 1, 1000, &attempts));
  g_assert_false (pd_coordinator_lose (c, 0, FALSE, &point, &attempts));
  g_assert_cmpint (point, ==, 2);
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 1);
  g_assert_cmpint (points[0], ==, 2);
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), ==, 0);
  g_assert_true (pd_coordinator_lose (c, 0, FALSE, &point, &attempts));
  g_assert_cmpuint (attempts, ==, 2);
  g_assert_cmpuint (pd_coordinator_give (c, 0, points), >, 1);
  g_assert_cmpint (points[0], ==, 3);
  g_assert_cmpint (pd_coordinator_get_n_left (c), ==, 997);
}

/* ---- workers */

static int
work (gpointer data, int fd)
{
  PdWorkerLink *link = pd_local_link_new (fd);

  (void) data;
  gboolean ok = pd_worker_run (link, &test_study_points, NULL, NULL);
  pd_local_link_free (link);
  return ok ? 0 : 1;
}

static int
work_never (gpointer data, int fd)
{
  (void) data, (void) fd;
  return 3;
}

/* Sends a frame that no worker may. */
static int
work_badly (gpointer data, int fd)
{
  static const guint8 head[] = { 0xff, 0xff, 0xff, 0xff, 9, 0, 0, 0 };

  (void) data;
  if (write (fd, head, sizeof head) != sizeof head)
    return 1;
  g_usleep (10000000);
  return 0;
}

/* Everything but the table work, as text. */
static char *
dump (const char *path)
{
  static const char *const tables[] = { "point", "point_value", "figure", "interval", "result" };
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (path, NULL);
  GString *text = g_string_new (NULL);

  g_assert_nonnull (db);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s ORDER BY 1, 2, 3", tables[i]);
      g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (pd_study_db_get_sqlite (db), sql, 0, NULL);
      while (pd_report_db_next (pd_study_db_get_sqlite (db), s, NULL))
        {
          for (int c = 0; c < sqlite3_column_count (s); c++)
            g_string_append_printf (text, "|%s", (const char *) sqlite3_column_text (s, c));
          g_string_append_c (text, '\n');
        }
    }
  return g_string_free (text, FALSE);
}

static gboolean
run (const char *path, const PdStudy *study, guint n_workers, PdLocalWorkerFunc func,
     PdSweepProgress *progress, GError **error)
{
  const PdStudyOrigin origin = { .command_line = NULL };
  const PdSweepOptions options = { .stop = NULL };
  g_autoptr (GError) local = NULL;
  g_autoptr (PdStudyDb) db = pd_study_db_open (path, study, NULL, &origin, &local);

  g_assert_no_error (local);
  g_autoptr (PdTransport) workers = pd_local_workers_new (n_workers, NULL, func, NULL, &local);
  g_assert_no_error (local);
  return pd_sweep_run (study, db, workers, &options, progress, error);
}

/* Points that crash, that are killed, that exit, that fail: the file does not depend on the
 * number of workers. */
static void
test_statuses (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = test_study_new ("fine,crash,slow,kill,fail,exit,slow2", 12, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *other = g_strconcat (self->path, "2", NULL);
  PdSweepProgress progress;

  (void) data;
  g_assert_true (run (self->path, study, 1, work, &progress, &error));
  g_assert_no_error (error);
  g_assert_cmpint (progress.n, ==, 84);
  g_assert_cmpint (progress.n_done, ==, 84);
  g_assert_cmpint (progress.n_new, ==, 84);
  g_assert_true (run (other, study, 4, work, &progress, &error));
  g_assert_no_error (error);

  g_autofree char *a = dump (self->path), *b = dump (other);
  g_assert_cmpstr (a, ==, b);
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (self->path, NULL);
  static const struct
  {
    const char *status;
    const char *word;
    gint64 n;
  } expected[] = { { "done", "", 36 },
                   { "failed", "a failure", 12 },
                   { "crashed", "signal 11", 12 },
                   { "crashed", "signal 9", 12 },
                   { "crashed", "exit status 9", 12 } };
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *sql = g_strdup_printf (
          "SELECT count (*) FROM point WHERE status = '%s' AND message LIKE '%%%s%%'",
          expected[i].status, expected[i].word);
      gint64 n = -1;
      g_assert_true (pd_report_db_get_integer (pd_study_db_get_sqlite (db), sql, &n));
      g_assert_cmpint (n, ==, expected[i].n);
    }
  /* what is there is not computed again */
  g_assert_true (run (other, study, 2, work, &progress, &error));
  g_assert_cmpint (progress.n_new, ==, 0);
  g_assert_cmpint (progress.n_done, ==, 84);
}

/* Errors of the whole study; what was finished before stays. */
static void
test_fatal (TestStudyFolder *self, gconstpointer data)
{
  static const struct
  {
    const char *whats;
    PdLocalWorkerFunc func;
    GQuark (*domain) (void);
    int code;
    gint64 n;
  } cases[] = {
    { "fine,fatal", work, pd_sweep_error_quark, PD_SWEEP_ERROR_STUDY, 20 },
    { "fine,nonsense", work, pd_transport_error_quark, PD_TRANSPORT_ERROR_BROKEN, 20 },
    { "fine", work_never, pd_sweep_error_quark, PD_SWEEP_ERROR_WORKERS, 0 },
    { "fine", work_badly, pd_sweep_error_quark, PD_SWEEP_ERROR_WORKERS, 0 },
  };

  (void) data;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s%u", self->path, (guint) i);
      g_autoptr (PdStudy) study = test_study_new (cases[i].whats, 20, NULL);
      g_autoptr (GError) error = NULL;
      PdSweepProgress progress;
      gint64 n = -1;
      g_assert_false (run (path, study, 1, cases[i].func, &progress, &error));
      g_assert_true (g_error_matches (error, cases[i].domain (), cases[i].code));
      g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (path, NULL);
      g_assert_true (pd_report_db_get_integer (pd_study_db_get_sqlite (db),
                                               "SELECT count (*) FROM point", &n));
      g_assert_cmpint (n, ==, cases[i].n);
    }
}

/* A worker that cannot begin says why. */
static void
test_broken (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;
  PdSweepProgress progress;

  (void) data;
  g_assert_true (pd_study_set (study, "broken", "yes", NULL));
  g_assert_true (pd_study_add_axis (study, "what", "fine", NULL));
  g_assert_true (pd_study_complete (study, 10, NULL));
  g_assert_false (run (self->path, study, 1, work, &progress, &error));
  g_assert_error (error, PD_SWEEP_ERROR, PD_SWEEP_ERROR_STUDY);
}

static volatile sig_atomic_t stop;

static void
stop_after_some (gpointer data, const PdSweepProgress *progress)
{
  (void) data;
  stop = progress->n_new >= 30;
}

/* Interrupted and continued, in shards, it is the same as in one piece. */
static void
test_pieces (TestStudyFolder *self, gconstpointer data)
{
  g_autoptr (PdStudy) study = test_study_new ("slow,fine,slow2", 40, NULL);
  const PdStudyOrigin origin = { .command_line = NULL };
  PdSweepOptions options = { .stop = &stop, .progress = stop_after_some };
  g_autofree char *other = g_strconcat (self->path, "2", NULL);
  PdSweepProgress progress = { .n = 0 };
  guint n_pieces = 0;

  (void) data;
  g_assert_true (run (other, study, 2, work, &progress, NULL));
  g_autofree char *whole = dump (other);
  for (gint64 shard = 1; shard <= 2; n_pieces++)
    {
      g_autoptr (PdStudyDb) db = pd_study_db_open (self->path, study, NULL, &origin, NULL);
      g_autoptr (PdTransport) workers = pd_local_workers_new (2, NULL, work, NULL, NULL);
      options.shard = shard;
      options.n_shards = 2;
      stop = 0;
      g_assert_true (pd_sweep_run (study, db, workers, &options, &progress, NULL));
      g_assert_cmpint (progress.n, ==, 60);
      g_assert_cmpint (progress.interrupted, ==, progress.n_done < 60);
      shard += progress.n_done == 60;
    }
  g_assert_cmpuint (n_pieces, >, 2);
  g_autofree char *pieces = dump (self->path);
  g_assert_cmpstr (pieces, ==, whole);
}

/* ---- frames */

static void
test_frames (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  PdFrameKind kind;
  gsize length;

  pd_frame_append (bytes, PD_FRAME_RESULT, "abc", 3);
  for (gsize n = 0; n < bytes->len; n++)
    {
      g_assert_true (pd_frame_parse (bytes->data, n, &kind, &length, NULL));
      g_assert_cmpuint (length, ==, n < PD_FRAME_HEAD ? 0 : 3);
    }
  g_assert_cmpint (kind, ==, PD_FRAME_RESULT);
  bytes->data[4] = PD_N_FRAMES;
  g_assert_false (pd_frame_parse (bytes->data, bytes->len, &kind, &length, &error));
  g_assert_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN);
  bytes->data[4] = 0;
  bytes->data[3] = 0x7f;
  g_assert_false (pd_frame_parse (bytes->data, bytes->len, &kind, &length, NULL));
}

/* ---- inputs as a message, cut everywhere */

static void
check_cut (const GByteArray *message, guint size, const guint *ends)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *part = g_malloc (size + 1);
  memcpy (part, message->data, size);
  g_autoptr (GArray) inputs = pd_input_message_read (part, size, &error);

  if (size != 0 && size != ends[0] && size != ends[1])
    {
      g_assert_null (inputs);
      g_assert_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (inputs->len, ==, size == 0 ? 0 : size == ends[0] ? 1 : 2);
}

static void
test_inputs (void)
{
  const PdStudyInput two[] = { { (char *) "a\nb", (char *) "12", (char *) "/x/a", (char *) "s 1" },
                               { (char *) "m", (char *) "34", (char *) "/y/m.xml", NULL } };
  g_autoptr (GArray) inputs = pd_study_inputs_new ();
  g_autoptr (GByteArray) message = g_byte_array_new ();
  guint ends[2];

  for (guint i = 0; i < G_N_ELEMENTS (two); i++)
    {
      const PdStudyInput input = { g_strdup (two[i].name), g_strdup (two[i].sha256),
                                   g_strdup (two[i].path), g_strdup (two[i].stamp) };
      g_array_append_val (inputs, input);
      g_byte_array_set_size (message, 0);
      pd_input_message_write (inputs, message);
      ends[i] = message->len;
    }
  g_autoptr (GArray) again = pd_input_message_read (message->data, message->len, NULL);
  g_assert_cmpuint (again->len, ==, 2);
  g_assert_cmpstr (g_array_index (again, PdStudyInput, 0).name, ==, "a\nb");
  g_assert_cmpstr (g_array_index (again, PdStudyInput, 0).stamp, ==, "s 1");
  g_assert_cmpstr (g_array_index (again, PdStudyInput, 1).path, ==, "/y/m.xml");
  g_assert_cmpstr (g_array_index (again, PdStudyInput, 1).stamp, ==, "");
  g_byte_array_append (message, (const guint8 *) "", 1);
  for (guint size = 0; size < message->len; size++)
    check_cut (message, size, ends);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*func) (TestStudyFolder *self, gconstpointer data);
  } tests[] = {
    { "/sweep/run/statuses", test_statuses },
    { "/sweep/run/fatal", test_fatal },
    { "/sweep/run/broken", test_broken },
    { "/sweep/run/pieces", test_pieces },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/coordinator/order", test_order);
  g_test_add_func ("/sweep/coordinator/dear", test_dear);
  g_test_add_func ("/sweep/coordinator/deaths", test_deaths);
  g_test_add_func ("/sweep/coordinator/alone", test_alone);
  g_test_add_func ("/sweep/frames", test_frames);
  g_test_add_func ("/sweep/inputs", test_inputs);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, TestStudyFolder, NULL, test_study_folder_set_up, tests[i].func,
                test_study_folder_tear_down);
  return g_test_run ();
}
