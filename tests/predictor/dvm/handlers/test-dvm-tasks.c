/* Tasks: who takes part in what, when, and what it costs; worked by hand. Every
 * run is checked against the identities of the characteristics.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "tests/support/dvm/tasks.h"

#include <string.h>
#include <zlib.h>

static void
assert_values (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}

/* Integral values of an interval, in nanoseconds. */
typedef struct
{
  guint32 n;
  gint64 execution, productive, lost;
} Whole;

static void
assert_whole (const PdReportRun *run, guint32 node, Whole expected)
{
  g_autofree PdIntervalResult *all = test_result (run, node);
  gint64 total = expected.n * expected.execution;

  g_assert_cmpuint (all->n_processors, ==, expected.n);
  g_assert_cmpint ((gint64) all->values[PD_C_EXECUTION_TIME].sum.ps, ==, expected.execution * 1000);
  g_assert_cmpint ((gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps, ==,
                   expected.productive * 1000);
  g_assert_cmpint ((gint64) all->values[PD_C_LOST_TIME].sum.ps, ==, expected.lost * 1000);
  g_assert_cmpint (expected.productive + expected.lost, ==, total);
  g_assert_cmpfloat_with_epsilon (all->efficiency, (double) expected.productive / (double) total,
                                  1e-9);
}

static void
assert_machine_free (const PdReportRun *run)
{
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* An array of 8 doubles, BLOCK on @system, and a loop over all of it. */
static gint64
make_loop (TestTrace *trace, gint64 system)
{
  gint64 view = test_task_template (trace, "8", "1", system);

  return test_trace_loop (trace, test_trace_array (trace, "8", view, "1*1+0"), "0:7", "1*1+0");
}

/* ---- two tasks on the halves of four processors */

/* 4 for all; a: 6 and a loop of 8, in an interval, 2 for stopam_; b: 10; 2 for
 * all. Each runam_ takes all of them 2. */
static TestTrace *
two_tasks (const char *vps)
{
  TestTrace *trace = test_trace_new_virtual ("1", vps);
  gint64 left = test_task_system (trace, 0, "0", "1"),
         right = test_task_system (trace, 0, "2", "3");
  gint64 machines = test_task_machines (trace, 2);
  gint64 a = test_task_machine (trace, machines, 0), b = test_task_machine (trace, machines, 1);

  test_task_map (trace, a, left);
  test_task_map (trace, b, right);
  test_trace_ordinary (trace, 3, 1);
  test_task_run (trace, a, 1, 1);
  test_trace_open (trace, "bsloop_", 20, 7, 0, 0);
  test_trace_ordinary (trace, 6, 0);
  test_trace_run (trace, make_loop (trace, 0), 8);
  test_trace_close (trace, "enloop_", 20, 7, 0, 0);
  test_task_stop (trace, 1, 1);
  test_task_run (trace, b, 1, 1);
  test_trace_ordinary (trace, 10, 0);
  test_task_stop (trace, 0, 0);
  test_trace_exit (trace, 2);
  return trace;
}

static void
test_concurrent (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = two_tasks ("4");
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  guint32 inner = test_node (run, PD_INTERVAL_SEQ, 20);

  assert_machine_free (run);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "22 22 20 20");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "18 18 20 20");
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "4 4 0 0");
  /* 3/4 of 4 + 2 + 2 + 2 for all; half of 6 + 2, of 10 */
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM_SEQ,
                 "11.500000 11.500000 12.500000 12.500000");
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM_PAR, "0 0 0 0");
  assert_values (run, 0, PD_C_IDLE, "0 0 2 2");
  assert_values (run, 0, PD_C_LOAD_IMBALANCE, "0 0 4 4");
  assert_whole (run, 0, (Whole){ 4, 22000, 36000, 52000 });

  /* who was not in the task was not in its interval */
  assert_values (run, inner, PD_C_EXECUTION_TIME, "10 10 0 0");
  assert_values (run, inner, PD_C_IDLE, "0 0 0 0");
  assert_values (run, inner, PD_C_LOAD_IMBALANCE, "0 0 0 0");
  assert_whole (run, inner, (Whole){ 2, 10000, 14000, 6000 });
}

/* On one processor everything is productive: all tasks one after another. */
static void
test_single (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=3us,per-byte=1ns,send-overhead=1us,"
                                           "collectives=simple,collective-time=5us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 task = test_task_on (trace, test_task_system (trace, 0, "0", "0"));

  for (guint i = 0; i < 3; i++)
    {
      test_task_run (trace, task, 1, 1);
      test_trace_run (trace, make_loop (trace, 0), 8);
      test_trace_call (trace, "bsynch_", 1, 1, "", "");
      test_task_stop (trace, 1, 1);
    }
  g_autoptr (TestRun) run = test_run (trace, "1", &options);
  assert_machine_free (run);
  assert_whole (run, 0, (Whole){ 1, 42000, 42000, 0 });
}

/* The same system for both, as a run on one processor records it. */
static void
test_layout_of_one (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 a = test_task_on (trace, test_task_system (trace, 0, "0", "0"));
  gint64 b = test_task_on (trace, test_task_system (trace, 0, "0", "0"));

  test_task_run (trace, a, 0, 0);
  test_trace_ordinary (trace, 5, 0);
  test_task_stop (trace, 0, 0);
  test_task_run (trace, b, 0, 0);
  test_trace_ordinary (trace, 7, 0);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "3", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "task-layout"), ==, 2);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "12 0 0");
  assert_whole (run, 0, (Whole){ 3, 12000, 12000, 24000 });
}

/* Speeds 1, 2, 4, 1: in each task everybody takes the time of its own. */
static void
test_speeds (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=0,per-byte=0,speeds=1:2:4:1");
  g_autoptr (TestTrace) trace = two_tasks ("4");
  g_autoptr (TestRun) run = test_run (trace, "4", &options);

  /* all: 10; a: 8 / speed + 4 iterations of 1 / speed; b: 10 / speed */
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "18 9 5 20");
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "4 2 0 0");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "22 11 5 20");
  assert_values (run, 0, PD_C_IDLE, "0 11 17 2");
  /* 7.5 / speed + half of 8, of 10 / speed */
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM, "11.500000 5.750000 3.125000 12.500000");
  assert_whole (run, 0, (Whole){ 4, 22000, 25125, 62875 });
}

/* ---- nested tasks */

/* In a task of 0, 1, 2: one of 1 (first 1 of the current system, 5), and one of
 * 2 (9); then 3 for all three, and 4 for all. */
static void
test_nested (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 outer = test_task_on (trace, test_task_system (trace, 0, "1", "3"));

  test_task_run (trace, outer, 0, 0);
  gint64 a = test_task_on (trace, test_task_system (trace, 0, "0", "0"));
  gint64 b = test_task_on (trace, test_task_system (trace, 0, "1", "2"));
  test_task_run (trace, a, 3, 0);
  test_trace_open (trace, "binter_", 30, 1, 0, 0);
  test_trace_ordinary (trace, 5, 0);
  test_trace_close (trace, "einter_", 30, 1, 0, 0);
  test_task_stop (trace, 0, 0);
  test_task_run (trace, b, 0, 0);
  test_trace_open (trace, "binter_", 30, 1, 0, 0);
  test_trace_ordinary (trace, 8, 0);
  test_trace_close (trace, "einter_", 30, 1, 0, 0);
  test_task_stop (trace, 0, 0);
  test_trace_ordinary (trace, 3, 0);
  test_task_stop (trace, 0, 0);
  test_trace_exit (trace, 4);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  guint32 inner = test_node (run, PD_INTERVAL_USER, 30);

  assert_machine_free (run);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "4 15 18 18");
  /* 3/4 of 4; 2/3 of 6; 0, 1/2 of the inner one */
  assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM, "3 7 11 11");
  assert_values (run, 0, PD_C_IDLE, "14 3 0 0");
  assert_whole (run, 0, (Whole){ 4, 18000, 23000, 49000 });
  /* entered by some in one task, by others in the other */
  assert_values (run, inner, PD_C_EXECUTION_TIME, "0 5 8 8");
  assert_values (run, inner, PD_C_IDLE, "0 3 0 0");
  assert_whole (run, inner, (Whole){ 3, 8000, 13000, 11000 });
}

/* A whole system as a task, seen in another shape: nobody is left out. */
static void
test_whole_system (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 task = test_task_on (trace, test_task_view (trace, 0, "2,2"));

  test_task_run (trace, task, 0, 0);
  gint64 column = test_task_on (trace, test_task_system (trace, 0, "0,1", "1,1"));
  test_task_run (trace, column, 0, 0);
  test_trace_ordinary (trace, 2, 0);
  test_task_stop (trace, 0, 0);
  test_trace_ordinary (trace, 1, 0);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "1 3 1 3");
}

/* ---- communication */

#define COLLECTIVE "ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us"

/* The communicator of each system is made once, by all that are current. */
static void
test_communicators (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options (COLLECTIVE);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 left = test_task_system (trace, 0, "0", "1"),
         right = test_task_system (trace, 0, "2", "3");

  options.observer = &observer;
  gint64 a = test_task_on (trace, left);
  test_task_on (trace, right);
  test_task_on (trace, left);
  test_task_on (trace, 0); /* the initial one has its communicator */
  test_task_run (trace, a, 0, 0);
  gint64 inner = test_task_system (trace, left, "1", "1");
  test_task_on (trace, inner);
  test_task_on (trace, inner);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  static const char *const expected[] = { "comm_create:0 comm_create:0 comm_create:0",
                                          "comm_create:0 comm_create:0 comm_create:0",
                                          "comm_create:0 comm_create:0",
                                          "comm_create:0 comm_create:0" };
  for (guint32 rank = 0; rank < 4; rank++)
    {
      g_autofree char *entered = test_log_show_collectives (log, rank);
      g_assert_cmpstr (entered, ==, expected[rank]);
    }
  assert_values (run, 0, PD_C_OTHER_COMM, "3 3 2 2");
}

/* MPI_Comm_create is a barrier and an allgather of 4 bytes. */
static void
test_cost_of_mapping (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=2us,per-byte=0,send-overhead=0");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");

  test_task_on (trace, test_task_system (trace, 0, "0", "0"));
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autoptr (TestTrace) plain = test_trace_new_virtual ("1", "2");
  test_trace_call (plain, "bsynch_", 0, 0, "", "");
  g_autoptr (TestRun) barrier = test_run (plain, "2", &options);
  /* between two processors the allgather is one exchange */
  g_assert_cmpint (test_value (run, 0, 0, PD_C_OTHER_COMM), ==,
                   test_value (barrier, 0, 0, PD_C_OTHER_COMM) + 2 * PD_PS_PER_US);
  g_assert_cmpuint (run->n_messages, ==, barrier->n_messages + 2);
}

static void
play_barrier (TestTrace *trace)
{
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

static void
play_reduction (TestTrace *trace)
{
  gint64 loop = make_loop (trace, 0);
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);

  test_trace_run (trace, loop, 16); /* 4 on each */
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
}

/* The central processor of four is the third. */
static void
play_star (TestTrace *trace)
{
  gint64 group = test_trace_reduction (trace, "3 4 1 8", 0);

  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
}

static void
play_output (TestTrace *trace)
{
  test_trace_io (trace, "dvm_printf", 3, "Format=x", "Res=2;");
}

static void
play_shadow (TestTrace *trace)
{
  gint64 view = test_trace_template (trace, "8", "1");
  gint64 group =
      test_trace_shadow (trace, test_trace_array (trace, "8", view, "1*1+0"), "1", "0", FALSE);

  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
}

static const struct
{
  const char *name;
  void (*play) (TestTrace *trace);
  const char *collectives; /* of a processor inside */
  const char *messages;
  const char *execution;
} plays[] = {
  { "barrier", play_barrier, "barrier:0", "", "0 1 1 1 1 0" },
  { "reduction", play_reduction, "allreduce:8", "", "0 5 5 5 5 0" },
  { "star", play_star, "", "1>3:16 2>3:16 3>1:16 3>2:16 3>4:16 4>3:16", "0 0 0 0 0 0" },
  { "output", play_output, "bcast:4", "", "0 4 4 4 4 0" },
  { "shadow", play_shadow, "", "1>2:8 2>3:8 3>4:8", "0 0 0 0 0 0" },
};

/* A task of 1 to 4 of six processors. */
static void
test_communication (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options (COLLECTIVE);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "6");
  gint64 task = test_task_on (trace, test_task_system (trace, 0, "1", "4"));

  options.observer = &observer;
  test_task_run (trace, task, 0, 0);
  plays[i].play (trace);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "6", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, plays[i].messages);
  for (guint32 rank = 0; rank < 6; rank++)
    {
      g_autofree char *entered = test_log_show_collectives (log, rank);
      g_autofree char *expected = g_strjoin (
          " ", "comm_create:0",
          rank >= 1 && rank <= 4 && plays[i].collectives[0] != '\0' ? plays[i].collectives : NULL,
          NULL);
      g_assert_cmpstr (entered, ==, expected);
    }
  for (guint32 rank = 0; rank < 6; rank++) /* mapam_ */
    g_assert_cmpint (test_value (run, 0, rank, PD_C_OTHER_COMM), >=, PD_PS_PER_US);
  g_auto (GStrv) words = g_strsplit (plays[i].execution, " ", -1);
  for (guint32 rank = 0; rank < 6; rank++)
    g_assert_cmpint (test_value (run, 0, rank, PD_C_EXECUTION_TIME), ==,
                     (g_ascii_strtoll (words[rank], NULL, 10) + 1) * PD_PS_PER_US);
  assert_machine_free (run);
}

/* What was started in a task may be waited for behind it: by those who were in
 * it. */
static void
test_waited_behind (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 system = test_task_system (trace, 0, "1", "2");
  gint64 task = test_task_on (trace, system);
  gint64 view = test_task_template (trace, "8", "1", system);
  gint64 group =
      test_trace_shadow (trace, test_trace_array (trace, "8", view, "1*1+0"), "1", "1", FALSE);

  test_task_run (trace, task, 0, 0);
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_task_stop (trace, 0, 0);
  test_trace_ordinary (trace, 3, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, "1>2:8 2>1:8");
  assert_values (run, 0, PD_C_SHADOW_OVERLAP, "0 3 3 0");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "3 3 3 3");
}

/* What all have started may be waited for in each task by its own, there or
 * behind it, once or again. */
static const struct
{
  const char *name;
  guint n_left, n_right, n_behind; /* waitsh_ in the tasks, and behind them */
} waits[] = {
  { "in-both", 1, 1, 0 },
  { "in-one", 1, 0, 1 },
  { "in-the-other", 0, 1, 1 },
  { "twice", 2, 2, 2 },
};

static void
play_waits (TestTrace *trace, gint64 group, guint n)
{
  for (guint i = 0; i < n; i++)
    test_trace_group (trace, "waitsh_", group, 0, 0);
}

static void
test_waited_partly (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 left = test_task_on (trace, test_task_system (trace, 0, "0", "1"));
  gint64 right = test_task_on (trace, test_task_system (trace, 0, "2", "3"));
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");
  gint64 group = test_trace_shadow (trace, array, "1", "1", FALSE);

  /* 4 on the last processor, which starts as late */
  test_trace_run (trace, test_trace_loop (trace, array, "6:7", "1*1+0"), 4);
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_task_run (trace, left, 0, 0);
  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_trace_ordinary (trace, 2, 0);
  play_waits (trace, group, waits[i].n_left);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0);
  test_task_stop (trace, 0, 0);
  test_task_run (trace, right, 0, 0);
  test_trace_open (trace, "bsloop_", 30, 2, 0, 0);
  test_trace_ordinary (trace, 1, 0);
  play_waits (trace, group, waits[i].n_right);
  test_trace_close (trace, "enloop_", 30, 2, 0, 0);
  test_task_stop (trace, 0, 0);
  play_waits (trace, group, waits[i].n_behind);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "2 2 4 5");
  assert_values (run, 0, PD_C_WAIT_SHADOW, "0 0 3 0");
  assert_values (run, 0, PD_C_SYNCHRONIZATION, "0 0 3 0");
  assert_values (run, 0, PD_C_SHADOW_OVERLAP, "2 2 0 1");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 30), PD_C_SYNCHRONIZATION,
                 waits[i].n_right > 0 ? "0 0 3 0" : "0 0 0 0");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 20), PD_C_SHADOW_OVERLAP,
                 waits[i].n_left > 0 ? "2 2 0 0" : "0 0 0 0");
}

/* Output, by all, of an array that lives on a part of the processors. */
static void
test_output_of_part (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 view = test_task_template (trace, "8", "1", test_task_system (trace, 0, "1", "3"));
  gint64 array = test_trace_array (trace, "8", view, "1*1+0");
  g_autofree char *params = g_strdup_printf (
      "ArrayHeader=1; ArrayHandlePtr=%" G_GINT64_MODIFIER "x; Size=8; Count=8;", (guint64) array);

  options.observer = &observer;
  test_trace_io (trace, "dvm_fwrite", 0, params, "Res=8;");
  test_watch (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, "1>0:16 2>0:24 3>0:24");
}

/* ---- long tasks */

/* A task of thousands of steps, which the others leave out at once; they go on
 * with those behind it, and everything is met by whom it concerns. */
static void
test_long (gconstpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  PdPredictOptions options = test_options (COLLECTIVE);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "3");
  gint64 a = test_task_on (trace, test_task_system (trace, 0, "0", "1"));
  gint64 b = test_task_on (trace, test_task_system (trace, 0, "2", "2"));

  for (guint round = 0; round < 2; round++)
    {
      test_task_run (trace, a, 0, 0);
      for (guint i = 0; i < n; i++)
        test_trace_call (trace, "bsynch_", 0, 0, "", "");
      test_task_stop (trace, 0, 0);
      test_task_run (trace, b, 0, 0);
      test_trace_ordinary (trace, n / 2, 0);
      test_task_stop (trace, 0, 0);
      test_trace_call (trace, "bsynch_", 0, 0, "", "");
    }
  g_autoptr (TestRun) run = test_run (trace, "3", &options);
  gint64 seq = n / 2 * PD_PS_PER_US, comm = n * PD_PS_PER_US, round = PD_PS_PER_US;
  for (guint32 p = 0; p < 3; p++)
    {
      g_assert_cmpint (run->end_times[p].ps, ==, 2 * round + 2 * (comm + round));
      g_assert_cmpint (test_value (run, 0, p, PD_C_CPU_TIME), ==, p == 2 ? 2 * seq : 0);
      g_assert_cmpint (test_value (run, 0, p, PD_C_SYNCHRONIZATION), ==,
                       p == 2 ? 2 * (comm - seq) : 0);
    }
}

/* ---- recorded traces */

#define OF_ONE  "tests/data/tasks2_256.ptr.gz"
#define OF_FOUR "tests/data/tasks2_256_userps4.ptr.gz"

/* The sum of all times from the start of the program to its exit. */
static gint64
sum_times (const char *path)
{
  gzFile file = gzopen (path, "rb");
  gboolean inside = FALSE, over = FALSE;
  gint64 sum = 0;
  char line[4096];

  g_assert_nonnull (file);
  while (!over && gzgets (file, line, sizeof line) != NULL)
    {
      const char *time = strstr (line, " TIME=");
      gboolean is_exit = g_str_has_prefix (line, "Event_dvm_exit");
      if (inside && time != NULL
          && (is_exit || g_str_has_prefix (line, "call_") || g_str_has_prefix (line, "ret_")))
        {
          gint64 seconds = g_ascii_strtoll (time + 6, NULL, 10);
          const char *point = strchr (time, '.');
          g_assert_nonnull (point);
          sum += (seconds * 100000000 + g_ascii_strtoll (point + 1, NULL, 10)) * 10000;
        }
      inside = inside || g_str_has_prefix (line, "ret_dvm_Init");
      over = is_exit;
    }
  gzclose (file);
  return sum;
}

static void
test_recorded_single (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=5us,per-byte=1ns");

  options.clean.keep_clamped = TRUE;
  g_autoptr (TestRun) run = test_run_file (OF_ONE, "1", &options);
  g_autofree PdIntervalResult *all = test_result (run, 0);
  g_assert_cmpint (run->end_times[0].ps, ==, sum_times (OF_ONE));
  g_assert_cmpfloat (all->efficiency, ==, 1);
  g_assert_cmpuint (pd_messages_count (run->messages, "task-layout"), ==, 0);
}

/* Both tasks are mapped where the run on one processor had them. */
static void
test_recorded_layout (void)
{
  PdPredictOptions options = test_options ("ideal");

  g_autoptr (TestRun) run = test_run_file (OF_ONE, "4", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "task-layout"), ==, 2);
  for (guint k = 0; k < 2; k++)
    {
      g_autofree PdIntervalResult *part =
          test_result (run, test_node (run, PD_INTERVAL_PAR, k == 0 ? 46 : 60));
      g_assert_cmpuint (part->n_processors, ==, 1);
    }
}

/* The iterations: a task's two loops on its two processors, both tasks at the
 * same time. */
static void
test_recorded_concurrent (void)
{
  static const gint64 lines[] = { 46, 52, 60, 66 };
  PdPredictOptions options = test_options ("ideal");
  gint64 tasks = 0;

  options.clean.keep_clamped = TRUE;
  g_autoptr (TestRun) run = test_run_file (OF_FOUR, "4", &options);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      guint32 node = test_node (run, PD_INTERVAL_PAR, lines[i]);
      g_autofree PdIntervalResult *part = test_result (run, node);
      g_assert_cmpuint (part->n_processors, ==, 2);
      for (guint32 p = 0; p < 4; p++)
        g_assert_cmpint (test_value (run, node, p, PD_C_EXECUTION_TIME) > 0, ==,
                         (p < 2) == (i < 2));
      tasks += (gint64) part->values[PD_C_EXECUTION_TIME].sum.ps;
    }
  g_autofree PdIntervalResult *rounds = test_result (run, test_node (run, PD_INTERVAL_SEQ, 34));
  g_assert_cmpint ((gint64) rounds->values[PD_C_EXECUTION_TIME].sum.ps, <, tasks);
  g_assert_cmpuint (pd_messages_count (run->messages, "task-layout"), ==, 0);

  /* every second is productive once */
  g_autofree PdIntervalResult *all = test_result (run, 0);
  gint64 productive = (gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps;
  g_assert_cmpint (ABS (productive - sum_times (OF_FOUR)), <=, 4 * 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-tasks/concurrent", test_concurrent);
  g_test_add_func ("/predictor/dvm-tasks/single", test_single);
  g_test_add_func ("/predictor/dvm-tasks/layout-of-one", test_layout_of_one);
  g_test_add_func ("/predictor/dvm-tasks/speeds", test_speeds);
  g_test_add_func ("/predictor/dvm-tasks/nested", test_nested);
  g_test_add_func ("/predictor/dvm-tasks/whole-system", test_whole_system);
  g_test_add_func ("/predictor/dvm-tasks/communicators", test_communicators);
  g_test_add_func ("/predictor/dvm-tasks/cost-of-mapping", test_cost_of_mapping);
  for (gsize i = 0; i < G_N_ELEMENTS (plays); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-tasks/inside/", plays[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_communication);
    }
  g_test_add_func ("/predictor/dvm-tasks/waited-behind", test_waited_behind);
  for (gsize i = 0; i < G_N_ELEMENTS (waits); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-tasks/waited/", waits[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_waited_partly);
    }
  g_test_add_func ("/predictor/dvm-tasks/output-of-part", test_output_of_part);
  for (guint n = 60; n <= 6000; n *= 10)
    for (guint k = 0; k < 5; k++) /* ends at and next to the ends of blocks */
      {
        g_autofree char *path = g_strdup_printf ("/predictor/dvm-tasks/long/%u", n + k);
        g_test_add_data_func (path, GUINT_TO_POINTER (n + k), test_long);
      }
  g_test_add_func ("/predictor/dvm-tasks/recorded/single", test_recorded_single);
  g_test_add_func ("/predictor/dvm-tasks/recorded/layout", test_recorded_layout);
  g_test_add_func ("/predictor/dvm-tasks/recorded/concurrent", test_recorded_concurrent);
  return g_test_run ();
}
