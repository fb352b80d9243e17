/* --cpu-ratio: the times of whole programs and of single intervals by hand, a
 * microsecond for each unit; what is refused.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-errors.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"

#define MAX_RATIOS 4

/* 6 ordinary; in line 20 4 ordinary, in it in line 30 a loop of 8 iterations
 * that take 8, then 2 ordinary; 3 of output; 6 ordinary; a loop that takes 8. */
static TestTrace *
nested (void)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  test_trace_ordinary (trace, 6, 0);
  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_trace_ordinary (trace, 4, 0);
  test_trace_open (trace, "bploop_", 30, 2, 0, 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:7", "1*1+0"), 8);
  test_trace_close (trace, "enloop_", 30, 2, 0, 0);
  test_trace_ordinary (trace, 2, 0);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0);
  test_trace_io (trace, "dvm_printf", 3, "Format=x", "Res=2;");
  test_trace_ordinary (trace, 6, 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:7", "1*1+0"), 8);
  test_trace_exit (trace, 0);
  return trace;
}

/* CPU times on two processors: of the program, of line 20, of line 30; the
 * output takes 3 in any case, as cpu-ratio is no speed of files. */
static const struct
{
  const char *name;
  const char *ratios[MAX_RATIOS];
  const char *machine, *program, *outer, *inner;
} rows[] = {
  { "none", { NULL }, "ideal", "26 26", "10 10", "4 4" },
  { "one", { "1" }, "ideal", "26 26", "10 10", "4 4" },
  { "all", { "2" }, "ideal", "13 13", "5 5", "2 2" },
  { "slower", { "0.5" }, "ideal", "52 52", "20 20", "8 8" },
  { "outer", { "t.fdv:20=2" }, "ideal", "21 21", "5 5", "2 2" },
  { "inner", { "t.fdv:30=2" }, "ideal", "24 24", "8 8", "2 2" },
  { "both", { "t.fdv:20=2", "t.fdv:30=4" }, "ideal", "20 20", "4 4", "1 1" },
  { "reversed", { "t.fdv:30=4", "t.fdv:20=2" }, "ideal", "20 20", "4 4", "1 1" },
  { "default-and-inner", { "2", "t.fdv:30=4" }, "ideal", "12 12", "4 4", "1 1" },
  { "back-to-one", { "t.fdv:20=1", "2" }, "ideal", "18 18", "10 10", "4 4" },
  { "inner-back", { "t.fdv:20=2", "t.fdv:30=1" }, "ideal", "23 23", "7 7", "4 4" },
  /* times the speed of the processor */
  { "speeds",
    { "2" },
    "ethernet:startup=0,per-byte=0,speeds=1:2",
    "13 6.500000",
    "5 2.500000",
    "2 1" },
  { "speeds-inner",
    { "t.fdv:30=4" },
    "ethernet:startup=0,per-byte=0,speeds=1:2",
    "23 11.500000",
    "7 3.500000",
    "1 0.500000" },
};

static void
assert_cpu (const PdReportRun *run, guint32 node, const char *expected)
{
  g_autofree char *values = test_values (run, node, PD_C_CPU_TIME);

  g_assert_cmpstr (values, ==, expected);
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (rows[i].ratios, &error);
  PdPredictOptions options = test_options (rows[i].machine);
  g_autoptr (TestTrace) trace = nested ();

  g_assert_no_error (error);
  options.ratios = ratios;
  for (int one_step = 0; one_step < 2; one_step++)
    {
      options.one_step = one_step != 0;
      g_autoptr (TestRun) run = test_run (trace, "2", &options);
      assert_cpu (run, 0, rows[i].program);
      assert_cpu (run, test_node (run, PD_INTERVAL_SEQ, 20), rows[i].outer);
      assert_cpu (run, test_node (run, PD_INTERVAL_PAR, 30), rows[i].inner);
      g_autofree char *io = test_values (run, 0, PD_C_IO_TIME);
      g_assert_cmpstr (io, ==, "3 0");
    }
}

/* Intervals that are entered in the middle of a loop's portion. */
static void
test_inside_loop (void)
{
  const char *const texts[] = { "t.fdv:40=2", NULL };
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (texts, NULL);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_open (trace, "binter_", 40, 1, 2, 0);
  test_trace_close (trace, "einter_", 40, 1, 4, 0);
  test_trace_dopl (trace, loop, 2, 0);
  test_trace_end_loop (trace, loop);
  options.ratios = ratios;
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_cpu (run, test_node (run, PD_INTERVAL_USER, 40), "1 1");
  assert_cpu (run, 0, "3 3");
}

/* Ratios of 1 in whatever form change nothing. */
static void
test_neutral (void)
{
  const char *const one[] = { "1", NULL }, *const line[] = { "t.fdv:20=1", "t.fdv:30=1.0", NULL };
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns,speeds=1:3:0.7");
  g_autoptr (TestTrace) trace = nested ();
  g_autoptr (PdCpuRatios) first = pd_cpu_ratios_parse (one, NULL);
  g_autoptr (PdCpuRatios) second = pd_cpu_ratios_parse (line, NULL);
  const PdCpuRatios *all[] = { first, second };

  g_autoptr (TestRun) plain = test_run (trace, "5", &options);
  g_autofree char *expected = test_dump (plain);
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      options.ratios = all[i];
      g_autoptr (TestRun) run = test_run (trace, "5", &options);
      g_autofree char *text = test_dump (run);
      g_assert_cmpstr (text, ==, expected);
    }
}

/* A ratio of the whole program is a factor of the machine's speeds. */
static void
test_as_speed (void)
{
  static const char *const texts[] = { "2", NULL };
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (texts, NULL);

  for (guint32 seed = 0; seed < 20; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 8);
      g_autofree char *grid = test_random_grid (random);
      PdPredictOptions ratio = test_options ("myrinet:startup=7us,per-byte=4ns,speed=1.5");
      PdPredictOptions speed = test_options ("myrinet:startup=7us,per-byte=4ns,speed=3");
      ratio.ratios = ratios;
      g_autoptr (TestRun) a = test_run (trace, grid, &ratio);
      g_autoptr (TestRun) b = test_run (trace, grid, &speed);
      for (guint32 p = 0; p < a->n_processors; p++)
        g_assert_cmpint (test_value (a, 0, p, PD_C_CPU_TIME), ==,
                         test_value (b, 0, p, PD_C_CPU_TIME));
    }
}

/* ---- what is refused */

static const struct
{
  const char *name;
  const char *ratios[MAX_RATIOS];
} refused[] = {
  { "empty", { "" } },
  { "word", { "fast" } },
  { "zero", { "0" } },
  { "negative", { "-1" } },
  { "unit", { "2s" } },
  { "nan", { "nan" } },
  { "infinite", { "inf" } },
  { "too-small", { "1e-7" } },
  { "too-large", { "1e7" } },
  { "no-line", { "t.fdv=2" } },
  { "no-file", { ":20=2" } },
  { "line-zero", { "t.fdv:0=2" } },
  { "line-word", { "t.fdv:x=2" } },
  { "line-empty", { "t.fdv:=2" } },
  { "no-ratio", { "t.fdv:20=" } },
  { "place-only", { "t.fdv:20" } },
  { "bad-ratio", { "t.fdv:20=0" } },
  { "default-twice", { "2", "3" } },
  { "place-twice", { "t.fdv:20=2", "t.fdv:020=3" } },
};

static void
test_refused (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdCpuRatios) ratios =
      pd_cpu_ratios_parse (refused[GPOINTER_TO_SIZE (data)].ratios, &error);

  g_assert_error (error, PD_USAGE_ERROR, 0);
  g_assert_null (ratios);
}

/* File names may hold the characters that separate. */
static void
test_odd_names (void)
{
  static const char *const texts[] = { "C:\\a=b.fdv:20=2", NULL };
  g_autoptr (PdCpuRatios) given = pd_cpu_ratios_parse (texts, NULL);
  g_autoptr (PdNodeRatios) ratios = pd_node_ratios_new (given, NULL);

  pd_node_ratios_enter (ratios, 1, 0, "C:\\a=b.fdv", 20);
  g_assert_cmpint (pd_node_ratios_divide (ratios, 1, PD_TIME (10), 1).ps, ==, 5);
  g_assert_cmpint (pd_node_ratios_divide (ratios, 0, PD_TIME (10), 1).ps, ==, 10);
  g_assert_true (pd_node_ratios_check (ratios, NULL));
}

static const struct
{
  const char *name, *ratio;
  gboolean has_intervals;
} unknown[] = {
  { "line", "t.fdv:21=2", TRUE },
  { "file", "u.fdv:20=2", TRUE },
  { "folder", "./t.fdv:20=2", TRUE },
  { "no-intervals", "t.fdv:20=2", FALSE },
};

/* A place where no interval begins is an error, never silently nothing. */
static void
test_unknown (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *const texts[] = { unknown[i].ratio, NULL };
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (texts, NULL);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = unknown[i].has_intervals ? nested () : test_trace_new ("1");
  g_autoptr (GError) error = NULL;

  if (!unknown[i].has_intervals)
    test_trace_exit (trace, 1);
  options.ratios = ratios;
  PdReportRun *run = test_predict (trace->text->str, "2", &options, &error);
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_INTERVAL);
  g_assert_null (run);
}

#define ADD(folder, table, function)                                                               \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path = g_strconcat ("/predictor/cpu-ratio/" folder, table[i].name, NULL);   \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("times/", rows, test_row)
  g_test_add_func ("/predictor/cpu-ratio/inside-loop", test_inside_loop);
  g_test_add_func ("/predictor/cpu-ratio/neutral", test_neutral);
  g_test_add_func ("/predictor/cpu-ratio/as-speed", test_as_speed);
  g_test_add_func ("/predictor/cpu-ratio/odd-names", test_odd_names);
  ADD ("refused/", refused, test_refused)
  ADD ("unknown/", unknown, test_unknown)
  return g_test_run ();
}
