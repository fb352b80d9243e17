/* Computing points: the inputs that are read once for all, and the prediction of one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_PREDICT_H
#define PD_POINT_PREDICT_H

#include "sweep/study/pd-study-db.h"
#include "sweep/run/pd-worker.h"

/* Predictions of points: pd_worker_run() takes it. */
extern const PdPointClass pd_point_class;

#endif
