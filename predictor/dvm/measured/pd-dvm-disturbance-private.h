/* Waiting of a measured run that its computation does not explain.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_DISTURBANCE_PRIVATE_H
#define PD_DVM_DISTURBANCE_PRIVATE_H

#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-predict.h"

/* Predicts the recorded run on a machine where communication costs nothing, which gives the waiting
 * that computation explains. Adds a warning to the messages of @run for the program, and for each
 * interval, if the recorded communication exceeds this and @typical, PdTimeSum by node, by far.
 * Does nothing on one processor. @options: the trace. */
void pd_dvm_note_disturbance (PdReportRun *run, const GArray *typical,
                              const PdPredictOptions *options, const PdCount *grid);

#endif
