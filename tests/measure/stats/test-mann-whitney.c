/* Mann and Whitney's test against tables, a textbook and figures by hand; Holm's correction.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-mann-whitney.h"

#include <math.h>

/* Greatest U that is significant at 0.05, two-sided, as tables of the test have it. */
static const struct
{
  const char *name;
  gsize n;
  gsize m;
  gsize critical;
} tables[] = {
  { "4-4", 4, 4, 0 },      { "5-5", 5, 5, 2 },      { "8-8", 8, 8, 13 },
  { "10-10", 10, 10, 23 }, { "6-10", 6, 10, 11 },   { "10-6", 10, 6, 11 },
  { "7-12", 7, 12, 18 },   { "15-20", 15, 20, 90 }, { "20-20", 20, 20, 127 },
};

/* Samples without ties in which the first is greater in @u pairs. */
static void
test_with (gsize n, gsize m, gsize u, PdMannWhitney *out)
{
  g_autofree gdouble *first = g_new (gdouble, n), *second = g_new (gdouble, m);

  for (gsize i = 0; i < n; i++)
    {
      gsize above = MIN (u, m);
      first[i] = (gdouble) above + 0.1 + (gdouble) i * 1e-3;
      u -= above;
    }
  for (gsize i = 0; i < m; i++)
    second[i] = (gdouble) i + 1;
  pd_mann_whitney (first, n, second, m, out);
}

static void
test_table (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data), n = tables[i].n, m = tables[i].m, u = tables[i].critical;
  PdMannWhitney at, beyond, mirrored;

  test_with (n, m, u, &at);
  test_with (n, m, u + 1, &beyond);
  test_with (n, m, n * m - u, &mirrored);
  g_assert_true (at.is_exact);
  g_assert_cmpfloat (at.u, ==, (gdouble) u);
  g_assert_cmpfloat (at.p, <=, 0.05);
  g_assert_cmpfloat (beyond.p, >, 0.05);
  g_assert_cmpfloat_with_epsilon (mirrored.p, at.p, 1e-12);
}

/* M. Hollander, D. A. Wolfe: Nonparametric Statistical Methods: permeability constants of
 * membranes; W = 35, one-sided P = 0.1272. */
static void
test_textbook (void)
{
  const gdouble first[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
  const gdouble second[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
  PdMannWhitney test;

  pd_mann_whitney (first, 10, second, 5, &test);
  g_assert_cmpfloat (test.u, ==, 35);
  g_assert_cmpfloat_with_epsilon (test.p, 2 * 0.1272, 1e-4);
}

/* All 20 orders of 3 and 3 are equally likely: U = 0 in 1 of them, U = 1 in 1, U = 2 in 2. */
static void
test_by_hand (void)
{
  PdMannWhitney test;

  test_with (3, 3, 0, &test);
  g_assert_cmpfloat_with_epsilon (test.p, 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (test.least_p, 0.1, 1e-12);
  test_with (3, 3, 2, &test);
  g_assert_cmpfloat_with_epsilon (test.p, 0.4, 1e-12);
  test_with (1, 1, 0, &test);
  g_assert_cmpfloat_with_epsilon (test.p, 1, 1e-12);
}

/* U = 1 of 9 pairs; three values are tied: variance 9/12 (7 - 24/30) = 4.65, and
 * z = (3.5 - 0.5) / sqrt (4.65) = 1.3912. */
static void
test_ties (void)
{
  const gdouble first[] = { 1, 2, 2 }, second[] = { 2, 3, 4 }, same[] = { 5, 5, 5 };
  PdMannWhitney test;

  pd_mann_whitney (first, 3, second, 3, &test);
  g_assert_false (test.is_exact);
  g_assert_cmpfloat (test.u, ==, 1);
  g_assert_cmpfloat_with_epsilon (test.p, erfc (3 / sqrt (4.65) / sqrt (2)), 1e-12);
  pd_mann_whitney (same, 3, same, 3, &test);
  g_assert_cmpfloat (test.u, ==, 4.5);
  g_assert_cmpfloat (test.p, ==, 1);
}

/* Where both are possible the approximation is near the exact figure. */
static void
test_large (void)
{
  PdMannWhitney exact, normal;

  test_with (50, 50, 1000, &exact);
  test_with (51, 50, 1020, &normal);
  g_assert_true (exact.is_exact && !normal.is_exact);
  g_assert_cmpfloat_with_epsilon (exact.p, normal.p, 0.005);
}

static void
test_holm (void)
{
  const gdouble p[] = { 0.01, 0.04, 0.03, 0.005 }, wanted[] = { 0.03, 0.06, 0.06, 0.02 };
  const gdouble great[] = { 0.6, 0.9 };
  gdouble adjusted[4];

  pd_holm (p, 4, adjusted);
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (adjusted[i], wanted[i], 1e-12);
  pd_holm (great, 2, adjusted);
  g_assert_cmpfloat (adjusted[0], ==, 1);
  g_assert_cmpfloat (adjusted[1], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/mann-whitney/table/", tables[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_table);
    }
  g_test_add_func ("/measure/mann-whitney/textbook", test_textbook);
  g_test_add_func ("/measure/mann-whitney/by-hand", test_by_hand);
  g_test_add_func ("/measure/mann-whitney/ties", test_ties);
  g_test_add_func ("/measure/mann-whitney/large", test_large);
  g_test_add_func ("/measure/holm", test_holm);
  return g_test_run ();
}
