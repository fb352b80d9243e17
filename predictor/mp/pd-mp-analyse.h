/* A measured run, analysed for reports.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_ANALYSE_H
#define PD_MP_ANALYSE_H

#include "reports/run/pd-report.h"
#include "traces/graph/pd-mp-trace.h"

/**
 * pd_mp_read_measured:
 * @source: a trace of a message-passing program
 * @messages: (nullable): of reading it
 * @error: return location for a #PdTraceError, _FORMAT also if it is a graph of
 *   dependencies
 *
 * Returns: (transfer full) (nullable): the trace with its recorded times.
 */
PdMpTrace *pd_mp_read_measured (const PdTraceSource *source, PdMessages *messages, GError **error);

/**
 * pd_mp_analyse:
 * @program: read with recorded times; must outlive the run
 * @name: what messages call it
 * @compensate: without what recording it cost
 * @progress: (nullable): how far it is
 * @error: return location for the errors of pd_analysis_new(), or
 *   pd_analysis_new_compensated()
 *
 * Returns: (transfer full) (nullable): the run, analysed.
 */
PdReportRun *pd_mp_analyse (const PdProgram *program, const char *name, gboolean compensate,
                            PdProgress *progress, GError **error);

#endif
