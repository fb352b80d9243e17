/* Intervals of DVM traces: the tree, its counts and its times.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"

static guint64
count (const PdReportRun *run, guint32 node, PdQuantity quantity)
{
  g_autofree PdIntervalResult *result = test_result (run, node);

  return result->counts[quantity - PD_N_TIMES];
}

static void
assert_values (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}

static gint64
simple_loop (TestTrace *trace)
{
  gint64 view = test_trace_template (trace, "8", "1");

  return test_trace_array (trace, "8", view, "1*1+0");
}

/* call_ belongs to the old interval, ret_ to the new one. */
static void
test_nesting (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_ordinary (trace, 1, 0);
  for (guint i = 0; i < 2; i++)
    {
      test_trace_open (trace, "bsloop_", 20, 5, 2, 4);
      test_trace_open (trace, "binter_", 30, 6, 8, 16);
      test_trace_ordinary (trace, 32, 0);
      test_trace_close (trace, "einter_", 30, 6, 64, 128);
      test_trace_close (trace, "enloop_", 20, 5, 256, 512);
    }
  test_trace_open (trace, "bploop_", 20, 7, 0, 1024); /* same line, other type */
  test_trace_close (trace, "enloop_", 20, 7, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "1", &options);
  guint32 outer = test_node (run, PD_INTERVAL_SEQ, 20),
          inner = test_node (run, PD_INTERVAL_USER, 30);
  guint32 parallel = test_node (run, PD_INTERVAL_PAR, 20);
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), ==, 4);
  assert_values (run, inner, PD_C_EXECUTION_TIME, "224");  /* 2 (16 + 32 + 64) */
  assert_values (run, outer, PD_C_EXECUTION_TIME, "1016"); /* + 2 (4 + 8 + 128 + 256) */
  assert_values (run, parallel, PD_C_EXECUTION_TIME, "1024");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "3069"); /* + 1 + 2 (2 + 512) + 1024 */
  g_assert_cmpuint (count (run, outer, PD_Q_EXE_COUNT), ==, 2);
  g_assert_cmpuint (count (run, inner, PD_Q_EXE_COUNT), ==, 2);
  g_assert_cmpuint (count (run, parallel, PD_Q_EXE_COUNT), ==, 1);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* Intervals of one line are told apart by the user's expression. */
static void
test_index (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  static const int indexes[] = { 3, 4, 3, 2000000000 };

  for (gsize i = 0; i < G_N_ELEMENTS (indexes); i++)
    {
      g_autofree char *params = g_strdup_printf ("nfrag=1; index=%d UserInter=1;", indexes[i]);
      test_trace_call (trace, "binter_", 0, 1, params, "");
      test_trace_call (trace, "einter_", 0, 0, "nfrag=1; nline=10", "");
    }
  g_autoptr (TestRun) run = test_run (trace, "1", &options);
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), ==, 4);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* What goes wrong is counted, and the times are kept. */
static const struct
{
  const char *name;
  const char *script; /* +type line fragment, -type line fragment, … */
  guint n_mismatches, n_open;
  guint32 n_nodes;
} scripts[] = {
  { "proper", "+s 20 1;-s 20 1", 0, 0, 2 },
  { "root", "+s 5 -1;+s 20 1;-s 20 1", 0, 0, 2 },
  { "never-opened", "-s 20 1", 1, 0, 1 },
  { "other-fragment", "+s 20 1;-s 20 2", 1, 1, 2 },
  { "other-kind", "+s 20 1;-u 20 1", 1, 1, 2 },
  { "other-line", "+s 20 1;-s 21 1", 1, 0, 2 },
  { "inner-left-open", "+s 20 1;+u 30 2;-s 20 1", 1, 0, 3 },
  { "two-left-open", "+s 20 1;+u 30 2;+s 40 3;-s 20 1", 2, 0, 4 },
  { "open-at-end", "+s 20 1;+u 30 2", 0, 2, 3 },
  { "again", "+s 20 1;-s 20 1;-s 20 1", 1, 0, 2 },
};

static void
play (TestTrace *trace, const char *script)
{
  g_auto (GStrv) words = g_strsplit (script, ";", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], " ", 3);
      gboolean user = parts[0][1] == 'u';
      gint64 line = g_ascii_strtoll (parts[1], NULL, 10);
      gint64 fragment = g_ascii_strtoll (parts[2], NULL, 10);
      if (parts[0][0] == '+')
        test_trace_open (trace, user ? "binter_" : "bsloop_", line, fragment, 1, 1);
      else
        test_trace_close (trace, user ? "einter_" : "enloop_", line, fragment, 1, 1);
    }
}

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_auto (GStrv) words = g_strsplit (scripts[i].script, ";", -1);

  play (trace, scripts[i].script);
  test_trace_exit (trace, 1);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-mismatch"), ==,
                    scripts[i].n_mismatches);
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-open"), ==, scripts[i].n_open);
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), ==, scripts[i].n_nodes);
  gint64 total = (2 * (gint64) g_strv_length (words) + 1) * PD_PS_PER_US;
  g_assert_cmpint (test_value (run, 0, 0, PD_C_EXECUTION_TIME), ==, total);
}

/* A user interval in the body of a loop of 8 iterations: half of its time, and
 * of its entries, on each of two processors; none where there is no iteration. */
static void
test_in_loop (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = test_trace_loop (trace, simple_loop (trace), "2:5", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  for (guint i = 0; i < 4; i++)
    {
      test_trace_open (trace, "binter_", 30, 6, 1, 2);
      test_trace_close (trace, "einter_", 30, 6, 4, 8);
    }
  test_trace_dopl (trace, loop, 16, 0);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  guint32 node = test_node (run, PD_INTERVAL_USER, 30);
  assert_values (run, node, PD_C_CPU_TIME_PAR, "0 12 12 0"); /* 4 (2 + 4) / 2 */
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "0 38 38 0");    /* + (4 (1 + 8) + 16) / 2 */
  g_assert_cmpuint (count (run, node, PD_Q_EXE_COUNT), ==, 2);
  g_autofree PdIntervalResult *result = test_result (run, node);
  g_assert_cmpuint (result->n_processors, ==, 2);
}

/* Fewer entries than processors: each that has iterations entered it once. */
static void
test_in_loop_rarely (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = test_trace_loop (trace, simple_loop (trace), "0:7", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_open (trace, "binter_", 30, 6, 0, 8);
  test_trace_close (trace, "einter_", 30, 6, 0, 0);
  test_trace_dopl (trace, loop, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  guint32 node = test_node (run, PD_INTERVAL_USER, 30);
  assert_values (run, node, PD_C_CPU_TIME_PAR, "2 2 2 2");
  g_assert_cmpuint (count (run, node, PD_Q_EXE_COUNT), ==, 1);
}

/* The body of an empty loop is ordinary time of the same intervals. */
static void
test_in_empty_loop (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = test_trace_loop (trace, simple_loop (trace), "5:4", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_open (trace, "binter_", 30, 6, 0, 8);
  test_trace_close (trace, "einter_", 30, 6, 0, 0);
  test_trace_dopl (trace, loop, 1, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, test_node (run, PD_INTERVAL_USER, 30), PD_C_CPU_TIME_SEQ, "8 8");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "9 9");
}

/* An interval opened in the body and left open, a jump: what follows is in it,
 * on the processors without iterations as well. */
static void
test_left_open_in_loop (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = test_trace_loop (trace, simple_loop (trace), "0:1", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_open (trace, "bsloop_", 20, 5, 0, 1);
  test_trace_open (trace, "binter_", 30, 6, 0, 2);
  test_trace_dopl (trace, loop, 0, 0);
  test_trace_end_loop (trace, loop);
  test_trace_exit (trace, 4);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, test_node (run, PD_INTERVAL_USER, 30), PD_C_EXECUTION_TIME, "6 4");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 20), PD_C_EXECUTION_TIME, "7 4");
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-open"), ==, 2);
}

/* Closed in the body of a loop, opened before: the rest is the parent's. */
static void
test_closed_in_loop (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = test_trace_loop (trace, simple_loop (trace), "0:7", "1*1+0");

  test_trace_open (trace, "bsloop_", 20, 5, 0, 0);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_close (trace, "enloop_", 20, 5, 4, 8);
  test_trace_dopl (trace, loop, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 20), PD_C_EXECUTION_TIME, "2 2");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "6 6");
}

/* Intervals that are entered by a jump again and again do not pile up for ever. */
static void
test_never_closed (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  for (guint i = 0; i < 5000; i++)
    test_trace_open (trace, "bsloop_", 20, 5, 1, 1);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), <=, 1001);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "10000 10000");
}

/* I5, I6: file operations in a Fortran statement, inside an interval. */
static void
test_statement (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=0,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_open (trace, "binter_", 30, 6, 1, 1);
  test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_call (trace, "tstio_", 4, 4, "", "");
  test_trace_close (trace, "einter_", 30, 6, 2, 3); /* within the statement */
  test_trace_call (trace, "srmem_", 1, 1, "MemoryCount=1;\nLengthArray[0]=8;", "");
  test_trace_call (trace, "eiof_", 0, 0, "", "");
  for (guint n = 0; n < 3; n++)
    {
      static const char *const grids[] = { "1", "2", "8" };
      g_autoptr (TestRun) run = test_run (trace, grids[n], &options);
      g_autofree PdIntervalResult *all = test_result (run, 0);
      guint32 node = test_node (run, PD_INTERVAL_USER, 30);
      g_assert_cmpint ((gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps, ==, 17 * PD_PS_PER_US);
      g_assert_cmpint ((gint64) all->values[PD_C_IO_TIME].sum.ps, ==, 15 * PD_PS_PER_US);
      g_assert_cmpint (test_value (run, node, 0, PD_C_IO_TIME), ==, 10 * PD_PS_PER_US);
      g_assert_cmpint (test_value (run, node, 0, PD_C_CPU_TIME_SEQ), ==, PD_PS_PER_US);
      if (n == 0)
        g_assert_cmpint (test_value (run, 0, 0, PD_C_EXECUTION_TIME), ==, 17 * PD_PS_PER_US);
    }
}

/* Messages are charged to the interval of their record. */
static void
test_communication (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=3us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_open (trace, "binter_", 30, 6, 0, 0);
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
  test_trace_close (trace, "einter_", 30, 6, 0, 0);
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, test_node (run, PD_INTERVAL_USER, 30), PD_C_OTHER_COMM, "3 3");
  assert_values (run, 0, PD_C_OTHER_COMM, "6 6");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-intervals/nesting", test_nesting);
  g_test_add_func ("/predictor/dvm-intervals/index", test_index);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-intervals/script/", scripts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_script);
    }
  g_test_add_func ("/predictor/dvm-intervals/in-loop", test_in_loop);
  g_test_add_func ("/predictor/dvm-intervals/in-loop-rarely", test_in_loop_rarely);
  g_test_add_func ("/predictor/dvm-intervals/in-empty-loop", test_in_empty_loop);
  g_test_add_func ("/predictor/dvm-intervals/left-open-in-loop", test_left_open_in_loop);
  g_test_add_func ("/predictor/dvm-intervals/closed-in-loop", test_closed_in_loop);
  g_test_add_func ("/predictor/dvm-intervals/never-closed", test_never_closed);
  g_test_add_func ("/predictor/dvm-intervals/statement", test_statement);
  g_test_add_func ("/predictor/dvm-intervals/communication", test_communication);
  return g_test_run ();
}
