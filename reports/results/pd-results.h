/* Reading result files again, for "predictor report".
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_H
#define PD_RESULTS_H

#include "reports/run/pd-report.h"

/**
 * pd_results_write_run:
 * @path: an SQLite file written by pd_report_write_db()
 * @run: the number of a run
 * @width: columns of the terminal; 0 = 80
 * @out: the intervals of that run, as a table, are appended, and what else is stored:
 *   operations and diagnosis of the whole program, efficiencies, the distribution of samples, the
 *   sensitivity, the what-ifs
 * @error: return location for a #PdReportError; _READ also if there is no
 *   such run
 */
gboolean pd_results_write_run (const char *path, gint64 run, guint width, GString *out,
                               GError **error);

/**
 * pd_results_write_csv:
 * @path: an SQLite file written by pd_report_write_db()
 * @run: the number of a run, whose intervals are written; 0: the view
 *   "summary", one line per run
 * @out: CSV with a heading is appended
 * @error: return location for a #PdReportError, as above
 */
gboolean pd_results_write_csv (const char *path, gint64 run, GString *out, GError **error);

/**
 * pd_report_read_db:
 * @path: an SQLite file written by pd_report_write_db()
 * @out: the stored runs, as a comparison table, are appended
 * @error: return location for a #PdReportError
 */
gboolean pd_report_read_db (const char *path, GString *out, GError **error);

#endif
