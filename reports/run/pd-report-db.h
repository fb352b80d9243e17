/* Appending a report to a result file.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_DB_H
#define PD_REPORT_DB_H

#include "reports/run/pd-report.h"

/**
 * pd_report_write_db:
 * @self: the report
 * @path: an SQLite file; created, or appended to, in one transaction
 * @error: return location for a #PdReportError; then the file is as before
 */
gboolean pd_report_write_db (const PdReport *self, const char *path, GError **error);

/**
 * pd_report_write_all_db:
 * @reports: (array length=n): at least one
 * @path: as for pd_report_write_db(): all of them in one transaction, or none
 * @error: likewise
 */
gboolean pd_report_write_all_db (const PdReport *const *reports, guint n, const char *path,
                                 GError **error);

#endif
