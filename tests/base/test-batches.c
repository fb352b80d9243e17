/* Batches of repeated times: by hand, against independent values, and values that drift.
 * SPDX-License-Identifier: MIT */
#include "base/pd-distribution.h"
#include "base/pd-random.h"

/* 1 2 3 4: four batches of one, mean 2.5, s2 = 5/3; n^2 s2 / B = 16 * 5/3 / 4 */
static void
test_by_hand (void)
{
  PdBatches self = { .n = 0 };

  g_assert_cmpfloat (pd_batches_get_variance (&self), ==, 0);
  pd_batches_add (&self, 1);
  g_assert_cmpfloat (pd_batches_get_variance (&self), ==, 0);
  for (gint i = 2; i <= 4; i++)
    pd_batches_add (&self, i);
  g_assert_cmpfloat_with_epsilon (pd_batches_get_variance (&self), 20.0 / 3, 1e-12);
}

/* 1 to 18: at the 16th neighbours are merged: sums 3, 7, ... 31, and 17 + 18 = 35: nine batches
 * of means 1.5, 3.5, ... 17.5, s2 = 4 * 7.5; n^2 s2 / B = 324 * 30 / 9 */
static void
test_merged (void)
{
  PdBatches self = { .n = 0 };

  for (gint i = 1; i <= 18; i++)
    pd_batches_add (&self, i);
  g_assert_cmpuint (self.size, ==, 2);
  g_assert_cmpuint (self.n_full, ==, 9);
  g_assert_cmpfloat_with_epsilon (pd_batches_get_variance (&self), 1080, 1e-9);
}

/* Equal values at once are what they are one by one. */
static void
test_equal (void)
{
  for (guint64 n = 0; n < 300; n += 7)
    {
      PdBatches one = { .n = 0 }, two = { .n = 0 };
      for (gint value = 1; value < 5; value++)
        {
          pd_batches_add_equal (&one, value, n * (guint64) value % 113);
          for (guint64 i = 0; i < n * (guint64) value % 113; i++)
            pd_batches_add (&two, value);
        }
      g_assert_cmpuint (one.n, ==, two.n);
      g_assert_cmpuint (one.in_current, ==, two.in_current);
      g_assert_cmpfloat (one.current, ==, two.current);
      g_assert_cmpfloat (pd_batches_get_variance (&one), ==, pd_batches_get_variance (&two));
    }
}

/* The mean estimate of many series of n independent values of variance 1 is n; of values that
 * come four at a time it is four times that. */
static void
test_random (gconstpointer data)
{
  guint alike = GPOINTER_TO_UINT (data), n = 512, n_series = 400;
  gdouble sum = 0;

  for (guint s = 0; s < n_series; s++)
    {
      PdBatches self = { .n = 0 };
      PdRandom random;
      gdouble value = 0;
      pd_random_init (&random, 7, alike, s);
      for (guint i = 0; i < n; i++)
        {
          if (i % alike == 0)
            value = pd_random_normal (&random);
          pd_batches_add (&self, 10 + value);
        }
      sum += pd_batches_get_variance (&self) / n_series;
    }
  g_assert_cmpfloat_with_epsilon (sum / n / alike, 1, 0.1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/batches/equal", test_equal);
  g_test_add_func ("/base/batches/by-hand", test_by_hand);
  g_test_add_func ("/base/batches/merged", test_merged);
  g_test_add_data_func ("/base/batches/independent", GUINT_TO_POINTER (1), test_random);
  g_test_add_data_func ("/base/batches/alike", GUINT_TO_POINTER (4), test_random);
  return g_test_run ();
}
