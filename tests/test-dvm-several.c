/* Runs recorded on several processors: each file gives its own times, and what
 * was measured inside simulated communication is not charged. A microsecond is
 * the unit; every run is checked against the identities of spec 30.
 * SPDX-License-Identifier: MIT */
#include "tests/support/programs.h"
#include "tests/support/several.h"
#include "traces/pd-dvm-summary.h"

#include <glib/gstdio.h>
#include <string.h>

#define RECORDED "tests/data/heat2d_600_np2"

/* What processor @rank recorded. */
typedef void (*Program) (TestTrace *trace, guint rank);

static TestSet *
record (const char *ps, guint n, Program program)
{
  g_auto (GStrv) texts = g_new0 (char *, n + 1);

  for (guint rank = 0; rank < n; rank++)
    {
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      /* references are those of the processor */
      trace->next_id += 0x1000 * rank;
      program (trace, rank);
      if (strstr (trace->text->str, "Event_dvm_exit") == NULL)
        test_trace_exit (trace, 0);
      texts[rank] = g_strdup (trace->text->str);
    }
  return test_set_new (ps, (const char *const *) texts);
}

static PdReportRun *
run_on (const char *ps, guint n, Program program, const char *grid)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = record (ps, n, program);

  return test_set_run (set, grid, &options);
}

static void
assert_values (const PdReportRun *run, guint32 node, PdCharacteristic c, const char *expected)
{
  g_autofree char *values = test_values (run, node, c);

  g_assert_cmpstr (values, ==, expected);
}

static gint64
simple_array (TestTrace *trace)
{
  return test_trace_array (trace, "12", test_trace_template (trace, "12", "1"), "1*1+0");
}

/* ---- times: 3 and 1 of ordinary time, a loop of 6 and 2 */

static void
unequal (TestTrace *trace, guint rank)
{
  static const gint64 before[] = { 3, 1, 2 }, inside[] = { 6, 2, 10 };
  gint64 array = simple_array (trace);

  test_trace_ordinary (trace, before[rank], 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:11", "1*1+0"), inside[rank]);
}

static const struct
{
  const char *name;
  guint n;
  const char *grid;
  const char *par, *seq, *end; /* of each processor */
  gint64 productive;           /* tenths of a microsecond */
} times[] = {
  { "two/recorded", 2, "2", "6 2", "3 1", "9 3", 100 },
  { "two/padded", 2, "2x1", "6 2", "3 1", "9 3", 100 },
  { "two/one", 2, "1", "8", "2", "10", 100 },
  { "two/other-shape", 2, "1x2", "8 8", "2 2", "10 10", 100 },
  { "two/four", 2, "4", "2 2 2 2", "2 2 2 2", "4 4 4 4", 100 },
  { "three/recorded", 3, "3", "6 2 10", "3 1 2", "9 3 12", 200 },
  { "three/two", 3, "2", "9 9", "2 2", "11 11", 200 },
  { "three/six", 3, "6", "3 3 3 3 3 3", "2 2 2 2 2 2", "5 5 5 5 5 5", 200 },
};

static void
test_times (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *ps = times[i].n == 2 ? "2" : "3";
  g_autoptr (TestRun) run = run_on (ps, times[i].n, unequal, times[i].grid);
  g_autofree PdIntervalResult *all = test_result (run, 0);

  assert_values (run, 0, PD_C_CPU_TIME_PAR, times[i].par);
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, times[i].seq);
  assert_values (run, 0, PD_C_EXECUTION_TIME, times[i].end);
  /* 1 ps of rounding per charge */
  g_assert_cmpint (ABS ((gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps
                        - times[i].productive * PD_PS_PER_US / 10),
                   <=, 2 * run->n_processors);
}

/* Slow processors take longer for the time that they recorded. */
static void
test_speeds (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,nodes=2,processors-per-node=1,speed=2");
  g_autoptr (TestSet) set = record ("2", 2, unequal);
  g_autoptr (TestRun) run = test_set_run (set, "2", &options);

  assert_values (run, 0, PD_C_EXECUTION_TIME, "4.500000 1.500000");
}

/* The start-up of each file is its own. */
static void
starting (TestTrace *trace, guint rank)
{
  char *at = strstr (trace->text->str, "call_tstio_");
  char *time = strstr (at, "TIME=0.");

  /* 100 or 200 s */
  time[strlen ("TIME=")] = (char) ('1' + rank);
  unequal (trace, rank);
}

static void
test_startup (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = record ("2", 2, starting);

  g_autoptr (TestRun) kept = test_set_run (set, "2", &options);
  assert_values (kept, 0, PD_C_EXECUTION_TIME, "1000009 2000003");
  options.dvm.keep_startup = FALSE;
  g_autoptr (TestRun) dropped = test_set_run (set, "2", &options);
  assert_values (dropped, 0, PD_C_EXECUTION_TIME, "9 3");
}

/* Both processors do all of the loop over the axis that is not distributed. */
static void
replicated (TestTrace *trace, guint rank)
{
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");

  test_trace_run (trace, test_trace_loop (trace, array, "0:7", "-1*0+0,1*1+0"), rank == 0 ? 4 : 6);
}

static const struct
{
  const char *grid;
  const char *par, *insufficient;
} copies[] = {
  { "2", "4 6", "2 3" },
  { "1", "5", "0" },
  { "4", "5 5 5 5", "3.750000 3.750000 3.750000 3.750000" },
};

static void
test_replicated (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_autoptr (TestRun) run = run_on ("2", 2, replicated, copies[i].grid);
      assert_values (run, 0, PD_C_CPU_TIME_PAR, copies[i].par);
      assert_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM_PAR, copies[i].insufficient);
    }
}

/* ---- communication */

/* 5 and 1 of computation, then operations that took long on whoever waited. */
static void
communicating (TestTrace *trace, guint rank)
{
  gint64 array = simple_array (trace);
  gint64 shadow = test_trace_shadow (trace, array, "1", "1", FALSE);
  gint64 loop = test_trace_loop (trace, array, "0:11", "1*1+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);

  test_trace_run (trace, loop, rank == 0 ? 5 : 1);
  test_trace_group (trace, "strtrd_", group, 0, rank == 0 ? 10 : 1000);
  test_trace_group (trace, "waitrd_", group, 0, 20);
  test_trace_group (trace, "strtsh_", shadow, 0, 300);
  test_trace_group (trace, "waitsh_", shadow, 2, 4000);
  test_trace_call (trace, "bsynch_", 0, 50000, "", "");
  test_trace_ordinary (trace, 0, 3);
}

static void
test_communication (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, communicating, "2");

  assert_values (run, 0, PD_C_EXECUTION_TIME, "10 10");
  assert_values (run, 0, PD_C_CPU_TIME_PAR, "5 1");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "5 5");
  assert_values (run, 0, PD_C_WAIT_REDUCTION, "0 4");
  g_autoptr (TestRun) one = run_on ("2", 2, communicating, "1");
  assert_values (one, 0, PD_C_EXECUTION_TIME, "11");
}

/* What is not modelled is charged as it was measured, as ever. */
static void
unmodelled (TestTrace *trace, guint rank)
{
  test_trace_call (trace, "dvmsend_", 1, rank == 0 ? 7 : 9, "", "");
}

static void
test_unmodelled (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, unmodelled, "2");

  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "8 10");
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 1);
}

/* ---- input and output */

/* The result of printing is broadcast: processor 1 waited for it. */
static void
printing (TestTrace *trace, guint rank)
{
  test_trace_ordinary (trace, 0, 2);
  test_trace_io (trace, "dvm_printf", rank == 0 ? 30 : 40, "", "Res=4;");
  if (rank == 0)
    test_trace_io (trace, "dvm_void_printf", 5, "Format=x", "");
}

/* A Fortran statement: what follows tstio_ happens on processor 0 only. */
static void
writing (TestTrace *trace, guint rank)
{
  test_trace_call (trace, "biof_", 1, 2, "", "");
  test_trace_call (trace, "tstio_", 0, 0, "", rank == 0 ? "Res=1;" : "Res=0;");
  if (rank == 0)
    test_trace_call (trace, "rlocel_", 3, 4, "", "Res=8;");
  test_trace_call (trace, "srmem_", rank == 0 ? 20 : 0, rank == 0 ? 1 : 25,
                   "MemoryCount=1;\nLengthArray[0]=8;", "");
  test_trace_call (trace, "eiof_", rank == 0 ? 100 : 1, 10, "", "");
}

/* … or outside of such a statement, where it is computation. */
static void
guarded (TestTrace *trace, guint rank)
{
  test_trace_call (trace, "tstio_", 1, 0, "", rank == 0 ? "Res=1;" : "Res=0;");
  if (rank == 0)
    for (guint i = 0; i < 3; i++)
      test_trace_call (trace, "wlocel_", 2, 1, "", "Res=8;");
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

static const struct
{
  const char *name;
  Program program;
  const char *grid;
  const char *io, *cpu, *end;
  guint differ; /* notes of local calls */
} outputs[] = {
  { "printf/recorded", printing, "2", "35 0", "2 2", "37 32", 1 },
  { "printf/four", printing, "4", "35 0 0 0", "2 2 2 2", "37 32 32 32", 1 },
  { "printf/one", printing, "1", "35", "2", "37", 1 },
  { "write/recorded", writing, "2", "127 0", "13 13", "140 40", 1 },
  { "write/four", writing, "4", "127 0 0 0", "13 13 13 13", "140 40 40 40", 1 },
  { "guarded/recorded", guarded, "2", "0 0", "10 1", "10 10", 1 },
  { "guarded/one", guarded, "1", "0", "5.500000", "5.500000", 1 },
};

static void
test_output (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestRun) run = run_on ("2", 2, outputs[i].program, outputs[i].grid);

  assert_values (run, 0, PD_C_IO_TIME, outputs[i].io);
  assert_values (run, 0, PD_C_CPU_TIME, outputs[i].cpu);
  assert_values (run, 0, PD_C_EXECUTION_TIME, outputs[i].end);
  g_assert_cmpuint (pd_messages_count (run->messages, "local-calls-differ"), ==, outputs[i].differ);
}

/* ---- loops */

/* One, three and no portions; what is inside dopl_ is ordinary. */
static void
portions (TestTrace *trace, guint rank)
{
  static const guint n[] = { 1, 3, 0 };
  gint64 view = test_trace_template (trace, "3", "1");
  gint64 array = test_trace_array (trace, "3", view, "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:2", "1*1+0");

  test_trace_dopl (trace, loop, 1, n[rank] > 0);
  for (guint i = n[rank]; i-- > 0;)
    {
      test_trace_call (trace, "wlocel_", 10, 20, "", "Res=8;");
      test_trace_dopl (trace, loop, 100, i > 0);
    }
  test_trace_end_loop (trace, loop);
}

static void
test_portions (void)
{
  g_autoptr (TestRun) run = run_on ("3", 3, portions, "3");

  assert_values (run, 0, PD_C_CPU_TIME_PAR, "130 390 0");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "1 1 1");
  /* the model gives an iteration to each */
  g_assert_cmpuint (pd_messages_count (run->messages, "portions-differ"), ==, 1);
  g_autoptr (TestRun) one = run_on ("3", 3, portions, "1");
  assert_values (one, 0, PD_C_CPU_TIME_PAR, "520");
}

/* All iterations are those of processor 1. */
static void
elsewhere (TestTrace *trace, guint rank)
{
  gint64 array = simple_array (trace);
  gint64 loop = test_trace_loop (trace, array, "8:9", "1*1+0");

  test_trace_dopl (trace, loop, 1, rank == 1);
  if (rank == 1)
    test_trace_dopl (trace, loop, 8, 0);
  test_trace_end_loop (trace, loop);
  test_trace_ordinary (trace, 5, 0);
}

static void
test_elsewhere (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, elsewhere, "2");

  assert_values (run, 0, PD_C_CPU_TIME_PAR, "0 8");
  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "6 6");
  g_assert_cmpuint (pd_messages_count (run->messages, "portions-differ"), ==, 0);
}

/* The body is in an interval, entered once per iteration; a jump ends it. */
static void
inside (TestTrace *trace, guint rank)
{
  gint64 array = simple_array (trace);
  gint64 loop = test_trace_loop (trace, array, "0:11", "1*1+0");

  test_trace_open (trace, "bsloop_", 20, 1, 0, 0);
  test_trace_dopl (trace, loop, 0, 1);
  for (guint i = 0; i < 2 + rank; i++)
    {
      test_trace_open (trace, "binter_", 30, 2, 1, 0);
      test_trace_close (trace, "einter_", 30, 2, 4, 0);
    }
  test_trace_ordinary (trace, 2, 0);
  test_trace_end_loop (trace, loop);
  test_trace_close (trace, "enloop_", 20, 1, 0, 0);
  test_trace_ordinary (trace, 100, 0);
}

static void
test_inside (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, inside, "2");
  guint32 outer = test_node (run, PD_INTERVAL_SEQ, 20),
          inner = test_node (run, PD_INTERVAL_USER, 30);

  assert_values (run, inner, PD_C_CPU_TIME_PAR, "8 12");
  assert_values (run, outer, PD_C_CPU_TIME_PAR, "12 17");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "112 117");
  g_autofree PdIntervalResult *result = test_result (run, inner);
  g_assert_cmpuint (result->counts[PD_Q_EXE_COUNT - PD_N_TIMES], ==, 3);
  g_autoptr (TestRun) one = run_on ("2", 2, inside, "1");
  assert_values (one, inner, PD_C_CPU_TIME_PAR, "20");
}

/* Processor 0 jumps out of the loop and of the interval in it. */
static void
jumping (TestTrace *trace, guint rank)
{
  gint64 loop = test_trace_loop (trace, simple_array (trace), "0:11", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  if (rank == 0)
    test_trace_open (trace, "binter_", 30, 2, 1, 0);
  test_trace_dopl (trace, loop, 4, 0);
  test_trace_end_loop (trace, loop);
  test_trace_ordinary (trace, 8, 0);
}

static void
test_jumping (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, jumping, "2");
  guint32 inner = test_node (run, PD_INTERVAL_USER, 30);

  assert_values (run, 0, PD_C_CPU_TIME_PAR, "5 4");
  assert_values (run, inner, PD_C_CPU_TIME_SEQ, "8 8");
}

/* A loop whose mapping is not modelled is ordinary time of each. */
static void
unmapped (TestTrace *trace, guint rank)
{
  gint64 loop = test_trace_loop (trace, simple_array (trace), "5:4", "1*1+0");

  test_trace_run (trace, loop, rank == 0 ? 8 : 2);
}

static void
test_unmapped (void)
{
  g_autoptr (TestRun) run = run_on ("2", 2, unmapped, "2");

  assert_values (run, 0, PD_C_CPU_TIME_SEQ, "8 2");
  g_autoptr (TestRun) one = run_on ("2", 2, unmapped, "1");
  assert_values (one, 0, PD_C_CPU_TIME_SEQ, "5");
}

/* ---- what differs between the files */

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
  g_autoptr (TestRun) run = run_on ("2", 2, lonely_interval, "2");

  /* 10 and 10; 15 more where the interval was: waited for at each barrier */
  assert_values (run, 0, PD_C_CPU_TIME, "35 35");
  assert_values (run, 0, PD_C_EXECUTION_TIME, "50 50");
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
  gint64 array = simple_array (trace);

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
  Program program;
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
  g_autoptr (TestSet) set = record ("2", 2, refused[i].program);
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
  g_autoptr (TestRun) run = run_on ("2", 2, divided, "2");

  g_assert_cmpuint (run->n_processors, ==, 2);
}

/* ---- files */

static void
test_missing (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = record ("3", 3, unequal);
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
  g_autoptr (TestSet) set = record ("2", 2, unequal);
  g_autoptr (TestSet) other = record ("3", 3, unequal);
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
  g_autoptr (TestSet) set = record ("2", 2, unequal);
  g_autofree char *second = test_set_path (set, 1);
  g_autofree char *prefix = g_build_filename (set->folder, "p", NULL);
  const char *names[] = { set->folder, second, prefix };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (TestRun) run = test_run_file (names[i], "2", &options);
      assert_values (run, 0, PD_C_EXECUTION_TIME, "9 3");
    }
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
  g_autoptr (TestSet) set = record ("2", 2, unequal);

  cut (set, cuts[i].number, cuts[i].where);
  g_autoptr (TestRun) run = test_set_run (set, cuts[i].grid, &options);
  g_assert_true (run->incomplete);
  assert_values (run, 0, PD_C_EXECUTION_TIME, cuts[i].end);
}

/* ---- a real run, against the sums of another reader */

static PdReportRun *
predict_recorded (const char *grid, gboolean one_step)
{
  PdPredictOptions options = test_options ("two-cores");

  options.dvm.keep_startup = FALSE;
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
      g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (files[p], NULL, &error);
      g_assert_no_error (error);
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
          g_strconcat ("/predictor/dvm-several/" path "/", table[i].name, NULL);                   \
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_ROWS (times, "times", test_times)
  g_test_add_func ("/predictor/dvm-several/speeds", test_speeds);
  g_test_add_func ("/predictor/dvm-several/startup", test_startup);
  g_test_add_func ("/predictor/dvm-several/replicated", test_replicated);
  g_test_add_func ("/predictor/dvm-several/communication", test_communication);
  g_test_add_func ("/predictor/dvm-several/unmodelled", test_unmodelled);
  ADD_ROWS (outputs, "output", test_output)
  g_test_add_func ("/predictor/dvm-several/loops/portions", test_portions);
  g_test_add_func ("/predictor/dvm-several/loops/elsewhere", test_elsewhere);
  g_test_add_func ("/predictor/dvm-several/loops/inside", test_inside);
  g_test_add_func ("/predictor/dvm-several/loops/jumping", test_jumping);
  g_test_add_func ("/predictor/dvm-several/loops/unmapped", test_unmapped);
  g_test_add_func ("/predictor/dvm-several/interval", test_lonely_interval);
  ADD_ROWS (refused, "refused", test_refused)
  g_test_add_func ("/predictor/dvm-several/divided", test_divided);
  g_test_add_func ("/predictor/dvm-several/files/missing", test_missing);
  g_test_add_func ("/predictor/dvm-several/files/other-run", test_other_run);
  g_test_add_func ("/predictor/dvm-several/files/names", test_names);
  ADD_ROWS (cuts, "cut", test_cut)
  g_test_add_func ("/predictor/dvm-several/recorded/sums", test_recorded_sums);
  g_test_add_func ("/predictor/dvm-several/recorded/steps", test_recorded_steps);
  g_test_add_func ("/predictor/dvm-several/random", test_programs);
  return g_test_run ();
}
