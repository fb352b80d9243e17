/* The sensitivity of a run as CSV: one table that can be loaded as it is.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_CSV_H
#define PD_SENSITIVITY_CSV_H

#include "reports/run/pd-sensitivity.h"

/**
 * pd_sensitivity_append_csv_heading:
 * @out: the heading of the table that has all of the tables is appended
 */
void pd_sensitivity_append_csv_heading (GString *out);

/**
 * pd_sensitivity_append_csv:
 * @run: the number of the run
 * @out: its rows are appended: a column "table" says of which table each is, and what a
 *   table does not have is empty
 */
void pd_sensitivity_append_csv (const PdSensitivity *self, gint64 run, GString *out);

#endif
