/* Runs recorded on several processors: each file gives its own times, and what
 * was measured inside simulated communication is not charged. A microsecond is
 * the unit; every run is checked against the identities of the characteristics.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/multi-file.h"

#include <string.h>

/* ---- times: 3 and 1 of ordinary time, a loop of 6 and 2 */

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
  g_autoptr (TestRun) run = test_set_try (ps, times[i].n, test_set_unequal, times[i].grid);
  g_autofree PdIntervalResult *all = test_result (run, 0);

  test_set_assert (run, 0, PD_C_CPU_TIME_PAR, times[i].par);
  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, times[i].seq);
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, times[i].end);
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
  g_autoptr (TestSet) set = test_set_record ("2", 2, test_set_unequal);
  g_autoptr (TestRun) run = test_set_run (set, "2", &options);

  test_set_assert (run, 0, PD_C_EXECUTION_TIME, "4.500000 1.500000");
}

/* The start-up of each file is its own. */
static void
starting (TestTrace *trace, guint rank)
{
  char *at = strstr (trace->text->str, "call_tstio_");
  char *time = strstr (at, "TIME=0.");

  /* 100 or 200 s */
  time[strlen ("TIME=")] = (char) ('1' + rank);
  test_set_unequal (trace, rank);
}

static void
test_startup (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestSet) set = test_set_record ("2", 2, starting);

  g_autoptr (TestRun) kept = test_set_run (set, "2", &options);
  test_set_assert (kept, 0, PD_C_EXECUTION_TIME, "1000009 2000003");
  options.dvm.keep_startup = FALSE;
  g_autoptr (TestRun) dropped = test_set_run (set, "2", &options);
  test_set_assert (dropped, 0, PD_C_EXECUTION_TIME, "9 3");
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
      g_autoptr (TestRun) run = test_set_try ("2", 2, replicated, copies[i].grid);
      test_set_assert (run, 0, PD_C_CPU_TIME_PAR, copies[i].par);
      test_set_assert (run, 0, PD_C_INSUFFICIENT_PARALLELISM_PAR, copies[i].insufficient);
    }
}

/* ---- communication */

/* 5 and 1 of computation, then operations that took long on whoever waited. */
static void
communicating (TestTrace *trace, guint rank)
{
  gint64 array = test_set_array (trace);
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
  g_autoptr (TestRun) run = test_set_try ("2", 2, communicating, "2");

  test_set_assert (run, 0, PD_C_EXECUTION_TIME, "10 10");
  test_set_assert (run, 0, PD_C_CPU_TIME_PAR, "5 1");
  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "5 5");
  test_set_assert (run, 0, PD_C_WAIT_REDUCTION, "0 4");
  g_autoptr (TestRun) one = test_set_try ("2", 2, communicating, "1");
  test_set_assert (one, 0, PD_C_EXECUTION_TIME, "11");
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
  g_autoptr (TestRun) run = test_set_try ("2", 2, unmodelled, "2");

  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "8 10");
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
  TestProgram program;
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
  g_autoptr (TestRun) run = test_set_try ("2", 2, outputs[i].program, outputs[i].grid);

  test_set_assert (run, 0, PD_C_IO_TIME, outputs[i].io);
  test_set_assert (run, 0, PD_C_CPU_TIME, outputs[i].cpu);
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, outputs[i].end);
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
  g_autoptr (TestRun) run = test_set_try ("3", 3, portions, "3");

  test_set_assert (run, 0, PD_C_CPU_TIME_PAR, "130 390 0");
  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "1 1 1");
  /* the model gives an iteration to each */
  g_assert_cmpuint (pd_messages_count (run->messages, "portions-differ"), ==, 1);
  g_autoptr (TestRun) one = test_set_try ("3", 3, portions, "1");
  test_set_assert (one, 0, PD_C_CPU_TIME_PAR, "520");
}

/* All iterations are those of processor 1. */
static void
elsewhere (TestTrace *trace, guint rank)
{
  gint64 array = test_set_array (trace);
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
  g_autoptr (TestRun) run = test_set_try ("2", 2, elsewhere, "2");

  test_set_assert (run, 0, PD_C_CPU_TIME_PAR, "0 8");
  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "6 6");
  g_assert_cmpuint (pd_messages_count (run->messages, "portions-differ"), ==, 0);
}

/* The body is in an interval, entered once per iteration; a jump ends it. */
static void
inside (TestTrace *trace, guint rank)
{
  gint64 array = test_set_array (trace);
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
  g_autoptr (TestRun) run = test_set_try ("2", 2, inside, "2");
  guint32 outer = test_node (run, PD_INTERVAL_SEQ, 20),
          inner = test_node (run, PD_INTERVAL_USER, 30);

  test_set_assert (run, inner, PD_C_CPU_TIME_PAR, "8 12");
  test_set_assert (run, outer, PD_C_CPU_TIME_PAR, "12 17");
  test_set_assert (run, 0, PD_C_EXECUTION_TIME, "112 117");
  g_autofree PdIntervalResult *result = test_result (run, inner);
  g_assert_cmpuint (result->counts[PD_Q_EXE_COUNT - PD_N_TIMES], ==, 3);
  g_autoptr (TestRun) one = test_set_try ("2", 2, inside, "1");
  test_set_assert (one, inner, PD_C_CPU_TIME_PAR, "20");
}

/* Processor 0 jumps out of the loop and of the interval in it. */
static void
jumping (TestTrace *trace, guint rank)
{
  gint64 loop = test_trace_loop (trace, test_set_array (trace), "0:11", "1*1+0");

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
  g_autoptr (TestRun) run = test_set_try ("2", 2, jumping, "2");
  guint32 inner = test_node (run, PD_INTERVAL_USER, 30);

  test_set_assert (run, 0, PD_C_CPU_TIME_PAR, "5 4");
  test_set_assert (run, inner, PD_C_CPU_TIME_SEQ, "8 8");
}

/* A loop whose mapping is not modelled is ordinary time of each. */
static void
unmapped (TestTrace *trace, guint rank)
{
  gint64 loop = test_trace_loop (trace, test_set_array (trace), "5:4", "1*1+0");

  test_trace_run (trace, loop, rank == 0 ? 8 : 2);
}

static void
test_unmapped (void)
{
  g_autoptr (TestRun) run = test_set_try ("2", 2, unmapped, "2");

  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "8 2");
  g_autoptr (TestRun) one = test_set_try ("2", 2, unmapped, "1");
  test_set_assert (one, 0, PD_C_CPU_TIME_SEQ, "5");
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
  return g_test_run ();
}
