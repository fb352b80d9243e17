/* Ordered loops: wavefronts and pipelines, their messages and times by hand, and the run-time's
 * reasons against one.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-dvm-pipeline.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/predict.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

/* across_ of the current loop; groups may be 0. */
static void
across (TestTrace *trace, int type, gint64 before, gint64 after, const char *parameter)
{
  g_autofree char *params =
      g_strdup_printf ("AcrossType=%d; OldShadowGroupRef=%" ID "; NewShadowGroupRef=%" ID
                       "; PipeLinePar=%s;\nCondPipeLine=0  ErrPipeLine=9\nQDim[0]=-1",
                       type, before, after, parameter);

  test_trace_call (trace, "across_", 0, 0, params, "ErrPipeLine=9");
}

static void
doacr (TestTrace *trace, gint64 group, const char *parameter)
{
  g_autofree char *params = g_strdup_printf (
      "AcrossType=0; AcrShadowGroupRefPtr=1; AcrShadowGroupRef=%" ID "; PipeLinePar=%s;", group,
      parameter);

  test_trace_call (trace, "doacr_", 0, 0, params, "ErrPipeLine=9");
}

/* ---- cases by hand */

/* One execution: an array, a loop 1..6 upon it, exchanges of width 1. */
typedef struct
{
  const char *sizes, *axes, *rules, *ranges;
  const char *before_low, *before_high, *after_low, *after_high;
} Shape;

static const Shape rows = { "8,8", "1", "1*1+0,2*1+0", "1:6,1:6", "0,0", "1,0", "1,0", "0,0" };
static const Shape descending = { "8,8", "1",   "1*1+0,2*1+0", "6:1:-1,1:6",
                                  "1,0", "0,0", "0,0",         "1,0" };
static const Shape cube = { "8,8,6", "1,2",  "1*1+0,2*1+0,3*1+0", "1:6,1:6,0:5", "0,0,0", "1,1,0",
                            "1,1,0", "0,0,0" };

static gint64
make_array (TestTrace *trace, const Shape *shape)
{
  return test_trace_array (trace, shape->sizes,
                           test_trace_template (trace, shape->sizes, shape->axes), shape->rules);
}

static void
play (TestTrace *trace, gint64 array, const Shape *shape, const char *parameter, gint64 time)
{
  gint64 before = test_trace_shadow (trace, array, shape->before_low, shape->before_high, FALSE);
  gint64 after = test_trace_shadow (trace, array, shape->after_low, shape->after_high, FALSE);
  gint64 loop = test_trace_loop (trace, array, shape->ranges, shape->rules);

  across (trace, 0, before, after, parameter);
  test_trace_run (trace, loop, time);
}

static const struct
{
  const char *name, *grid, *parameter;
  const Shape *shape;
  const char *messages;
} exchanges[] = {
  { "first-execution", "4", "0", &rows,
    "0>1:64 0>2:8 1>0:64 1>2:8 1>2:64 2>1:64 2>3:64 3>2:8 3>2:64" },
  { "two-portions", "4", "2", &rows,
    "0>1:24 0>1:24 1>0:64 1>2:24 1>2:24 2>1:64 2>3:24 2>3:24 3>2:64" },
  { "three-portions", "4", "3", &rows,
    "0>1:16 0>1:16 0>1:16 1>0:64 1>2:16 1>2:16 1>2:16 2>1:64 2>3:16 2>3:16 2>3:16 3>2:64" },
  { "one-portion", "4", "1", &rows, "0>1:64 1>0:64 1>2:64 2>1:64 2>3:64 3>2:64" },
  { "descending", "4", "2", &descending,
    "0>1:64 1>0:24 1>0:24 1>2:64 2>1:24 2>1:24 2>3:64 3>2:24 3>2:24" },
  { "cube-2", "2x2", "2", &cube,
    "0>1:96 0>1:96 0>2:96 0>2:96 1>0:192 1>3:96 1>3:96 2>0:192 2>3:96 2>3:96 3>1:192 3>2:192" },
  { "cube-4", "2x2", "4", &cube,
    "0>1:64 0>1:64 0>1:64 0>2:64 0>2:64 0>2:64 1>0:192 1>3:64 1>3:64 1>3:64 2>0:192 2>3:64 2>3:64 "
    "2>3:64 3>1:192 3>2:192" },
  { "one-processor", "1", "3", &rows, "" },
};

static void
test_exchange (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");

  play (trace, make_array (trace, exchanges[i].shape), exchanges[i].shape, exchanges[i].parameter,
        36);
  options.observer = &observer;
  test_watch (trace, exchanges[i].grid, &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *collectives = test_log_show_collectives (log, 0);
  g_assert_cmpstr (messages, ==, exchanges[i].messages);
  g_assert_cmpstr (collectives, ==, i == 0 ? "bcast:8" : "");
}

/* Times by hand, microseconds: 1 per iteration, free communication. */
static const struct
{
  const char *name, *parameter;
  const Shape *shape;
  const char *ends, *waits, *others, *computed;
} times[] = {
  /* one after the other: 0, 6, 18, 30; at 36 all know the iteration time */
  { "wavefront", "0", &rows, "36 36 36 36", "0 6 18 30", "30 18 6 0", "6 12 12 6" },
  { "pipeline", "3", &rows, "6 14 18 20", "0 2 6 14", "0 0 0 0", "6 12 12 6" },
  { "pipeline-descending", "3", &descending, "20 18 14 6", "14 6 2 0", "0 0 0 0", "6 12 12 6" },
  /* halves of 3, 6, 6, 3 */
  { "two-portions", "2", &rows, "6 15 21 24", "0 3 9 18", "0 0 0 0", "6 12 12 6" },
};

static void
test_times (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  play (trace, make_array (trace, times[i].shape), times[i].shape, times[i].parameter, 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_SHADOW);
  g_autofree char *others = test_values (run, 0, PD_C_OTHER_COMM);
  g_autofree char *computed = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (ends, ==, times[i].ends);
  g_assert_cmpstr (waits, ==, times[i].waits);
  g_assert_cmpstr (others, ==, times[i].others);
  g_assert_cmpstr (computed, ==, times[i].computed);
}

/* With messages of 1 each, two portions on two processors of 12 and 24: 0
 * computes until 6, sends until 12; 1 waits for the edges at 7 and 13.
 * The columns are 3 each: portions of 0: 9/2; Old: none. */
static void
test_network (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=0,send-overhead=0.5us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "0:7,1:6", "1*1+0,2*1+0");

  across (trace, 0, 0, after, "2");
  test_trace_run (trace, loop, 48);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_SHADOW);
  /* 0: 12, sends .5, 12, sends .5; 1: has the edges at 13.5 and 26, computes 24 */
  g_assert_cmpstr (ends, ==, "25 38");
  g_assert_cmpstr (waits, ==, "1 14");
}

/* The library's own work: 1 ns per byte packed or unpacked, 10 ns per run of
 * elements, .1 for the start of an exchange. 24 microseconds of iterations each;
 * an edge is 8 elements of 8 bytes, of a portion of two 3. */
static const struct
{
  const char *name, *grid, *low, *parameter;
  const char *ends;
} packings[] = {
  /* 0 starts and packs for .134 twice; 1: starts .1, has the edge at 12.134 and
   * 12.168, starts .1, computes until 24.268, unpacks the next until 24.302 */
  { "row-pipeline", "2x1", "1,0", "2", "24.268000 36.302000" },
  /* 3 runs instead of 1 */
  { "column-pipeline", "1x2", "0,1", "2", "24.308000 36.362000" },
  { "row-wavefront", "2x1", "1,0", "1", "24.174000 48.248000" },
  { "column-wavefront", "1x2", "0,1", "1", "24.244000 48.388000" },
};

static void
test_packing (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options =
      test_options ("ideal:pack-per-byte=1ns,pack-per-run=10ns,exchange-overhead=100ns");
  gboolean is_row = packings[i].low[0] == '1';
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 after = test_trace_shadow (trace, array, packings[i].low, "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, is_row ? "0:7,1:6" : "1:6,0:7", "1*1+0,2*1+0");

  options.settings = NULL;
  across (trace, 0, 0, after, packings[i].parameter);
  test_trace_run (trace, loop, 48);
  g_autoptr (TestRun) run = test_run (trace, packings[i].grid, &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *computed = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (ends, ==, packings[i].ends);
  g_assert_cmpstr (computed, ==, "24 24");
}

/* Intervals inside the loop, each portion its share; sums are exact. */
static void
test_shares (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 0, 0, after, "4");
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_open (trace, "binter_", 50, 1, 5, 1);
  test_trace_close (trace, "einter_", 50, 1, 12, 0);
  test_trace_dopl (trace, loop, 19, 0);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autoptr (TestRun) one = test_run (trace, "1", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  g_autofree PdIntervalResult *inner = test_result (run, test_node (run, PD_INTERVAL_USER, 50));
  g_assert_cmpint ((gint64) all->values[PD_C_CPU_TIME].sum.ps, ==, one->end_times[0].ps);
  g_assert_cmpint ((gint64) inner->values[PD_C_CPU_TIME].sum.ps, <=, 13 * PD_PS_PER_US);
  g_assert_cmpint ((gint64) inner->values[PD_C_CPU_TIME].sum.ps, >=, 13 * PD_PS_PER_US - 4);
}

/* ---- the number of portions */

static const struct
{
  const char *name;
  gint64 n, wanted;
  const char *sizes; /* of the portions */
} cuts[] = {
  { "7-2", 7, 2, "3 4" },
  { "7-3", 7, 3, "2 2 3" },
  { "7-4", 7, 4, "1 1 1 4" },
  { "7-5", 7, 5, "1 1 1 4" },
  { "7-6", 7, 6, "1 1 1 4" },
  { "10-2", 10, 2, "5 5" },
  { "10-3", 10, 3, "3 3 4" },
  { "10-4", 10, 4, "2 2 2 4" },
  { "10-5", 10, 5, "2 2 2 2 2" },
  { "10-6", 10, 6, "2 2 2 2 2" },
  { "11-2", 11, 2, "5 6" },
  { "11-3", 11, 3, "3 3 5" },
  { "11-4", 11, 4, "2 2 2 5" },
  { "11-5", 11, 5, "2 2 2 5" },
  { "11-6", 11, 6, "1 1 1 1 1 6" },
  { "more-than-there-are", 3, 100, "1 1 1" },
  { "one", 5, 1, "5" },
  { "none", 5, 0, "5" },
};

static void
test_cut (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gint64 iterations[2] = { cuts[i].n, 0 }, sum = 0;
  g_autoptr (GString) sizes = g_string_new (NULL);
  PdPortions portions;

  pd_pipeline_cut (iterations, cuts[i].wanted, &portions);
  for (gint64 k = 0; k < pd_portions_get_count (&portions); k++)
    {
      PdPortion part = pd_portions_get (&portions, k);
      g_assert_cmpint (part.before, ==, sum);
      sum += part.n;
      g_string_append_printf (sizes, "%s%" G_GINT64_FORMAT, k > 0 ? " " : "", part.n);
    }
  if (pd_portions_get_count (&portions) > 1)
    g_assert_cmpstr (sizes->str, ==, cuts[i].sizes);
  else
    g_assert_cmpstr (sizes->str, ==, "1"); /* nothing is cut */
}

/* 12 portions wanted of 4 by 9: four of one, and each of those in three. */
static void
test_cut_two (void)
{
  gint64 iterations[2] = { 4, 9 }, sum = 0;
  PdPortions portions;

  pd_pipeline_cut (iterations, 12, &portions);
  g_assert_cmpint (portions.n[0], ==, 4);
  g_assert_cmpint (portions.n[1], ==, 3);
  for (gint64 k = 0; k < 12; k++)
    {
      PdPortion part = pd_portions_get (&portions, k);
      g_assert_cmpint (part.before, ==, sum);
      g_assert_cmpint (part.n, ==, 3);
      sum += part.n;
    }
  g_assert_cmpint (sum, ==, 36);
}

/* and the borders. */
static void
test_count (void)
{
  PdPipelineShape shape = { .pm = 4, .iterations = 14, .nq = 400 };

  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 1e-6, 8e-9, 2e-6 }), ==, 46);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 1e-9, 8e-9, 2e-6 }), ==, 3);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 1e-6, 8e-9, 0 }), ==, 400);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 1e-6, 0, 2e-6 }), ==, 46);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 0, 0, 2e-6 }), ==, 1);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 0, 0, 0 }), ==, 1);
  g_assert_cmpint (pd_pipeline_count (&shape, &(PdPipelineCosts){ 1, 0, 1e-12 }), ==, 400);
}

/* The same through a trace: -PipeLinePar is the time of an iteration, the rest
 * comes from the network. 60 columns; W*b = 64 / 6 x 8 bytes per layer. */
static guint
count_portions (const char *machine, const char *parameter, guint executions, gboolean known)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options (machine);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8,402", "1");
  gint64 array = test_trace_array (trace, "8,402", view, "1*1+0,2*1+0");
  guint n = 0;

  for (guint i = 0; i < executions; i++)
    {
      gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
      gint64 loop = test_trace_loop (trace, array, "1:6,1:400", "1*1+0,2*1+0");
      across (trace, 0, 0, after, parameter);
      test_trace_run (trace, loop, 2400);
    }
  options.observer = &observer;
  options.dvm.across_tc_known = known;
  test_watch (trace, "4", &options);
  for (guint i = 0; i < log->messages->len; i++)
    {
      const TestMessage *message = &g_array_index (log->messages, TestMessage, i);
      n += !message->collective && message->source == 0 && message->target == 1;
    }
  return n;
}

#define POSTS ",recv-overhead=1us,wait-overhead=1us"

static void
test_parameter (void)
{
  static const char machine[] = "ethernet:startup=5us,per-byte=1ns" POSTS;
  static const char myrinet[] = "myrinet:startup=5us,per-byte=1ns" POSTS;

  /* M = 6, a = 6e-6; m = 1e-9 x 402 x 8 / 400; square = 150 x (6e-6 + 4m) = 452 */
  g_assert_cmpuint (count_portions (machine, "-0.000001", 1, FALSE), ==, 31);
  g_assert_cmpuint (count_portions (myrinet, "-0.000001", 1, FALSE), ==, 31);
  /* a = 6e-9: not loaded; square = 400 x (4 x (a + 4m) - 2a) / 8e-6 = 7 */
  g_assert_cmpuint (count_portions (machine, "-0.000000001", 1, FALSE), ==, 3);
  g_assert_cmpuint (count_portions ("ideal", "-0.000001", 1, FALSE), ==, 400);
  /* without overheads the startup stands for them: as with 2 us of these */
  g_assert_cmpuint (count_portions ("ethernet:startup=2us,per-byte=1ns", "-0.000001", 1, FALSE), ==,
                    31);
  /* the first execution measures 1e-6 per iteration; the others use it */
  g_assert_cmpuint (count_portions (machine, "0", 1, FALSE), ==, 1);
  g_assert_cmpuint (count_portions (machine, "0.000000", 2, FALSE), ==, 1 + 31);
  g_assert_cmpuint (count_portions (machine, "-0.000000", 3, FALSE), ==, 1 + 2 * 31);
  g_assert_cmpuint (count_portions (machine, "0", 1, TRUE), ==, 31);
  g_assert_cmpuint (count_portions (machine, "0", 2, TRUE), ==, 2 * 31);
  /* half the speed: 2e-6; square = 300 x (12e-6 + 4m) = 902 */
  g_assert_cmpuint (
      count_portions ("ethernet:startup=5us,per-byte=1ns,speeds=0.5" POSTS, "0", 1, TRUE), ==, 43);
}

/* ---- why not */

/* @corners: of the new group; @rules: of the loop */
static const struct
{
  const char *name, *grid, *axes, *ranges, *rules, *low, *high;
  gboolean corners;
  int code;
} refusals[] = {
  { "is-one", "4", "1", "1:6,1:6", "1*1+0,2*1+0", "1,0", "0,0", FALSE, 0 },
  { "one-processor", "1", "1", "1:6,1:6", "1*1+0,2*1+0", "1,0", "0,0", FALSE, 0 },
  { "empty", "4", "1", "6:1,1:6", "1*1+0,2*1+0", "1,0", "0,0", FALSE, 10 },
  { "few", "4", "1", "1:3,1:6", "1*1+0,2*1+0", "1,0", "0,0", FALSE, 40 },
  { "few-by-step", "4", "1", "0:5:2,1:6", "1*1+0,2*1+0", "1,0", "0,0", FALSE, 40 },
  { "corners", "4", "1", "1:6,1:6", "1*1+0,2*1+0", "1,1", "0,0", TRUE, 120 },
  { "corners-of-one-dimension", "4", "1", "1:6,1:6", "1*1+0,2*1+0", "1,0", "0,0", TRUE, 0 },
  { "other-dimension", "4", "1", "1:6,1:6", "1*1+0,2*1+0", "0,1", "0,0", FALSE, 150 },
  { "all-distributed", "2x2", "1,2", "1:6,1:6", "1*1+0,2*1+0", "1,1", "0,0", FALSE, 180 },
  { "one-dimension", "4", "1", "1:6", "1*1+0,0*0+3", "1,0", "0,0", FALSE, 180 },
};

static void
assert_reason (const PdReportRun *run, int code)
{
  g_autofree char *wanted = g_strdup_printf ("ErrPipeLine=%d)", code);
  guint n = 0;

  for (guint i = 0; i < pd_messages_get_n (run->messages); i++)
    {
      const PdMessage *message = pd_messages_get (run->messages, i);
      if (strcmp (message->id, "pipeline-not-used") != 0)
        continue;
      g_assert_nonnull (strstr (message->text, wanted));
      g_assert_cmpint (message->severity, ==, PD_SEVERITY_NOTE);
      n++;
    }
  g_assert_cmpuint (n, ==, code == 0 ? 0 : 1);
}

static void
test_refusal (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", refusals[i].axes);
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 after =
      test_trace_shadow (trace, array, refusals[i].low, refusals[i].high, refusals[i].corners);
  gint64 loop = test_trace_loop (trace, array, refusals[i].ranges, refusals[i].rules);

  across (trace, 0, 0, after, "2");
  test_trace_run (trace, loop, 36);
  g_autoptr (TestRun) run = test_run (trace, refusals[i].grid, &options);
  assert_reason (run, refusals[i].code);
}

static void
test_few_portions (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  play (trace, make_array (trace, &rows), &rows, "1", 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_reason (run, 190);
}

static void
test_first (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);

  play (trace, array, &rows, "0", 36);
  play (trace, array, &rows, "0", 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_reason (run, 32);
  g_assert_cmpuint (pd_messages_count (run->messages, "pipeline-not-used"), ==, 1);
}

/* The array exchanged is on another template than the loop. */
static void
test_templates (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows), other = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, other, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 0, 0, after, "2");
  test_trace_run (trace, loop, 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_reason (run, 140);
}

/* Two schemes in one loop: both as wavefronts, up and down. */
static void
test_two_schemes (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 one = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 two = test_trace_shadow (trace, array, "0,0", "1,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 0, 0, one, "2");
  across (trace, 1, 0, two, "2");
  test_trace_run (trace, loop, 36);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  assert_reason (run, 20);
  g_assert_cmpstr (messages, ==, "0>1:64 0>1:64 1>2:64 1>2:64 2>3:64 2>3:64");
  g_assert_cmpstr (ends, ==, "6 18 30 36");
}

/* ---- doacr_, the other scheme, other edges */

/* One group is split: the high edges are exchanged before the loop. */
static void
test_doacr (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 group = test_trace_shadow (trace, array, "1,0", "1,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  doacr (trace, group, "3");
  test_trace_run (trace, loop, 36);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (messages, ==, exchanges[2].messages);
  g_assert_cmpstr (ends, ==, "6 14 18 20");
  g_assert_cmpuint (pd_messages_count (run->messages, "across-edges-dropped"), ==, 0);
}

/* AcrossType 1: the loop writes into its high edges, which go to their owners. */
static void
test_backwards (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, array, "0,0", "1,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 1, 0, after, "3");
  test_trace_run (trace, loop, 36);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (messages, ==, "0>1:16 0>1:16 0>1:16 1>2:16 1>2:16 1>2:16 2>3:16 2>3:16 2>3:16");
  g_assert_cmpstr (ends, ==, "6 14 18 20");
}

/* Edges against the order would have the processors wait for each other. */
static void
test_both_ways (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, array, "1,0", "1,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 0, 0, after, "3");
  test_trace_run (trace, loop, 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (ends, ==, "6 14 18 20");
  g_assert_cmpuint (pd_messages_count (run->messages, "across-edges-dropped"), ==, 1);
}

/* Only what was there before is exchanged: nothing is ordered. */
static void
test_old_only (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 before = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");

  across (trace, 0, before, 0, "3");
  test_trace_run (trace, loop, 36);
  /* the loop has deleted its group; that it is deleted again is no error */
  test_trace_group (trace, "delshg_", before, 0, 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (messages, ==, "0>1:64 1>2:64 2>3:64");
  g_assert_cmpstr (ends, ==, "6 12 12 6");
}

/* Two indices that can be cut: 4 of one, 3 of each of those. */
static void
test_two_quanta (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8,4,3", "1");
  gint64 array = test_trace_array (trace, "8,4,3", view, "1*1+0,2*1+0,3*1+0");
  gint64 after = test_trace_shadow (trace, array, "1,0,0", "0,0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "0:7,0:3,0:2", "1*1+0,2*1+0,3*1+0");

  across (trace, 0, 0, after, "12");
  test_trace_run (trace, loop, 96);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (messages, ==,
                   "0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8 0>1:8");
  g_assert_cmpstr (ends, ==, "48 52");
}

/* ---- wrong use */

static void
assert_error (TestTrace *trace, int code)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (GError) error = NULL;

  test_trace_exit (trace, 0);
  PdReportRun *run = test_predict (trace->text->str, "4", &options, &error);
  g_assert_null (run);
  g_assert_error (error, PD_DVM_MODEL_ERROR, code);
}

static void
test_no_loop (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 group = test_trace_shadow (trace, make_array (trace, &rows), "1,0", "0,0", FALSE);

  across (trace, 0, 0, group, "0");
  assert_error (trace, PD_DVM_MODEL_ERROR_OBJECT);
}

static void
test_no_group (gconstpointer data)
{
  int which = GPOINTER_TO_INT (data);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_loop (trace, make_array (trace, &rows), "1:6,1:6", "1*1+0,2*1+0");
  if (which == 2)
    doacr (trace, 0xbad, "0");
  else
    across (trace, 0, which == 0 ? 0xbad : 0, which == 1 ? 0xbad : 0, "0");
  assert_error (trace, PD_DVM_MODEL_ERROR_OBJECT);
}

/* A loop left by a jump takes what was said of it along. */
static void
test_jump (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &rows);
  gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);

  test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");
  across (trace, 0, 0, after, "3"); /* never executed */
  test_trace_run (trace, test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0"), 36);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (ends, ==, "6 12 12 6");
}

/* ---- the recorded program */

static const char *const grids[] = { "1", "2", "4", "16", "2x2", "4x4" };

static void
test_recorded (gconstpointer data)
{
  const char *grid = data, *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm",
                                            "sor2d_2000.ptr.gz", NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  PdPredictOptions options = test_options ("ethernet:startup=20us,per-byte=10ns" POSTS);
  options.dvm.keep_startup = FALSE;
  options.clean.keep_clamped = TRUE;
  g_autoptr (TestRun) run = test_run_file (path, grid, &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
  options.one_step = TRUE;
  g_autoptr (TestRun) slow = test_run_file (path, grid, &options);
  g_autofree char *a = test_dump (run), *b = test_dump (slow);
  g_assert_cmpstr (a, ==, b);
  if (run->n_processors > 1)
    return;
  /* the sum of the trace's times */
  g_assert_cmpint (run->end_times[0].ps, ==, 295242300000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ROWS(table, folder, test)                                                                  \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path =                                                                      \
          g_strconcat ("/predictor/dvm-across/" folder "/", table[i].name, NULL);                  \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test);                                     \
    }
  ROWS (exchanges, "messages", test_exchange)
  ROWS (times, "times", test_times)
  ROWS (packings, "packing", test_packing)
  ROWS (cuts, "cut", test_cut)
  ROWS (refusals, "refused", test_refusal)
  g_test_add_func ("/predictor/dvm-across/times/network", test_network);
  g_test_add_func ("/predictor/dvm-across/times/shares", test_shares);
  g_test_add_func ("/predictor/dvm-across/cut/two", test_cut_two);
  g_test_add_func ("/predictor/dvm-across/count/formulas", test_count);
  g_test_add_func ("/predictor/dvm-across/count/parameter", test_parameter);
  g_test_add_func ("/predictor/dvm-across/refused/few-portions", test_few_portions);
  g_test_add_func ("/predictor/dvm-across/refused/first", test_first);
  g_test_add_func ("/predictor/dvm-across/refused/templates", test_templates);
  g_test_add_func ("/predictor/dvm-across/refused/two-schemes", test_two_schemes);
  g_test_add_func ("/predictor/dvm-across/groups/doacr", test_doacr);
  g_test_add_func ("/predictor/dvm-across/groups/backwards", test_backwards);
  g_test_add_func ("/predictor/dvm-across/groups/both-ways", test_both_ways);
  g_test_add_func ("/predictor/dvm-across/groups/old-only", test_old_only);
  g_test_add_func ("/predictor/dvm-across/groups/two-quanta", test_two_quanta);
  g_test_add_func ("/predictor/dvm-across/wrong/no-loop", test_no_loop);
  g_test_add_data_func ("/predictor/dvm-across/wrong/no-old-group", GINT_TO_POINTER (0),
                        test_no_group);
  g_test_add_data_func ("/predictor/dvm-across/wrong/no-new-group", GINT_TO_POINTER (1),
                        test_no_group);
  g_test_add_data_func ("/predictor/dvm-across/wrong/no-doacr-group", GINT_TO_POINTER (2),
                        test_no_group);
  g_test_add_func ("/predictor/dvm-across/wrong/jump", test_jump);
  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-across/recorded/", grids[i], NULL);
      g_test_add_data_func (path, grids[i], test_recorded);
    }
  return g_test_run ();
}
