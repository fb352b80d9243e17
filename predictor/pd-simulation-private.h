/* CProc and what its steps need: shared by pd-simulation.c, pd-cproc*.c and
 * pd-operation.c.
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
  guint32 portion;     /* of the pipelined loop it executes */
  guint32 unused;
} PdCProc;

G_STATIC_ASSERT (sizeof (PdCProc) == 64);

struct _PdSimulation
{
  PdSimulationHost host;
  PdCProc *procs;
  PdComm *world;
  guint32 actor;
  const PdStepDvm *step; /* that it is in; only with a timeline */
  guint32 n_finished;
  PdPlanMessage *messages; /* room for one processor's messages of an exchange */
  guint room;
};

/* ---- pd-cproc.c */

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
 * Returns: whether the processor may touch what is shared at its clock; else
 *   it has been put into the queue for then.
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

/* What goes over the wire for a message of @bytes: the run-time may round up. */
static inline gint64
pd_cproc_wire_bytes (const PdSimulation *self, gint64 bytes)
{
  gint64 mask = self->host.message_mask;

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

/* ---- pd-cproc-timeline.c: where there is one */

/**
 * pd_cproc_tell_work:
 * @node: the interval
 *
 * The actor has computed from @since to its clock, in self->step.
 */
void pd_cproc_tell_work (PdSimulation *self, guint32 rank, guint32 node, PdTime since);

/**
 * pd_cproc_tell_step:
 * It is through with @step.
 */
void pd_cproc_tell_step (PdSimulation *self, guint32 rank, const PdStepDvm *step);

/**
 * pd_cproc_tell_end:
 * It is at its end.
 */
void pd_cproc_tell_end (PdSimulation *self, guint32 rank);

/* ---- pd-cproc.c */

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
  if (G_UNLIKELY (self->host.trail != NULL))
    pd_trail_work (self->host.trail, &(PdTrailStretch){ rank, node, since, proc->clock });
  if (G_UNLIKELY (self->host.timeline != NULL))
    pd_cproc_tell_work (self, rank, node, since);
}

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

/* ---- pd-cproc-loop.c */

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
void pd_cproc_iterate (PdSimulation *self, guint32 rank, const PdLoopWork *work, PdPiece piece,
                       gboolean is_first);

/**
 * pd_cproc_get_iterated:
 * Returns: how long all the iterations take that the processor executes in this step.
 */
PdTime pd_cproc_get_iterated (const PdSimulation *self, guint32 rank, const PdLoopWork *work);

/* The step PD_STEP_KIND_LOOP; see pd_cproc_perform(). */
gboolean pd_cproc_loop (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear);

/* ---- pd-cproc-pipeline.c */

/* The step PD_STEP_KIND_PIPELINE; see pd_cproc_perform(). */
gboolean pd_cproc_pipeline (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                            guint32 linear);

/* ---- pd-cproc-exchange.c */

/**
 * pd_cproc_list_messages:
 * Lists the processor's messages of @plan in self->messages.
 * Returns: how many.
 */
guint pd_cproc_list_messages (PdSimulation *self, const PdPlan *plan, guint32 rank);

/* What the library takes to pack or unpack a message. */
PdTime pd_cproc_copy_time (const PdSoftware *software, gint64 bytes, gint64 runs);

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

/* ---- pd-cproc-io.c */

/**
 * pd_operation_get_part:
 * @operation: COLLECT, DEAL: of a distributed array
 * @linear: a processor's number in the operation's grid
 *
 * Returns: the bytes of the elements concerned that it holds.
 */
gint64 pd_operation_get_part (const PdOperation *operation, guint32 linear);

/* The step PD_STEP_KIND_FILE_IO; those of a distributed array, PD_STEP_KIND_COLLECT
 * and _DEAL; see pd_cproc_perform(). */
gboolean pd_cproc_file_io (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 unused);
gboolean pd_cproc_collect (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear);

/* ---- pd-operation.c */

/**
 * pd_operation_find:
 * Returns: the number of the processor in the operation's grid; -1: it takes no
 *   part.
 */
gint64 pd_operation_find (const PdOperation *operation, guint32 rank);

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
