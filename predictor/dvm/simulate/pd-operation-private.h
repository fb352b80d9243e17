/* Synchronization and Overlap of an operation: they compare when
 * the participants came, so they are known only when the last one is through.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATION_PRIVATE_H
#define PD_OPERATION_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/**
 * pd_operation_find:
 * Returns: the number of the processor in the operation's grid; -1: it takes no
 *   part.
 */
gint64 pd_operation_find (const PdStepOperation *operation, guint32 rank);

/**
 * pd_operation_enter:
 * @linear: of the processor in the operation's grid
 *
 * The processor's clock when it comes to the operation's (waiting) record.
 */
void pd_operation_enter (PdStepOperation *operation, guint32 linear, PdTime when);

/**
 * pd_operation_leave:
 * @linear: of the processor in the operation's grid
 *
 * One processor is through. With the last one Synchronization and Overlap
 * become known: they are charged to @step->node, or where each was when it left
 * (%PD_STEP_PARTLY).
 */
void pd_operation_leave (PdSimulation *self, PdStepOperation *operation, guint32 linear,
                         const PdStepDvm *step);

/**
 * pd_operation_charge_waits_now:
 * For pd_operation_charge_waits(), if there is something to charge.
 */
void pd_operation_charge_waits_now (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                                    gint64 portion);

/**
 * pd_operation_charge_waits:
 * @portion: of a pipeline, from 1; 0: of no portion
 *
 * Charges what ComSys has counted since the last call: how long waits of @rank were there before
 * the messages they were for were sent. In ordered loops that is Synchronization, too.
 */
static inline void
pd_operation_charge_waits (PdSimulation *self, guint32 rank, const PdStepDvm *step, gint64 portion)
{
  if (self->waits[rank].real_sync.ps > 0)
    pd_operation_charge_waits_now (self, rank, step, portion);
}

/**
 * pd_operation_has_left:
 * For steps with %PD_STEP_PARTLY: a processor may meet several for the same
 * operation.
 *
 * Returns: whether the processor is through already.
 */
gboolean pd_operation_has_left (const PdStepOperation *operation, guint32 linear);

#endif
