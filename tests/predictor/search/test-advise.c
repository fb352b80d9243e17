/* Advice: bounds that nothing beats, the best of hand-made cases, and that
 * pruning changes no choice.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-advise.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"
#include "reports/advice/pd-advice-data.h"
#include "reports/advice/pd-advice-write.h"

#include <string.h>

#define N_PROGRAMS 200

/* ---- facts and bounds */

/* 8 x 8 on (BLOCK, BLOCK): 6 s ordinary, a loop of 64 s, 2 s of output. */
static TestTrace *
make_plain (const char *vps)
{
  TestTrace *trace = test_trace_new_virtual ("1 1", vps);
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7,0:7", "1*1+0,2*1+0");

  test_trace_ordinary (trace, TEST_S (1), TEST_S (2));
  test_trace_run (trace, loop, TEST_S (64));
  test_trace_end_loop (trace, loop);
  test_trace_io (trace, "dvm_void_printf", TEST_S (2), "Format=x", "");
  test_trace_exit (trace, TEST_S (3));
  return trace;
}

static gboolean
read_facts (PdTraceFacts *facts, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return pd_trace_facts_read (facts, "t.ptr", bytes, FALSE, NULL, NULL);
}

static void
test_facts (void)
{
  g_autoptr (TestTrace) trace = make_plain (NULL);
  PdTraceFacts facts;

  g_assert_true (read_facts (&facts, trace->text->str));
  g_assert_cmpuint (facts.rank, ==, 2);
  g_assert_cmpuint (facts.only_grid.rank, ==, 0);
  g_assert_cmpfloat (pd_time_sum_to_seconds (facts.common), ==, 6);
  g_assert_cmpfloat (pd_time_sum_to_seconds (facts.divided), ==, 64);
  g_assert_cmpfloat (pd_time_sum_to_seconds (facts.whole), ==, 72);

  PdBounds bounds = { .facts = &facts, .fastest = 2, .slowest = 0.5 };
  g_assert_cmpfloat_with_epsilon (pd_bounds_least_time (&bounds, 16) / 1e12, 5, 1e-6);
  g_assert_cmpfloat (pd_bounds_least_time (&bounds, 16), <=, 5e12);
  g_assert_cmpfloat_with_epsilon (pd_bounds_most_efficiency (&bounds, 64), 144 / (64 * 3.5), 1e-6);
  g_assert_cmpfloat (pd_bounds_most_efficiency (&bounds, 1), ==, 1);
  /* at most 16 events a call are taken out */
  bounds.recorder_cost.event = PD_TIME (PD_PS_PER_S / 160);
  gdouble less = 0.1 * (gdouble) facts.n_calls;
  g_assert_cmpfloat_with_epsilon (pd_bounds_least_time (&bounds, 16) / 1e12, (10 - less) / 2, 1e-6);
}

static void
test_facts_virtual (void)
{
  g_autoptr (TestTrace) trace = make_plain ("2 3");
  PdTraceFacts facts;

  g_assert_true (read_facts (&facts, trace->text->str));
  g_assert_cmpint (pd_count_get_n (&facts.only_grid), ==, 6);
  g_assert_cmpuint (facts.only_grid.rank, ==, 2);
}

/* A task's time is nobody's in common. */
static void
test_facts_tasks (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  PdTraceFacts facts;

  test_trace_call (trace, "runam_", 0, 0, "AMRefPtr=1; AMRef=1;", "Run=1");
  test_trace_ordinary (trace, TEST_S (4), 0);
  test_trace_call (trace, "stopam_", 0, 0, "", "");
  test_trace_exit (trace, 0);
  g_assert_true (read_facts (&facts, trace->text->str));
  g_assert_cmpfloat (pd_time_sum_to_seconds (facts.common), ==, 0);
  g_assert_cmpfloat (pd_time_sum_to_seconds (facts.divided), ==, 4);
}

static void
test_facts_bad (void)
{
  g_autoptr (GError) error = NULL;
  PdTraceFacts facts;

  g_assert_false (pd_trace_facts_read (&facts, "absent.ptr", NULL, FALSE, NULL, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN);
}

/* What predictions with the default options are bounded by. */
static void
read_clean_facts (PdTraceFacts *facts, const char *path, GBytes *bytes)
{
  const PdDvmCleanOptions options = { 0 };
  g_autoptr (GPtrArray) cleanings = pd_recorded_clean (path, bytes, &options, NULL);

  g_assert_true (
      pd_trace_facts_read (facts, path, bytes, FALSE, g_ptr_array_index (cleanings, 0), NULL));
}

static PdBounds
make_bounds (const PdTraceFacts *facts, const char *machine_text, guint32 n)
{
  g_autoptr (PdMachine) machine = pd_machine_load (machine_text, NULL, n, NULL);
  PdBounds bounds = { .facts = facts, .fastest = 0, .slowest = G_MAXDOUBLE };

  for (guint32 p = 0; p < n; p++)
    {
      bounds.fastest = MAX (bounds.fastest, pd_machine_get_speed (machine, p));
      bounds.slowest = MIN (bounds.slowest, pd_machine_get_speed (machine, p));
    }
  return bounds;
}

static void
assert_within (const PdBounds *bounds, const PdReportRun *run)
{
  g_autofree PdIntervalResult *all = test_result (run, 0);
  gdouble time = (gdouble) all->values[PD_C_EXECUTION_TIME].sum.ps;

  g_assert_cmpfloat (time, >=, pd_bounds_least_time (bounds, run->n_processors));
  g_assert_cmpfloat (all->efficiency, <=, pd_bounds_most_efficiency (bounds, run->n_processors));
}

/* Nothing that is predicted beats the bounds. */
static void
test_bounds_random (void)
{
  guint n_tight = 0;

  for (guint seed = 0; seed < N_PROGRAMS; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 20);
      g_autofree char *grid = test_random_grid (random);
      gboolean is_uniform;
      PdPredictOptions options = test_options (test_random_machine (random, &is_uniform));
      PdTraceFacts facts;
      options.dvm.keep_startup = FALSE;
      g_test_message ("seed %u, grid %s, machine %s", seed, grid, options.machine);
      g_autoptr (TestRun) run = test_predict (trace->text->str, grid, &options, NULL);
      g_assert_nonnull (run);
      g_assert_true (read_facts (&facts, trace->text->str));
      PdBounds bounds = make_bounds (&facts, options.machine, run->n_processors);
      assert_within (&bounds, run);
      n_tight +=
          2 * pd_bounds_least_time (&bounds, run->n_processors) > (gdouble) run->end_times[0].ps;
    }
  /* the bound is not trivial either */
  g_assert_cmpuint (n_tight, >, 0);
}

static const char *const files[] = {
  "tests/data/heat2d_600.ptr.gz",
  "tests/data/sor2d_2000.ptr.gz",
  "tests/data/gauss_240.ptr.gz",
  "../shared/traces/dvm/adi2d_400.ptr.gz",
  "../shared/traces/dvm/heat3d_80.ptr.gz",
  "../shared/traces/dvm/iodump_300.ptr.gz",
  "../shared/traces/dvm/jac1d.ptr",
  "../shared/traces/dvm/redblack_500.ptr.gz",
  "../shared/traces/dvm/wave1d_2000000.ptr.gz",
};

/* Returns: (transfer full): where file @i is; NULL: nowhere, and the test is
 * skipped. */
static char *
find_file (gsize i)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  char *path = shared != NULL && g_str_has_prefix (files[i], "../shared")
                   ? g_strconcat (shared, files[i] + strlen ("../shared"), NULL)
                   : g_strdup (files[i]);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_test_skip ("../shared is absent");
  g_free (path);
  return NULL;
}

static void
test_bounds_file (gconstpointer data)
{
  static const char *const grids[] = { "1", "2", "2x2", "7", "3x4", "16", "1x16" };
  g_autofree char *path = find_file (GPOINTER_TO_SIZE (data));
  PdPredictOptions options = test_options ("ideal");
  PdTraceFacts facts;

  if (path == NULL)
    return;
  options.dvm.keep_startup = FALSE;
  read_clean_facts (&facts, path, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autoptr (TestRun) run = test_run_file (path, grids[i], &options);
      PdBounds bounds = make_bounds (&facts, options.machine, run->n_processors);
      assert_within (&bounds, run);
    }
}

/* ---- searching */

/* A search with its results. */
typedef struct
{
  PdTraceFacts facts;
  PdAdviseOptions options;
  GBytes *bytes;
  PdReport *report;
  PdAdvice *advice;
  GError *error;
} Try;

static void
try_clear (Try *self)
{
  pd_advice_free (self->advice);
  pd_report_free (self->report);
  g_clear_error (&self->error);
  g_clear_pointer (&self->bytes, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Try, try_clear)

/* Of @text, or if that is NULL of the file @path. All criteria, floor 0.5. */
static void
try_init (Try *self, const char *text, const char *path, const char *machine)
{
  *self = (Try){ .report = pd_report_new () };
  if (text != NULL)
    self->bytes = g_bytes_new (text, strlen (text));
  self->options = (PdAdviseOptions){
    .predict = test_options (machine),
    .facts = &self->facts,
    .criteria = { .wanted = { TRUE, TRUE, TRUE }, .min_efficiency = 0.5, .price = -1 },
    .limit = PD_ADVISE_LIMIT,
    .n_threads = 1,
  };
  self->options.predict.check = FALSE;
  self->options.predict.dvm.keep_startup = FALSE;
  self->options.predict.trace = path != NULL ? path : "t.ptr";
  self->options.predict.bytes = self->bytes;
  read_clean_facts (&self->facts, self->options.predict.trace, self->bytes);
}

static void
try_run (Try *self)
{
  self->advice = pd_advise (&self->options, self->report, &self->error);
  g_assert_true ((self->advice == NULL) == (self->error != NULL));
}

static const PdReportRun *
get_best (const Try *self, PdAdviceCriterion c)
{
  g_assert_no_error (self->error);
  g_assert_cmpint (self->advice->best[c], >=, 0);
  return g_ptr_array_index (self->report->runs, (guint) self->advice->best[c]);
}

static void
assert_best (const Try *self, PdAdviceCriterion c, const char *grid)
{
  g_assert_cmpstr (get_best (self, c)->grid, ==, grid);
}

/* What depends on nothing but the input. */
static char *
show (const Try *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  pd_advice_write_csv (self->advice, text);
  pd_advice_write_json (self->advice, text);
  pd_advice_write_text (self->advice, 1, 80, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Shadow edges across rows only: whoever splits the columns alone sends
 * nothing. @rows: the widths are those of rows. */
static TestTrace *
make_asymmetric (gboolean rows)
{
  TestTrace *trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "16,16", "1,2");
  gint64 array = test_trace_array (trace, "16,16", view, "1*1+0,2*1+0");
  const char *widths = rows ? "1,0" : "0,1";

  for (guint i = 0; i < 5; i++)
    {
      gint64 group = test_trace_shadow (trace, array, widths, widths, FALSE);
      gint64 loop = test_trace_loop (trace, array, "0:15,0:15", "1*1+0,2*1+0");
      test_trace_group (trace, "strtsh_", group, 0, 0);
      test_trace_group (trace, "waitsh_", group, 0, 0);
      test_trace_run (trace, loop, 256);
      test_trace_end_loop (trace, loop);
    }
  test_trace_exit (trace, 0);
  return trace;
}

static void
test_columns (void)
{
  for (int rows = 0; rows <= 1; rows++)
    {
      g_autoptr (TestTrace) trace = make_asymmetric (rows);
      g_auto (Try) search = { .report = NULL };
      try_init (&search, trace->text->str, NULL, "ethernet:startup=100us,per-byte=1ns");
      search.options.max_processors = 4;
      search.options.exhaustive = TRUE;
      try_run (&search);
      assert_best (&search, PD_ADVICE_TIME, rows ? "1x4" : "4");
      assert_best (&search, PD_ADVICE_EFFICIENCY, rows ? "1x4" : "4");
      g_assert_cmpuint (get_best (&search, PD_ADVICE_TIME)->n_messages, ==, 0);
      /* 5 loops of 256 us on 4 processors */
      g_assert_cmpint ((gint64) pd_advice_get_time (get_best (&search, PD_ADVICE_TIME)).ps, ==,
                       G_GINT64_CONSTANT (320000000));
      /* 1, 2, 1x2, 3, 1x3, 4, 1x4, 2x2 */
      g_assert_cmpuint (search.report->runs->len, ==, 8);
    }
}

/* 1 s ordinary, 9 s in a loop that every count up to 12 divides: T = 1 + 9/n,
 * efficiency 10 / (n + 9), cost n + 9. */
static TestTrace *
make_amdahl (void)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "27720", "1");
  gint64 array = test_trace_array (trace, "27720", view, "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:27719", "1*1+0");

  test_trace_ordinary (trace, TEST_S (1), 0);
  test_trace_run (trace, loop, TEST_S (9));
  test_trace_end_loop (trace, loop);
  test_trace_exit (trace, 0);
  return trace;
}

static const struct
{
  const char *name;
  gdouble floor;
  gint64 deadline; /* ms; 0 = none */
  const char *best[PD_N_ADVICE];
} amdahl[] = {
  { "plain", 0.5, 0, { "12", "11", "1" } },
  { "no-floor", 0, 0, { "12", "12", "1" } },
  { "floor-1", 1, 0, { "12", "1", "1" } },
  { "floor-0.9", 0.9, 0, { "12", "2", "1" } },
  { "floor-0.67", 0.67, 0, { "12", "5", "1" } },
  { "deadline", 0.5, 2000, { "12", "11", "9" } },
  { "deadline-1ms-earlier", 0.5, 1999, { "12", "11", "10" } },
  { "deadline-never", 0.5, 1000, { "12", "11", NULL } },
  { "deadline-late", 0.5, 10000, { "12", "11", "1" } },
};

static void
test_amdahl (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestTrace) trace = make_amdahl ();

  for (int exhaustive = 0; exhaustive <= 1; exhaustive++)
    {
      g_auto (Try) search = { .report = NULL };
      try_init (&search, trace->text->str, NULL, "ideal");
      search.options.max_processors = 12;
      search.options.exhaustive = exhaustive;
      search.options.criteria.min_efficiency = amdahl[i].floor;
      search.options.criteria.deadline = PD_TIME (amdahl[i].deadline * 1000000000);
      try_run (&search);
      for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
        if (amdahl[i].best[c] != NULL)
          assert_best (&search, c, amdahl[i].best[c]);
        else
          g_assert_cmpint (search.advice->best[c], ==, -1);
      g_assert_cmpuint (search.report->runs->len + search.advice->pruned->len, ==, 12);
    }
}

static void
test_cost (void)
{
  g_autoptr (TestTrace) trace = make_amdahl ();
  g_auto (Try) search = { .report = NULL };

  try_init (&search, trace->text->str, NULL, "ideal");
  search.options.max_processors = 3;
  try_run (&search);
  const PdReportRun *run = g_ptr_array_index (search.report->runs, 0);
  PdAdviceCriteria criteria = { .price = -1 };
  g_assert_cmpfloat (pd_advice_get_cost (&criteria, run), ==, 10);
  criteria.price = 7.2;
  g_assert_cmpfloat_with_epsilon (pd_advice_get_cost (&criteria, run), 0.02, 1e-12);
}

/* Only one criterion: what it cannot use is not predicted. */
static void
test_wanted (void)
{
  g_autoptr (TestTrace) trace = make_amdahl ();
  g_auto (Try) search = { .report = NULL };

  try_init (&search, trace->text->str, NULL, "ideal");
  search.options.max_processors = 60;
  search.options.criteria.wanted[PD_ADVICE_TIME] = FALSE;
  search.options.criteria.wanted[PD_ADVICE_COST] = FALSE;
  try_run (&search);
  g_assert_cmpint (search.advice->best[PD_ADVICE_TIME], ==, -1);
  g_assert_cmpint (search.advice->best[PD_ADVICE_COST], ==, -1);
  assert_best (&search, PD_ADVICE_EFFICIENCY, "11");
  for (guint i = 0; i < search.report->runs->len; i++)
    {
      const PdReportRun *run = g_ptr_array_index (search.report->runs, i);
      g_assert_cmpuint (run->n_processors, <=, 11);
    }
  g_assert_cmpuint (search.advice->pruned->len, >=, 49);
}

/* ---- pruning */

/* The choice among all runs is that of the pruned search. */
static void
assert_same_choice (const Try *pruned, const Try *all)
{
  gint best[PD_N_ADVICE];

  pd_advice_choose (&pruned->options.criteria,
                    (const PdReportRun *const *) all->report->runs->pdata, all->report->runs->len,
                    best);
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    {
      g_assert_cmpint (pruned->advice->best[c] < 0, ==, best[c] < 0);
      if (best[c] < 0)
        continue;
      const PdReportRun *run = g_ptr_array_index (all->report->runs, (guint) best[c]);
      assert_best (pruned, c, run->grid);
      g_assert_true (pd_advice_get_time (get_best (pruned, c)).ps == pd_advice_get_time (run).ps);
    }
}

/* What was pruned would not have beaten its bound. */
static void
assert_bounds (const Try *pruned, const Try *all)
{
  for (guint i = 0; i < pruned->advice->pruned->len; i++)
    {
      const PdAdvicePruned *one = &g_array_index (pruned->advice->pruned, PdAdvicePruned, i);
      guint n_found = 0;
      for (guint k = 0; k < all->report->runs->len; k++)
        {
          const PdReportRun *run = g_ptr_array_index (all->report->runs, k);
          if (strcmp (run->grid, one->grid) != 0)
            continue;
          n_found++;
          g_assert_true (pd_advice_get_time (run).ps >= one->bound.ps);
        }
      g_assert_cmpuint (n_found, ==, 1);
    }
}

static const PdAdviceCriteria wishes[] = {
  { { TRUE, TRUE, TRUE }, 0.5, -1, { 0 } },
  { { TRUE, FALSE, FALSE }, 0.5, -1, { 0 } },
  { { FALSE, TRUE, FALSE }, 0.8, 3, { 0 } },
  { { FALSE, FALSE, TRUE }, 0.5, -1, { 0 } },
  { { FALSE, FALSE, TRUE }, 0.5, 3, { G_GINT64_CONSTANT (30000000000) } },
  { { FALSE, TRUE, TRUE }, 0.95, -1, { G_GINT64_CONSTANT (60000000000) } },
};

static void
test_pruning (gconstpointer data)
{
  static const char *const machines[] = { "machines/example-cluster.xml",
                                          "machines/gigabit-ethernet.xml",
                                          "myrinet:startup=7us,per-byte=4ns,speeds=1:2:0.5" };
  g_autofree char *path = find_file (GPOINTER_TO_SIZE (data));
  guint n_pruned = 0;

  if (path == NULL)
    return;
  for (gsize m = 0; m < G_N_ELEMENTS (machines); m++)
    {
      g_auto (Try) all = { .report = NULL };
      try_init (&all, NULL, path, machines[m]);
      /* long traces cost too much */
      gboolean is_long = all.facts.n_calls > 10000;
      guint32 max = is_long ? 8 : 10;
      all.options.max_processors = max;
      all.options.exhaustive = TRUE;
      try_run (&all);
      g_assert_no_error (all.error);
      g_assert_cmpuint (all.advice->pruned->len, ==, 0);
      for (gsize w = 0; w < G_N_ELEMENTS (wishes); w++)
        {
          g_auto (Try) pruned = { .report = NULL };
          try_init (&pruned, NULL, path, machines[m]);
          pruned.options.max_processors = max;
          pruned.options.criteria = wishes[w];
          try_run (&pruned);
          g_assert_no_error (pruned.error);
          g_assert_cmpuint (pruned.report->runs->len + pruned.advice->pruned->len, ==,
                            all.report->runs->len);
          assert_same_choice (&pruned, &all);
          assert_bounds (&pruned, &all);
          n_pruned += pruned.advice->pruned->len;
        }
      if (is_long)
        break;
    }
  /* each of these can be decided without predicting everything */
  g_assert_cmpuint (n_pruned, >, 0);
}

/* On this one it must happen at all. */
static void
test_pruning_happens (void)
{
  g_auto (Try) search = { .report = NULL };

  try_init (&search, NULL, files[0], "machines/example-cluster.xml");
  search.options.max_processors = 64;
  try_run (&search);
  g_assert_no_error (search.error);
  g_assert_cmpuint (search.advice->pruned->len, >, 20);
}

/* Ratios change what the bounds are; with noise there are none. */
static void
test_ratio_and_noise (void)
{
  static const char *const texts[] = { "4", "heat2d.fdv:19=0.25", NULL };
  g_autoptr (PdCpuRatios) ratios = pd_cpu_ratios_parse (texts, NULL);
  g_auto (Try) all = { .report = NULL };
  g_auto (Try) pruned = { .report = NULL };
  g_auto (Try) noisy = { .report = NULL };
  Try *const tries[] = { &all, &pruned, &noisy };

  for (gsize i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      const char *machine =
          i == 2 ? "ideal:noise=normal,noise-sigma=0.3" : "machines/example-cluster.xml";
      try_init (tries[i], NULL, files[0], machine);
      tries[i]->options.max_processors = 24;
      tries[i]->options.exhaustive = i == 0;
      tries[i]->options.criteria.wanted[PD_ADVICE_TIME] = FALSE;
      tries[i]->options.criteria.min_efficiency = 0.9;
      if (i < 2)
        tries[i]->options.predict.ratios = ratios;
      try_run (tries[i]);
      g_assert_no_error (tries[i]->error);
    }
  assert_same_choice (&pruned, &all);
  assert_bounds (&pruned, &all);
  g_assert_cmpuint (noisy.advice->pruned->len, ==, 0);
}

/* ---- large spaces, threads, limits */

static void
test_coarse (void)
{
  g_auto (Try) coarse = { .report = NULL };
  g_auto (Try) all = { .report = NULL };

  try_init (&coarse, NULL, files[0], "machines/gigabit-ethernet.xml");
  coarse.options.limit = 70;
  try_run (&coarse);
  g_assert_no_error (coarse.error);
  g_assert_nonnull (strstr (coarse.advice->scope, "more than 70"));
  g_assert_cmpuint (coarse.report->runs->len + coarse.advice->pruned->len, <=, 70);

  try_init (&all, NULL, files[0], "machines/gigabit-ethernet.xml");
  try_run (&all);
  g_assert_cmpuint (all.report->runs->len + all.advice->pruned->len, ==, 280);
  /* the time has one valley here, which is found */
  g_assert_true (pd_advice_get_time (get_best (&coarse, PD_ADVICE_TIME)).ps
                 == pd_advice_get_time (get_best (&all, PD_ADVICE_TIME)).ps);
}

static void
test_limit_1 (void)
{
  g_autoptr (TestTrace) trace = make_amdahl ();
  g_auto (Try) search = { .report = NULL };

  try_init (&search, trace->text->str, NULL, "ideal");
  search.options.max_processors = 1000000;
  search.options.limit = 1;
  try_run (&search);
  assert_best (&search, PD_ADVICE_TIME, "1");
  g_assert_cmpuint (search.report->runs->len, ==, 1);
}

static void
test_threads (void)
{
  g_autofree char *expected = NULL;

  for (guint n = 1; n <= 4; n++)
    {
      g_auto (Try) search = { .report = NULL };
      try_init (&search, NULL, files[0], "machines/example-cluster.xml");
      search.options.max_processors = 30;
      search.options.n_threads = n;
      try_run (&search);
      g_assert_no_error (search.error);
      g_autofree char *shown = show (&search);
      if (expected == NULL)
        expected = g_steal_pointer (&shown);
      else
        g_assert_cmpstr (shown, ==, expected);
    }
}

static void
test_machine_size (void)
{
  g_auto (Try) search = { .report = NULL };
  g_auto (Try) placed = { .report = NULL };

  try_init (&search, NULL, files[0], "machines/two-cores.xml");
  search.options.max_processors = 2000;
  try_run (&search);
  g_assert_no_error (search.error);
  g_assert_cmpuint (search.report->runs->len, ==, 3); /* 1, 2, 1x2 */
  g_assert_nonnull (strstr (search.advice->scope, "room for 2, not for 2000"));

  try_init (&placed, NULL, files[0], "machines/example-cluster.xml");
  placed.options.predict.map = "0,5,9";
  placed.options.exhaustive = TRUE;
  try_run (&placed);
  g_assert_no_error (placed.error);
  g_assert_cmpuint (placed.report->runs->len, ==, 5); /* 1, 2, 1x2, 3, 1x3 */
}

static void
test_inline_default (void)
{
  g_autoptr (TestTrace) trace = make_amdahl ();
  g_auto (Try) search = { .report = NULL };

  try_init (&search, trace->text->str, NULL, "ideal");
  try_run (&search);
  g_assert_no_error (search.error);
  g_assert_cmpuint (search.report->runs->len + search.advice->pruned->len, ==,
                    PD_ADVISE_MAX_PROCESSORS);
}

static void
test_virtual (void)
{
  g_autoptr (TestTrace) trace = make_plain ("2 3");
  g_auto (Try) search = { .report = NULL };
  g_auto (Try) small = { .report = NULL };

  try_init (&search, trace->text->str, NULL, "ideal");
  try_run (&search);
  assert_best (&search, PD_ADVICE_TIME, "2x3");
  g_assert_cmpuint (search.report->runs->len, ==, 1);
  g_assert_nonnull (strstr (search.advice->scope, "that grid only"));

  try_init (&small, trace->text->str, NULL, "ideal");
  small.options.max_processors = 5;
  try_run (&small);
  g_assert_error (small.error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_GRID);
}

/* A run on two processors can be predicted for all grids, but without bounds. */
static void
test_recorded (void)
{
  g_auto (Try) search = { .report = NULL };

  try_init (&search, NULL, "tests/data/heat2d_600_np2", "ideal");
  search.options.max_processors = 4;
  try_run (&search);
  g_assert_no_error (search.error);
  g_assert_cmpuint (search.report->runs->len, ==, 8);
  g_assert_cmpuint (get_best (&search, PD_ADVICE_TIME)->n_processors, ==, 4);
}

/* The user's own list, in any order: sorted, and nothing else. */
static void
test_counts (void)
{
  g_auto (Try) search = { .report = NULL };
  g_autoptr (GArray) counts = pd_counts_parse ("4x2,2,all:4,1", 2, NULL);

  try_init (&search, NULL, files[0], "ideal");
  search.options.counts = counts;
  search.options.exhaustive = TRUE;
  try_run (&search);
  g_autoptr (GString) grids = g_string_new (NULL);
  for (guint i = 0; i < search.report->runs->len; i++)
    g_string_append_printf (grids, "%s ",
                            ((PdReportRun *) g_ptr_array_index (search.report->runs, i))->grid);
  g_assert_cmpstr (grids->str, ==, "1 2 4 1x4 2x2 4x2 ");
}

static const struct
{
  const char *name;
  const char *machine;
  const char *setting;
  const char *map;
  int code;
} bad_machines[] = {
  { "absent", "absent.xml", NULL, NULL, PD_MACHINE_ERROR_NOT_FOUND },
  { "setting", "ideal", "no/such=1", NULL, PD_MACHINE_ERROR_PATH },
  { "map", "ideal", NULL, "zigzag", PD_MACHINE_ERROR_MAP },
};

static void
test_bad_machine (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *settings[] = { bad_machines[i].setting, NULL };
  g_autoptr (TestTrace) trace = make_amdahl ();
  g_auto (Try) search = { .report = NULL };

  try_init (&search, trace->text->str, NULL, bad_machines[i].machine);
  search.options.predict.settings = settings;
  search.options.predict.map = bad_machines[i].map;
  try_run (&search);
  g_assert_error (search.error, PD_MACHINE_ERROR, bad_machines[i].code);
}

/* ---- interruption */

static volatile sig_atomic_t stop;

static void
stop_now (guint done, guint n, gpointer data)
{
  (void) data;
  g_assert_cmpuint (done, <, n);
  stop = 1;
}

static void
test_interrupted (void)
{
  g_auto (Try) at_once = { .report = NULL };
  g_auto (Try) later = { .report = NULL };

  stop = 1;
  try_init (&at_once, NULL, files[0], "ideal");
  at_once.options.predict.stop = &stop;
  try_run (&at_once);
  g_assert_error (at_once.error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED);

  stop = 0;
  try_init (&later, NULL, files[0], "ideal");
  later.options.predict.stop = &stop;
  later.options.progress = stop_now;
  try_run (&later);
  g_assert_no_error (later.error);
  g_assert_true (later.advice->interrupted);
  g_assert_cmpuint (later.report->runs->len, ==, 16);
  g_assert_nonnull (get_best (&later, PD_ADVICE_TIME));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/bounds/facts", test_facts);
  g_test_add_func ("/predictor/bounds/facts-virtual", test_facts_virtual);
  g_test_add_func ("/predictor/bounds/facts-tasks", test_facts_tasks);
  g_test_add_func ("/predictor/bounds/facts-bad", test_facts_bad);
  g_test_add_func ("/predictor/bounds/random", test_bounds_random);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_path_get_basename (files[i]);
      g_autofree char *bounds = g_strconcat ("/predictor/bounds/file/", name, NULL);
      g_autofree char *pruning = g_strconcat ("/predictor/advise/pruning/", name, NULL);
      g_test_add_data_func (bounds, GSIZE_TO_POINTER (i), test_bounds_file);
      g_test_add_data_func (pruning, GSIZE_TO_POINTER (i), test_pruning);
    }
  g_test_add_func ("/predictor/advise/pruning-happens", test_pruning_happens);
  g_test_add_func ("/predictor/advise/ratio-and-noise", test_ratio_and_noise);
  g_test_add_func ("/predictor/advise/columns", test_columns);
  for (gsize i = 0; i < G_N_ELEMENTS (amdahl); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/advise/amdahl/", amdahl[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_amdahl);
    }
  g_test_add_func ("/predictor/advise/cost", test_cost);
  g_test_add_func ("/predictor/advise/wanted", test_wanted);
  g_test_add_func ("/predictor/advise/coarse", test_coarse);
  g_test_add_func ("/predictor/advise/limit-1", test_limit_1);
  g_test_add_func ("/predictor/advise/threads", test_threads);
  g_test_add_func ("/predictor/advise/machine-size", test_machine_size);
  g_test_add_func ("/predictor/advise/inline-default", test_inline_default);
  g_test_add_func ("/predictor/advise/virtual", test_virtual);
  g_test_add_func ("/predictor/advise/recorded", test_recorded);
  g_test_add_func ("/predictor/advise/counts", test_counts);
  for (gsize i = 0; i < G_N_ELEMENTS (bad_machines); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/advise/bad-machine/", bad_machines[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad_machine);
    }
  g_test_add_func ("/predictor/advise/interrupted", test_interrupted);
  return g_test_run ();
}
