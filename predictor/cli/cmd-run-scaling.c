/* predictor run --scaling-traces: what loops cost on fewer bytes.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-run-private.h"
#include "predictor/dvm/predict/pd-scaling.h"
#include "predictor/range/pd-range-common.h"

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

/* Both bounds of the effect of caches become a source of the range of the run time. */
static void
add_cache (PdReportRun *run, PdTime low, PdTime high)
{
  gdouble time = (gdouble) pd_range_get_time (run).ps;

  if (run->range != NULL && time > 0 && low.ps > 0)
    pd_time_range_add (run->range, PD_RANGE_CACHE, MAX (time / (gdouble) low.ps - 1, 0),
                       MAX ((gdouble) high.ps / time - 1, 0));
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
  add_cache (run, low, high);
  return TRUE;
}
