/* What tasks begin and end with: abstract machines, their names and their
 * templates, program contexts, intervals; and traces that cannot be.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "tests/support/dvm/multi-file.h"
#include "tests/support/dvm/tasks.h"

#include <string.h>

static void
assert_values (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}

/* An array of 8 doubles, BLOCK on @system, and a loop over all of it. */
static gint64
make_loop (TestTrace *trace, gint64 system)
{
  gint64 view = test_task_template (trace, "8", "1", system);

  return test_trace_loop (trace, test_trace_array (trace, "8", view, "1*1+0"), "0:7", "1*1+0");
}

/* ---- what ends with a task */

/* Intervals: those opened in the task are closed by its end; those around it
 * cannot be closed there. */
static void
test_intervals (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");
  gint64 task = test_task_on (trace, test_task_system (trace, 0, "1", "1"));

  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_task_run (trace, task, 0, 0);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0); /* ignored */
  test_trace_open (trace, "bsloop_", 30, 2, 0, 0);
  test_trace_open (trace, "binter_", 40, 3, 0, 0);
  test_trace_ordinary (trace, 5, 0);
  test_task_stop (trace, 1, 0); /* still in them, then no more */
  test_trace_ordinary (trace, 2, 0);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0);
  test_trace_ordinary (trace, 4, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-mismatch"), ==, 3);
  assert_values (run, test_node (run, PD_INTERVAL_USER, 40), PD_C_EXECUTION_TIME, "0 6");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 30), PD_C_EXECUTION_TIME, "0 6");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 20), PD_C_EXECUTION_TIME, "2 8");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "6 12");
}

/* A parallel loop that was left by a jump, a block without an end, the time of
 * an I/O statement: nothing of it reaches beyond the task. */
static void
test_left_open (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 task = test_task_on (trace, test_task_system (trace, 0, "1", "2"));

  test_trace_call (trace, "begbl_", 0, 0, "", "");
  test_task_run (trace, task, 0, 0);
  test_trace_call (trace, "endbl_", 0, 0, "", ""); /* not that of the block around it */
  test_trace_call (trace, "begbl_", 0, 0, "", "");
  test_trace_dopl (trace, make_loop (trace, 0), 0, 1);
  test_trace_ordinary (trace, 6, 0); /* 3 on each */
  test_task_stop (trace, 2, 0);      /* of the loop, too */
  test_task_run (trace, task, 0, 0);
  test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_ordinary (trace, 3, 0); /* on the first of them */
  test_task_stop (trace, 1, 0);
  test_trace_ordinary (trace, 1, 0);
  test_trace_call (trace, "endbl_", 0, 0, "", "");
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "0 4 4 0");
  assert_values (run, 0, PD_C_IO_TIME, "0 4 0 0");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "1 9 5 1");
}

/* A task for each element of a loop over tasks: the loop's own records are
 * those of all. */
static void
test_loop_of_tasks (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");
  gint64 loop = make_loop (trace, 0);

  gint64 tasks[] = { test_task_on (trace, test_task_system (trace, 0, "0", "0")),
                     test_task_on (trace, test_task_system (trace, 0, "1", "1")) };

  test_trace_dopl (trace, loop, 0, 1);
  for (guint i = 0; i < 2; i++)
    {
      test_task_run (trace, tasks[i], 0, 0);
      test_trace_ordinary (trace, 5 + i, 0);
      test_task_stop (trace, 0, 0);
    }
  test_trace_dopl (trace, loop, 2, 0);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "7 8");
}

/* ---- abstract machines */

/* Machines of a distributed template are mapped by it. */
static void
test_mapped_by_view (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1 1", "3 2");
  gint64 view = test_task_template (trace, "3", "1,0", 0);

  for (guint i = 0; i < 3; i++)
    {
      test_task_run (trace, test_task_machine (trace, view, i), 0, 0);
      test_trace_ordinary (trace, 1 + i, 0);
      test_task_stop (trace, 0, 0);
    }
  g_autoptr (TestRun) run = test_run (trace, "3x2", &options);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "1 1 2 2 3 3");
}

/* The current machine, by name; a reference that is used for another one. */
static void
test_names (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");
  gint64 view = test_task_machines (trace, 2);
  gint64 task = test_task_machine (trace, view, 1);
  g_autofree char *name = g_strdup_printf ("AMRef=%" G_GINT64_MODIFIER "x;", (guint64) task);
  g_autofree char *element =
      g_strdup_printf ("AMViewRef=%" G_GINT64_MODIFIER "x; IndexArray[0]=1;", (guint64) view);

  test_task_map (trace, task, test_task_system (trace, 0, "1", "1"));
  test_trace_call (trace, "getamr_", 0, 0, element, name); /* the same one */
  test_task_run (trace, task, 0, 0);
  test_trace_call (trace, "getam_", 0, 0, "", name);
  g_autofree char *current = g_strdup_printf ("AMRefPtr=1; %s", name);
  test_trace_call (trace, "getps_", 0, 0, current, "PSRef=99;");
  test_trace_ordinary (trace, 1, 0);
  test_task_stop (trace, 0, 0);
  /* the system of that machine is that of the second processor */
  test_task_run (trace, test_task_on (trace, 0x99), 0, 0);
  test_trace_ordinary (trace, 2, 0);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "0 3");
}

/* ---- errors and warnings */

#define SYSTEM(id, first, last)                                                                    \
  "crtps_|PSRef=0; StaticSign=1; InitIndexArray[0]=" first "; LastIndexArray[0]=" last             \
  ";|PSRef=" id ";\n"
#define VIEW(id, static)                                                                           \
  "crtamv_|AMRef=0; Rank=1; StaticSign=" static "; SizeArray[0]=2;|AMViewRef=" id ";\n"
#define MACHINE(id, view, index)                                                                   \
  "getamr_|AMViewRef=" view "; IndexArray[0]=" index ";|AMRef=" id ";\n"
#define MAP(id, system) "mapam_|AMRef=" id "; PSRef=" system ";|\n"
#define RUN(id)         "runam_|AMRef=" id ";|Run=1;\n"
#define STOP            "stopam_||\n"
#define TASK            SYSTEM ("5", "1", "2") VIEW ("f", "1") MACHINE ("a", "f", "0") MAP ("a", "5")

/* An array on the current processors, its shadow edges, a reduction of all. */
#define BLOCKS                                                                                     \
  "crtamv_|AMRef=0; Rank=1; StaticSign=0; SizeArray[0]=8;|AMViewRef=4f;\n"                         \
  "distr_|AMViewRef=4f; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|IsLocal=1;\n" \
  "crtda_|ArrayHeader=40; Rank=1; TypeSize=8; StaticSign=0; SizeArray[0]=8; "                      \
  "LowShdWidthArray[0]=1; HiShdWidthArray[0]=1;|ArrayHandlePtr=41;\n"                              \
  "align_|ArrayHeader=40; ArrayHandlePtr=41; PatternRefPtr=0; PatternRef=4f (AMView); "            \
  "AxisArray[0]=1; CoeffArray[0]=1; ConstArray[0]=0;|IsLocal=1\n"
#define SHADOW(id)                                                                                 \
  "crtshg_|StaticSign=1;|ShadowGroupRef=" id ";\ninssh_|ShadowGroupRef=" id                        \
  "; ArrayHandlePtr=41; FullShdSign=0; LowShdWidthArray[0]=1; HiShdWidthArray[0]=1;|\n"
#define SUM(id)                                                                                    \
  "crtrg_|StaticSign=1; DelRedSign=1;|RedGroupRef=" id ";\n"                                       \
  "crtred_|RedFuncNumb=1; RedArrayPtr=1; RedArrayType=4; RedArrayLength=1; LocArrayPtr=0; "        \
  "LocElmLength=0; StaticSign=1;|RedRef=7f;\n"                                                     \
  "insred_|RedGroupRef=" id "; RedRef=7f; PSSpaceRef=0;|\n"

#define LOOP(id)                                                                                   \
  "crtpl_|Rank=1;|LoopRef=" id ";\nmappl_|LoopRef=" id                                             \
  "; PatternRefPtr=0; PatternRef=41 (DisArray); AxisArray[0]=1; CoeffArray[0]=1; "                 \
  "ConstArray[0]=0; "                                                                              \
  "InInitIndexArray[0]=0; InLastIndexArray[0]=7; InStepArray[0]=1;|IsLocal=1;\n"

#define FINE      (-1)
#define OBJECT    PD_DVM_MODEL_ERROR_OBJECT
#define PARAMETER PD_DVM_MODEL_ERROR_PARAMETER

static const struct
{
  const char *name;
  const char *script; /* name|parameters|results, line by line */
  int code;
  const char *warning; /* (nullable): counted once */
} scripts[] = {
  { "fine", TASK RUN ("a") STOP, FINE, NULL },
  { "again", TASK RUN ("a") STOP RUN ("a") STOP, FINE, NULL },
  { "run/no-machine", RUN ("a"), OBJECT, NULL },
  { "run/no-reference", "runam_||Run=1;\n", PARAMETER, NULL },
  { "run/not-mapped", VIEW ("f", "1") MACHINE ("a", "f", "0") RUN ("a"), OBJECT, NULL },
  { "run/not-recorded", TASK "runam_|AMRef=a;|Run=0;\n", FINE, "task-skipped" },
  { "run/no-answer", TASK "runam_|AMRef=a;|\n" STOP, FINE, NULL },
  { "stop/without-run", STOP, FINE, "task-mismatch" },
  { "stop/twice", TASK RUN ("a") STOP STOP, FINE, "task-mismatch" },
  { "end-of-trace", TASK RUN ("a"), FINE, "task-open" },
  { "nested/not-within",
    TASK SYSTEM ("6", "2", "3") MACHINE ("b", "f", "1") MAP ("b", "6") RUN ("a") RUN ("b"),
    PARAMETER, NULL },
  { "nested/same", TASK RUN ("a") RUN ("a") STOP STOP, FINE, NULL },
  { "nested/beyond-current", TASK RUN ("a") SYSTEM ("6", "0", "2"), PARAMETER, NULL },
  { "nested/shadow", BLOCKS SHADOW ("5f") TASK RUN ("a") "strtsh_|ShadowGroupRef=5f;|\n", PARAMETER,
    NULL },
  { "nested/shadow-of-task",
    TASK RUN ("a") BLOCKS SHADOW ("5f") "strtsh_|ShadowGroupRef=5f;|\n" STOP, FINE, NULL },
  { "nested/reduction", SUM ("6f") TASK RUN ("a") "strtrd_|RedGroupRef=6f;|\n", PARAMETER, NULL },
  { "nested/reduction-of-task", TASK RUN ("a") SUM ("6f") "strtrd_|RedGroupRef=6f;|\n" STOP, FINE,
    NULL },
  { "map/no-machine", MAP ("a", "0"), OBJECT, NULL },
  { "map/no-system", VIEW ("f", "1") MACHINE ("a", "f", "0") MAP ("a", "5"), OBJECT, NULL },
  { "map/beyond-grid", SYSTEM ("5", "2", "4"), PARAMETER, NULL },
  { "machine/no-view", MACHINE ("a", "f", "0"), OBJECT, NULL },
  { "machine/no-index", VIEW ("f", "1") "getamr_|AMViewRef=f;|AMRef=a;\n", PARAMETER, NULL },
  { "machine/no-parameter", "getamr_||AMRef=a;\n", PARAMETER, NULL },
  /* machines go with their template, whoever gets their reference then */
  { "gone/view", TASK "delamv_|AMViewRef=f;|\n" RUN ("a"), OBJECT, NULL },
  { "gone/view-made-again", TASK VIEW ("f", "1") RUN ("a"), OBJECT, NULL },
  { "gone/machine-made-again", TASK VIEW ("f", "1") MACHINE ("a", "f", "0") RUN ("a"), OBJECT,
    NULL },
  { "gone/with-block",
    SYSTEM ("5", "1", "2") "begbl_||\n" VIEW ("f", "0") MACHINE ("a", "f", "0") MAP ("a", "5")
        RUN ("a") STOP "endbl_||\n" RUN ("a"),
    OBJECT, NULL },
  /* what is created in a task goes with it, unless it is static */
  { "gone/with-task", TASK RUN ("a") VIEW ("e", "0") STOP MACHINE ("b", "e", "0"), OBJECT, NULL },
  /* a block or a loop around the task does not end within it */
  { "gone/block-around",
    TASK "begbl_||\n" VIEW ("e", "0") RUN ("a") "endbl_||\nendbl_||\n" STOP MACHINE ("b", "e", "0"),
    FINE, NULL },
  { "gone/loop-around",
    BLOCKS TASK LOOP ("9f") VIEW ("e", "0")
        RUN ("a") "endpl_|LoopRef=9f;|\n" STOP MACHINE ("b", "e", "0"),
    FINE, NULL },
  { "gone/loop-over",
    BLOCKS TASK LOOP ("9f") VIEW ("e", "0") "endpl_|LoopRef=9f;|\n" MACHINE ("b", "e", "0"), OBJECT,
    NULL },
  { "gone/static", TASK RUN ("a") VIEW ("e", "1") STOP MACHINE ("b", "e", "0"), FINE, NULL },
  { "gone/outer-stays", TASK VIEW ("e", "0") RUN ("a") STOP MACHINE ("b", "e", "0"), FINE, NULL },
};

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");

  test_run_script (trace, scripts[i].script, scripts[i].code, scripts[i].warning);
}

/* The file ends within two tasks and an interval. */
static void
test_cut (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  g_autoptr (GError) error = NULL;

  test_task_run (trace, test_task_on (trace, test_task_system (trace, 0, "1", "3")), 0, 0);
  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_task_run (trace, test_task_on (trace, test_task_system (trace, 0, "1", "2")), 1, 0);
  test_trace_ordinary (trace, 3, 2);
  g_autoptr (TestRun) run = test_predict (trace->text->str, "4", &options, &error);
  g_assert_no_error (error);
  g_assert_true (run->incomplete);
  g_assert_cmpuint (pd_messages_count (run->messages, "task-open"), ==, 2);
  g_assert_cmpuint (pd_messages_count (run->messages, "interval-open"), ==, 1);
  assert_values (run, 0, PD_C_EXECUTION_TIME, "0 1 6 6");
}

/* A task of all processors, recorded on two: each takes its own time in it. */
static void
play_recorded (TestTrace *trace, guint rank)
{
  test_task_run (trace, test_task_on (trace, 0), 1, 0);
  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_trace_ordinary (trace, 3 + 2 * rank, 0);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0);
  test_task_stop (trace, 2, 0);
  test_trace_exit (trace, 1);
}

static void
test_several (void)
{
  g_autoptr (TestRun) run = test_set_try ("2", 2, play_recorded, "2");

  assert_values (run, 0, PD_C_EXECUTION_TIME, "7 9");
  assert_values (run, test_node (run, PD_INTERVAL_SEQ, 20), PD_C_EXECUTION_TIME, "3 5");
}

/* A loop on processors that are not in the task: they do not come to it. */
static void
test_loop_outside (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  test_task_run (trace, test_task_on (trace, test_task_system (trace, 0, "1", "2")), 0, 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:7", "1*1+0"), 8);
  test_task_stop (trace, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "loop-outside-task"), ==, 1);
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "0 2 2 0");
}

/* A reduction through the central processor, started in a task and not waited
 * for there: in another task the reference means another one. Those who were in
 * it wait at the end. */
static void
test_put_off (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  gint64 tasks[] = { test_task_on (trace, test_task_system (trace, 0, "0", "1")),
                     test_task_on (trace, test_task_system (trace, 0, "2", "3")) };
  gint64 before = trace->next_id;

  for (guint i = 0; i < 2; i++)
    {
      test_task_run (trace, tasks[i], 0, 0);
      trace->next_id = before;
      gint64 group = test_trace_reduction (trace, "3 4 1 8", 0);
      test_trace_group (trace, "strtrd_", group, 0, 0);
      if (i == 1)
        test_trace_group (trace, "waitrd_", group, 0, 0);
      test_trace_ordinary (trace, 5, 0);
      test_task_stop (trace, 0, 0);
    }
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "not-waited"), ==, 1);
  assert_values (run, 0, PD_C_REDUCTION_OVERLAP, "5 5 0 0");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "5 5 5 5");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-task-ends/intervals", test_intervals);
  g_test_add_func ("/predictor/dvm-task-ends/left-open", test_left_open);
  g_test_add_func ("/predictor/dvm-task-ends/loop-of-tasks", test_loop_of_tasks);
  g_test_add_func ("/predictor/dvm-task-ends/mapped-by-view", test_mapped_by_view);
  g_test_add_func ("/predictor/dvm-task-ends/names", test_names);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-task-ends/script/", scripts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_script);
    }
  g_test_add_func ("/predictor/dvm-task-ends/cut", test_cut);
  g_test_add_func ("/predictor/dvm-task-ends/several", test_several);
  g_test_add_func ("/predictor/dvm-task-ends/loop-outside", test_loop_outside);
  g_test_add_func ("/predictor/dvm-task-ends/put-off", test_put_off);
  return g_test_run ();
}
