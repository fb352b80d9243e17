/* The accounting of time, by hand: the cases, a
 * microsecond standing for each second there. Every run is checked against the
 * identities.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"

static void
assert_values (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}

/* One integral characteristic, in tenths of a microsecond. */
static void
assert_sum (const PdIntervalResult *result, PdCharacteristic c, gint64 tenths)
{
  g_assert_cmpint ((gint64) result->values[c].sum.ps, ==, tenths * PD_PS_PER_US / 10);
}

static void
assert_total (const PdIntervalResult *result, gint64 tenths, double efficiency)
{
  g_assert_cmpint ((gint64) result->total_time.ps, ==, tenths * PD_PS_PER_US / 10);
  g_assert_cmpfloat_with_epsilon (result->efficiency, efficiency, 1e-9);
}

/* maxima are taken of inclusive times, not added over children. */
static void
test_folding (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  test_trace_open (trace, "bsloop_", 20, 7, 0, 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:5", "1*1+0"), 6);
  test_trace_close (trace, "enloop_", 20, 7, 0, 0);
  test_trace_run (trace, test_trace_loop (trace, array, "6:7", "1*1+0"), 2);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);

  guint32 x = test_node (run, PD_INTERVAL_SEQ, 20);
  g_autofree PdIntervalResult *inner = test_result (run, x);
  assert_values (run, x, PD_C_EXECUTION_TIME, "4 2");
  assert_values (run, x, PD_C_IDLE, "0 2");
  assert_values (run, x, PD_C_LOAD_IMBALANCE, "0 2");
  assert_sum (inner, PD_C_EXECUTION_TIME, 40);
  assert_sum (inner, PD_C_PRODUCTIVE_TIME, 60);
  assert_sum (inner, PD_C_LOST_TIME, 20);
  assert_total (inner, 80, .75);

  g_autofree PdIntervalResult *all = test_result (run, 0);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "4 4");
  assert_values (run, 0, PD_C_LOAD_IMBALANCE, "0 0");
  assert_sum (all, PD_C_EXECUTION_TIME, 40);
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 80);
  assert_sum (all, PD_C_IDLE, 0);
  assert_total (all, 80, 1);
}

/* 8 of ordinary time. */
static const struct
{
  const char *grid;
  gint64 total, insufficient, lost; /* tenths of a microsecond */
  double efficiency;
} sequential[] = {
  { "1", 80, 0, 0, 1 },
  { "2", 160, 80, 80, .5 },
  { "4", 320, 240, 240, .25 },
  { "2x2", 320, 240, 240, .25 },
};

static void
test_sequential (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");

  test_trace_ordinary (trace, 5, 2); /* call_ and ret_ alike */
  test_trace_exit (trace, 1);        /* so is the time before the exit */
  g_autoptr (TestRun) run = test_run (trace, sequential[i].grid, &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  assert_total (all, sequential[i].total, sequential[i].efficiency);
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 80);
  assert_sum (all, PD_C_LOST_TIME, sequential[i].lost);
  assert_sum (all, PD_C_INSUFFICIENT_PARALLELISM_SEQ, sequential[i].insufficient);
  assert_sum (all, PD_C_EXECUTION_TIME, 80);
}

/* 2 ordinary, a loop of 8 in two halves, an Allreduce of .5, 1 ordinary. */
static TestTrace *
mixed (void)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  test_trace_ordinary (trace, 2, 0);
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 8, 0);
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  test_trace_end_loop (trace, loop);
  test_trace_exit (trace, 1);
  return trace;
}

static void
test_mixed (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=0.5us");
  g_autoptr (TestTrace) trace = mixed ();
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);

  assert_values (run, 0, PD_C_EXECUTION_TIME, "7.500000 7.500000");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "3 3");
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "4 4");
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM_SEQ, "1.500000 1.500000");
  assert_values (run, 0, PD_C_WAIT_REDUCTION, "0.500000 0.500000");
  assert_sum (all, PD_C_INSUFFICIENT_PARALLELISM_PAR, 0);
  assert_sum (all, PD_C_COMMUNICATION, 10);
  assert_sum (all, PD_C_LOST_TIME, 40);
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 110);
  assert_total (all, 150, 11.0 / 15);
  g_assert_cmpuint (all->counts[PD_Q_N_REDUCTION - PD_N_TIMES], ==, 1);
}

/* On one processor there is nobody to communicate with, whatever the machine. */
static void
test_single (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=3us,per-byte=1ns,send-overhead=1us,recv-overhead=1us,"
                    "wait-overhead=1us,collectives=simple,collective-time=0.5us");
  g_autoptr (TestTrace) trace = mixed ();
  g_autoptr (TestRun) run = test_run (trace, "1", &options);

  assert_values (run, 0, PD_C_EXECUTION_TIME, "11");
  assert_values (run, 0, PD_C_COMMUNICATION, "0");
}

/* loops of 1 per iteration; microseconds per processor. */
static const struct
{
  const char *name, *grid;
  const char *sizes, *axes, *rules; /* of template and array */
  const char *ranges, *mapping;
  gint64 time;
  const char *execution, *insufficient, *idle;
  gint64 total, productive, lost; /* tenths */
} loops[] = {
  { "imbalance", "4", "10", "1", "1*1+0", "0:9", "1*1+0", 10, "2 3 2 3", "0 0 0 0", "1 0 1 0", 120,
    100, 20 },
  { "replicated", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7", "-1*0+0,1*1+0", 8, "4 4 4 4",
    "2 2 2 2", "0 0 0 0", 160, 80, 80 },
  { "constant", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7", "0*0+3,1*1+0", 8, "4 4 0 0", "0 0 0 0",
    "0 0 4 4", 160, 80, 80 },
  { "descending", "4", "8", "1", "1*1+0", "6:1:-1", "1*1+0", 6, "1 2 2 1", "0 0 0 0", "1 0 0 1", 80,
    60, 20 },
  { "strided", "4", "8", "1", "1*1+0", "0:7:3", "1*1+0", 3, "1 1 0 1", "0 0 0 0", "0 0 1 0", 40, 30,
    10 },
  { "empty", "4", "8", "1", "1*1+0", "5:4", "1*1+0", 4, "4 4 4 4", "3 3 3 3", "0 0 0 0", 160, 40,
    120 },
};

static void
test_loop_times (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, loops[i].sizes, loops[i].axes);
  gint64 array = test_trace_array (trace, loops[i].sizes, view, loops[i].rules);

  test_trace_run (trace, test_trace_loop (trace, array, loops[i].ranges, loops[i].mapping),
                  loops[i].time);
  g_autoptr (TestRun) run = test_run (trace, loops[i].grid, &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  assert_values (run, 0, PD_C_EXECUTION_TIME, loops[i].execution);
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM, loops[i].insufficient);
  assert_values (run, 0, PD_C_IDLE, loops[i].idle);
  assert_sum (all, PD_C_PRODUCTIVE_TIME, loops[i].productive);
  assert_sum (all, PD_C_LOST_TIME, loops[i].lost);
  assert_total (all, loops[i].total, (double) loops[i].productive / (double) loops[i].total);
}

/* The first dopl_ is before the loop, the ret_ ones are the run-time's, and
 * what happens in the body belongs to the iterations. */
static void
test_portions (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0");
  g_autofree char *params = g_strdup_printf ("LoopRef=%" G_GINT64_MODIFIER "x;", (guint64) loop);

  test_trace_call (trace, "dopl_", 2, 1, params, "DoPL=1;");
  test_trace_call (trace, "dopl_", 3, 1, params, "DoPL=1;");
  test_trace_ordinary (trace, 1, 2);
  test_trace_call (trace, "dopl_", 2, 2, params, "DoPL=0;");
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "4 4"); /* (3 + 1 + 2 + 2) / 2 */
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "6 6"); /* 2 + 1 + 1 + 2 */
}

/* The loop is over where the next one begins, or the trace ends. */
static const struct
{
  const char *name;
  gboolean next_loop, exit;
  gint64 parallel, sequential; /* of each of two processors */
} left[] = {
  { "goto", TRUE, TRUE, 8, 3 }, /* 6 / 2 + 10 / 2; 1 + 2 */
  { "exit", FALSE, TRUE, 4, 1 },
  { "end-of-file", FALSE, FALSE, 3, 1 },
};

static void
test_left (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0");
  g_autofree char *params = g_strdup_printf ("LoopRef=%" G_GINT64_MODIFIER "x;", (guint64) loop);
  g_autoptr (GError) error = NULL;

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_call (trace, "dopl_", 6, 1, params, "DoPL=1;");
  if (left[i].next_loop)
    {
      loop = test_trace_loop (trace, array, "0:7", "1*1+0");
      test_trace_run (trace, loop, 10);
      test_trace_ordinary (trace, 2, 0);
    }
  if (left[i].exit)
    test_trace_exit (trace, left[i].next_loop ? 0 : 2);
  g_autoptr (TestRun) run = test_predict (trace->text->str, "2", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run->incomplete, ==, !left[i].exit);
  for (guint32 p = 0; p < 2; p++)
    {
      g_assert_cmpint (test_value (run, 0, p, PD_C_CPU_TIME_PAR), ==,
                       left[i].parallel * PD_PS_PER_US);
      g_assert_cmpint (test_value (run, 0, p, PD_C_CPU_TIME_SEQ), ==,
                       left[i].sequential * PD_PS_PER_US);
    }
}

/* two processors, the second twice as fast. */
static void
test_speeds (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=0,per-byte=0,speeds=1:2");
  g_autoptr (TestTrace) sequential_trace = test_trace_new ("1");

  test_trace_ordinary (sequential_trace, 6, 0);
  g_autoptr (TestRun) first = test_run (sequential_trace, "2", &options);
  g_autofree PdIntervalResult *all = test_result (first, 0);
  assert_values (first, 0, PD_C_EXECUTION_TIME, "6 3");
  assert_values (first, 0, PD_C_INSUFFICIENT_PARALLELISM_SEQ, "3 1.500000");
  assert_values (first, 0, PD_C_IDLE, "0 3");
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 45);
  assert_sum (all, PD_C_LOST_TIME, 75);
  assert_total (all, 120, 4.5 / 12);

  g_autoptr (TestTrace) loop_trace = test_trace_new ("1");
  gint64 view = test_trace_template (loop_trace, "8", "1");
  gint64 array = test_trace_array (loop_trace, "8", view, "1*1+0");
  test_trace_run (loop_trace, test_trace_loop (loop_trace, array, "0:7", "1*1+0"), 8);
  g_autoptr (TestRun) second = test_run (loop_trace, "2", &options);
  g_autofree PdIntervalResult *loop = test_result (second, 0);
  assert_values (second, 0, PD_C_EXECUTION_TIME, "4 2");
  assert_sum (loop, PD_C_PRODUCTIVE_TIME, 60);
  assert_sum (loop, PD_C_IDLE, 20);
  assert_total (loop, 80, .75);
}

/* File operations are those of one processor, and no faster where it is. */
static void
test_speed_of_io (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=0,per-byte=0,speeds=2:1");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_io (trace, "dvm_printf", 6, "Format=x", "Res=2;");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_IO_TIME, "6 0");
  assert_values (run, 0, PD_C_IO_COMM, "0 6");
}

/* 3 of output on the first of four processors. */
static const struct
{
  const char *function, *machine, *communication, *idle;
} outputs[] = {
  { "dvm_printf", "ideal", "0 3 3 3", "0 0 0 0" },
  { "dvm_printf", "ethernet:startup=0,per-byte=0,collectives=simple", "0 3 3 3", "0 0 0 0" },
  { "dvm_void_printf", "ideal", "0 0 0 0", "0 3 3 3" },
};

static void
test_output (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (outputs[i].machine);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_io (trace, outputs[i].function, 3, "Format=x=%d; y (z)\n", "Res=5;");
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  assert_values (run, 0, PD_C_IO_TIME, "3 0 0 0");
  assert_values (run, 0, PD_C_IO_COMM, outputs[i].communication);
  assert_values (run, 0, PD_C_IDLE, outputs[i].idle);
  assert_values (run, 0, PD_C_SYNCHRONIZATION, "0 0 0 0");
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 30);
  assert_sum (all, PD_C_LOST_TIME, 90);
  assert_total (all, 120, .25);
  g_assert_cmpuint (all->counts[PD_Q_N_IO - PD_N_TIMES], ==, 1);
}

/* processors come to an Allreduce at 5 and 7; both leave at 7 + 1. */
static void
test_synchronization (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "24", "1");
  gint64 array = test_trace_array (trace, "24", view, "1*1+0");

  /* 12 iterations of 1: 5 on processor 0 (7..11), 7 on processor 1 (12..18) */
  gint64 loop = test_trace_loop (trace, array, "7:18", "1*1+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 12, 0);
  test_trace_group (trace, "strtrd_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "5 7");
  assert_values (run, 0, PD_C_SYNCHRONIZATION, "2 0");
  assert_values (run, 0, PD_C_COMMUNICATION, "3 1");
  assert_values (run, 0, PD_C_WAIT_REDUCTION, "3 1");
}

/* strtsh_ returns at 3 and 4, waitsh_ is called at 6 and 7. */
static void
test_overlap (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "14", "1");
  gint64 array = test_trace_array (trace, "14", view, "1*1+0");
  gint64 group = test_trace_shadow (trace, array, "1", "1", FALSE);

  /* 3 iterations on processor 0 (4..6), 4 on processor 1 (7..10) */
  test_trace_run (trace, test_trace_loop (trace, array, "4:10", "1*1+0"), 7);
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_ordinary (trace, 3, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_SHADOW_OVERLAP, "2 3");
  assert_values (run, 0, PD_C_OVERLAP, "2 3");
  assert_values (run, 0, PD_C_SYNCHRONIZATION, "0 0");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "6 7");
}

/* The wait of an exchange: only neighbours count, as far as one waited. */
static void
test_neighbours (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "16", "1");
  gint64 array = test_trace_array (trace, "16", view, "1*1+0");
  gint64 group = test_trace_shadow (trace, array, "1", "1", FALSE);

  /* 4 iterations on processor 3 only */
  test_trace_run (trace, test_trace_loop (trace, array, "12:15", "1*1+0"), 4);
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_values (run, 0, PD_C_WAIT_SHADOW, "0 0 4 0");
  assert_values (run, 0, PD_C_SYNCHRONIZATION, "0 0 4 0");
}

/* biof_ … eiof_: one processor works, until and with call_eiof_. */
static void
test_statement (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_call (trace, "biof_", 1, 1, "", "");
  test_trace_call (trace, "tstio_", 2, 3, "", "");
  test_trace_call (trace, "srmem_", 4, 0, "MemoryCount=1;\nLengthArray[0]=8;", "");
  test_trace_call (trace, "eiof_", 5, 2, "", "");
  test_trace_exit (trace, 1);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  assert_values (run, 0, PD_C_IO_TIME, "14 0 0 0");
  assert_values (run, 0, PD_C_IO_COMM, "0 9 9 9");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "5 5 5 5");
  assert_sum (all, PD_C_PRODUCTIVE_TIME, 190);
}

/* The first record's time is start-up. */
static void
test_startup (void)
{
  static const char text[] = "ret_dvm_Init TIME=0.00030000 LINE=1 FILE=t\n"
                             "call_getam_ TIME=0.00000500 LINE=1 FILE=t\n"
                             "ret_getam_ TIME=0.00000200 LINE=1 FILE=t\n"
                             "AMRef=5;\n"
                             "Event_dvm_exit TIME=0.00000100 LINE=2 FILE=t\n";
  g_autofree char *all = g_strconcat ("ProcCount=1; PSRank=1; PSSize= 1;\n", text, NULL);

  for (guint keep = 0; keep < 2; keep++)
    {
      PdPredictOptions options = test_options ("ideal");
      g_autoptr (GError) error = NULL;
      options.dvm.keep_startup = keep == 1;
      g_autoptr (TestRun) run = test_predict (all, "1", &options, &error);
      g_assert_no_error (error);
      assert_values (run, 0, PD_C_EXECUTION_TIME, keep == 1 ? "8" : "3");
      g_assert_cmpuint (pd_messages_count (run->messages, "startup"), ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-model/folding", test_folding);
  for (gsize i = 0; i < G_N_ELEMENTS (sequential); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-model/sequential/", sequential[i].grid, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_sequential);
    }
  g_test_add_func ("/predictor/dvm-model/mixed", test_mixed);
  g_test_add_func ("/predictor/dvm-model/single", test_single);
  for (gsize i = 0; i < G_N_ELEMENTS (loops); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-model/loop/", loops[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_loop_times);
    }
  g_test_add_func ("/predictor/dvm-model/portions", test_portions);
  for (gsize i = 0; i < G_N_ELEMENTS (left); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-model/left/", left[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_left);
    }
  g_test_add_func ("/predictor/dvm-model/speeds", test_speeds);
  g_test_add_func ("/predictor/dvm-model/speed-of-io", test_speed_of_io);
  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-model/output/%s-%" G_GSIZE_FORMAT,
                                               outputs[i].function, i);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_output);
    }
  g_test_add_func ("/predictor/dvm-model/synchronization", test_synchronization);
  g_test_add_func ("/predictor/dvm-model/overlap", test_overlap);
  g_test_add_func ("/predictor/dvm-model/neighbours", test_neighbours);
  g_test_add_func ("/predictor/dvm-model/statement", test_statement);
  g_test_add_func ("/predictor/dvm-model/startup", test_startup);
  return g_test_run ();
}
