/* predictor run: which intervals and processors the text shows.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-run-private.h"
#include "reports/run/pd-report-common.h"

#include <string.h>

void
pd_cmd_run_view_fill (PdRunOptions *options, GOptionEntry *entries)
{
  const GOptionEntry table[PD_RUN_N_VIEW_OPTIONS + 1] = {
    { "level", 0, 0, G_OPTION_ARG_INT64, &options->level,
      "Text: intervals down to that depth, 0 = the whole program (default: all)", "N" },
    { "interval", 0, 0, G_OPTION_ARG_STRING, &options->interval,
      "Text: all figures of the intervals that begin there, and of their processors (default: "
      "none)",
      "FILE:LINE" },
    { "procs", 0, 0, G_OPTION_ARG_STRING, &options->procs,
      "Text: the values of these processors in intervals, e.g. 0,4-7 (default: none)", "LIST" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

static gboolean
refuse (const char *option, const char *value, const char *expected, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s '%s': expected %s", option, value, expected);
  return FALSE;
}

gboolean
pd_cmd_run_view_parse (PdRunOptions *options, GError **error)
{
  g_autofree char *level = g_strdup_printf ("%" G_GINT64_FORMAT, options->level);

  if (options->level != PD_RUN_NO_LEVEL && (options->level < 0 || options->level > G_MAXINT))
    return refuse ("--level", level, "a depth from 0", error);
  if (options->interval != NULL && !pd_report_view_set_interval (&options->view, options->interval))
    return refuse ("--interval", options->interval, "a place such as heat2d.fdv:19", error);
  if (options->procs != NULL && !pd_report_view_set_processors (&options->view, options->procs))
    return refuse ("--procs", options->procs, "processors such as 0,4-7", error);
  options->view.level =
      options->level == PD_RUN_NO_LEVEL ? PD_REPORT_VIEW_ALL_LEVELS : (gint) options->level;
  return TRUE;
}

/* Whether a run has processors that are wanted. */
static gboolean
has_processor (const PdReportView *view, const PdReportRun *run)
{
  for (guint32 p = 0; p < run->n_processors; p++)
    if (pd_report_view_has_processor (view, p))
      return TRUE;
  return FALSE;
}

static gboolean
has_interval (const PdReportView *view, const PdReportRun *run)
{
  for (guint i = 0; i < run->results->len; i++)
    if (pd_report_view_is_interval (view, pd_report_result (run, i)))
      return TRUE;
  return FALSE;
}

gboolean
pd_cmd_run_view_apply (PdRunOptions *options, PdReport *report, GError **error)
{
  gboolean any_interval = options->view.file == NULL, any_processor = FALSE;

  for (guint i = 0; i < report->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (report, i);
      any_interval = any_interval || has_interval (&options->view, run);
      any_processor = any_processor || has_processor (&options->view, run);
    }
  if (!any_interval && report->runs->len > 0)
    return refuse ("--interval", options->interval,
                   "the place of an interval of the run, as -v lists them", error);
  if (!any_processor && report->runs->len > 0)
    return refuse ("--procs", options->procs, "processors of the run", error);
  report->view = options->view;
  options->view = (PdReportView){ .level = PD_REPORT_VIEW_ALL_LEVELS };
  return TRUE;
}
