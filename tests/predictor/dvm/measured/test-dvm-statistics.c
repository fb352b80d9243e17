/* Statistics files as measured runs: the characteristics by hand, the identities, and the sample
 * in tests/data.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"
#include "predictor/dvm/measured/pd-dvm-statistics.h"
#include "tests/support/dvm/statistics.h"

#include <string.h>

#define US PD_PS_PER_US

static PdReportRun *
measure (const TestStatisticsForm *form)
{
  g_autoptr (GBytes) bytes = test_statistics_new (form);
  const PdTraceSource source = { "f", bytes };
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_dvm_measure_statistics (&source, &error);

  g_assert_no_error (error);
  return run;
}

/* Of intervals 0 to 2 with those inside them, both processors; microseconds. */
static const struct
{
  PdCharacteristic c;
  gint64 sums[3];
} expected[] = {
  { PD_C_EXECUTION_TIME, { 22700, 19700, 12700 } }, /* the longest */
  { PD_C_CPU_TIME_PAR, { 22000, 22000, 22000 } },
  { PD_C_CPU_TIME_SEQ, { 6400, 2400, 400 } },
  { PD_C_IO_TIME, { 4000, 0, 0 } },
  { PD_C_WAIT_REDUCTION, { 7000, 7000, 0 } },
  { PD_C_WAIT_SHADOW, { 5000, 5000, 1000 } },
  { PD_C_COMMUNICATION, { 12000, 12000, 1000 } },
  { PD_C_INSUFFICIENT_PARALLELISM, { 3200, 1200, 200 } },
  { PD_C_SYNCHRONIZATION, { 2000, 2000, 0 } },
};

static void
test_values (gconstpointer data)
{
  PdReportRun *run = measure (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);

  g_assert_true (pd_interval_tree_check (run->tree, run->end_times, FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, 3);
  g_assert_cmpstr (run->grid, ==, "2x1");
  for (gsize k = 0; k < G_N_ELEMENTS (expected); k++)
    for (guint i = 0; i < 3; i++)
      {
        const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
        g_assert_cmpint ((gint64) r->values[expected[k].c].sum.ps, ==, expected[k].sums[i] * US);
      }
  const PdIntervalResult *loop = &g_array_index (results, PdIntervalResult, 2);
  const PdIntervalResult *user = &g_array_index (results, PdIntervalResult, 1);
  g_assert_cmpuint (loop->counts[PD_Q_EXE_COUNT - PD_N_TIMES], ==, 20);
  g_assert_cmpuint (user->counts[PD_Q_N_REDUCTION - PD_N_TIMES], ==, 10);
  g_assert_cmpint ((gint64) loop->operations[PD_OPERATION_PIPELINE][PD_OPERATION_COMMUNICATION].ps,
                   ==, 1000 * US);
  g_assert_cmpint (
      (gint64) user->operations[PD_OPERATION_REDUCTION][PD_OPERATION_SYNCHRONIZATION].ps, ==,
      2000 * US);
  g_assert_cmpint (user->index, ==, 2);
  g_assert_cmpint (loop->line, ==, 19);
  pd_report_run_free (run);
}

/* PD_UPDATE=1 writes it anew. */
static void
test_sample (void)
{
  const TestStatisticsForm form = { FALSE, 8, 8, 0, TRUE };
  g_autoptr (GBytes) bytes = test_statistics_new (&form);
  const char *path = "tests/data/statistics.gz+";
  g_autoptr (GError) error = NULL;
  g_autofree char *stored = NULL;
  gsize size;

  if (g_getenv ("PD_UPDATE") != NULL)
    g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                         NULL);
  g_assert_true (g_file_get_contents (path, &stored, &size, &error));
  g_autoptr (GBytes) sample = g_bytes_new (stored, size);
  const PdTraceSource source = { path, sample };
  PdReportRun *run = pd_dvm_measure_statistics (&source, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run->end_times[0].ps, ==, 22700 * US);
  g_assert_cmpint (run->end_times[1].ps, ==, 21700 * US);
  pd_report_run_free (run);
}

int
main (int argc, char **argv)
{
  static const TestStatisticsForm plain = { FALSE, 8, 8, 0, FALSE };
  static const TestStatisticsForm other = { TRUE, 4, 4, 2, TRUE };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/predictor/dvm-statistics/values", &plain, test_values);
  g_test_add_data_func ("/predictor/dvm-statistics/other-form", &other, test_values);
  g_test_add_func ("/predictor/dvm-statistics/sample", test_sample);
  return g_test_run ();
}
