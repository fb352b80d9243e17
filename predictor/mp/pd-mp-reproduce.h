/* How good a prediction of the machine is that a trace was recorded on.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_REPRODUCE_H
#define PD_MP_REPRODUCE_H

#include "predictor/mp/pd-mp.h"
#include "traces/graph/pd-mp-trace.h"

/**
 * pd_mp_reproduce:
 * @run: the prediction of @trace, folded; gets the recorded times
 * @trace: read with PdTraceReadOptions.recorded
 * @error: return location for %PD_TRACE_ERROR_VALUE: the trace has no times of the
 *   recorded run
 *
 * Returns: %FALSE if there is nothing to compare.
 */
gboolean pd_mp_reproduce (PdReportRun *run, const PdMpTrace *trace, GError **error);

/**
 * pd_mp_recorded_time:
 * Returns: how long the recorded run of @trace took, which is when its last rank ended; 0 if that
 *   is not known of every rank, or if ranks shared processors, so that it says nothing about the
 *   program.
 */
PdTime pd_mp_recorded_time (const PdMpTrace *trace);

#endif
