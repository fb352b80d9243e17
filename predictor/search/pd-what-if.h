/* Changes that would make a DVM program faster: each applicable change of the program, its grid
 * or its machine is predicted, and the gains are ranked.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WHAT_IF_H
#define PD_WHAT_IF_H

#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-predict.h"

/**
 * pd_what_if_predict:
 * @predict: what @run was predicted with
 * @count: its grid
 * @run: (inout): folded; gets its what-ifs, and notes of those that cannot be predicted
 * @error: return location for an interruption, and for what keeps @run itself from being predicted
 *   again
 *
 * The what-ifs are rows of a table; those are tried whose loss the run has. The figures of @run
 * stay.
 */
gboolean pd_what_if_predict (const PdPredictOptions *predict, const PdCount *count,
                             PdReportRun *run, GError **error);

#endif
