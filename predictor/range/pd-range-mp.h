/* The range of a prediction of a message-passing program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANGE_MP_H
#define PD_RANGE_MP_H

#include "predictor/range/pd-range-common.h"
#include "traces/graph/pd-mp-trace.h"

/**
 * pd_range_new_mp:
 * @run: with its results and samples
 * @trace: what it was predicted from
 * @machine: what it was predicted on
 *
 * Returns: (transfer full): how sure its time is.
 */
PdTimeRange *pd_range_new_mp (const PdReportRun *run, const PdMpTrace *trace,
                              const PdMachine *machine);

#endif
