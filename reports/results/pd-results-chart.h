/* Charts of stored results, as commands for gnuplot.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_CHART_H
#define PD_RESULTS_CHART_H

#include "reports/run/pd-report.h"

typedef enum
{
  PD_RESULTS_CURVES,      /* speed-up and efficiency against processors, by invocation */
  PD_RESULTS_PARTS,       /* what the total time of each run, or interval, is made of */
  PD_RESULTS_HISTOGRAM,   /* how long the samples of a run take */
  PD_RESULTS_SENSITIVITY, /* what the time of a run depends on */
  PD_N_RESULTS_CHARTS,
} PdResultsChart;

/**
 * pd_results_chart_name:
 * Returns: "curves", "parts", "histogram" or "sensitivity".
 */
const char *pd_results_chart_name (PdResultsChart chart);

/**
 * pd_results_chart_commands:
 * @path: an SQLite file written by pd_report_write_db()
 * @run: the number of a run. Curves are of its invocation, parts of its intervals, at most 30
 *   of them, those that take longest. 0: of all runs; the last one that has samples, or a
 *   sensitivity
 * @error: return location for a #PdReportError, _READ also if nothing of that kind is stored
 *
 * Returns: (transfer full) (nullable): commands and data for pd_plot_write(), pd_plot_format().
 */
char *pd_results_chart_commands (const char *path, PdResultsChart chart, gint64 run,
                                 GError **error);

#endif
