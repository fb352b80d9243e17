/* The table of operations: rows of each kind by hand, for programs of one operation and for some
 * together. Microseconds; every run is checked against the identities.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/dvm/tasks.h"
#include "tests/support/predict.h"

#define ID G_GINT64_MODIFIER "x"

/* "pipeline 1: 22 22 22 14 0": kind, count, and its times in the order of the columns. */
static void
append_row (GString *text, const char *kind, guint64 count, const gdouble *times)
{
  g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT ":", text->len > 0 ? "; " : "", kind,
                          count);
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    g_string_append_printf (text, " %g", times[t]);
}

static gboolean
has_any (guint64 count, const gdouble *times)
{
  gboolean any = count > 0;

  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    any = any || times[t] != 0;
  return any;
}

static char *
show_table (const PdReportRun *run, guint32 node)
{
  g_autofree PdIntervalResult *r = test_result (run, node);
  GString *text = g_string_new (NULL);
  gdouble times[PD_N_OPERATION_TIMES];

  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      guint64 count = r->counts[pd_operation_counter (kind) - PD_N_TIMES];
      for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
        times[t] = (gdouble) r->operations[kind][t].ps / 1e6;
      if (has_any (count, times))
        append_row (text, pd_operation_row (kind)->id, count, times);
    }
  return g_string_free (text, FALSE);
}

static char *
show_processor (const PdReportRun *run, guint32 node, guint32 processor)
{
  g_autofree PdProcessorOperations *all = g_new (PdProcessorOperations, run->n_processors);
  GString *text = g_string_new (NULL);
  gdouble times[PD_N_OPERATION_TIMES];

  pd_interval_tree_get_operations (run->tree, node, all);
  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
        times[t] = (gdouble) all[processor].times[kind][t].ps / 1e6;
      if (has_any (all[processor].counts[kind], times))
        append_row (text, pd_operation_row (kind)->id, all[processor].counts[kind], times);
    }
  return g_string_free (text, FALSE);
}

/* ---- programs; all times are free but those given */

/* An array of 24 in blocks, and @ranges of it in a loop that takes @time. */
static gint64
make_uneven (TestTrace *trace, const char *ranges, gint64 time)
{
  gint64 view = test_trace_template (trace, "24", "1");
  gint64 array = test_trace_array (trace, "24", view, "1*1+0");

  test_trace_run (trace, test_trace_loop (trace, array, ranges, "1*1+0"), time);
  return array;
}

/* Processors come to the reduction at 5 and 7; it takes 1. */
static void
reduce (TestTrace *trace)
{
  make_uneven (trace, "7:18", 12);
  test_trace_group (trace, "strtrd_", test_trace_reduction (trace, "1 4 1 0", 0), 0, 0);
}

/* The same through the central processor 1: processor 0 sends at 5 and waits for the result, which
 * leaves at 7; what comes then is computed for 3, and overlaps for 0. */
static void
reduce_by_star (TestTrace *trace)
{
  make_uneven (trace, "7:18", 12);
  gint64 group = test_trace_reduction (trace, "3 4 1 8", 0);

  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_ordinary (trace, 3, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
}

/* Started at 5 and 7, waited for 1 later: at 6 and 8. */
static void
renew_shadow (TestTrace *trace)
{
  gint64 group = test_trace_shadow (trace, make_uneven (trace, "7:18", 12), "1", "1", FALSE);

  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_ordinary (trace, 1, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
}

/* Processor 0, there at 5, waits for an element of processor 1, which is there at 7. */
static void
read_element (TestTrace *trace)
{
  gint64 array = make_uneven (trace, "7:18", 12);

  test_trace_copy (trace, "elmcpy_", (TestSide){ array, "20" }, (TestSide){ 0, NULL }, "", 0);
}

/* Another distribution: all elements of the one half are wanted by the other. */
static void
redistribute (TestTrace *trace)
{
  gint64 view = test_trace_template (trace, "24,24", "1");
  gint64 array = test_trace_array (trace, "24,24", view, "1*1+0,2*1+0");

  test_trace_run (trace, test_trace_loop (trace, array, "7:18,0:0", "1*1+0,2*1+0"), 12);
  test_trace_redis (trace, view, FALSE, "2", 0);
}

static void
synchronize (TestTrace *trace)
{
  make_uneven (trace, "7:18", 12);
  test_trace_call (trace, "bsynch_", 0, 0, "", "");
}

/* Processor 0 writes for 3, the others wait in the broadcast of what that gave. */
static void
print (TestTrace *trace)
{
  test_trace_io (trace, "dvm_printf", 3, "", "Res=1");
}

/* Processor 1 is the later one; it waits for the file besides. */
static void
print_late (TestTrace *trace)
{
  make_uneven (trace, "7:18", 12);
  print (trace);
}

/* Ordered by rows, 1 for each of 36 iterations, in portions or one after the other. */
static void
run_ordered (TestTrace *trace, const char *portions)
{
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 after = test_trace_shadow (trace, array, "1,0", "0,0", FALSE);
  gint64 loop = test_trace_loop (trace, array, "1:6,1:6", "1*1+0,2*1+0");
  g_autofree char *params =
      g_strdup_printf ("AcrossType=0; OldShadowGroupRef=0; NewShadowGroupRef=%" ID
                       "; PipeLinePar=%s;\nCondPipeLine=0  ErrPipeLine=9\nQDim[0]=-1",
                       after, portions);

  test_trace_call (trace, "across_", 0, 0, params, "ErrPipeLine=9");
  test_trace_run (trace, loop, 36);
}

static void
run_pipeline (TestTrace *trace)
{
  run_ordered (trace, "3");
}

static void
run_wavefront (TestTrace *trace)
{
  run_ordered (trace, "1");
}

/* Task a takes 10 on processors 0 and 1, b 4 on 2 and 3; in each there is a reduction. Then all
 * make the communicator of another part. */
static void
run_tasks (TestTrace *trace)
{
  gint64 systems[] = { test_task_system (trace, 0, "0", "1"),
                       test_task_system (trace, 0, "2", "3") };
  gint64 machines[] = { test_task_on (trace, systems[0]), test_task_on (trace, systems[1]) };
  gint64 times[] = { 10, 4 };

  for (guint i = 0; i < 2; i++)
    {
      test_task_run (trace, machines[i], 0, 0);
      test_trace_ordinary (trace, times[i], 0);
      test_trace_group (trace, "strtrd_", test_trace_reduction (trace, "1 4 1 0", 0), 0, 0);
      test_task_stop (trace, 0, 0);
    }
  test_task_on (trace, test_task_system (trace, 0, "1", "2"));
}

/* One of each of these kinds. */
static void
do_several (TestTrace *trace)
{
  reduce (trace);
  read_element (trace);
  synchronize (trace);
  print (trace);
}

/* ---- their rows */

#define FREE   "ideal"
#define SIMPLE "ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us"

static const struct
{
  const char *name;
  void (*program) (TestTrace *trace);
  const char *grid, *machine;
  const char *table;
  guint32 processor; /* one of them, and its rows */
  const char *rows;
} cases[] = {
  /* 3 and 1; 2 of that because processor 1 came later */
  { "reduction", reduce, "2", SIMPLE, "reduction 1: 4 2 2 0 0", 0, "reduction 1: 3 2 2 0 0" },
  /* waits are there at 8 and 10; the result is sent at 10; all have started at 7: 1 and 3 */
  { "star", reduce_by_star, "2", FREE, "reduction 1: 2 2 2 0 4", 0, "reduction 1: 2 2 2 0 1" },
  /* both have started at 7: 1 overlaps on processor 1, 0 waits from 6 to 7 for what is sent then,
   * but the other's wait comes at 8; they leave at 7 and 8 */
  { "shadow", renew_shadow, "2", FREE, "shadow 1: 1 1 1 1 1", 0, "shadow 1: 1 1 1 1 0" },
  { "remote-access", read_element, "2", FREE, "remote_access 1: 2 2 2 0 0", 0,
    "remote_access 1: 2 2 2 0 0" },
  { "redistribution", redistribute, "2", FREE, "redistribution 1: 2 2 2 0 0", 0,
    "redistribution 1: 2 2 2 0 0" },
  { "barrier", synchronize, "2", FREE, "other 1: 2 2 2 0 0", 0, "other 1: 2 2 2 0 0" },
  /* nobody is late: what the others wait for is the file; the writer leaves as they do */
  { "io", print, "4", FREE, "io 1: 9 0 0 0 0", 3, "io 1: 3 0 0 0 0" },
  /* 0 writes from 5 to 8, 1 waits from 7 to 8: 1, without any for a processor that is late */
  { "io-late", print_late, "2", FREE, "io 1: 1 0 0 0 0", 1, "io 1: 1 0 0 0 0" },
  /* portions end at 2 4 6, 6 10 14, 10 14 18, 12 16 20: processor 1 waits until 2, 2 until 6, 3
   * until 10, from 12 to 14 and from 16 to 18; ends differ by 8, 4 and 2 from the next one's */
  { "pipeline", run_pipeline, "4", FREE, "pipeline 1: 22 22 22 14 0", 3,
    "pipeline 1: 14 14 14 0 0" },
  /* one after the other: 6, 12, 12, 6; they have their edges at 0, 6, 18, 30 (differences to the
   * next one: 6, 12, 12), and have sent theirs at 6, 18, 30, 36 (12, 12, 6) */
  { "wavefront", run_wavefront, "4", FREE, "pipeline 1: 54 54 54 60 0", 2,
    "pipeline 1: 18 18 18 18 0" },
  /* two reductions, one in each; 2 and 3 come to the communicator 6 before 0 and 1 */
  { "tasks", run_tasks, "4", FREE, "reduction 2: 0 0 0 0 0; task 2: 12 12 12 0 0", 2,
    "reduction 1: 0 0 0 0 0; task 1: 6 6 6 0 0" },
  /* each but the last begins with the same difference of 2, which the one before has evened out */
  { "several", do_several, "2", FREE,
    "io 1: 3 0 0 0 0; reduction 1: 2 2 2 0 0; remote_access 1: 2 2 2 0 0; other 1: 2 2 2 0 0", 0,
    "io 1: 0 0 0 0 0; reduction 1: 2 2 2 0 0; remote_access 1: 2 2 2 0 0; other 1: 2 2 2 0 0" },
};

static void
test_rows (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (cases[i].machine);
  g_autoptr (TestTrace) trace = cases[i].program == run_tasks
                                    ? test_trace_new_virtual ("1", cases[i].grid)
                                    : test_trace_new (cases[i].grid[1] == '\0' ? "1" : "1 1");

  cases[i].program (trace);
  g_autoptr (TestRun) run = test_run (trace, cases[i].grid, &options);
  g_autofree char *table = show_table (run, 0);
  g_autofree char *rows = show_processor (run, 0, cases[i].processor);
  g_assert_cmpstr (table, ==, cases[i].table);
  g_assert_cmpstr (rows, ==, cases[i].rows);
}

/* ---- intervals, and one processor */

/* What is done in an interval is in the table of those around it, and in no other. */
static void
test_intervals (void)
{
  PdPredictOptions options = test_options (FREE);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  for (gint64 line = 20; line <= 30; line += 10)
    {
      test_trace_open (trace, "bsloop_", line, line, 0, 0);
      for (gint64 i = 20; i <= line; i += 10)
        read_element (trace);
      test_trace_close (trace, "enloop_", line, line, 0, 0);
    }
  synchronize (trace);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *whole = show_table (run, 0);
  g_autofree char *first = show_table (run, test_node (run, PD_INTERVAL_SEQ, 20));
  g_autofree char *second = show_table (run, test_node (run, PD_INTERVAL_SEQ, 30));
  g_assert_cmpstr (first, ==, "remote_access 1: 2 2 2 0 0");
  g_assert_cmpstr (second, ==, "remote_access 2: 4 4 4 0 0");
  g_assert_cmpstr (whole, ==, "remote_access 3: 6 6 6 0 0; other 1: 2 2 2 0 0");
}

/* On one processor there are as many operations, and no time in them. */
static void
test_alone (void)
{
  PdPredictOptions options = test_options (FREE);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  do_several (trace);
  g_autoptr (TestRun) run = test_run (trace, "1", &options);
  g_autofree char *table = show_table (run, 0);
  g_assert_cmpstr (table, ==,
                   "io 1: 0 0 0 0 0; reduction 1: 0 0 0 0 0; remote_access 1: 0 0 0 0 0; "
                   "other 1: 0 0 0 0 0");
}

/* Twice the processors: the program has no more operations, though each takes part in them. */
static void
test_counted_once (void)
{
  static const char *const grids[] = { "2", "4", "8" };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      PdPredictOptions options = test_options (FREE);
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      reduce (trace);
      reduce (trace);
      g_autoptr (TestRun) run = test_run (trace, grids[i], &options);
      g_autofree PdIntervalResult *r = test_result (run, 0);
      g_autofree PdProcessorOperations *all = g_new (PdProcessorOperations, run->n_processors);
      pd_interval_tree_get_operations (run->tree, 0, all);
      g_assert_cmpuint (r->counts[PD_Q_N_REDUCTION - PD_N_TIMES], ==, 2);
      for (guint32 p = 0; p < run->n_processors; p++)
        g_assert_cmpuint (all[p].counts[PD_OPERATION_REDUCTION], ==, 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/operations/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_rows);
    }
  g_test_add_func ("/predictor/operations/intervals", test_intervals);
  g_test_add_func ("/predictor/operations/alone", test_alone);
  g_test_add_func ("/predictor/operations/counted-once", test_counted_once);
  return g_test_run ();
}
