/* The range of a prediction of a message-passing program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANGE_MP_H
#define PD_RANGE_MP_H

#include "predictor/range/pd-range-common.h"
#include "traces/graph/pd-mp-trace.h"

/* The recorded computations of a trace; all 0: they are no times. */
typedef struct
{
  gdouble scatter; /* standard deviation of the computation of a rank, as a part of it: the
                    * largest */
  gdouble records; /* part of the computation that recording took */
} PdRangeRecorded;

/**
 * pd_range_read_mp:
 * @trace: a trace, which is read to its end
 *
 * Returns: its computations, the same for all predictions.
 */
PdRangeRecorded pd_range_read_mp (const PdMpTrace *trace);

/**
 * pd_range_new_mp:
 * @run: with its results and samples
 * @recorded: of the trace that it was predicted from
 * @machine: what it was predicted on
 *
 * Returns: (transfer full): how sure its time is.
 */
PdTimeRange *pd_range_new_mp (const PdReportRun *run, const PdRangeRecorded *recorded,
                              const PdMachine *machine);

/**
 * pd_range_add_mp:
 * @run: (inout): a finished prediction; is folded, and gets its range
 * @recorded: (nullable): of its trace; %NULL: no range is wanted, nothing is done
 * @machine: the machine of the prediction
 */
void pd_range_add_mp (PdReportRun *run, const PdRangeRecorded *recorded, const PdMachine *machine);

#endif
