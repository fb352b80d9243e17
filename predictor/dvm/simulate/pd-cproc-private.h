/* The actions of a simulated processor in a step: the table of all kinds, and those without a
 * file of their own (pd-cproc-*.c). A step may have to wait; then its function is called
 * again in the processor's next turn, and continues from the phase it had reached.
 * Phase 1 is the first; in an operation of several processors it is the arrival, the
 * same for all (see the end).
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPROC_PRIVATE_H
#define PD_CPROC_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation-private.h"

/**
 * pd_cproc_perform:
 * @self: the simulation
 * @rank: the processor that acts
 * @step: its step; the sequential time before it has passed
 *
 * Goes on with the step from the processor's phase.
 *
 * Returns: whether the step is over; else the processor is blocked or queued.
 */
gboolean pd_cproc_perform (PdSimulation *self, guint32 rank, const PdStepDvm *step);

/**
 * pd_cproc_may_act:
 * Returns: whether the processor may access shared state at its clock; else
 *   it has been put into the queue for that moment.
 */
gboolean pd_cproc_may_act (PdSimulation *self, guint32 rank);

/**
 * pd_cproc_call:
 * Returns: a call of ComSys that the processor makes at its clock.
 */
PdCall pd_cproc_call (PdSimulation *self, guint32 rank);

/**
 * pd_cproc_returned:
 * Once the moment of return of the processor's last call is known, it becomes
 * the clock.
 *
 * Returns: whether it is.
 */
gboolean pd_cproc_returned (PdSimulation *self, guint32 rank);

/* The size of a message of @bytes on the network: the run-time may round up. */
static inline gint64
pd_cproc_wire_bytes (const PdSimulation *self, gint64 bytes)
{
  gint64 mask = self->context.message_mask;

  return bytes > G_MAXINT64 - mask ? bytes : (bytes + mask) & ~mask;
}

/**
 * pd_cproc_start_message:
 * @bundle: takes the request
 *
 * Starts one message; the index within the phase goes on.
 *
 * Returns: FALSE if what follows has to wait its turn.
 */
gboolean pd_cproc_start_message (PdSimulation *self, guint32 rank, PdComm *comm, PdBundle *bundle,
                                 const PdPlanMessage *message, gint32 tag);

/**
 * pd_cproc_wait_for_bundle:
 * Waits for the requests of @bundle in the next phase: see pd_cproc_returned().
 */
void pd_cproc_wait_for_bundle (PdSimulation *self, guint32 rank, PdBundle *bundle);

/**
 * pd_cproc_compute:
 * @node: the interval
 * @part: number of the piece of computation within the processor's step
 * @time: of the piece, on the machine that recorded the trace
 *
 * The one way from recorded to simulated computation, but for ordinary time
 * that is charged to all processors of a speed at once.
 *
 * Returns: how long it takes the processor: its speed, the interval's ratio,
 *   the noise.
 */
PdTime pd_cproc_compute (const PdSimulation *self, guint32 rank, guint32 node, guint32 part,
                         PdTime time);

/**
 * pd_cproc_spend:
 * @node: the interval
 *
 * The processor computes for @time: its clock advances.
 */
static inline void
pd_cproc_spend (PdSimulation *self, guint32 rank, guint32 node, PdTime time)
{
  PdCProc *proc = &self->procs[rank];
  PdTime since = proc->clock;

  proc->clock = pd_time_add (since, time);
  PD_WATCH (self->context.watchers, spent,
            &(PdSpan){ PD_SPAN_COMPUTE, rank, node, since, proc->clock });
}

#endif
