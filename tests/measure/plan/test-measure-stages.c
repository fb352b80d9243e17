/* Windows of launches on given times; samples; overlap.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-collective-table.h"
#include "measure/plan/pd-stages.h"

#include <math.h>
#include <string.h>

#define US 1e-6
#define ASSERT_NEAR(a, b)                                                                          \
  g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * (1e-6 + fabs ((gdouble) (b))))

static const PdStageRule rule = { 4, 8, 0.25, 1.1, 3, 0.1 * US, 0 };

/* ---- a stage: each launch starts @late seconds late and takes @takes */

typedef struct
{
  gdouble late[8];
  gdouble takes[8];
} Times;

static void
close_stage (PdStages *stages, const Times *times, guint *faults)
{
  PdStageLaunch launches[8];
  guint n = pd_stages_length (stages);

  for (guint i = 0; i < n; i++)
    {
      gdouble start = pd_stages_start (stages, i) + times->late[i];
      launches[i] = (PdStageLaunch){ start - 0.01 * US, start, start + times->takes[i] };
    }
  pd_stages_close (stages, launches, faults);
}

/* Stage 0 of four launches in a row that take 10 us each. */
static void
begin (PdStages *stages, const PdStageRule *what, guint *faults)
{
  static const Times first = { { 0, 10 * US, 20 * US, 30 * US },
                               { 10 * US, 10 * US, 10 * US, 10 * US } };

  pd_stages_init (stages, what);
  g_assert_cmpuint (pd_stages_length (stages), ==, 4);
  g_assert_cmpfloat (stages->window, ==, 0);
  close_stage (stages, &first, faults);
}

static Times
same (gdouble takes)
{
  Times times = { .late = { 0 } };

  for (guint i = 0; i < 8; i++)
    times.takes[i] = takes;
  return times;
}

/* delta_1 = gamma (stage time) / k', and nothing of stage 0 counts. */
static void
test_first (void)
{
  PdStages stages;
  guint faults[8];

  begin (&stages, &rule, faults);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (faults[i], ==, PD_FAULT_DISCARDED);
  g_assert_cmpuint (stages.number, ==, 1);
  g_assert_cmpuint (stages.launches, ==, 0);
  g_assert_cmpuint (stages.correct, ==, 0);
  g_assert_cmpuint (pd_stages_length (&stages), ==, 8);
  ASSERT_NEAR (stages.window, 1.1 * 40 * US / 4);
  ASSERT_NEAR (pd_stages_start (&stages, 3), 33 * US);
}

/* Late at the start, at the end, and both; just in time is in time. */
static void
test_late (void)
{
  Times times = same (10 * US);
  PdStages stages;
  guint faults[8];

  begin (&stages, &rule, faults);
  times.late[1] = 0.2 * US;
  times.late[2] = 0.09 * US;
  times.takes[5] = 11.5 * US;
  times.late[7] = 2 * US;
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (faults[0], ==, PD_FAULT_NONE);
  g_assert_cmpuint (faults[1], ==, PD_FAULT_LATE_START);
  g_assert_cmpuint (faults[2], ==, PD_FAULT_NONE);
  g_assert_cmpuint (faults[5], ==, PD_FAULT_LATE_END);
  g_assert_cmpuint (faults[7], ==, PD_FAULT_LATE_START | PD_FAULT_LATE_END);
  g_assert_cmpuint (stages.launches, ==, 8);
  g_assert_cmpuint (stages.correct, ==, 5);
}

/* The share g is not yet more than g: 2 of 8 leave the window, 3 change it to
 * gamma (stage time) / k. */
static void
test_share (void)
{
  Times times = same (10 * US);
  PdStages stages;
  guint faults[8];

  begin (&stages, &rule, faults);
  times.takes[0] = times.takes[1] = 12 * US;
  close_stage (&stages, &times, faults);
  ASSERT_NEAR (stages.window, 11 * US);
  times.takes[7] = 23 * US;
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 6 + 5);
  ASSERT_NEAR (stages.window, 1.1 * (7 * 11 + 23) * US / 8);
  close_stage (&stages, &times, faults);
  ASSERT_NEAR (pd_stages_start (&stages, 1), stages.window);
}

/* A stage that was disturbed for 1 ms leaves windows of 137 us; the next one finds out. */
static void
test_wide (void)
{
  Times times = same (10 * US);
  PdStages stages;
  guint faults[8];
  gdouble wide;

  begin (&stages, &rule, faults);
  for (guint i = 0; i < 8; i++)
    times.late[i] = 1000 * US - pd_stages_start (&stages, i);
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 0);
  wide = stages.window;
  ASSERT_NEAR (wide, 1.1 * 1010 * US / 8);
  times = same (10 * US);
  times.takes[3] = 20 * US;
  close_stage (&stages, &times, faults);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpuint (faults[i], ==, PD_FAULT_WIDE);
  g_assert_cmpuint (stages.correct, ==, 0);
  g_assert_cmpuint (stages.launches, ==, 16);
  ASSERT_NEAR (stages.window, 1.1 * 20 * US);
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 8);
}

/* As published: windows never shrink. */
static void
test_never_shrinks (void)
{
  PdStageRule published = rule;
  Times times = same (1 * US);
  PdStages stages;
  guint faults[8];

  published.wide = 0;
  begin (&stages, &published, faults);
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 8);
  ASSERT_NEAR (stages.window, 11 * US);
}

static void
test_fixed (void)
{
  PdStageRule fixed = rule;
  Times times = same (30 * US);
  PdStages stages;
  guint faults[8];

  fixed.fixed = 20 * US;
  begin (&stages, &fixed, faults);
  ASSERT_NEAR (stages.window, 20 * US);
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 0);
  ASSERT_NEAR (stages.window, 20 * US);
  times = same (1 * US);
  close_stage (&stages, &times, faults);
  g_assert_cmpuint (stages.correct, ==, 8);
  ASSERT_NEAR (stages.window, 20 * US);
}

/* Whatever launches take, windows come to them: all but few launches of the last of 100
 * stages count, and windows are at most three times as long as launches. */
static void
test_settles (void)
{
  static const gdouble takes[] = { 0.3 * US, 5 * US, 10.5 * US, 200 * US, 0.05 };

  for (gsize i = 0; i < G_N_ELEMENTS (takes); i++)
    {
      Times times = same (takes[i]);
      PdStages stages;
      guint faults[8];
      gsize before = 0;
      begin (&stages, &rule, faults);
      for (guint k = 0; k < 200; k++)
        {
          /* launches wait for those before them */
          for (guint l = 1; l < 8; l++)
            times.late[l] = MAX (0, times.late[l - 1] + takes[i] - stages.window);
          before = stages.correct;
          close_stage (&stages, &times, faults);
        }
      g_assert_cmpuint (stages.correct - before, >=, 6);
      g_assert_cmpfloat (stages.window, <=, 3 * takes[i]);
    }
}

/* ---- samples */

static void
test_sample (void)
{
  const gdouble starts[] = { 1.0, 1.5, 0.5 }, durations[] = { 4, 1, 2 };
  g_autoptr (PdLaunchSample) sample = pd_sample_new (3), more = pd_sample_new (3);
  g_autofree gdouble *rank = NULL;

  g_assert_null (pd_sample_times (sample, PD_TIME_GLOBAL));
  pd_sample_add (sample, starts, durations, 0.25, 10);
  g_assert_cmpuint (pd_sample_correct (sample), ==, 1);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_GLOBAL)[0], 5.0 - 0.5);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_COMPLETION)[0], 5.0 - 0.25);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_LOCAL)[0], 4);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_LOCAL_MEAN)[0], 7.0 / 3);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_LOCAL_MEDIAN)[0], 2);
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_WINDOW)[0], 10);
  pd_sample_add (more, starts, starts, 0, 20);
  more->launches = 3;
  more->late_ends = 2;
  pd_sample_take (sample, more);
  g_assert_cmpuint (pd_sample_correct (more), ==, 0);
  g_assert_cmpuint (more->launches, ==, 0);
  g_assert_cmpuint (pd_sample_correct (sample), ==, 2);
  g_assert_cmpuint (sample->launches, ==, 3);
  g_assert_cmpuint (sample->late_ends, ==, 2);
  rank = pd_sample_rank (sample, 1);
  ASSERT_NEAR (rank[0], 1);
  ASSERT_NEAR (rank[1], 1.5);
}

/* A plain loop has local times only. */
static void
test_loop (void)
{
  const gdouble durations[] = { 4, 1 };
  g_autoptr (PdLaunchSample) sample = pd_sample_new (2);

  pd_sample_add (sample, NULL, durations, 0, 0);
  g_assert_cmpuint (pd_sample_correct (sample), ==, 1);
  g_assert_null (pd_sample_times (sample, PD_TIME_GLOBAL));
  g_assert_null (pd_sample_times (sample, PD_TIME_WINDOW));
  ASSERT_NEAR (pd_sample_times (sample, PD_TIME_LOCAL)[0], 4);
}

/* ---- overlap */

static void
test_overlap (void)
{
  static const struct
  {
    const char *name;
    PdOverlap overlap;
    gdouble share;
  } rows[] = {
    { "none", { 10, 10, 20, 0 }, 0 },
    { "all", { 10, 10, 10, 0 }, 1 },
    { "half", { 10, 10, 15, 0 }, 0.5 },
    { "short computation", { 10, 4, 12, 0 }, 0.5 },
    { "slower together", { 10, 10, 25, 0 }, 0 },
    { "faster together", { 10, 10, 8, 0 }, 1 },
  };
  const PdOverlap unknown = { 10, NAN, 10, 0 }, nothing = { 10, 0, 10, 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("%s", rows[i].name);
      ASSERT_NEAR (pd_overlap_share (&rows[i].overlap), rows[i].share);
    }
  g_assert_true (isnan (pd_overlap_share (&unknown)));
  g_assert_true (isnan (pd_overlap_share (&nothing)));
}

/* ---- rows: a case without any correct launch is told, too */

static void
test_rows (void)
{
  const PdCollectiveCase what = { .operation = "bcast",
                                  .form = "blocking",
                                  .processes = 2,
                                  .bytes = 8,
                                  .datatype = "double",
                                  .op = "",
                                  .buffers = "warm",
                                  .arrival = "late",
                                  .skew_us = 7,
                                  .synchronised = TRUE };
  const gdouble starts[] = { 1 * US, 0 }, durations[] = { 2 * US, 4 * US };
  g_autoptr (PdLaunchSample) empty = pd_sample_new (2), one = pd_sample_new (2);
  g_autoptr (PdSheet) output = pd_sheet_new ("collective");
  g_autofree char *csv = NULL;

  empty->launches = 100;
  one->launches = 1;
  pd_sample_add (one, starts, durations, 0, 5 * US);
  pd_collective_table_add (output, &what, empty, 0.25);
  pd_collective_table_add (output, &what, one, 0.25);
  pd_collective_table_add_ranks (output, &what, one, 0.25);
  pd_collective_table_add_round (output, &what, 3, one);
  pd_collective_table_add_arrival (output, &what, one, 0.25);
  csv = pd_sheet_format_csv (output);
  g_assert_nonnull (strstr (csv, "\ncollective,bcast,blocking,2,8,0,double,,0,warm,100,0,0,"));
  g_assert_nonnull (
      strstr (csv, "\ncollective,bcast,blocking,2,8,0,double,,0,warm,1,1,1,0,0,0,5,4,"));
  /* from 1 us, the last start, to 4 us, the last end */
  g_assert_nonnull (
      strstr (csv, "\ncollective_round,bcast,blocking,2,8,0,double,,0,warm,late,7,3,1,3,1,0\n"));
  g_assert_nonnull (strstr (csv, ",1,0,late,7\n"));
  g_assert_nonnull (strstr (csv, "\narrival,bcast,blocking,2,8,late,7,1,3,"));
  g_assert_nonnull (strstr (csv, "\ncollective_rank,bcast,blocking,2,8,0,2,"));
  g_assert_nonnull (strstr (csv, "\ncollective_rank,bcast,blocking,2,8,1,4,"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/stages/first", test_first);
  g_test_add_func ("/measure/stages/late", test_late);
  g_test_add_func ("/measure/stages/share", test_share);
  g_test_add_func ("/measure/stages/wide", test_wide);
  g_test_add_func ("/measure/stages/never-shrinks", test_never_shrinks);
  g_test_add_func ("/measure/stages/fixed", test_fixed);
  g_test_add_func ("/measure/stages/settles", test_settles);
  g_test_add_func ("/measure/sample/launches", test_sample);
  g_test_add_func ("/measure/sample/loop", test_loop);
  g_test_add_func ("/measure/overlap/share", test_overlap);
  g_test_add_func ("/measure/collective/rows", test_rows);
  return g_test_run ();
}
