/* Exchanges by a plan: each processor packs its messages, starts them, waits for them
 * and unpacks; or, of a large one, takes part in it as a whole.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_EXCHANGE_PRIVATE_H
#define PD_CPROC_EXCHANGE_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/**
 * pd_cproc_list_messages:
 * Lists the processor's messages of @plan in self->messages.
 * Returns: how many.
 */
guint pd_cproc_list_messages (PdSimulation *self, const PdPlan *plan, guint32 rank);

/**
 * pd_cproc_prepare_exchange:
 * The processor's work on its messages before it starts the first one. Needs
 * no turn.
 */
void pd_cproc_prepare_exchange (PdSimulation *self, guint32 rank, const PdStepDvm *step);

/**
 * pd_cproc_passes_by:
 * Returns: whether the step is an exchange that is nothing to the processor: of
 *   the many that a row goes by, each then costs no place in the operation, and
 *   no turn.
 */
gboolean pd_cproc_passes_by (const PdStepDvm *step, guint32 rank);

/* The steps PD_STEP_KIND_EXCHANGE_START and _WAIT; see pd_cproc_perform(). */
gboolean pd_cproc_exchange_start (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                                  guint32 linear);
gboolean pd_cproc_exchange_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                                 guint32 linear);

#endif
