/* The computation of a simulated processor in a parallel loop: all of its iterations, or a
 * part of them before and another part after something else.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_LOOP_PRIVATE_H
#define PD_CPROC_LOOP_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/* A part of a processor's iterations: those from @from on, before @to, of @of. */
typedef struct
{
  gint64 from;
  gint64 to;
  gint64 of; /* >= 1 */
} PdPiece;

/**
 * pd_cproc_iterate:
 * @piece: how much of its iterations
 * @is_first: it is the first piece of the loop
 *
 * The processor executes iterations: its clock advances, and the time is charged
 * to the intervals it was spent in. The times of all pieces add up exactly.
 */
void pd_cproc_iterate (PdSimulation *self, guint32 rank, const PdLoopWork *work,
                       const PdPiece *piece, gboolean is_first);

/**
 * pd_cproc_get_iterated:
 * Returns: how long all the iterations take that the processor executes in this step.
 */
PdTime pd_cproc_get_iterated (const PdSimulation *self, guint32 rank, const PdLoopWork *work);

/* The step PD_STEP_KIND_LOOP; see pd_cproc_perform(). */
gboolean pd_cproc_loop (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear);

#endif
