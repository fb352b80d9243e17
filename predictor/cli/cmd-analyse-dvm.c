/* predictor analyse, of measured runs of DVM programs.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-analyse-private.h"

#include "predictor/cli/pd-commands.h"
#include "predictor/dvm/measured/pd-dvm-measured.h"
#include "predictor/dvm/measured/pd-dvm-statistics.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/cmd-tools.h"
#include "reports/run/pd-report-text.h"

static void
write_text (const PdReport *report, gconstpointer data, guint width, GString *out)
{
  const PdAnalyseDvm *what = data;

  pd_report_write_text (report, what->full ? 1 : 0, width, out);
}

/* One file. */
static PdReportRun *
measure_one (const PdTraceSource *source, PdReport **report, GError **error)
{
  *report = pd_cmd_new_report ();
  if (source->bytes != NULL)
    pd_cmd_add_stdin (*report, source->bytes);
  else if (!pd_report_add_input (*report, source->path, error))
    return NULL;
  return pd_mp_is_statistics (source) ? pd_dvm_measure_statistics (source, error)
                                      : pd_dvm_measure (source->path, source->bytes, error);
}

/* The files of the run are named in @report. */
static PdReportRun *
measure (const PdTraceSource *source, PdReport **report, GError **error)
{
  g_autoptr (PdDvmSet) set = NULL;

  if (source->bytes != NULL || pd_mp_is_statistics (source))
    return measure_one (source, report, error);
  set = pd_dvm_set_new (source->path, NULL, error);
  if (set == NULL || (*report = pd_cmd_start_report (set, NULL, NULL, error)) == NULL)
    return NULL;
  guint n = pd_dvm_set_get_n (set);
  pd_cmd_allow_files (n);
  /* a folder may hold one trace */
  return pd_dvm_measure (n == 1 ? pd_dvm_set_get_path (set, 0) : source->path, NULL, error);
}

static int
conclude (const PdAnalyseDvm *what, const char *path, const PdReport *report, GError **error)
{
  int status = what->strict ? pd_cmd_conclude_report (path, report, NULL, error) : PD_EXIT_OK;

  if (status != PD_EXIT_OK)
    return status;
  if (!pd_output_options_write (what->output, report, write_text, what, error))
    return PD_EXIT_FAILURE;
  return pd_cmd_conclude_report (path, report, "; analysed nevertheless", error);
}

int
pd_cmd_analyse_dvm (const PdAnalyseDvm *what, const PdTraceSource *source, GError **error)
{
  g_autofree char *command_line = what->command_line;
  PdReport *made = NULL;
  PdReportRun *run = measure (source, &made, error);
  g_autoptr (PdReport) report = made;

  if (run == NULL)
    return PD_EXIT_FAILURE;
  report->command_line = g_steal_pointer (&command_line);
  report->per_processor = what->per_process;
  report->full = "--full";
  pd_report_add_run (report, run);
  return conclude (what, source->path, report, error);
}
