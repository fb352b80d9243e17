/* Any bytes as statistics of the DVM system. What is read is measured.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-statistics.h"
#include "traces/pppa/pd-pppa.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  const PdTraceProbe probe = { "fuzz", (const char *) data, size, TRUE };
  const PdTraceSource source = { "fuzz", bytes };
  PdReportRun *run = pd_dvm_measure_statistics (&source, &error);

  (void) pd_trace_pppa_matches (&probe);
  g_assert_true ((run == NULL) == (error != NULL));
  if (run != NULL)
    pd_report_run_compact (run);
  pd_report_run_free (run);
  return 0;
}
