/* predictor report RESULTS.sqlite: shows stored results again.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-report-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"

#include "reports/results/pd-results.h"
#include "sweep/study/pd-study-db.h"
#include "reports/results/pd-results-repeated.h"

#define WIDTH 100 /* columns, also where the terminal is unknown */

/* Two tables, if the run has a sensitivity. */
static gboolean
write_csv (const char *path, gint64 run, const char *output, GError **error)
{
  g_autoptr (GString) table = g_string_new (NULL), sensitivity = g_string_new (NULL);

  return pd_results_write_csv (path, run, table, error)
         && (run == 0 || pd_results_write_sensitivity_csv (path, run, sensitivity, error))
         && pd_cmd_save_csv (output, table, sensitivity, error);
}

/* Tables, and the chart if one was asked for. */
static int
write_results (const PdReportStudyOptions *options, const char *path, gint64 run,
               const char *output, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (run != 0 ? !pd_results_write_run (path, run, WIDTH, text, error)
               : !pd_report_read_db (path, text, error))
    return PD_EXIT_FAILURE;
  int status = pd_report_results_run (options, path, run, text, error);
  if (status != PD_EXIT_OK)
    return status;
  return pd_report_save (output, text, error) ? PD_EXIT_OK : PD_EXIT_FAILURE;
}

static int
write_table (const PdReportStudyOptions *options, const char *path, gint64 run, const char *output,
             GError **error)
{
  int status = pd_report_results_run (options, path, run, NULL, error);

  if (status != PD_EXIT_OK)
    return status;
  return write_csv (path, run, output, error) ? PD_EXIT_OK : PD_EXIT_FAILURE;
}

static const char summary[] =
    "Compares the runs that 'predictor run --db' stored, or shows the intervals of one of them;\n"
    "or shows the results of a study of 'predictor sweep', with charts.\n\n"
    "Example: predictor report results.sqlite --run 3";

int
pd_cmd_report (int argc, char **argv, GError **error)
{
  gint64 run = 0;
  gboolean csv = FALSE;
  g_autofree char *output = NULL;
  g_auto (PdReportStudyOptions) study = { .chart = NULL };
  GOptionEntry of_study[PD_N_REPORT_STUDY_OPTIONS + 1];
  const GOptionEntry entries[] = {
    { "run", 'r', 0, G_OPTION_ARG_INT64, &run,
      "Show the intervals of run ID (default: all runs compared)", "ID" },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &csv, "Write CSV instead of a table (default: off)", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "Write to FILE (default: -, standard output)", "FILE" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  pd_report_study_fill (&study, of_study);
  const GOptionEntry *const tables[] = { entries, of_study, NULL };
  if (!pd_command_parse_tables (&argc, &argv, "RESULTS.sqlite", summary, tables, error))
    return PD_EXIT_USAGE;
  if (argc != 2)
    {
      g_set_error_literal (error, PD_USAGE_ERROR, 0, "expected one result file");
      return PD_EXIT_USAGE;
    }
  if (run < 0)
    {
      g_set_error_literal (error, PD_USAGE_ERROR, 0, "runs are numbered from 1");
      return PD_EXIT_USAGE;
    }
  if (pd_study_db_is_study (argv[1]))
    {
      if (run == 0)
        return pd_report_study_run (&study, argv[1], output, csv, error);
      g_set_error (error, PD_USAGE_ERROR, 0, "--run: %s is a study, which has points", argv[1]);
      return PD_EXIT_USAGE;
    }
  const char *to = output != NULL ? output : "-";
  return csv ? write_table (&study, argv[1], run, to, error)
             : write_results (&study, argv[1], run, to, error);
}
