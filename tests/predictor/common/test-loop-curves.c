/* Curves of loops by hand: which loops are the same, medians, what is between points.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-loop-curves.h"

#define KB 1024

static void
assert_factor (const PdLoopCurves *curves, gint64 line, gdouble from, gdouble to, gdouble low,
               gdouble high)
{
  PdCostFactor factor = pd_loop_curves_get_factor (curves, "a.fdv", line, from, to);

  g_assert_cmpfloat_with_epsilon (factor.low, low, 1e-12);
  g_assert_cmpfloat_with_epsilon (factor.high, high, 1e-12);
}

static void
test_between (void)
{
  g_autoptr (PdLoopCosts) big = pd_loop_costs_new (), small = pd_loop_costs_new ();
  PdLoopCosts *costs[] = { big, small };
  guint n;

  g_assert_true (pd_loop_costs_is_empty (big));
  pd_loop_costs_add (big, "a.fdv", 10, 64 * KB, 100, PD_TIME (600));
  pd_loop_costs_add (small, "b.fdv", 10, 4 * KB, 10, PD_TIME (20));
  g_autoptr (PdLoopCurves) curves = pd_loop_curves_new (costs, 2);
  g_assert_cmpuint (pd_loop_curves_count (curves, &n), ==, 1);
  g_assert_cmpuint (n, ==, 1);
  assert_factor (curves, 10, 64 * KB, 64 * KB, 1, 1);
  assert_factor (curves, 10, 64 * KB, 4 * KB, 1. / 3, 1. / 3);
  assert_factor (curves, 10, 64 * KB, 32 * KB, 1. / 3, 1);
  assert_factor (curves, 10, 64 * KB, 60 * KB, 1, 1); /* near */
  assert_factor (curves, 10, 64 * KB, 4.5 * KB, 1. / 3, 1. / 3);
  assert_factor (curves, 10, 64 * KB, 1, 1. / 3, 1. / 3);
  assert_factor (curves, 10, 64 * KB, 1e9, 1, 1);
  assert_factor (curves, 11, 64 * KB, 1, 1, 1); /* no such loop */
}

/* Of three executions the median; the disturbed one does not count. */
static void
test_median (void)
{
  g_autoptr (PdLoopCosts) big = pd_loop_costs_new (), small = pd_loop_costs_new ();
  PdLoopCosts *costs[] = { big, small };

  for (gint64 time = 4; time <= 6; time++)
    pd_loop_costs_add (big, "a.fdv", 10, 64 * KB, 1, PD_TIME (time < 6 ? time : 1000));
  pd_loop_costs_add (small, "a.fdv", 10, KB, 1, PD_TIME (10));
  g_autoptr (PdLoopCurves) curves = pd_loop_curves_new (costs, 2);
  assert_factor (curves, 10, 64 * KB, KB, 2, 2);
}

/* As many loops in other lines: by their order. Else by their lines. */
static void
test_matching (void)
{
  g_autoptr (PdLoopCosts) big = pd_loop_costs_new (), moved = pd_loop_costs_new ();
  g_autoptr (PdLoopCosts) more = pd_loop_costs_new ();
  PdLoopCosts *by_order[] = { big, moved }, *by_line[] = { big, more };
  guint n;

  pd_loop_costs_add (big, "a.fdv", 10, 64 * KB, 1, PD_TIME (8));
  pd_loop_costs_add (big, "a.fdv", 20, 64 * KB, 1, PD_TIME (8));
  pd_loop_costs_add (moved, "a.fdv", 11, KB, 1, PD_TIME (4));
  pd_loop_costs_add (moved, "a.fdv", 21, KB, 1, PD_TIME (2));
  for (gint64 line = 0; line <= 20; line += 10)
    pd_loop_costs_add (more, "a.fdv", line, KB, 1, PD_TIME (line / 10 + 1));
  g_autoptr (PdLoopCurves) ordered = pd_loop_curves_new (by_order, 2);
  assert_factor (ordered, 10, 64 * KB, KB, 0.5, 0.5);
  assert_factor (ordered, 20, 64 * KB, KB, 0.25, 0.25);
  g_autoptr (PdLoopCurves) lined = pd_loop_curves_new (by_line, 2);
  assert_factor (lined, 10, 64 * KB, KB, 0.25, 0.25);
  assert_factor (lined, 20, 64 * KB, KB, 0.375, 0.375);
  g_assert_cmpuint (pd_loop_curves_count (lined, &n), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loop-curves/between", test_between);
  g_test_add_func ("/loop-curves/median", test_median);
  g_test_add_func ("/loop-curves/matching", test_matching);
  return g_test_run ();
}
