/* CProc and what its steps need. Not for others than pd-simulation.c and
 * pd-cproc.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SIMULATION_PRIVATE_H
#define PD_SIMULATION_PRIVATE_H

#include "predictor/pd-simulation.h"
#include "predictor/pd-step.h"

G_BEGIN_DECLS

/* The messages of a large exchange that a processor is starting. */
typedef struct
{
  guint n;
  PdPlanMessage messages[];
} PdMessageList;

/* One simulated processor: a cache line. */
typedef struct
{
  PdTime clock;        /* its local time */
  PdTime ret;          /* slot of its MPI call */
  PdTime began;        /* when the communication of this step began */
  guint64 position;    /* number of its step */
  PdBlock *block;      /* of the data server */
  guint32 phase;       /* within the step; 0: not begun */
  guint32 index;       /* within the phase */
  PdMessageList *list; /* (nullable) */
  guint64 unused;
} PdCProc;

G_STATIC_ASSERT (sizeof (PdCProc) == 64);

struct _PdSimulation
{
  PdSimulationHost host;
  PdCProc *procs;
  PdComm *world;
  PdTime turn; /* moment at which the acting processor was taken */
  guint32 actor;
  guint32 n_finished;
  PdPlanMessage *messages; /* room for one processor's messages of an exchange */
  guint room;
};

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
 * pd_cproc_may_act:
 * Returns: whether the processor may touch what is shared at its clock; else
 *   it has been put into the queue for then.
 */
gboolean pd_cproc_may_act (PdSimulation *self, guint32 rank);

/**
 * pd_cproc_list_messages:
 * Lists the processor's messages of @plan in self->messages.
 * Returns: how many.
 */
guint pd_cproc_list_messages (PdSimulation *self, const PdPlan *plan, guint32 rank);

/**
 * pd_cproc_note:
 * @processor: who is, or was, in the step
 * @step: the step that self->actor is in
 * @begin: when @processor began it
 *
 * Returns: what the protocol is told; it ends now.
 */
PdLogEvent pd_cproc_note (const PdSimulation *self, guint32 processor, const PdStepDvm *step,
                          PdTime begin);

/**
 * pd_operation_get_part:
 * @operation: COLLECT, DEAL: of a distributed array
 * @linear: a processor's number in the operation's grid
 *
 * Returns: the bytes of the elements concerned that it holds.
 */
gint64 pd_operation_get_part (const PdOperation *operation, guint32 linear);

/**
 * pd_operation_enter:
 * @linear: of the processor in the operation's grid
 *
 * The processor's clock when it comes to the operation's (waiting) record.
 */
void pd_operation_enter (PdOperation *operation, guint32 linear, PdTime when);

/**
 * pd_operation_leave:
 * @linear: of the processor in the operation's grid
 *
 * One processor is through. With the last one Synchronization and Overlap
 * become known: they are charged to @step->node, or where each was when it left
 * (%PD_STEP_PARTLY).
 */
void pd_operation_leave (PdSimulation *self, PdOperation *operation, guint32 linear,
                         const PdStepDvm *step);

/**
 * pd_operation_has_left:
 * For steps with %PD_STEP_PARTLY: a processor may meet several for the same
 * operation.
 *
 * Returns: whether the processor is through already.
 */
gboolean pd_operation_has_left (const PdOperation *operation, guint32 linear);

G_END_DECLS

#endif
