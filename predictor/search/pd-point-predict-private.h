/* Computing points: the inputs that are read once for all, and the prediction of one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_PREDICT_PRIVATE_H
#define PD_POINT_PREDICT_PRIVATE_H

#include "predictor/search/pd-point-private.h"

/* Reads @path, as far as it is read once for all points. */
PdPointTrace *pd_point_trace_new (const char *path, GError **error);

void pd_point_trace_free (PdPointTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPointTrace, pd_point_trace_free)

#endif
