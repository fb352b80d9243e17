/* Random DVM programs on random machines: the identities hold, it does not
 * matter how far processors run ahead, and the productive time is that of one
 * processor on every grid.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"

#define N_PROGRAMS (400 / PD_TEST_SHARE)
#define N_PARTS    25

static PdReportRun *
predict (const char *text, const char *grid, const char *machine, gboolean one_step, gboolean packs)
{
  PdPredictOptions options = test_options (machine);
  g_autoptr (GError) error = NULL;

  options.one_step = one_step;
  if (packs)
    options.settings = NULL;
  PdReportRun *run = test_predict (text, grid, &options, &error);
  if (error != NULL)
    g_test_message ("machine %s, grid %s", machine, grid);
  g_assert_no_error (error);
  return run;
}

static gint64
get_productive (const PdReportRun *run)
{
  g_autofree PdIntervalResult *all = test_result (run, 0);

  return (gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps;
}

/* A run twice, and once step by step. */
static PdReportRun *
predict_alike (const char *text, const char *grid, const char *machine, gboolean packs)
{
  PdReportRun *run = predict (text, grid, machine, FALSE, packs);
  g_autoptr (TestRun) slow = predict (text, grid, machine, TRUE, packs);
  g_autoptr (TestRun) again = predict (text, grid, machine, FALSE, packs);
  g_autofree char *a = test_dump (run), *b = test_dump (slow), *c = test_dump (again);

  g_assert_cmpstr (a, ==, b);
  g_assert_cmpstr (a, ==, c);
  return run;
}

/* One program; seeds make every failure repeatable. */
static void
try_program (guint seed, TestTrace *(*make) (GRand *random, guint n_parts))
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (TestTrace) trace = make (random, N_PARTS);
  g_autofree char *grid = test_random_grid (random);
  gboolean is_uniform, packs = make == test_ordered_program && seed % 2 != 0;
  const char *machine = test_random_machine (random, &is_uniform);

  g_test_message ("seed %u, grid %s, machine %s", seed, grid, machine);
  g_autoptr (TestRun) run = predict_alike (trace->text->str, grid, machine, packs);

  /* every second is productive once; 1 ps of rounding per charge */
  g_autoptr (TestRun) one = predict (trace->text->str, "1", "ideal", FALSE, FALSE);
  g_assert_cmpint (get_productive (one), ==, one->end_times[0].ps);
  g_assert_cmpint (get_productive (one), ==, trace->total * PD_PS_PER_US);
  if (is_uniform)
    g_assert_cmpint (ABS (get_productive (run) - get_productive (one)), <=,
                     (gint64) run->n_processors * N_PARTS * 40);
}

/* With tasks the trace is one for that grid only. */
static void
try_tasks (guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree char *grid = test_random_grid (random);
  gboolean is_uniform;
  const char *machine = test_random_machine (random, &is_uniform);
  g_autoptr (TestTrace) trace = test_program_with_tasks (random, N_PARTS, grid);

  g_test_message ("seed %u, grid %s, machine %s", seed, grid, machine);
  g_autoptr (TestRun) run = predict_alike (trace->text->str, grid, machine, FALSE);
  if (is_uniform)
    g_assert_cmpint (ABS (get_productive (run) - trace->total * PD_PS_PER_US), <=,
                     (gint64) run->n_processors * N_PARTS * 400);
  if (run->n_processors == 1)
    g_assert_cmpint (run->end_times[0].ps, ==, trace->total * PD_PS_PER_US);
}

static void
test_programs (gconstpointer data)
{
  guint first = GPOINTER_TO_UINT (data);

  for (guint seed = first; seed < first + N_PROGRAMS / 4; seed++)
    try_program (seed, test_program);
}

static void
test_ordered (gconstpointer data)
{
  guint first = GPOINTER_TO_UINT (data);

  for (guint seed = first; seed < first + N_PROGRAMS / 4; seed++)
    try_program (seed, test_ordered_program);
}

static void
test_tasks (gconstpointer data)
{
  guint first = GPOINTER_TO_UINT (data);

  for (guint seed = first; seed < first + N_PROGRAMS / 4; seed++)
    try_tasks (seed);
}

/* Programs in which processors that ran ahead once came in another order than
 * those that went step by step. */
static void
test_order (gconstpointer data)
{
  try_program (GPOINTER_TO_UINT (data), test_program);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < 4; k++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-random/programs-%u", k);
      g_autofree char *ordered = g_strdup_printf ("/predictor/dvm-random/ordered-%u", k);
      g_test_add_data_func (path, GUINT_TO_POINTER (k * N_PROGRAMS / 4), test_programs);
      g_test_add_data_func (ordered, GUINT_TO_POINTER (k * N_PROGRAMS / 4), test_ordered);
    }
  for (guint k = 0; k < 4; k++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-random/tasks-%u", k);
      g_test_add_data_func (path, GUINT_TO_POINTER (1000 + k * N_PROGRAMS / 4), test_tasks);
    }
  g_test_add_data_func ("/predictor/dvm-random/order/woken-at-once", GUINT_TO_POINTER (10647),
                        test_order);
  g_test_add_data_func ("/predictor/dvm-random/order/collective", GUINT_TO_POINTER (28562),
                        test_order);
  g_test_add_data_func ("/predictor/dvm-random/order/answer-first", GUINT_TO_POINTER (21388),
                        test_order);
  return g_test_run ();
}
