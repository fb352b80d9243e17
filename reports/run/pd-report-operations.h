/* The table of operations of DVM programs: its rows in files, and the table for people.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_OPERATIONS_H
#define PD_REPORT_OPERATIONS_H

#include "intervals/pd-interval-fold.h"
#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-emit.h"
#include "reports/run/pd-report-types.h"

extern const PdRecord pd_report_operations;           /* of an interval */
extern const PdRecord pd_report_processor_operations; /* of a processor in it */
/* Of PdIntervalResult, in CSV: the times of all kinds; counts are counters of intervals. */
extern const PdField pd_report_operation_times[];

/**
 * pd_operations_has_any:
 * Returns: whether interval @r has an operation of @kind, or time of one.
 */
gboolean pd_operations_has_any (const PdIntervalResult *r, PdOperationKind kind);

/**
 * pd_emit_operations:
 * @run: of a DVM program
 * @r: one of its intervals
 * @per_processor: what each processor has of them, too
 *
 * A row of each kind that the interval has operations of; in a database the keys are those of the
 * interval.
 */
void pd_emit_operations (PdEmit *to, const PdReportRun *run, const PdIntervalResult *r,
                         gboolean per_processor);

/**
 * pd_report_add_operations:
 * The table of interval @r, with the sums of its columns; no table if it has no operations.
 */
void pd_report_add_operations (PdColumns *to, const PdIntervalResult *r);

/**
 * pd_report_add_processor_operations:
 * Likewise a row of each processor that took part in operations of a kind.
 */
void pd_report_add_processor_operations (PdColumns *to, const PdReportRun *run,
                                         const PdIntervalResult *r);

#endif
