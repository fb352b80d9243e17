/* What loops cost on fewer bytes, by hand: from traces of one program at several sizes, in caches
 * that processors have for themselves or share. Times in microseconds.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-scaling.h"
#include "tests/support/predict.h"

#include <glib/gstdio.h>

/* A loop over n doubles, executed once. */
static TestTrace *
make_trace (gint64 n, gint64 time)
{
  TestTrace *trace = test_trace_new ("1");
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, n);
  g_autofree char *range = g_strdup_printf ("0:%" G_GINT64_FORMAT, n - 1);

  trace->line = 20;
  gint64 view = test_trace_template (trace, size, "1");
  gint64 array = test_trace_array (trace, size, view, "1*1+0");
  gint64 loop = test_trace_loop (trace, array, range, "1*1+0");
  test_trace_run (trace, loop, time);
  test_trace_end_loop (trace, loop);
  test_trace_exit (trace, 0);
  return trace;
}

static char *folder;

/* To be released with g_free(). */
static char *
write_trace (const char *name, gint64 n, gint64 time)
{
  g_autoptr (TestTrace) trace = make_trace (n, time);
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, trace->text->str, -1, NULL));
  return path;
}

#define ONE_NODE "ideal:nodes=1,processors-per-node=4"

/* 1024 doubles take 4 us an iteration, 256 take 1 us, 512 take 2 us: 4096, 256, 1024 us in all.
 * Divided linearly n processors take 4096 / n. */
static const struct
{
  const char *name, *machine, *grid;
  gboolean has_512;
  gint64 middle, low, high;
} cases[] = {
  { "one", ONE_NODE, "1", FALSE, 4096, 4096, 4096 },
  /* 512 each lie between 1 and 4 us; what both have together is 4 us */
  { "two", ONE_NODE, "2", FALSE, 1280, 512, 2048 },
  { "two-apart", "ideal:nodes=2", "2", FALSE, 1280, 512, 2048 },
  { "two-known", ONE_NODE, "2", TRUE, 1536, 1024, 2048 },
  { "two-apart-known", "ideal:nodes=2", "2", TRUE, 1024, 1024, 1024 },
  /* 256 each are 1 us */
  { "four", ONE_NODE, "4", FALSE, 640, 256, 1024 },
  { "four-apart", "ideal:nodes=4", "4", FALSE, 256, 256, 256 },
  { "four-in-caches", ONE_NODE ",cache-size=1MB,cache-processors=1", "4", FALSE, 256, 256, 256 },
  /* the two of a cache have 512 */
  { "four-in-two-caches", ONE_NODE ",cache-size=1MB,cache-processors=2", "4", TRUE, 384, 256, 512 },
  /* below the least size its cost holds */
  { "eight-apart", "ideal:nodes=8", "8", FALSE, 128, 128, 128 },
};

static gint64
predict (const PdPredictOptions *options, const char *grid)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestRun) run = test_predict_file (options->trace, grid, options, &error);
  gint64 most = 0;

  g_assert_no_error (error);
  for (guint32 i = 0; i < run->n_processors; i++)
    most = MAX (most, run->end_times[i].ps);
  return most / PD_PS_PER_US;
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdPredictOptions options = test_options (cases[i].machine);
  g_autofree char *big = write_trace ("big.ptr", 1024, 4096);
  g_autofree char *half = write_trace ("half.ptr", 512, 1024);
  g_autofree char *small = write_trace ("small.ptr", 256, 256);
  const char *const traces[] = { small, cases[i].has_512 ? half : NULL, NULL };
  gint64 size = g_ascii_strtoll (cases[i].grid, NULL, 10);
  PdTime low, high;

  options.trace = big;
  g_assert_cmpint (predict (&options, cases[i].grid), ==, 4096 / size);
  g_autoptr (PdLoopCurves) curves = pd_scaling_read (&options, traces, messages, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_count (messages, "scaling"), ==, 1);
  options.dvm.loop_curves = curves;
  g_assert_cmpint (predict (&options, cases[i].grid), ==, cases[i].middle);
  g_assert_true (pd_scaling_get_range (&options, 1, &size, &low, &high, &error));
  g_assert_cmpint (low.ps, ==, cases[i].low * PD_PS_PER_US);
  g_assert_cmpint (high.ps, ==, cases[i].high * PD_PS_PER_US);
}

/* The same size again says nothing. */
static void
test_no_curve (void)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdPredictOptions options = test_options (ONE_NODE);
  g_autofree char *big = write_trace ("big.ptr", 1024, 4096);
  g_autofree char *same = write_trace ("same.ptr", 1024, 2048);
  const char *const traces[] = { same, NULL };

  options.trace = big;
  g_autoptr (PdLoopCurves) curves = pd_scaling_read (&options, traces, messages, NULL);
  g_assert_cmpint (pd_messages_get (messages, 0)->severity, ==, PD_SEVERITY_WARNING);
  options.dvm.loop_curves = curves;
  g_assert_cmpint (predict (&options, "2"), ==, 2048);
}

static void
test_bad (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  PdPredictOptions options = test_options (ONE_NODE);
  g_autofree char *big = write_trace ("big.ptr", 1024, 4096);
  g_autofree char *path = g_build_filename (folder, "without-loops.ptr", NULL);
  const char *traces[] = { path, NULL };

  test_trace_exit (trace, 5);
  g_assert_true (g_file_set_contents (path, trace->text->str, -1, NULL));
  options.trace = big;
  g_assert_null (pd_scaling_read (&options, traces, NULL, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED);
  g_clear_error (&error);
  traces[0] = "absent.ptr";
  g_assert_null (pd_scaling_read (&options, traces, NULL, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN);
}

/* 8192 bytes recorded, 4096 on each of two. */
static void
test_step (void)
{
  g_autofree char *big = write_trace ("big.ptr", 1024, 4096);
  static const struct
  {
    const char *cache, *grid;
    guint n;
  } steps[] = { { "5000B", "2", 1 }, { "8192B", "2", 1 }, { "8193B", "2", 0 },
                { "4096B", "2", 0 }, { "5000B", "1", 0 }, { "0.5MB", "4", 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *machine = g_strdup_printf (ONE_NODE ",cache-size=%s", steps[i].cache);
      PdPredictOptions options = test_options (machine);
      options.trace = big;
      g_autoptr (TestRun) run = test_predict_file (options.trace, steps[i].grid, &options, NULL);
      g_assert_cmpuint (pd_messages_count (run->messages, "cache-step"), ==, steps[i].n);
    }
}

/* heat2d of 2000 x 2000, 64 MB, measured on two processors: with and without statistics. */
static void
test_measured (void)
{
  static const struct
  {
    const char *kind;
    gint64 us;
  } measured[] = { { "trace", 165100 }, { "tracens", 167144 } };
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  const gint64 two = 2;

  for (gsize i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      g_autofree char *traced = g_build_filename (shared != NULL ? shared : "../shared", "traces",
                                                  "dvm", "2026-11", NULL);
      g_autofree char *big =
          g_strdup_printf ("%s/heat2d_2000_%s_0.ptr.gz", traced, measured[i].kind);
      g_autofree char *small =
          g_strdup_printf ("%s/heat2d_600_%s_0.ptr.gz", traced, measured[i].kind);
      const char *const traces[] = { small, NULL };
      PdPredictOptions options = test_options ("machines/two-cores.xml");
      PdTime low, high, time = { measured[i].us * PD_PS_PER_US };
      if (!g_file_test (big, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("the shared traces are not here");
          return;
        }
      options.trace = big;
      g_autoptr (PdLoopCurves) curves = pd_scaling_read (&options, traces, NULL, NULL);
      options.dvm.loop_curves = curves;
      g_assert_true (pd_scaling_get_range (&options, 1, &two, &low, &high, NULL));
      g_assert_cmpint (low.ps, <, time.ps);
      g_assert_cmpint (high.ps, >, time.ps);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("scaling-XXXXXX", NULL);
  g_test_add_func ("/scaling/measured", test_measured);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/scaling/case/%s", cases[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/scaling/no-curve", test_no_curve);
  g_test_add_func ("/scaling/bad", test_bad);
  g_test_add_func ("/scaling/step", test_step);
  int status = g_test_run ();
  static const char *const names[] = { "big.ptr", "half.ptr", "small.ptr", "same.ptr",
                                       "without-loops.ptr" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
