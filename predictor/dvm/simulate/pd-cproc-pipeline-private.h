/* A loop executed as a pipeline: each processor computes its iterations in portions,
 * needs the edge of a portion from its predecessors before, and sends its own to its
 * successors after it. The edge of the next portion is
 * received while one is computed, that of the one before is on its way.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_PIPELINE_PRIVATE_H
#define PD_CPROC_PIPELINE_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/* The step PD_STEP_KIND_PIPELINE; see pd_cproc_perform(). */
gboolean pd_cproc_pipeline (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                            guint32 linear);

#endif
