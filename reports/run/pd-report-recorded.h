/* Recorded times of a run, beside the predicted ones.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_RECORDED_H
#define PD_REPORT_RECORDED_H

#include "reports/emit/pd-columns.h"
#include "reports/run/pd-report-types.h"

/**
 * pd_report_describe_recorded:
 * @machine: (nullable): the name of the machine that @run is predicted for
 * @recorded: (out) (transfer full): how long the recorded run took, "0.1277 s"
 *
 * Returns: (transfer full) (nullable): what the prediction is against that: "on mvs1000 it takes
 *   2.86 times as long", or with recorded ends, of --reproduce, "the prediction is 1.20 % too
 *   short"; %NULL, as @recorded, if it is not known.
 */
char *pd_report_describe_recorded (const PdReportRun *run, const char *machine, char **recorded);

/**
 * pd_report_recorded_intervals:
 * Returns: (transfer full) (element-type PdRecordedRow): the intervals of @run;
 *   none if how long they took is not known.
 */
GArray *pd_report_recorded_intervals (const PdReportRun *run);

/**
 * pd_report_recorded_ranks:
 * @run: its recorded_ends are known
 * @brief: of many only those that are farthest off
 *
 * Returns: (transfer full) (element-type PdRecordedRow): when the ranks of @run end.
 */
GArray *pd_report_recorded_ranks (const PdReportRun *run, gboolean brief);

/**
 * pd_report_add_recorded:
 * Adds @row to the table of recorded and predicted times, of intervals or of ranks.
 */
void pd_report_add_recorded (PdColumns *to, gboolean of_ranks, const PdRecordedRow *row);

/**
 * pd_report_write_recorded:
 * Appends both as tables, if recorded times are known.
 */
void pd_report_write_recorded (const PdReportRun *run, gboolean brief, guint width, GString *out);

#endif
