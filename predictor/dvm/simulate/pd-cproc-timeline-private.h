/* Where there is one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_TIMELINE_PRIVATE_H
#define PD_CPROC_TIMELINE_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/**
 * pd_cproc_notify_work:
 * @node: the interval
 *
 * The actor has computed from @since to its clock, in self->step.
 */
void pd_cproc_notify_work (PdSimulation *self, guint32 rank, guint32 node, PdTime since);

/**
 * pd_cproc_notify_step:
 * It is through with @step.
 */
void pd_cproc_notify_step (PdSimulation *self, guint32 rank, const PdStepDvm *step);

/**
 * pd_cproc_notify_end:
 * It is at its end.
 */
void pd_cproc_notify_end (PdSimulation *self, guint32 rank);

#endif
