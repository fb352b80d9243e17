/* The range of a prediction of a DVM program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANGE_DVM_H
#define PD_RANGE_DVM_H

#include "predictor/range/pd-range-common.h"

/**
 * pd_range_new_dvm:
 * @run: with its results and samples
 * @cleanings: (element-type PdDvmCleaning): finished, of the files that it was predicted from
 * @machine: what it was predicted on
 *
 * Returns: (transfer full): how sure its time is.
 */
PdTimeRange *pd_range_new_dvm (const PdReportRun *run, const GPtrArray *cleanings,
                               const PdMachine *machine);

#endif
