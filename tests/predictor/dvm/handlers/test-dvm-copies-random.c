/* Random programs of copies, redistributions and buffers on random machines, and
 * recorded ones: the identities hold, it does not matter how far processors run
 * ahead, and the productive time is that of one processor on every grid.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"

#include <string.h>

#define N_PROGRAMS 240
#define N_PARTS    25

static gint64
get_productive (const PdReportRun *run)
{
  g_autofree PdIntervalResult *all = test_result (run, 0);

  return (gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps;
}

static PdReportRun *
predict (const char *text, const char *grid, const char *machine, gboolean one_step)
{
  PdPredictOptions options = test_options (machine);
  g_autoptr (GError) error = NULL;

  options.one_step = one_step;
  PdReportRun *run = test_predict (text, grid, &options, &error);
  g_assert_no_error (error);
  return run;
}

/* One program; seeds make every failure repeatable. */
static void
try_program (guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (TestTrace) trace = test_copy_program (random, N_PARTS);
  g_autofree char *grid = test_random_grid (random);
  gboolean is_uniform;
  const char *machine = test_random_machine (random, &is_uniform);

  g_test_message ("seed %u, grid %s, machine %s", seed, grid, machine);
  g_autoptr (TestRun) run = predict (trace->text->str, grid, machine, FALSE);
  g_autoptr (TestRun) slow = predict (trace->text->str, grid, machine, TRUE);
  g_autofree char *a = test_dump (run), *b = test_dump (slow);
  g_assert_cmpstr (a, ==, b);

  /* every second is productive once; 1 ps of rounding per charge */
  g_autoptr (TestRun) one = predict (trace->text->str, "1", "ideal", FALSE);
  g_assert_cmpint (get_productive (one), ==, one->end_times[0].ps);
  if (is_uniform)
    g_assert_cmpint (ABS (get_productive (run) - get_productive (one)), <=,
                     (gint64) run->n_processors * N_PARTS * 40);
}

static void
test_programs (gconstpointer data)
{
  guint first = GPOINTER_TO_UINT (data);

  for (guint seed = first; seed < first + N_PROGRAMS / 4; seed++)
    try_program (seed);
}

/* ---- recorded programs */

/* Messages on 4 processors in a line, counted by hand: adi2d: 16 times 12, and 8
 * reductions; iodump: 3 arrays collected, one dealt out, and one reduction. */
static const struct
{
  const char *name, *file;
  guint n_point_to_point;         /* on 4 */
  guint64 remote, redistribution; /* operations of one processor */
} traces[] = {
  { "adi2d", "adi2d_400.ptr.gz", 16 * 12, 0, 16 },
  { "iodump", "iodump_300.ptr.gz", 3 * 3 + 3, 0, 0 },
  { "gauss", "gauss_240.ptr.gz", 0, 478, 0 },
};

static const char *const grids[] = { "1", "2", "4", "16", "2x2", "4x4" };

static PdReportRun *
predict_recorded (const char *path, const char *grid, gboolean one_step, TestLog *log)
{
  PdPredictOptions options = test_options ("ethernet:startup=7us,per-byte=4ns");
  PdObserver observer = test_log_observer (log);

  options.one_step = one_step;
  options.observer = &observer;
  options.clean.keep_clamped = TRUE;
  return test_run_file (path, grid, &options);
}

/* What the trace itself says: from the initialisation to the exit. */
static gint64
get_program_time (const char *path)
{
  const PdDvmCall *call;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (path, NULL, &error);

  g_assert_no_error (error);
  while (pd_dvm_reader_next (reader, &call, &error))
    ;
  g_assert_no_error (error);
  return (gint64) pd_dvm_reader_get_trailer (reader)->program_time.ps;
}

static void
check_recorded (gsize i, const char *path, const char *grid, gint64 productive)
{
  g_autoptr (TestLog) log = test_log_new (), other = test_log_new ();
  g_autoptr (TestRun) run = predict_recorded (path, grid, FALSE, log);
  g_autoptr (TestRun) slow = predict_recorded (path, grid, TRUE, other);
  g_autofree char *a = test_dump (run), *b = test_dump (slow);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  guint64 n = run->n_processors;
  gint64 bytes;

  g_assert_cmpstr (a, ==, b);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
  g_assert_cmpuint (all->counts[PD_Q_N_REMOTE_ACCESS - PD_N_TIMES], ==, traces[i].remote);
  g_assert_cmpuint (all->counts[PD_Q_N_REDISTRIBUTION - PD_N_TIMES], ==, traces[i].redistribution);
  if (n == 1)
    g_assert_cmpuint (log->messages->len, ==, 0);
  if (n == 4 && traces[i].n_point_to_point > 0 && strchr (grid, 'x') == NULL)
    g_assert_cmpuint (test_log_count (log, &bytes), ==, traces[i].n_point_to_point);
  /* 1 ps per charge: some 65,000 of a processor in the longest trace */
  g_assert_cmpint (ABS (get_productive (run) - productive), <=, (gint64) n * 130000);
}

static void
test_recorded (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm",
                                            traces[i].file, NULL);
  g_autoptr (TestLog) log = test_log_new ();

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (TestRun) one = predict_recorded (path, "1", FALSE, log);
  g_autofree PdIntervalResult *all = test_result (one, 0);
  g_assert_cmpint (get_productive (one), ==, one->end_times[0].ps);
  g_assert_cmpint (one->end_times[0].ps, ==, get_program_time (path));
  g_assert_cmpfloat (all->efficiency, ==, 1.0);
  for (gsize k = 0; k < G_N_ELEMENTS (grids); k++)
    check_recorded (i, path, grids[k], get_productive (one));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < 4; k++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-copies-random/programs-%u", k);
      g_test_add_data_func (path, GUINT_TO_POINTER (k * N_PROGRAMS / 4), test_programs);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-copies-random/recorded/", traces[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_recorded);
    }
  return g_test_run ();
}
