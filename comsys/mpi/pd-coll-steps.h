/* The steps of collective operations, one rank's at a time, for any way of executing them.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_STEPS_H
#define PD_COLL_STEPS_H

#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/state/pd-comsys-types.h"

/**
 * pd_execution_is_for:
 * Returns: whether @op consists of steps; else it takes a time (set "simple").
 */
gboolean pd_execution_is_for (const PdComsys *self, PdOp op);

/**
 * pd_execution_init:
 * @rank: world rank, a member of @comm
 *
 * Puts @exec at its first step of @collective.
 */
void pd_execution_init (PdComsys *self, PdExecution *exec, guint32 rank, PdComm *comm,
                        const PdCollective *collective);

/**
 * pd_execution_next_step:
 * @step: (out): the next step
 *
 * Returns: %FALSE if the operation is over.
 */
gboolean pd_execution_next_step (PdComsys *self, PdExecution *exec, PdStep *step);

/**
 * pd_execution_envelope:
 * Members play the operations of a communicator in the same order, the blocking ones with
 * tag 0.
 *
 * Returns: what a schedule sends or receives, in the communicator's second context.
 */
static inline PdEnvelope
pd_execution_envelope (guint32 tag, guint32 peer, gint64 bytes)
{
  return (PdEnvelope){ .peer = (gint32) peer, .tag = (gint32) tag, .bytes = bytes };
}

#endif
