/* Timelines of DVM programs; see test-timeline-runs.c.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/programs.h"
#include "tests/support/timelines.h"

static void
try_dvm (const char *text, const char *grid, const PdPredictOptions *options)
{
  g_autoptr (GError) error = NULL;
  PdPredictOptions own = *options;
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  TestWatch watch, slow;
  gint64 bytes;

  test_watch_init (&watch);
  test_watch_init (&slow);
  g_autoptr (TestRun) without = test_predict (text, grid, options, &error);
  g_assert_no_error (error);
  own.timeline = watch.feed;
  own.observer = &observer;
  g_autoptr (TestRun) run = test_predict (text, grid, &own, &error);
  g_assert_no_error (error);
  own.timeline = slow.feed;
  own.observer = NULL;
  own.one_step = TRUE;
  g_autoptr (TestRun) again = test_predict (text, grid, &own, &error);
  g_assert_no_error (error);
  g_autofree char *a = test_dump (without), *b = test_dump (run);
  g_assert_cmpstr (a, ==, b);
  test_watch_check (&watch, run);
  test_watch_check (&slow, again);
  g_assert_cmpuint (watch.timeline->n_messages + watch.timeline->n_left_out, ==,
                    test_log_count (log, &bytes));
  test_watch_compare (&watch, &slow);
  test_watch_clear (&watch);
  test_watch_clear (&slow);
}

static TestTrace *(*const makers[]) (GRand *random, guint n_parts) = { test_program,
                                                                       test_ordered_program };

static void
test_dvm (gconstpointer data)
{
  for (guint32 seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = makers[GPOINTER_TO_SIZE (data)](random, 12);
      g_autofree char *grid = test_random_grid (random);
      gboolean is_uniform;
      const char *machine = test_random_machine (random, &is_uniform);
      const PdPredictOptions options = test_options (machine);
      g_test_message ("seed %u, grid %s, machine %s", seed, grid, machine);
      try_dvm (trace->text->str, grid, &options);
    }
}

static void
test_dvm_tasks (void)
{
  for (guint32 seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autofree char *grid = test_random_grid (random);
      gboolean is_uniform;
      const char *machine = test_random_machine (random, &is_uniform);
      g_autoptr (TestTrace) trace = test_program_with_tasks (random, 12, grid);
      const PdPredictOptions options = test_options (machine);
      g_test_message ("seed %u, grid %s, machine %s", seed, grid, machine);
      try_dvm (trace->text->str, grid, &options);
    }
}

/* ---- what was recorded */

static const struct
{
  const char *name;
  const char *file;
  const char *grid;
} recorded[] = {
  { "heat2d", "heat2d_600.ptr.gz", "2x2" },
  { "sor2d", "sor2d_2000.ptr.gz", "4x3" },
  { "tasks2", "tasks2_256_userps4.ptr.gz", "4" },
  { "iodump", "iodump_300.ptr.gz", "2x3" },
};

static void
test_recorded (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm",
                                            recorded[i].file, NULL);
  PdPredictOptions options = test_options ("mvs1000");
  TestWatch watch;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (TestRun) without = test_run_file (path, recorded[i].grid, &options);
  test_watch_init (&watch);
  options.timeline = watch.feed;
  g_autoptr (TestRun) run = test_run_file (path, recorded[i].grid, &options);
  g_autofree char *a = test_dump (without), *b = test_dump (run);
  g_assert_cmpstr (a, ==, b);
  test_watch_check (&watch, run);
  test_watch_clear (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/timeline/dvm/loops", GSIZE_TO_POINTER (0), test_dvm);
  g_test_add_data_func ("/timeline/dvm/ordered", GSIZE_TO_POINTER (1), test_dvm);
  g_test_add_func ("/timeline/dvm/tasks", test_dvm_tasks);
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/dvm/trace/", recorded[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_recorded);
    }
  return g_test_run ();
}
