/* Clocks in a simulated world, where the truth is known: exchanges whose ways take
 * random times, skewed and drifting clocks.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-clock.h"
#include "measure/stats/pd-timer.h"

#include <math.h>

/* ---- the world */

typedef struct
{
  gdouble now;  /* true time */
  gdouble skew; /* the own clock: now + skew + drift now; the other one shows @now */
  gdouble drift;
  gdouble noise; /* mean of what a way takes more than its least */
  GRand *random;
} World;

static gdouble
own_clock (const World *world)
{
  return world->now + world->skew + world->drift * world->now;
}

/* A way of at least 0.4 us. */
static void
travel (World *world)
{
  world->now += 0.4e-6 - world->noise * log (1 - g_rand_double (world->random));
}

static PdClockPoint
search (World *world, guint patience)
{
  PdClockSearch found = PD_CLOCK_SEARCH_INIT;
  gdouble sent, there, received;

  do
    {
      sent = own_clock (world);
      travel (world);
      there = world->now;
      travel (world);
      received = own_clock (world);
      world->now += 50e-9;
    }
  while (!pd_clock_search_add (&found, sent, there, received, patience));
  return found.best;
}

static PdClockModel
synchronise (World *world, gdouble duration)
{
  PdClockPoint points[100];
  gdouble began = world->now;

  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    {
      world->now = MAX (world->now, began + duration * (gdouble) i / 99);
      points[i] = search (world, 10);
    }
  return pd_clock_fit (points, G_N_ELEMENTS (points));
}

/* ---- how exact it is */

static const struct
{
  const char *name;
  gdouble skew;
  gdouble drift;
  gdouble noise;
} worlds[] = {
  { "quiet", 0.5, 1e-6, 20e-9 },         { "noisy", 0.5, 1e-6, 1e-6 },
  { "behind", -0.5, -1e-6, 20e-9 },      { "no-drift", 0.5, 0, 20e-9 },
  { "hours-apart", 86400, 1e-5, 20e-9 },
};

/* Bounds after 0, 1, 5 and 10 s. */
static void
test_accuracy (gconstpointer data)
{
  static const gdouble after[] = { 0, 1, 5, 10 }, bounds[] = { .2e-6, .5e-6, 1e-6, 1e-6 };
  gsize w = GPOINTER_TO_SIZE (data);

  for (guint32 seed = 0; seed < 20; seed++)
    {
      World world = { 100, worlds[w].skew, worlds[w].drift, worlds[w].noise,
                      g_rand_new_with_seed (seed) };
      PdClockModel model = synchronise (&world, 1);
      gdouble began = world.now;
      for (gsize i = 0; i < G_N_ELEMENTS (after); i++)
        {
          world.now = began + after[i];
          g_assert_cmpfloat (fabs (pd_clock_there (&model, own_clock (&world)) - world.now), <,
                             bounds[i]);
        }
      g_rand_free (world.random);
    }
}

/* The same world without a model of drift is off by 10 us after 10 s: the figures above
 * are those of the model. */
static void
test_without_drift (void)
{
  World world = { 100, 0.5, 1e-6, 20e-9, g_rand_new_with_seed (1) };
  PdClockPoint point = search (&world, 100);
  PdClockModel model = { point.at, point.offset, 0 };

  g_assert_cmpfloat (fabs (pd_clock_there (&model, own_clock (&world)) - world.now), <, .2e-6);
  world.now += 10;
  g_assert_cmpfloat (fabs (pd_clock_there (&model, own_clock (&world)) - world.now), >, 9e-6);
  g_rand_free (world.random);
}

/* Over a thousandth of a second a slope of 1e-6 is lost in noise: none is better. */
static void
test_slope_of_noise (void)
{
  guint n_zero = 0;

  for (guint32 seed = 0; seed < 50; seed++)
    {
      World world = { 100, 0.5, 0, 200e-9, g_rand_new_with_seed (seed) };
      PdClockModel model = synchronise (&world, 1e-3);
      n_zero += model.slope == 0;
      g_rand_free (world.random);
    }
  /* the interval at 0.99 excludes 0 once in a hundred times */
  g_assert_cmpuint (n_zero, >=, 46);
}

/* ---- parts */

static void
test_search (void)
{
  PdClockSearch found = PD_CLOCK_SEARCH_INIT;

  g_assert_false (pd_clock_search_add (&found, 10, 105, 12, 3)); /* 2: 105 at 11 */
  g_assert_false (pd_clock_search_add (&found, 20, 114, 21, 3)); /* 1: 114 at 20.5 */
  g_assert_false (pd_clock_search_add (&found, 30, 200, 31, 3)); /* as long: not better */
  g_assert_false (pd_clock_search_add (&found, 40, 200, 49, 3));
  g_assert_true (pd_clock_search_add (&found, 50, 200, 59, 3));
  g_assert_cmpfloat (found.best.at, ==, 20.5);
  g_assert_cmpfloat (found.best.offset, ==, 93.5);
  g_assert_cmpfloat (found.best.round_trip, ==, 1);
  g_assert_cmpuint (found.n, ==, 5);
}

static void
test_model (void)
{
  const PdClockModel near = { 100, 5, 1e-3 }, far = { 50, -20, -2e-3 };
  PdClockModel chain = pd_clock_chain (&near, &far);

  for (gdouble own = -1000; own <= 1000; own += 125)
    {
      gdouble there = pd_clock_there (&near, own);
      g_assert_cmpfloat_with_epsilon (pd_clock_here (&near, there), own, 1e-9);
      g_assert_cmpfloat_with_epsilon (pd_clock_there (&chain, own), pd_clock_there (&far, there),
                                      1e-9);
    }
  g_assert_cmpfloat_with_epsilon (pd_clock_there (&near, 200), 205.1, 1e-12);
}

static void
test_few_points (void)
{
  const PdClockPoint points[] = { { 1, 10, 3 }, { 2, 20, 1 }, { 3, 30, 9 } };
  PdClockModel model = pd_clock_fit (points, 3);

  /* two of them took too long */
  g_assert_cmpfloat (model.at, ==, 2);
  g_assert_cmpfloat (model.offset, ==, 20);
  g_assert_cmpfloat (model.slope, ==, 0);
}

/* ---- timers */

static void
test_timers (void)
{
  static const char *const names[] = { "clock_monotonic", "gettimeofday" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      PdTimerKind kind = pd_timer_find (names[i], NULL);
      gdouble first, last;
      PdTimer timer;
      g_assert_cmpstr (pd_timer_name (kind), ==, names[i]);
      pd_timer_start (&timer, kind, 0);
      first = pd_timer_now (&timer);
      pd_timer_wait (&timer, first + 1e-3);
      last = pd_timer_now (&timer);
      g_assert_cmpfloat (first, >=, 0);
      g_assert_cmpfloat (last - first, >=, 1e-3);
    }
}

/* The counter agrees with CLOCK_MONOTONIC, over a time that both show. */
static void
test_tsc (void)
{
  g_autoptr (GError) error = NULL;
  gdouble tick = pd_timer_calibrate_tsc (0.05, &error), by_tsc, by_clock;
  PdTimer tsc, clock;

  if (tick == 0)
    {
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_TIMER);
      g_test_skip ("no invariant time stamp counter");
      return;
    }
  pd_timer_start (&clock, PD_TIMER_CLOCK_MONOTONIC, 0);
  pd_timer_start (&tsc, PD_TIMER_TSC, tick);
  pd_timer_wait (&clock, 0.05);
  by_tsc = pd_timer_now (&tsc);
  by_clock = pd_timer_now (&clock);
  /* one may have been interrupted between two lines, so not below */
  g_assert_cmpfloat (by_tsc, >, 0.045);
  g_assert_cmpfloat (by_tsc, <, by_clock * 1.001 + 1e-6);
}

static void
test_disturbed (void)
{
  PdTimer timer;
  gdouble before, shown, after;

  pd_timer_start (&timer, PD_TIMER_CLOCK_MONOTONIC, 0);
  before = pd_timer_now (&timer);
  timer.skew = 1000;
  timer.drift = 0.5;
  shown = pd_timer_now (&timer);
  timer.skew = timer.drift = 0;
  after = pd_timer_now (&timer);
  timer.skew = 1000;
  timer.drift = 0.5;
  g_assert_cmpfloat (shown, >=, 1000);
  g_assert_cmpfloat (pd_timer_undisturbed (&timer, shown), >=, before - 1e-9);
  g_assert_cmpfloat (pd_timer_undisturbed (&timer, shown), <=, after + 1e-9);
}

static void
test_unknown (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (pd_timer_find ("sundial", &error), ==, PD_N_TIMERS);
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (worlds); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/clock/accuracy/", worlds[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_accuracy);
    }
  g_test_add_func ("/measure/clock/without-drift", test_without_drift);
  g_test_add_func ("/measure/clock/slope-of-noise", test_slope_of_noise);
  g_test_add_func ("/measure/clock/search", test_search);
  g_test_add_func ("/measure/clock/model", test_model);
  g_test_add_func ("/measure/clock/few-points", test_few_points);
  g_test_add_func ("/measure/timer/run", test_timers);
  g_test_add_func ("/measure/timer/tsc", test_tsc);
  g_test_add_func ("/measure/timer/disturbed", test_disturbed);
  g_test_add_func ("/measure/timer/unknown", test_unknown);
  return g_test_run ();
}
