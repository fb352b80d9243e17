/* The report for people at a terminal.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_TEXT_H
#define PD_REPORT_TEXT_H

#include "reports/run/pd-report.h"
#include "reports/run/pd-report-types.h"

/**
 * pd_report_write_text:
 * @self: the report
 * @verbose: 0: one screen; 1: every interval and characteristic
 * @width: columns of the terminal
 * @out: the text is appended
 */
void pd_report_write_text (const PdReport *self, int verbose, guint width, GString *out);

/**
 * pd_report_write_head:
 * Appends version, inputs, machine, date.
 */
void pd_report_write_head (const PdReport *self, int verbose, GString *out);

/**
 * pd_report_write_messages:
 * Appends warnings and notes of all runs, each once.
 */
void pd_report_write_messages (const PdReport *self, int verbose, GString *out);

#endif
