/* A DVM program predicted for the grid that it was recorded on, beside the recorded run.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REPRODUCE_H
#define PD_DVM_REPRODUCE_H

#include "reports/run/pd-report.h"

/**
 * pd_dvm_reproduce:
 * @run: the prediction of @trace, folded, its tree still there; gets the recorded times of its
 *   intervals and processors, and the warnings "recording-disturbed" of the recorded run
 * @trace: as for pd_dvm_measure()
 * @bytes: (nullable): likewise
 * @error: return location for the errors of pd_dvm_measure(), or %PD_DVM_MODEL_ERROR_RECORDED if
 *   the prediction is for another grid
 *
 * Returns: %FALSE if there is nothing to compare.
 */
gboolean pd_dvm_reproduce (PdReportRun *run, const char *trace, GBytes *bytes, GError **error);

#endif
