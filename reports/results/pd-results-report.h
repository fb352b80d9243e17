/* A report again, from its stored data.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_REPORT_H
#define PD_RESULTS_REPORT_H

#include "reports/run/pd-report.h"

/**
 * pd_results_read_report:
 * @path: an SQLite file written by pd_report_write_db()
 * @run: the number of a run, which will be the only one; 0: all runs of the last invocation
 * @error: return location for a #PdReportError; _READ also if there is no such run
 *
 * Values of processors, recorded times, efficiencies and analyses are not read.
 *
 * Returns: (transfer full) (nullable): the report of that invocation.
 */
PdReport *pd_results_read_report (const char *path, gint64 run, GError **error);

#endif
