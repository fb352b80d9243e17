/* Runs recorded on several processors: what may differ between the files and
 * what not, files that are missing or end early, a real run, random ones.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/programs.h"
#include "tests/support/dvm/multi-file.h"
#include "traces/dvm/pd-dvm-cleaning.h"
#include "traces/dvm/pd-dvm-summary.h"

#include <glib/gstdio.h>
#include <string.h>

#define RECORDED "tests/data/heat2d_600_np2"

/* Only one of them is in an interval. */
static void
lonely_interval (TestTrace *trace, guint rank)
{
  guint who = 0;

  for (; who < 2; who++)
    {
      test_trace_call (trace, "bsynch_", 0, 0, "", "");
      if (rank == who)
        test_trace_open (trace, "bsloop_", 20 + who, 1 + who, 1, 2);
      test_trace_ordinary (trace, 10, 0);
      if (rank == who)
        test_trace_close (trace, "enloop_", 20 + who, 1 + who, 4, 8);
    }
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

static void
test_lonely_interval (void)
{
  g_autoptr (TestRun) run = test_set_try ("2", 2, lonely_interval, "2");

  /* 10 and 10; 15 more where the interval was: waited for at each barrier */
  test_set_assert (run, 0, PD_C_CPU_TIME, "35 35");
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, "50 50");
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), ==, 2);
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-differs"), >, 0);
}

static void
other_call (TestTrace *trace, guint rank)
{
  trace->line = 77;
  test_trace_call (trace, rank == 0 ? "bsynch_" : "begbl_", 0, 0, "", "");
}

static void
other_line (TestTrace *trace, guint rank)
{
  trace->line = 77 + rank;
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

static void
early_exit (TestTrace *trace, guint rank)
{
  trace->line = 77;
  if (rank == 0)
    test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

static void
other_loop (TestTrace *trace, guint rank)
{
  gint64 array = test_set_array (trace);

  trace->line = 77 + rank;
  test_trace_run (trace, test_trace_loop (trace, array, "0:11", "1*1+0"), 1);
}

static void
task (TestTrace *trace, guint rank)
{
  test_trace_call (trace, "runam_", 0, 0, "AMRef=8;", rank == 0 ? "Run=1;" : "Run=0;");
}

static void
divided (TestTrace *trace, guint rank G_GNUC_UNUSED)
{
  test_trace_call (trace, "crtps_", 0, 0,
                   "PSRef=0; StaticSign=0;\nInitIndexArray[0]=0;\nLastIndexArray[0]=0;",
                   "PSRef=77;");
}

static const struct
{
  const char *name;
  TestProgram program;
  const char *grid;
  gboolean names_both; /* files and lines */
} refused[] = {
  { "other-call", other_call, "2", TRUE }, { "other-call-other-grid", other_call, "4", TRUE },
  { "other-line", other_line, "2", TRUE }, { "other-loop", other_loop, "2", TRUE },
  { "early-exit", early_exit, "2", TRUE }, { "task", task, "2", FALSE },
  { "task-other-grid", task, "4", FALSE }, { "division-other-grid", divided, "4", FALSE },
};

static void
test_refused (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, refused[i].program);
  g_autoptr (GError) error = NULL;

  g_assert_null (test_set_predict (set, refused[i].grid, &options, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED);
  g_assert_null (strchr (error->message, '\n'));
  if (refused[i].names_both)
    {
      g_assert_nonnull (strstr (error->message, "p0_0.ptr:"));
      g_assert_nonnull (strstr (error->message, "p1_1.ptr:"));
    }
}

/* The recorded grid may be divided as it was. */
static void
test_divided (void)
{
  g_autoptr (TestRun) run = test_set_try ("2", 2, divided, "2");

  g_assert_cmpuint (run->n_processors, ==, 2);
}

/* ---- files */

static void
test_missing (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("3", 3, test_set_unequal);
  g_autofree char *path = test_set_path (set, 1);
  g_autoptr (GError) error = NULL;

  g_unlink (path);
  g_assert_null (test_set_predict (set, "3", &options, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET);
}

/* Left from a run on more processors. */
static void
test_other_run (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, test_set_unequal);
  g_autoptr (TestSet) other = test_set_record ("3", 3, test_set_unequal);
  g_autofree char *from = test_set_path (other, 1), *to = test_set_path (set, 1);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_rename (from, to), ==, 0);
  g_assert_null (test_set_predict (set, "2", &options, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET);
}

/* One of the files, or what their names begin with, stands for all. */
static void
test_names (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, test_set_unequal);
  g_autofree char *second = test_set_path (set, 1);
  g_autofree char *prefix = g_build_filename (set->folder, "p", NULL);
  const char *names[] = { set->folder, second, prefix };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TestRun) run = test_run_file (names[i], "2", &options);
      test_set_assert (run, 0, PD_C_EXECUTION_TIME, "9 3");
    }
}

/* Headers without the processor system: a line of as many. */
static void
test_line (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, test_set_unequal);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = test_set_read (set, i);
      char *line = strstr (text, "ProcCount=2;");
      g_assert_nonnull (line);
      memset (line, ' ', strcspn (line, "\n"));
      test_set_write (set, i, text);
    }
  g_autoptr (TestRun) run = test_set_run (set, "2", &options);
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, "9 3");
  g_autoptr (TestRun) other = test_set_run (set, "1x2", &options);
  test_set_assert (other, 0, PD_C_EXECUTION_TIME, "10 10");
}

/* One file ends early: what all have is predicted. */
static void
cut (const TestSet *set, guint number, const char *where)
{
  g_autofree char *text = test_set_read (set, number);
  char *at = strstr (text, where);

  g_assert_nonnull (at);
  *at = '\0';
  test_set_write (set, number, text);
}

static const struct
{
  const char *name;
  guint number;
  const char *where;
  const char *grid;
  const char *end;
} cuts[] = {
  { "leading/exit", 0, "Event_dvm_exit", "2", "9 3" },
  { "following/exit", 1, "Event_dvm_exit", "2", "9 3" },
  { "following/exit-one", 1, "Event_dvm_exit", "1", "10" },
  { "leading/loop", 0, "DoPL=1;", "2", "3 3" },
  { "following/loop", 1, "DoPL=1;", "2", "9 1" },
  { "following/begin", 1, "call_crtda_", "2", "0 0" },
};

static void
test_cut (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, test_set_unequal);

  cut (set, cuts[i].number, cuts[i].where);
  g_autoptr (TestRun) run = test_set_run (set, cuts[i].grid, &options);
  g_assert_true (run->incomplete);
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, cuts[i].end);
}

/* ---- a real run, against the sums of another reader */

static PdReportRun *
predict_recorded (const char *grid, gboolean one_step)
{
  PdPredictOptions options = test_options ("two-cores");

  options.dvm.keep_startup = FALSE;
  options.clean.recorder = PD_DVM_RECORDER_KEEP;
  options.one_step = one_step;
  if (strcmp (grid, "2x1") != 0 && strcmp (grid, "1") != 0)
    options.machine = "example-cluster";
  return test_run_file (RECORDED, grid, &options);
}

static void
test_recorded_sums (void)
{
  static const char *const files[] = { RECORDED "/heat2d0_0.ptr.gz", RECORDED "/heat2d1_1.ptr.gz" };
  g_autoptr (TestRun) run = predict_recorded ("2x1", FALSE);
  g_autoptr (TestRun) one = predict_recorded ("1", FALSE);
  gint64 all = 0;

  for (guint32 p = 0; p < 2; p++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdDvmReader) before = pd_dvm_reader_new (files[p], NULL, &error);
      g_autoptr (PdDvmCleaning) cleaning =
          pd_dvm_cleaning_read (before, &(PdDvmCleanOptions){ 0 }, &error);
      g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (files[p], NULL, &error);
      g_assert_no_error (error);
      pd_dvm_cleaning_apply (cleaning, reader);
      g_autoptr (PdDvmSummary) summary = pd_dvm_summary_new (reader, &error);
      g_assert_no_error (error);
      gint64 loops = (gint64) summary->loop_time.ps;
      all += loops;
      g_assert_cmpint (test_value (run, 0, p, PD_C_CPU_TIME_PAR), ==, loops);
    }
  g_assert_cmpint (test_value (one, 0, 0, PD_C_CPU_TIME_PAR), ==, all);
}

static void
test_recorded_steps (void)
{
  static const char *const grids[] = { "1", "2x1", "1x2", "3x2", "8x8" };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autoptr (TestRun) run = predict_recorded (grids[i], FALSE);
      g_autoptr (TestRun) slow = predict_recorded (grids[i], TRUE);
      g_autofree char *a = test_dump (run), *b = test_dump (slow);
      g_assert_cmpstr (a, ==, b);
    }
}

/* ---- random programs */

/* Other times than @text has, for another processor. */
static char *
change_times (GRand *random, const char *text)
{
  GString *changed = g_string_new (NULL);
  g_auto (GStrv) parts = g_strsplit (text, " TIME=", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *rest = parts[i];
      if (i > 0)
        {
          char *end;
          gdouble seconds = g_ascii_strtod (parts[i], &end) * g_rand_int_range (random, 0, 4) / 2;
          g_string_append_printf (changed, " TIME=%.8f", seconds);
          rest = end;
        }
      g_string_append (changed, rest);
    }
  return g_string_free (changed, FALSE);
}

static gint64
get_productive (const PdReportRun *run)
{
  g_autofree PdIntervalResult *all = test_result (run, 0);

  return (gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps;
}

#define N_PROGRAMS 60
#define N_PARTS    15

static void
try_program (guint seed)
{
  static const char *const grids[] = { "2 1 1", "1 2 1", "3 1 1", "2 2 1", "1 1 3", "2 1 2" };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (TestTrace) trace = test_program (random, N_PARTS);
  const char *ps = grids[g_rand_int_range (random, 0, G_N_ELEMENTS (grids))];
  guint n = (guint) ((ps[0] - '0') * (ps[2] - '0') * (ps[4] - '0'));
  g_auto (GStrv) texts = g_new0 (char *, n + 1);
  g_auto (GStrv) sizes = g_strsplit (ps, " ", -1);
  g_autofree char *recorded = g_strjoinv ("x", sizes), *grid = test_random_grid (random);
  gboolean is_uniform;
  PdPredictOptions options = test_options (test_random_machine (random, &is_uniform));

  g_test_message ("seed %u, %s to %s, machine %s", seed, ps, grid, options.machine);
  for (guint i = 0; i < n; i++)
    texts[i] = change_times (random, trace->text->str);
  g_autoptr (TestSet) set = test_set_new (ps, (const char *const *) texts);
  g_autoptr (TestRun) same = test_set_run (set, recorded, &options);
  g_autoptr (TestRun) other = test_set_run (set, grid, &options);
  options.one_step = TRUE;
  g_autoptr (TestRun) slow = test_set_run (set, recorded, &options);
  g_autoptr (TestRun) other_slow = test_set_run (set, grid, &options);
  g_autofree char *a = test_dump (same), *b = test_dump (slow);
  g_autofree char *c = test_dump (other), *d = test_dump (other_slow);
  g_assert_cmpstr (a, ==, b);
  g_assert_cmpstr (c, ==, d);
  /* every second is productive once; 1 ps of rounding per charge */
  if (is_uniform)
    g_assert_cmpint (ABS (get_productive (same) - get_productive (other)), <=,
                     (gint64) (same->n_processors + other->n_processors) * N_PARTS * 40);
}

static void
test_programs (void)
{
  for (guint seed = 0; seed < N_PROGRAMS; seed++)
    try_program (seed);
}

#define ADD_ROWS(table, path, function)                                                            \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *name =                                                                      \
          g_strconcat ("/predictor/dvm-several-files/" path "/", table[i].name, NULL);             \
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-several-files/interval", test_lonely_interval);
  ADD_ROWS (refused, "refused", test_refused)
  g_test_add_func ("/predictor/dvm-several-files/divided", test_divided);
  g_test_add_func ("/predictor/dvm-several-files/files/missing", test_missing);
  g_test_add_func ("/predictor/dvm-several-files/files/other-run", test_other_run);
  g_test_add_func ("/predictor/dvm-several-files/files/names", test_names);
  g_test_add_func ("/predictor/dvm-several-files/files/line", test_line);
  ADD_ROWS (cuts, "cut", test_cut)
  g_test_add_func ("/predictor/dvm-several-files/recorded/sums", test_recorded_sums);
  g_test_add_func ("/predictor/dvm-several-files/recorded/steps", test_recorded_steps);
  g_test_add_func ("/predictor/dvm-several-files/random", test_programs);
  return g_test_run ();
}
