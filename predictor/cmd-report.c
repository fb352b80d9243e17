/* predictor report RESULTS.sqlite: shows stored results again.
 * SPDX-License-Identifier: MIT */
#include "predictor/cmd-report-private.h"
#include "predictor/pd-commands.h"

#include "reports/pd-results.h"
#include "sweep/pd-study-db.h"

#define WIDTH 100 /* columns, also where the terminal is unknown */

static gboolean
write_results (const char *path, gint64 run, gboolean csv, GString *out, GError **error)
{
  if (csv)
    return pd_results_write_csv (path, run, out, error);
  if (run != 0)
    return pd_results_write_run (path, run, WIDTH, out, error);
  return pd_report_read_db (path, out, error);
}

static const char summary[] =
    "Shows the runs that 'predictor run --db' stored, compared, or the intervals of one of them;\n"
    "or what a study of 'predictor sweep' has come to, with charts.\n\n"
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
  g_autoptr (GString) text = g_string_new (NULL);

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
  if (pd_report_study_is_used (&study))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s is no study: charts, axes and prices need one",
                   argv[1]);
      return PD_EXIT_USAGE;
    }
  if (!write_results (argv[1], run, csv, text, error)
      || !pd_report_save (output != NULL ? output : "-", text, error))
    return PD_EXIT_FAILURE;
  return PD_EXIT_OK;
}
