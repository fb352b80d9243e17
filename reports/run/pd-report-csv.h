/* The report as CSV (RFC 4180): one line per run and interval.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_CSV_H
#define PD_REPORT_CSV_H

#include "reports/run/pd-report.h"

/**
 * pd_report_write_csv:
 * @self: the report
 * @out: one line per run and interval, with a heading, is appended
 */
void pd_report_write_csv (const PdReport *self, GString *out);

/**
 * pd_report_write_sensitivity_csv:
 * @self: the report
 * @out: one line per row of each table of sensitivity, with a heading, is appended
 *
 * Returns: whether a run has any; else nothing is appended.
 */
gboolean pd_report_write_sensitivity_csv (const PdReport *self, GString *out);

/**
 * pd_report_write_what_if_csv:
 * Appends the table of the what-ifs of all runs; nothing without what-ifs.
 */
void pd_report_write_what_if_csv (const PdReport *self, GString *out);

#endif
