/* The diagnosis of a predicted DVM run for people, by the intervals' own time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_DIAGNOSIS_H
#define PD_REPORT_DIAGNOSIS_H

#include "reports/run/pd-report-types.h"

/**
 * pd_report_has_diagnosis:
 * Returns: whether @run is of a DVM program on several processors; the diagnosis of an analysed
 *   run is that of its analysis.
 */
gboolean pd_report_has_diagnosis (const PdReportRun *run);

/**
 * pd_report_write_diagnosis:
 * @all: of all intervals that have a hundredth of the run's time, not only of the first three
 * @width: columns
 *
 * Appends the diagnosis of the whole program, then those of intervals by falling own time; nothing
 * if there is none.
 */
void pd_report_write_diagnosis (const PdReportRun *run, gboolean all, guint width, GString *out);

#endif
