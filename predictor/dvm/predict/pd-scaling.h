/* Curves of the loops of a DVM program, from its traces at several sizes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALING_H
#define PD_SCALING_H

#include "predictor/dvm/predict/pd-predict.h"

/**
 * pd_scaling_read:
 * @options: of a prediction; its trace is the one that is predicted
 * @traces: (array zero-terminated=1): of the same program at other sizes
 * @messages: gets a note "scaling": how many loops have a curve; a warning, if none has
 * @error: return location for errors of a trace as of pd_predict(); %PD_DVM_MODEL_ERROR_RECORDED
 *   if one has no loops of a run on one processor, ends early or contradicts itself
 *
 * Predicts each trace for one processor, for the bytes that its loops work on.
 *
 * Returns: (transfer full) (nullable): the curves of the loops of the first trace.
 */
PdLoopCurves *pd_scaling_read (const PdPredictOptions *options, const char *const *traces,
                               PdMessages *messages, GError **error);

/**
 * pd_scaling_get_range:
 * @options: of a prediction with @options->dvm.loop_curves
 * @rank: of the grid
 * @sizes: (array length=rank): the grid
 * @low: (out): the run time if each processor has a cache for itself, or the faster case
 * @high: (out): … if processors that share a cache have their part of it
 * @error: return location for errors as of pd_predict()
 *
 * The prediction itself takes the mean of both for each loop. Two more predictions.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_scaling_get_range (const PdPredictOptions *options, guint rank, const gint64 *sizes,
                               PdTime *low, PdTime *high, GError **error);

#endif
