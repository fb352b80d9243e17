/* Patterns of arrivals: who comes when.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-arrival.h"
#include "measure/stats/pd-sample.h"
#include "measure/stats/pd-timer.h"

#include <string.h>

#define SKEW 1e-3

static const struct
{
  const char *name;
  gdouble shares[4]; /* of 4 ranks */
} patterns[] = {
  { "late", { 0, 0, 0, 1 } },
  { "linear", { 0, 1.0 / 3, 2.0 / 3, 1 } },
};

static void
test_pattern (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const PdArrival arrival = { pd_arrival_find (patterns[i].name, NULL), SKEW };

  g_assert_cmpstr (pd_arrival_name (arrival.pattern), ==, patterns[i].name);
  for (int rank = 0; rank < 4; rank++)
    for (gsize launch = 0; launch < 3; launch++)
      g_assert_cmpfloat_with_epsilon (pd_arrival_delay (&arrival, rank, 4, launch),
                                      patterns[i].shares[rank] * SKEW, 1e-15);
}

static void
test_together (void)
{
  const PdArrival arrival = { .skew = 0 };

  g_assert_cmpstr (pd_arrival_name (arrival.pattern), ==, "");
  g_assert_cmpfloat (pd_arrival_delay (&arrival, 3, 4, 5), ==, 0);
}

/* Within the skew, spread evenly, another one in each launch, the same again. */
static void
test_random (void)
{
  const PdArrival arrival = { pd_arrival_find ("random", NULL), SKEW };
  guint in_quarter[4] = { 0 }, n = 4000, same = 0;

  for (guint launch = 0; launch < n; launch++)
    {
      gdouble delay = pd_arrival_delay (&arrival, 1, 3, launch);
      g_assert_cmpfloat (delay, >=, 0);
      g_assert_cmpfloat (delay, <, SKEW);
      g_assert_cmpfloat (delay, ==, pd_arrival_delay (&arrival, 1, 3, launch));
      same += delay == pd_arrival_delay (&arrival, 1, 3, launch + 1)
              || delay == pd_arrival_delay (&arrival, 2, 3, launch);
      in_quarter[(gsize) (4 * delay / SKEW)]++;
    }
  g_assert_cmpuint (same, ==, 0);
  for (int i = 0; i < 4; i++)
    g_assert_true (in_quarter[i] > n / 5 && in_quarter[i] < 3 * n / 10);
}

static void
test_unknown (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (pd_arrival_find ("never", &error), ==, PD_N_ARRIVALS);
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
}

/* Ranks start at 0, 30 and 100 us and end at 110, 120 and 105 us: 120 us from the first
 * start, 20 from the last arrival. */
static void
test_sample (void)
{
  const gdouble starts[] = { 0, 30e-6, 100e-6 }, durations[] = { 110e-6, 90e-6, 5e-6 };
  g_autoptr (PdLaunchSample) sample = pd_sample_new (3);

  pd_sample_add (sample, starts, durations, 0, 1);
  g_assert_cmpfloat_with_epsilon (pd_sample_times (sample, PD_TIME_GLOBAL)[0], 120e-6, 1e-15);
  g_assert_cmpfloat_with_epsilon (pd_sample_times (sample, PD_TIME_LAST_ARRIVAL)[0], 20e-6, 1e-15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/arrival/", patterns[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_pattern);
    }
  g_test_add_func ("/measure/arrival/together", test_together);
  g_test_add_func ("/measure/arrival/random", test_random);
  g_test_add_func ("/measure/arrival/unknown", test_unknown);
  g_test_add_func ("/measure/arrival/sample", test_sample);
  return g_test_run ();
}
