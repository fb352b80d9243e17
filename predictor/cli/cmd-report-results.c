/* predictor report RESULTS.sqlite with charts or a page.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-report-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"

#include "reports/emit/pd-plot.h"
#include "reports/results/pd-results-chart.h"
#include "reports/results/pd-results-report.h"
#include "reports/page/pd-page-report.h"

#include <string.h>

#define PLOT_WIDTH  900 /* pixels */
#define PLOT_HEIGHT 540
#define TEXT_LINES  36 /* for two plots, one above the other */
#define MAX_COLUMNS 100

/* The options for studies only. */
static gboolean
check (const PdReportStudyOptions *options, const char *path, GError **error)
{
  const struct
  {
    const char *option;
    gboolean given;
  } others[] = {
    { "--metric", options->metric != NULL }, { "--x", options->x != NULL },
    { "--by", options->by != NULL },         { "--where", options->where != NULL },
    { "--price", options->price != NULL },   { "--all", options->all },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].given)
      {
        g_set_error (error, PD_USAGE_ERROR, 0, "%s: %s is no study: axes and prices need one",
                     others[i].option, path);
        return FALSE;
      }
  return TRUE;
}

static gboolean
find_chart (const char *text, gint64 run, PdResultsChart *chart, GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);

  *chart = run != 0 ? PD_RESULTS_PARTS : PD_RESULTS_CURVES;
  for (guint i = 0; i < PD_N_RESULTS_CHARTS; i++)
    {
      const char *name = pd_results_chart_name ((PdResultsChart) i);
      g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", name);
      if (g_strcmp0 (text, name) == 0)
        {
          *chart = (PdResultsChart) i;
          return TRUE;
        }
    }
  if (text == NULL)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--chart takes one of %s of results, not '%s'", all->str,
               text);
  return FALSE;
}

static gboolean
write_html (const char *path, gint64 run, const char *html, GError **error)
{
  g_autoptr (PdReport) report = pd_results_read_report (path, run, error);
  g_autoptr (GString) page = g_string_new (NULL);

  if (report == NULL)
    return FALSE;
  pd_report_write_html (report, page);
  return pd_report_save (html, page, error);
}

static gboolean
write_plot (const char *path, PdResultsChart chart, gint64 run, const char *plot, GError **error)
{
  g_autofree char *commands = pd_results_chart_commands (path, chart, run, error);

  return commands != NULL && pd_plot_write (commands, plot, PLOT_WIDTH, PLOT_HEIGHT, error);
}

/* A chart that goes into no file. */
static gboolean
has_text (const PdReportStudyOptions *options)
{
  return options->chart != NULL && options->plot == NULL && !options->no_plot;
}

int
pd_report_results_run (const PdReportStudyOptions *options, const char *path, gint64 run,
                       GString *text, GError **error)
{
  guint width = MIN (pd_cmd_terminal_width (), MAX_COLUMNS);
  PdResultsChart chart;

  if (!check (options, path, error) || !find_chart (options->chart, run, &chart, error))
    return PD_EXIT_USAGE;
  if ((options->plot != NULL && !write_plot (path, chart, run, options->plot, error))
      || (options->html != NULL && !write_html (path, run, options->html, error)))
    return PD_EXIT_FAILURE;
  if (text == NULL || !has_text (options))
    return PD_EXIT_OK;
  g_autofree char *commands = pd_results_chart_commands (path, chart, run, error);
  g_autofree char *drawn =
      commands != NULL ? pd_plot_format (commands, FALSE, width, TEXT_LINES, error) : NULL;
  if (drawn != NULL)
    g_string_append (text, drawn);
  return drawn != NULL ? PD_EXIT_OK : PD_EXIT_FAILURE;
}
