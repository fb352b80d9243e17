/* Any number of runs in one table.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_RUNS_H
#define PD_COMPARE_RUNS_H

#include "reports/compare/pd-compare.h"

/**
 * pd_compare_runs_write_text:
 * @sides: (array length=n): the runs
 * @width: columns of the terminal; 0 = unknown
 * @out: the text is appended: of each run time, speed-up, efficiency and losses
 */
void pd_compare_runs_write_text (const PdCompareSide *sides, guint n, guint width, GString *out);

/**
 * pd_compare_runs_write_json:
 * @sides: (array length=n): the runs
 * @command_line: the command line
 * @out: the document is appended
 */
void pd_compare_runs_write_json (const PdCompareSide *sides, guint n, const char *command_line,
                                 GString *out);

#endif
