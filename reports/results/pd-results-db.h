/* Functions of pd-results-db.c for other sources.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_DB_H
#define PD_RESULTS_DB_H

#include "reports/run/pd-report-sqlite.h"

/**
 * pd_report_db_open_results:
 * @error: return location for a #PdReportError
 *
 * Returns: (transfer full): the result file @path, to be read.
 */
sqlite3 *pd_report_db_open_results (const char *path, GError **error);

/**
 * pd_report_db_set_no_run:
 * Says in @error that @path lacks run number @run.
 */
void pd_report_db_set_no_run (const char *path, gint64 run, GError **error);

#endif
