/* Measured runs of DVM programs: times by hand, disturbed recordings, and predictions beside them.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"
#include "predictor/common/pd-errors.h"
#include "predictor/dvm/measured/pd-dvm-measured.h"
#include "predictor/dvm/measured/pd-dvm-reproduce.h"
#include "reports/run/pd-report-types.h"
#include "tests/support/dvm/multi-file.h"

#include <string.h>

#define N_ROUNDS 20

static PdReportRun *
measure (const TestSet *set)
{
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_dvm_measure (set->folder, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (pd_interval_tree_check (run->tree, run->end_times, FALSE, &error));
  g_assert_no_error (error);
  return run;
}

/* ---- by hand */

static void
record_by_hand (TestTrace *trace, guint rank)
{
  static const gint64 iterations[] = { 10, 4 }, waiting[] = { 2, 9 };
  gint64 array = test_set_array (trace);
  gint64 group = test_trace_reduction (trace, "1 4 1 0", 0);

  test_trace_ordinary (trace, 3 + rank, 1);
  test_trace_open (trace, "binter_", 20, 1, 2, 1);
  test_trace_run (trace, test_trace_loop (trace, array, "0:11", "1*1+0"), iterations[rank]);
  test_trace_group (trace, "strtrd_", group, 1, waiting[rank]);
  test_trace_group (trace, "waitrd_", group, 0, 1);
  test_trace_close (trace, "einter_", 20, 1, 1, 2);
  test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_call (trace, "eiof_", 5, 0, "", "");
}

static const struct
{
  guint32 node;
  PdCharacteristic c;
  const char *values; /* of both processors */
} by_hand[] = {
  { 1, PD_C_EXECUTION_TIME, "16 17" }, { 1, PD_C_CPU_TIME_PAR, "10 4" },
  { 1, PD_C_CPU_TIME_SEQ, "3 3" },     { 1, PD_C_WAIT_REDUCTION, "3 10" },
  { 1, PD_C_SYNCHRONIZATION, "0 7" },  { 0, PD_C_EXECUTION_TIME, "29 31" },
  { 0, PD_C_CPU_TIME_SEQ, "11 12" },   { 0, PD_C_INSUFFICIENT_PARALLELISM, "5.500000 6" },
  { 0, PD_C_COMMUNICATION, "3 15" },   { 0, PD_C_IO_TIME, "5 0" },
  { 0, PD_C_IO_COMM, "0 5" },          { 0, PD_C_IDLE, "2 0" },
};

static void
test_by_hand (void)
{
  g_autoptr (TestSet) set = test_set_record ("2 1", 2, record_by_hand);
  PdReportRun *run = measure (set);

  g_assert_cmpstr (run->grid, ==, "2x1");
  g_assert_cmpuint (pd_interval_tree_get_n_nodes (run->tree), ==, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (by_hand); i++)
    test_set_assert (run, by_hand[i].node, by_hand[i].c, by_hand[i].values);
  g_assert_cmpint (run->end_times[1].ps, ==, 31 * PD_PS_PER_US);
  pd_report_run_free (run);
}

/* One operation or more of each kind that the other test has not; one in an I/O statement. */
static void
record_operations (TestTrace *trace, guint rank)
{
  test_trace_call (trace, "bsynch_", 0, rank == 0 ? 2 : 9, "", "");
  test_trace_call (trace, "across_", 0, 1 + rank,
                   "AcrossType=0; OldShadowGroupRef=1000; NewShadowGroupRef=2000;", "");
  test_trace_call (trace, "dopl_", 0, 3 + rank, "", "DoPL=0;");
  test_trace_call (trace, "endpl_", 0, 1, "", "");
  test_trace_call (trace, "across_", 0, 2,
                   "AcrossType=0; OldShadowGroupRef=1000; NewShadowGroupRef=0;", "");
  test_trace_call (trace, "mapam_", 0, 4, "", "");
  test_trace_call (trace, "runam_", 0, 0, "", rank == 0 ? "Run=1;" : "Run=0;");
  test_trace_call (trace, "srmem_", 0, 1, "MemoryCount=1;\nLengthArray[0]=8;", "");
  test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_call (trace, "srmem_", 0, 2, "MemoryCount=1;\nLengthArray[0]=8;", "");
  test_trace_call (trace, "eiof_", 0, 0, "", "");
}

/* Sums over both processors, microseconds. */
static const struct
{
  guint64 count;
  gint64 communication, synchronization;
} operations[PD_N_OPERATIONS] = {
  [PD_OPERATION_IO] = { 1, 4, 0 },        [PD_OPERATION_SHADOW] = { 2, 4, 0 },
  [PD_OPERATION_PIPELINE] = { 1, 12, 2 }, [PD_OPERATION_TASK] = { 1, 8, 0 },
  [PD_OPERATION_OTHER] = { 2, 13, 7 },
};

static void
test_operations (void)
{
  g_autoptr (TestSet) set = test_set_record ("2", 2, record_operations);
  PdReportRun *run = measure (set);
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);
  const PdIntervalResult *all = &g_array_index (results, PdIntervalResult, 0);

  for (guint kind = 0; kind < PD_N_OPERATIONS; kind++)
    {
      const PdTimeSum *times = all->operations[kind];
      g_assert_cmpuint (all->counts[pd_operation_counter (kind) - PD_N_TIMES], ==,
                        operations[kind].count);
      g_assert_cmpint ((gint64) times[PD_OPERATION_COMMUNICATION].ps, ==,
                       operations[kind].communication * PD_PS_PER_US);
      g_assert_cmpint ((gint64) times[PD_OPERATION_SYNCHRONIZATION].ps, ==,
                       operations[kind].synchronization * PD_PS_PER_US);
    }
  pd_report_run_free (run);
}

/* A run on one processor waits for none. */
static void
record_alone (TestTrace *trace, guint rank)
{
  gint64 group = test_trace_reduction (trace, "1 4 1 0", 0);

  test_trace_group (trace, "strtrd_", group, 1, 7 + rank);
}

static void
test_alone (void)
{
  g_autoptr (TestSet) set = test_set_record ("1 1", 1, record_alone);
  g_autofree char *path = test_set_path (set, 0);
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_dvm_measure (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (pd_interval_tree_check (run->tree, run->end_times, TRUE, &error));
  g_assert_cmpstr (run->grid, ==, "1");
  test_set_assert (run, 0, PD_C_CPU_TIME_SEQ, "8");
  pd_report_run_free (run);
}

/* ---- disturbed recordings */

/* Rounds of computation and a reduction, in one of which processor 0 computes @computing longer
 * than processor 1, which waits as long, and both wait @waiting longer. */
static void
record_rounds (TestTrace *trace, guint rank, gint64 computing, gint64 waiting)
{
  gint64 group = test_trace_reduction (trace, "1 4 1 0", 0);

  test_trace_open (trace, "bploop_", 30, 1, 0, 0);
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gboolean special = i == N_ROUNDS / 2;
      test_trace_ordinary (trace, 100 + (special && rank == 0 ? computing : 0), 0);
      test_trace_group (trace, "strtrd_", group, 0,
                        2 + (special ? waiting + (rank == 1 ? computing : 0) : 0));
      test_trace_group (trace, "waitrd_", group, 0, 1);
    }
  test_trace_close (trace, "enloop_", 30, 1, 0, 0);
}

static void
record_even (TestTrace *trace, guint rank)
{
  record_rounds (trace, rank, 0, 0);
}

static void
record_late (TestTrace *trace, guint rank)
{
  record_rounds (trace, rank, 5000, 0);
}

static void
record_disturbed (TestTrace *trace, guint rank)
{
  record_rounds (trace, rank, 0, 5000);
}

static const struct
{
  const char *name;
  TestProgram program;
  const char *texts[2]; /* what the warnings have: of the program, and of the loop */
} disturbances[] = {
  { "even", record_even, { NULL } },
  { "late", record_late, { NULL } },
  { "disturbed",
    record_disturbed,
    { "MAIN: the recorded run looks disturbed: of 0.005060 s of communication per processor the "
      "recorded computation explains 0.000000 s and operations of the usual length 0.000060 s, but "
      "nothing explains 0.005000 s",
      "PAR t.fdv:30: " } },
};

static void
test_disturbance (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestSet) set = test_set_record ("2", 2, disturbances[i].program);
  PdReportRun *run = measure (set);
  guint n = 0;

  for (guint k = 0; k < pd_messages_get_n (run->messages); k++)
    {
      const PdMessage *message = pd_messages_get (run->messages, k);
      if (strcmp (message->id, "recording-disturbed") != 0)
        continue;
      g_assert_cmpuint (n, <, 2);
      g_assert_nonnull (disturbances[i].texts[n]);
      g_assert_true (g_str_has_prefix (message->text, disturbances[i].texts[n]));
      g_assert_cmpint (message->severity, ==, PD_SEVERITY_WARNING);
      n++;
    }
  g_assert_cmpuint (n, ==, disturbances[i].texts[0] == NULL ? 0 : 2);
  pd_report_run_free (run);
}

/* ---- predictions beside them */

static void
test_reproduce (void)
{
  g_autoptr (TestSet) set = test_set_record ("2", 2, record_disturbed);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (GError) error = NULL;
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = test_set_run (set, "2", &options);

  pd_report_add_run (report, run);
  g_assert_true (pd_dvm_reproduce (run, set->folder, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (run->recorded->len, ==, run->results->len);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint ((gint64) g_array_index (run->recorded, PdTimeSum, i).ps, ==,
                       7060 * PD_PS_PER_US);
      g_assert_cmpint ((gint64) g_array_index (run->recorded_communication, PdTimeSum, i).ps, ==,
                       2 * 5060 * PD_PS_PER_US);
      g_assert_cmpint ((gint64) pd_report_result (run, i)->values[PD_C_EXECUTION_TIME].sum.ps, ==,
                       2000 * PD_PS_PER_US);
    }
  g_assert_cmpuint (pd_messages_count (run->messages, "recording-disturbed"), ==, 2);
}

static void
test_other_grid (void)
{
  g_autoptr (TestSet) set = test_set_record ("2", 2, record_even);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (GError) error = NULL;
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = test_set_run (set, "3", &options);

  pd_report_add_run (report, run);
  g_assert_false (pd_dvm_reproduce (run, set->folder, NULL, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED);
  g_assert_null (run->recorded);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/dvm-measured/by-hand", test_by_hand);
  g_test_add_func ("/predictor/dvm-measured/operations", test_operations);
  g_test_add_func ("/predictor/dvm-measured/alone", test_alone);
  for (gsize i = 0; i < G_N_ELEMENTS (disturbances); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-measured/disturbance/", disturbances[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_disturbance);
    }
  g_test_add_func ("/predictor/dvm-measured/reproduce", test_reproduce);
  g_test_add_func ("/predictor/dvm-measured/other-grid", test_other_grid);
  return g_test_run ();
}
