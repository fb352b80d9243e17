/* Loops that are cut into edges and interior (exfrst_, imlast_), and exchanges whose directions are
 * started apart.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/predict.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"

#define ID G_GINT64_MODIFIER "x"

/* ---- iterations of the interior */

/* An array of rank 2, @axes: of the grid's dimensions. */
static const struct
{
  const char *name;
  gint64 grid[2], sizes[2], axes[2];
  PdLoopRange ranges[2];
  gint64 low[2], high[2];
  const char *local, *interior; /* of each processor */
} portions[] = {
  { "by-rows",
    { 4, 1 },
    { 8, 8 },
    { 1, 0 },
    { { 1, 6, 1 }, { 1, 6, 1 } },
    { 1, 0 },
    { 1, 0 },
    "6 12 12 6",
    "0 0 0 0" },
  { "2x2",
    { 2, 2 },
    { 8, 8 },
    { 1, 2 },
    { { 1, 6, 1 }, { 1, 6, 1 } },
    { 1, 1 },
    { 1, 1 },
    "9 9 9 9",
    "4 4 4 4" },
  { "unequal",
    { 4, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 0, 15, 1 }, { 0, 3, 1 } },
    { 2, 0 },
    { 1, 0 },
    "16 16 16 16",
    "4 4 4 4" },
  { "both",
    { 4, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 0, 15, 1 }, { 0, 3, 1 } },
    { 1, 1 },
    { 1, 1 },
    "16 16 16 16",
    "4 4 4 4" },
  { "step",
    { 4, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 0, 15, 2 }, { 0, 3, 1 } },
    { 1, 1 },
    { 1, 1 },
    "8 8 8 8",
    "2 2 2 2" },
  { "descending",
    { 4, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 15, 0, -1 }, { 0, 3, 1 } },
    { 2, 0 },
    { 1, 0 },
    "16 16 16 16",
    "4 4 4 4" },
  { "no-widths",
    { 4, 1 },
    { 8, 8 },
    { 1, 0 },
    { { 1, 6, 1 }, { 1, 6, 1 } },
    { 0, 0 },
    { 0, 0 },
    "6 12 12 6",
    "6 12 12 6" },
  { "one-processor",
    { 1, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 0, 15, 1 }, { 0, 3, 1 } },
    { 1, 0 },
    { 1, 0 },
    "64",
    "56" },
  { "some-without",
    { 4, 1 },
    { 16, 4 },
    { 1, 0 },
    { { 0, 7, 1 }, { 0, 3, 1 } },
    { 1, 0 },
    { 1, 0 },
    "16 16 0 0",
    "8 8 0 0" },
};

static void
append (GString *text, gint64 n)
{
  g_string_append_printf (text, "%s%" G_GINT64_FORMAT, text->len > 0 ? " " : "", n);
}

static void
test_interior (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  static const gint64 axes[] = { 1, 2 }, ones[] = { 1, 1 }, zeros[] = { 0, 0 };
  PdAlignment alignment = { 2, axes, ones, zeros };
  PdDvmDistribution distribution = { 2, portions[i].axes, zeros };
  g_autoptr (PdGrid) grid = pd_grid_new (2, portions[i].grid, NULL);
  g_autoptr (PdLayout) view =
      pd_layout_new_distributed (grid, 2, portions[i].sizes, &distribution, NULL, NULL);
  g_autoptr (PdLayout) array = pd_layout_new_aligned (view, 2, portions[i].sizes, &alignment, NULL);
  g_autoptr (PdLoop) loop = pd_loop_new (array, 2, portions[i].ranges, &alignment, NULL);
  PdInterior *interior =
      pd_interior_new (loop, array, &alignment, portions[i].low, portions[i].high);
  g_autoptr (GString) all = g_string_new (NULL), inside = g_string_new (NULL);

  for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
    {
      append (all, pd_loop_get_local (loop, p));
      append (inside, pd_interior_get_local (interior, p));
    }
  g_assert_cmpstr (all->str, ==, portions[i].local);
  g_assert_cmpstr (inside->str, ==, portions[i].interior);
  pd_interior_unref (interior);
}

/* ---- the same, iteration by iteration */

typedef struct
{
  guint rank; /* of loop and array */
  gint64 sizes[2];
  gint64 axes[2], coeffs[2], consts[2]; /* of the loop */
  PdLoopRange ranges[2];
  gint64 low[2], high[2];
} Case;

/* Whether the iteration @index, in the box of a processor, is inside. */
static gboolean
is_inside (const Case *c, const gint64 *index, const gint64 *lo, const gint64 *hi)
{
  for (guint k = 0; k < c->rank; k++)
    {
      if (c->coeffs[k] == 0 || c->axes[k] < 1)
        continue;
      gint64 element = c->coeffs[k] * index[c->axes[k] - 1] + c->consts[k];
      if (element < lo[k] + c->high[k] || element > hi[k] - c->low[k])
        return FALSE;
    }
  return TRUE;
}

static gint64
count_by_hand (const Case *c, const PdLoop *loop, const PdLayout *array, guint32 processor)
{
  PdLoopRange ranges[PD_MAX_RANK];
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], index[2], n = 0;

  if (pd_loop_get_local (loop, processor) == 0 || !pd_loop_get_local_range (loop, processor, ranges)
      || !pd_layout_get_local (array, processor, lo, hi))
    return 0;
  if (c->rank == 1)
    ranges[1] = (PdLoopRange){ 0, 0, 1 };
  for (index[0] = ranges[0].first; index[0] <= ranges[0].last; index[0] += ranges[0].step)
    for (index[1] = ranges[1].first; index[1] <= ranges[1].last; index[1] += ranges[1].step)
      n += is_inside (c, index, lo, hi) ? 1 : 0;
  return n;
}

/* A loop within the array: any coefficients and steps, now and then an axis
 * where it is constant or replicated. */
static void
make_case (GRand *random, Case *c)
{
  *c = (Case){ .rank = (guint) g_rand_int_range (random, 1, 3) };
  for (guint k = 0; k < c->rank; k++)
    {
      gint64 n = c->sizes[k] = g_rand_int_range (random, 1, 30);
      gint64 a = g_rand_int_range (random, 1, 4) * (g_rand_boolean (random) ? 1 : -1);
      gint64 count = 1 + g_rand_int_range (random, 0, (gint32) ((n - 1) / ABS (a)) + 1);
      gint64 step = g_rand_int_range (random, 1, 4), first = g_rand_int_range (random, -5, 6);
      guint way = (guint) g_rand_int_range (random, 0, 8);
      c->axes[k] = way == 0 ? -1 : (gint64) k + 1;
      c->coeffs[k] = way == 1 ? 0 : a;
      /* iterations first .. first + count - 1 touch elements from 0 or to n - 1 */
      c->consts[k] = way == 1 ? g_rand_int_range (random, 0, (gint32) n)
                     : a > 0  ? -a * first
                              : n - 1 - a * first;
      c->ranges[k] = (PdLoopRange){ first, first + count - 1, step };
      if (g_rand_boolean (random))
        c->ranges[k] = (PdLoopRange){ first + count - 1, first, -step };
      c->low[k] = g_rand_int_range (random, 0, 3);
      c->high[k] = g_rand_int_range (random, 0, 3);
    }
}

static void
test_oracle (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  static const gint64 zeros[] = { 0, 0 }, ones[] = { 1, 1 }, axes[] = { 1, 2 };
  gint64 sum = 0;

  for (guint round = 0; round < 3000; round++)
    {
      Case c;
      make_case (random, &c);
      gint64 sizes[] = { g_rand_int_range (random, 1, 5), g_rand_int_range (random, 1, 4) };
      PdAlignment identity = { c.rank, axes, ones, zeros };
      PdAlignment alignment = { c.rank, c.axes, c.coeffs, c.consts };
      PdDvmDistribution distribution = { c.rank, axes, zeros };
      g_autoptr (PdGrid) grid = pd_grid_new (2, sizes, NULL);
      g_autoptr (PdLayout) view =
          pd_layout_new_distributed (grid, c.rank, c.sizes, &distribution, NULL, NULL);
      g_autoptr (PdLayout) array = pd_layout_new_aligned (view, c.rank, c.sizes, &identity, NULL);
      g_autoptr (PdLoop) loop = pd_loop_new (array, c.rank, c.ranges, &alignment, NULL);
      g_assert_nonnull (loop);
      PdInterior *interior = pd_interior_new (loop, array, &alignment, c.low, c.high);
      for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
        {
          gint64 n = pd_interior_get_local (interior, p);
          g_assert_cmpint (n, ==, count_by_hand (&c, loop, array, p));
          g_assert_cmpint (n, <=, pd_loop_get_local (loop, p));
          sum += n;
        }
      pd_interior_unref (interior);
    }
  g_assert_cmpint (sum, >, 3000);
}

/* ---- times by hand */

typedef struct
{
  gint64 array, group;
} Objects;

/* A(16,4) by rows, an exchange of one row each way. */
static Objects
make_objects (TestTrace *trace)
{
  gint64 array =
      test_trace_array (trace, "16,4", test_trace_template (trace, "16,4", "1"), "1*1+0,2*1+0");

  return (Objects){ array, test_trace_shadow (trace, array, "1,0", "1,0", FALSE) };
}

/* 1 microsecond per iteration, a row takes 4: edges 8, interior 8 of 16. A
 * message takes @latency. */
static const struct
{
  const char *name, *function, *ranges, *machine;
  gint64 time;
  const char *ends, *waits, *overlaps;
} timings[] = {
  /* started at 8, there at 11, computing until 16 */
  { "export-hidden", "exfrst_", "0:15,0:3", "memory:startup=3us,per-byte=0", 64, "16 16 16 16",
    "0 0 0 0", "8 8 8 8" },
  /* … there at 18 */
  { "export-late", "exfrst_", "0:15,0:3", "memory:startup=10us,per-byte=0", 64, "18 18 18 18",
    "2 2 2 2", "8 8 8 8" },
  /* 2 and 3 have no iterations: they start at 0 and wait */
  { "export-some", "exfrst_", "0:7,0:3", "memory:startup=10us,per-byte=0", 32, "18 18 18 10",
    "2 2 18 10", "8 8 0 0" },
  /* started at 0, waited for at 8, there at 3 or 10 */
  { "import-hidden", "imlast_", "0:15,0:3", "memory:startup=3us,per-byte=0", 64, "16 16 16 16",
    "0 0 0 0", "8 8 8 8" },
  { "import-late", "imlast_", "0:15,0:3", "memory:startup=10us,per-byte=0", 64, "18 18 18 18",
    "2 2 2 2", "8 8 8 8" },
  { "import-some", "imlast_", "0:7,0:3", "memory:startup=10us,per-byte=0", 32, "18 18 10 10",
    "2 2 10 10", "8 8 0 0" },
  { "export-empty", "exfrst_", "7:0,0:3", "memory:startup=10us,per-byte=0", 0, "10 10 10 10",
    "10 10 10 10", "0 0 0 0" },
  { "import-empty", "imlast_", "7:0,0:3", "memory:startup=10us,per-byte=0", 0, "10 10 10 10",
    "10 10 10 10", "0 0 0 0" },
};

static void
test_timing (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (timings[i].machine);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gboolean is_export = g_str_equal (timings[i].function, "exfrst_");
  Objects objects = make_objects (trace);
  gint64 loop = test_trace_cut_loop (trace, objects.array, timings[i].ranges, "1*1+0,2*1+0",
                                     timings[i].function, objects.group);

  if (!is_export)
    test_trace_group (trace, "strtsh_", objects.group, 0, 0);
  if (timings[i].time > 0)
    test_trace_run (trace, loop, timings[i].time);
  else
    test_trace_dopl (trace, loop, 0, 0);
  if (is_export)
    test_trace_group (trace, "waitsh_", objects.group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_SHADOW);
  g_autofree char *overlaps = test_values (run, 0, PD_C_SHADOW_OVERLAP);
  g_assert_cmpstr (ends, ==, timings[i].ends);
  g_assert_cmpstr (waits, ==, timings[i].waits);
  g_assert_cmpstr (overlaps, ==, timings[i].overlaps);
}

/* Several portions and intervals, as recorded on one processor: whatever their
 * times, the two parts of each add up to the picosecond. */
static void
test_shares (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  Objects objects = make_objects (trace);
  gint64 loop = test_trace_cut_loop (trace, objects.array, "0:15,0:3", "1*1+0,2*1+0", "exfrst_",
                                     objects.group);

  test_trace_dopl (trace, loop, 0, 1);
  for (guint i = 0; i < 4; i++)
    {
      test_trace_open (trace, "binter_", 50, 1, 3 + i, 1);
      test_trace_close (trace, "einter_", 50, 1, 7, i);
      test_trace_dopl (trace, loop, 1 + i, i < 3 ? 1 : 0);
    }
  test_trace_group (trace, "waitsh_", objects.group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autoptr (TestRun) one = test_run (trace, "1", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  g_assert_cmpint ((gint64) all->values[PD_C_CPU_TIME].sum.ps, ==, one->end_times[0].ps);
  /* 16 of 64 iterations each */
  for (guint32 p = 0; p < 4; p++)
    g_assert_cmpint (test_value (run, 0, p, PD_C_CPU_TIME_PAR), ==, one->end_times[0].ps / 4);
}

/* ---- halves of exchanges */

static const struct
{
  const char *name, *recv, *send;
  const char *messages;
} halves[] = {
  { "to-edges", "recvsh_", "sendsh_", "0>1:32 1>2:32 2>3:32" },
  { "back", "recvla_", "sendsa_", "1>0:32 2>1:32 3>2:32" },
};

static void
test_halves (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("memory:startup=3us,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 group = test_trace_shadow (trace, make_objects (trace).array, "1,0", "0,0", FALSE);

  test_trace_group (trace, halves[i].recv, group, 0, 0);
  test_trace_ordinary (trace, 1, 0);
  test_trace_group (trace, halves[i].send, group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (messages, ==, halves[i].messages);
  g_assert_cmpstr (ends, ==, i == 0 ? "1 4 4 4" : "4 4 4 1");
}

/* A wavefront written out: nobody waits for its own sends' partners. Twice: the
 * messages of the second exchange are not those of the first. */
static void
test_wavefront (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  Objects objects = make_objects (trace);
  gint64 group = test_trace_shadow (trace, objects.array, "1,0", "0,0", FALSE);

  for (guint i = 0; i < 2; i++)
    {
      test_trace_group (trace, "recvsh_", group, 0, 0);
      test_trace_group (trace, "waitsh_", group, 0, 0);
      test_trace_run (trace, test_trace_loop (trace, objects.array, "0:15,0:3", "1*1+0,2*1+0"), 64);
      test_trace_group (trace, "sendsh_", group, 0, 0);
      test_trace_group (trace, "waitsh_", group, 0, 0);
    }
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (ends, ==, "32 48 64 80");
}

/* ---- incsh_: a part of the edges */

/* A(9,9) on 3x3, widths 1; lists of the record's six arrays. */
static const struct
{
  const char *name, *function;
  const char *first, *last, *low_first, *low_last, *high_first, *high_last;
  const char *messages;
} limits[] = {
  /* rows 0 to 3: the border of rows 2 and 3, and along it 3, 1 and 0 elements */
  { "rows", "incsh_", "0,-1", "3,0", "-1,-1", "-1,-1", "-1,-1", "-1,-1",
    "0>1:24 0>3:24 1>0:24 1>2:24 1>4:24 2>1:24 2>5:24 3>0:24 3>4:8 4>1:24 4>3:8 4>5:8 5>2:24 "
    "5>4:8" },
  { "one-element", "incsh_", "3,2", "3,2", "-1,-1", "-1,-1", "-1,-1", "-1,-1", "3>0:8 3>4:8" },
  { "low-of-rows", "incshd_", "-1,-1", "0,0", "-1,-1", "1,0", "-1,-1", "0,0",
    "0>3:24 1>4:24 2>5:24 3>6:24 4>7:24 5>8:24" },
  { "positions", "incsh_", "-1,-1", "0,0", "0,-1", "0,0", "-1,1", "0,0",
    "0>3:24 1>4:24 2>5:24 3>6:24 4>7:24 5>8:24" },
  { "nothing", "incsh_", "20,-1", "30,0", "-1,-1", "-1,-1", "-1,-1", "-1,-1", "" },
};

static void
test_limits (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *const lists[] = { limits[i].first,    limits[i].last,       limits[i].low_first,
                                limits[i].low_last, limits[i].high_first, limits[i].high_last };
  static const char *const names[] = { "InitDimIndex",    "LastDimIndex",   "InitLowShdIndex",
                                       "LastLowShdIndex", "InitHiShdIndex", "LastHiShdIndex" };
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 array =
      test_trace_array (trace, "9,9", test_trace_template (trace, "9,9", "1,2"), "1*1+0,2*1+0");
  g_autoptr (GString) params = g_string_new (NULL);
  gint64 group = 0x777;

  g_string_append_printf (
      params, "ShadowGroupRef=%" ID "; ArrayHandlePtr=%" ID "; FullShdSign=0;\n", group, array);
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    {
      g_autofree char *list = test_trace_list (names[k], lists[k]);
      g_string_append_printf (params, "%s\n", list);
    }
  test_trace_call (trace, "crtshg_", 0, 0, "StaticSign=0;", "ShadowGroupRef=777;");
  test_trace_call (trace, limits[i].function, 0, 0, params->str, "");
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "3x3", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, limits[i].messages);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
}

/* Of edges of 3 only the outer 2 of the low and the inner 1 of the high one:
 * 20 elements on 2, where 9, 8, 7 are 1's low edge and 10, 11, 12 0's high one. */
static void
test_skip (void)
{
  static const gint64 size[] = { 20 }, sizes[] = { 2 }, one[] = { 1 }, zero[] = { 0 };
  PdAlignment alignment = { 1, one, one, zero };
  PdDvmDistribution distribution = { 1, one, zero };
  g_autoptr (PdGrid) grid = pd_grid_new (1, sizes, NULL);
  g_autoptr (PdLayout) view = pd_layout_new_distributed (grid, 1, size, &distribution, NULL, NULL);
  g_autoptr (PdLayout) layout = pd_layout_new_aligned (view, 1, size, &alignment, NULL);
  PdShadowArray array = { .layout = layout,
                          .type_size = 8,
                          .low = { 2 },
                          .low_skip = { 1 },
                          .high = { 1 },
                          .max_count = 1,
                          .sign = { 7 } };
  PdPlanMessage messages[8];

  for (guint round = 0; round < 2; round++)
    {
      /* 7 and 8; of them only 8 */
      g_autoptr (PdPlan) plan = pd_shadow_plan_new (&array, 1, NULL);
      g_assert_cmpuint (pd_plan_get_messages (plan, 1, messages), ==, 2);
      g_assert_false (messages[0].send);
      g_assert_cmpint (messages[0].bytes, ==, round == 0 ? 16 : 8);
      g_assert_true (messages[1].send);
      g_assert_cmpint (messages[1].bytes, ==, 8);
      g_assert_cmpuint (pd_plan_get_messages (plan, 0, messages), ==, 2);
      g_assert_cmpint (messages[0].bytes, ==, 8);
      g_assert_cmpint (messages[1].bytes, ==, round == 0 ? 16 : 8);
      array.limited = 1;
      array.first[0] = 8;
      array.last[0] = 19;
    }
}

/* ---- wrong use */

static void
assert_fails (TestTrace *trace, GQuark domain, int code)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (GError) error = NULL;

  test_trace_exit (trace, 0);
  PdReportRun *run = test_predict (trace->text->str, "4", &options, &error);
  g_assert_null (run);
  g_assert_error (error, domain, code);
}

static void
test_unknown_group (gconstpointer data)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  const char *name = data;

  test_trace_cut_loop (trace, make_objects (trace).array, "0:15,0:3", "1*1+0,2*1+0", name, 0xbad);
  assert_fails (trace, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_OBJECT);
}

static void
test_unknown_loop (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autofree char *params =
      g_strdup_printf ("LoopRef=bad; ShadowGroupRef=%" ID ";", make_objects (trace).group);

  test_trace_call (trace, "exfrst_", 0, 0, params, "");
  assert_fails (trace, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_OBJECT);
}

static void
test_too_late (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  Objects objects = make_objects (trace);
  gint64 loop = test_trace_loop (trace, objects.array, "0:15,0:3", "1*1+0,2*1+0");
  g_autofree char *params =
      g_strdup_printf ("LoopRef=%" ID "; ShadowGroupRef=%" ID ";", loop, objects.group);

  test_trace_call (trace, "imlast_", 0, 0, params, "");
  assert_fails (trace, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_PARAMETER);
}

/* imlast_ of what was not started; exfrst_ of what is gone: 16 each, no waiting. */
static void
test_nothing_there (gconstpointer data)
{
  gboolean is_export = GPOINTER_TO_INT (data) != 0;
  PdPredictOptions options = test_options ("memory:startup=3us,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  Objects objects = make_objects (trace);
  gint64 loop = test_trace_cut_loop (trace, objects.array, "0:15,0:3", "1*1+0,2*1+0",
                                     is_export ? "exfrst_" : "imlast_", objects.group);

  if (is_export)
    test_trace_group (trace, "delshg_", objects.group, 0, 0);
  test_trace_run (trace, loop, 64);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (ends, ==, "16 16 16 16");
  g_assert_cmpuint (pd_messages_count (run->messages, is_export ? "group-deleted" : "not-started"),
                    ==, 1);
}

static void
test_send_only (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_group (trace, "sendsh_", make_objects (trace).group, 0, 0);
  assert_fails (trace, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED);
}

static void
test_recv_only (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 group = make_objects (trace).group;

  test_trace_group (trace, "recvla_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  assert_fails (trace, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
}

/* The group of a half is forgotten with its reference. */
static void
test_reused (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  Objects objects = make_objects (trace);
  g_autofree char *result = g_strdup_printf ("ShadowGroupRef=%" ID ";", objects.group);

  test_trace_group (trace, "recvsh_", objects.group, 0, 0);
  test_trace_group (trace, "sendsh_", objects.group, 0, 0);
  test_trace_group (trace, "delshg_", objects.group, 0, 0);
  test_trace_call (trace, "crtshg_", 0, 0, "StaticSign=0;", result);
  test_trace_group (trace, "waitsh_", objects.group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_assert_cmpuint (run->n_messages, ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ROWS(table, folder, test)                                                                  \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path =                                                                      \
          g_strconcat ("/predictor/dvm-edges/" folder "/", table[i].name, NULL);                   \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test);                                     \
    }
  ROWS (portions, "interior", test_interior)
  ROWS (timings, "times", test_timing)
  ROWS (halves, "halves", test_halves)
  ROWS (limits, "limits", test_limits)
  g_test_add_func ("/predictor/dvm-edges/limits/skip", test_skip);
  g_test_add_func ("/predictor/dvm-edges/interior/oracle", test_oracle);
  g_test_add_func ("/predictor/dvm-edges/times/shares", test_shares);
  g_test_add_func ("/predictor/dvm-edges/halves/wavefront", test_wavefront);
  g_test_add_data_func ("/predictor/dvm-edges/wrong/exfrst-group", "exfrst_", test_unknown_group);
  g_test_add_data_func ("/predictor/dvm-edges/wrong/imlast-group", "imlast_", test_unknown_group);
  g_test_add_func ("/predictor/dvm-edges/wrong/loop", test_unknown_loop);
  g_test_add_func ("/predictor/dvm-edges/wrong/too-late", test_too_late);
  g_test_add_data_func ("/predictor/dvm-edges/wrong/not-started", GINT_TO_POINTER (0),
                        test_nothing_there);
  g_test_add_data_func ("/predictor/dvm-edges/wrong/group-deleted", GINT_TO_POINTER (1),
                        test_nothing_there);
  g_test_add_func ("/predictor/dvm-edges/wrong/send-only", test_send_only);
  g_test_add_func ("/predictor/dvm-edges/wrong/recv-only", test_recv_only);
  g_test_add_func ("/predictor/dvm-edges/wrong/reused", test_reused);
  return g_test_run ();
}
