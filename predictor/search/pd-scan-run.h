/* The scan of a predicted run, for the sliders of its page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCAN_RUN_H
#define PD_SCAN_RUN_H

#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "predictor/mp/pd-mp.h"

/**
 * pd_scan_take_makespan:
 * @run: (transfer full) (nullable): a run that is in no report
 *
 * Returns: how long it takes; 0 if there is none.
 */
PdTime pd_scan_take_makespan (PdReportRun *run);

typedef struct
{
  const PdMachine *machine; /* as the run has it; borrowed */
  guint n_threads;          /* >= 1; results do not depend on it */
  guint n_runs;             /* of the report, which share the time that scans may take; >= 1 */
} PdScanHow;

/**
 * pd_scan_run_mp:
 * @what: what @run was predicted with
 * @run: gets its scan, if there is anything to scan
 * @error: return location for errors as of pd_mp_predict()
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_scan_run_mp (const PdScanHow *how, const PdMpOptions *what, const PdMpTrace *trace,
                         PdReportRun *run, GError **error);

/**
 * pd_scan_run_dvm:
 * @predict: what @run was predicted with
 * @count: its grid
 * @run: gets its scan, if there is anything to scan
 * @error: return location for errors as of pd_predict()
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_scan_run_dvm (const PdScanHow *how, const PdPredictOptions *predict,
                          const PdCount *count, PdReportRun *run, GError **error);

#endif
