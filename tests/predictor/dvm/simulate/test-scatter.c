/* Noise "recorded": processors take a parallel loop as its repetitions scatter in the trace. By
 * hand, by moments of many processors, and where it must not change anything.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"

#include <math.h>

#define QUIET "ethernet:startup=1us,per-byte=1ns"
#define NOISY QUIET ",noise=recorded"
#define WIDTH 1000 /* processors, and iterations of a loop */

/* A loop of one place that is repeated @n times, in @times us. */
static TestTrace *
new_trace (const gint64 *times, guint n)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 array =
      test_trace_array (trace, "1000", test_trace_template (trace, "1000", "1"), "1*1+0");

  for (guint i = 0; i < n; i++)
    test_trace_run (trace, test_trace_loop (trace, array, "0:999", "1*1+0"), times[i]);
  return trace;
}

static TestRun *
run_with (TestTrace *trace, const char *grid, const char *machine, guint64 seed, gboolean one_step)
{
  PdPredictOptions options = test_options (machine);

  options.seed = seed;
  options.one_step = one_step;
  return test_run (trace, grid, &options);
}

/* The first two repetitions are not compared: 1500 and 900 us. Of 900 and 1100 us the mean
 * difference is 200, the mean 1000: G = 0.1, erf (0.1777 / 2) = 0.1, in the third repetition, which
 * takes 1.1 us of each processor. */
static void
test_moments (void)
{
  static const gint64 times[] = { 1500, 900, 1100 };
  g_autoptr (TestTrace) trace = new_trace (times, 3);
  g_autoptr (TestRun) run = run_with (trace, "1000", NOISY, 1, FALSE);
  gdouble sum = 0, squares = 0, sigma = sqrt (exp (.1777 * .1777) - 1) * 1.1;

  for (guint32 p = 0; p < WIDTH; p++)
    {
      gdouble x = (gdouble) test_value (run, 0, p, PD_C_CPU_TIME_PAR) / PD_PS_PER_US - 3.5;
      sum += x;
      squares += x * x;
    }
  g_assert_cmpfloat_with_epsilon (sum / WIDTH, 0, 4 * sigma / sqrt (WIDTH));
  g_assert_cmpfloat_with_epsilon (squares / WIDTH, sigma * sigma, .2 * sigma * sigma);
  g_assert_cmpuint (pd_messages_count (run->messages, "noise"), ==, 1);
}

/* Repetitions that all take as long, but for outliers, and two that are not compared, have no
 * scatter; nor has one processor. */
static void
test_nothing (void)
{
  static const struct
  {
    const char *grid;
    gint64 times[5];
    guint n, notes;
  } rows[] = {
    { "10", { 1500, 900, 900, 900 }, 4, 1 },       { "10", { 1500, 900 }, 2, 1 },
    { "10", { 1500, 900, 900, 5000, 900 }, 5, 1 }, { "10", { 1500, 5000, 900, 900, 900 }, 5, 1 },
    { "1", { 1500, 900, 1100, 700 }, 4, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (TestTrace) trace = new_trace (rows[i].times, rows[i].n);
      g_autoptr (TestRun) quiet = run_with (trace, rows[i].grid, QUIET, 0, FALSE);
      g_autoptr (TestRun) noisy = run_with (trace, rows[i].grid, NOISY, 0, FALSE);
      g_assert_cmpuint (quiet->n_processors, ==, noisy->n_processors);
      for (guint32 p = 0; p < quiet->n_processors; p++)
        for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
          g_assert_cmpint (test_value (quiet, 0, p, c), ==, test_value (noisy, 0, p, c));
      g_assert_cmpuint (pd_messages_count (noisy->messages, "noise"), ==, rows[i].notes);
    }
}

/* Half as many iterations that take half as long are the same repetition. */
static void
test_sizes (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array =
      test_trace_array (trace, "1000", test_trace_template (trace, "1000", "1"), "1*1+0");

  for (guint i = 0; i < 6; i++)
    test_trace_run (trace, test_trace_loop (trace, array, i % 2 == 0 ? "0:999" : "0:499", "1*1+0"),
                    i % 2 == 0 ? 1000 : 500);
  g_autoptr (TestRun) quiet = run_with (trace, "2", QUIET, 0, FALSE);
  g_autoptr (TestRun) noisy = run_with (trace, "2", NOISY, 0, FALSE);
  g_assert_cmpint (quiet->end_times[0].ps, ==, noisy->end_times[0].ps);
  g_assert_cmpint (quiet->end_times[1].ps, ==, noisy->end_times[1].ps);
}

/* Step by step, running ahead: the same; another seed: not. */
static void
test_seeds (void)
{
  static const gint64 times[] = { 1500, 900, 1100, 950, 1300 };
  g_autoptr (TestTrace) trace = new_trace (times, 5);
  g_autoptr (TestRun) ahead = run_with (trace, "2", NOISY, 7, FALSE);
  g_autoptr (TestRun) slow = run_with (trace, "2", NOISY, 7, TRUE);
  g_autoptr (TestRun) other = run_with (trace, "2", NOISY, 8, FALSE);
  g_autofree char *a = test_dump (ahead), *b = test_dump (slow), *c = test_dump (other);

  g_assert_cmpstr (a, ==, b);
  g_assert_cmpstr (a, !=, c);
}

/* Random programs: the identities hold, which test_run() checks. */
static void
test_programs (void)
{
  for (guint seed = 0; seed < 25; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 10);
      g_autofree char *grid = test_random_grid (random);
      g_autoptr (TestRun) ahead = run_with (trace, grid, NOISY, seed, FALSE);
      g_autoptr (TestRun) slow = run_with (trace, grid, NOISY, seed, TRUE);
      g_autofree char *a = test_dump (ahead), *b = test_dump (slow);
      g_assert_cmpstr (a, ==, b);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm/scatter/moments", test_moments);
  g_test_add_func ("/predictor/dvm/scatter/nothing", test_nothing);
  g_test_add_func ("/predictor/dvm/scatter/sizes", test_sizes);
  g_test_add_func ("/predictor/dvm/scatter/seeds", test_seeds);
  g_test_add_func ("/predictor/dvm/scatter/programs", test_programs);
  return g_test_run ();
}
