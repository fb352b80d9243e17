/* predictor run --scaling-traces: what loops cost on fewer bytes.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-run-private.h"
#include "predictor/dvm/predict/pd-scaling.h"

gboolean
pd_cmd_run_read_scaling (PdRunOptions *options, PdPredictOptions *predict, PdReport *report,
                         GError **error)
{
  char **traces = options->scaling_traces;

  for (guint i = 0; traces != NULL && traces[i] != NULL; i++)
    if (!pd_report_add_input (report, traces[i], error))
      return FALSE;
  if (traces != NULL)
    options->curves =
        pd_scaling_read (predict, (const char *const *) traces, report->messages, error);
  predict->dvm.loop_curves = options->curves;
  return traces == NULL || options->curves != NULL;
}

gboolean
pd_cmd_run_note_range (const PdPredictOptions *predict, const PdCount *count, PdReportRun *run,
                       GError **error)
{
  PdTime low, high;
  char texts[2][64];

  if (predict->dvm.loop_curves == NULL)
    return TRUE;
  if (!pd_scaling_get_range (predict, count->rank, count->sizes, &low, &high, error))
    return FALSE;
  if (low.ps < high.ps)
    pd_messages_add (
        run->messages, PD_SEVERITY_NOTE, "cache-range", NULL, NULL,
        "the run takes from %s s, if each processor has a cache for itself, to %s s, if "
        "those of a node share one: loops are predicted between both",
        pd_time_format (low, texts[0]), pd_time_format (high, texts[1]));
  return TRUE;
}
