/* The actions of a simulated processor in a step: the table of all kinds, and those
 * without a file of their own (pd-cproc-*.c). A step may have to wait; then its
 * function is called again in the processor's next turn, and continues from the
 * phase it had reached. Phase 1 is the first; in an operation of several processors
 * it is the arrival, the same for all (see the end).
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation-private.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/mpi/pd-wait.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/simulate/pd-cproc-exchange-private.h"
#include "predictor/dvm/simulate/pd-cproc-io-private.h"
#include "predictor/dvm/simulate/pd-cproc-loop-private.h"
#include "predictor/dvm/simulate/pd-cproc-pipeline-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"
#include "predictor/dvm/simulate/pd-operation-private.h"

/* @linear: the processor's number in the grid of the step's operation; of a step
 * without one 0. Returns whether the step is over. */
typedef gboolean (*StepFunc) (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                              guint32 linear);

gboolean
pd_cproc_may_act (PdSimulation *self, guint32 rank)
{
  PdTime clock = self->procs[rank].clock;

  if (pd_comsys_may_go_on (self->context.comsys, rank, clock))
    return TRUE;
  pd_comsys_ready (self->context.comsys, rank, clock);
  return FALSE;
}

gboolean
pd_cproc_returned (PdSimulation *self, guint32 rank)
{
  PdCProc *proc = &self->procs[rank];

  if (pd_time_is_pending (proc->ret))
    return FALSE;
  proc->clock = proc->ret;
  return TRUE;
}

PdCall
pd_cproc_call (PdSimulation *self, guint32 rank)
{
  PdCProc *proc = &self->procs[rank];

  return (PdCall){ rank, proc->clock, &proc->ret, NULL };
}

gboolean
pd_cproc_start_message (PdSimulation *self, guint32 rank, PdComm *comm, PdBundle *bundle,
                        const PdPlanMessage *message, gint32 tag)
{
  PdCall call = pd_cproc_call (self, rank);
  PdEnvelope envelope = { (gint32) message->peer, tag, pd_cproc_wire_bytes (self, message->bytes) };
  PdRequest request = message->send ? pd_comsys_isend (self->context.comsys, &call, comm, envelope)
                                    : pd_comsys_irecv (self->context.comsys, &call, comm, envelope);

  pd_bundle_add (self->context.comsys, bundle, request);
  self->procs[rank].index++;
  return pd_cproc_returned (self, rank) && pd_cproc_may_act (self, rank);
}

void
pd_cproc_wait_for_bundle (PdSimulation *self, guint32 rank, PdBundle *bundle)
{
  PdCall call = pd_cproc_call (self, rank);

  self->procs[rank].phase++;
  pd_comsys_waitall_bundle (self->context.comsys, &call, bundle);
}

static void
begin (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  proc->began = proc->clock;
  if ((step->flags & PD_STEP_ENTERS) != 0)
    pd_operation_enter (step->operation, linear, proc->clock);
}

/* The communication since begin() is charged. */
static void
end (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdStepOperation *operation = step->operation;
  PdTime spent = pd_time_sub (proc->clock, proc->began);

  if (step->kind == PD_STEP_KIND_PIPELINE) /* the rest of it is computation */
    spent = pd_time_sub (spent, pd_cproc_get_iterated (self, rank, step->work));
  if (spent.ps > 0)
    pd_interval_tree_add (self->context.tree, step->node,
                          pd_operation_quantity (operation->kind, PD_OPERATION_COMMUNICATION), rank,
                          spent);
  pd_operation_charge_waits (self, rank, step, 0);
  if (operation->participants != NULL)
    operation->participants[linear].spent =
        pd_time_add (operation->participants[linear].spent, spent);
  if ((step->flags & PD_STEP_LEAVES) != 0)
    pd_operation_leave (self, operation, linear, step);
}

/* ---- steps */

static gboolean
perform_none (PdSimulation *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED,
              const PdStepDvm *step G_GNUC_UNUSED, guint32 linear G_GNUC_UNUSED)
{
  return TRUE;
}

PdTime
pd_cproc_compute (const PdSimulation *self, guint32 rank, guint32 node, guint32 part, PdTime time)
{
  gdouble speed = self->context.speeds[self->context.speed_of[rank]];

  time = pd_node_ratios_divide (self->context.ratios, node, time, speed);
  return pd_noise_apply (self->context.noise, rank, self->procs[rank].position, part, time);
}

static gboolean
perform_compute (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                 guint32 linear G_GNUC_UNUSED)
{
  const PdTeam *team = step->family->team;

  if (pd_grid_find (team->grid, rank) < 0)
    return TRUE;
  PdTime time = step->own != NULL ? step->own[self->context.speed_of[rank]] : step->time;
  PdTime t = pd_cproc_compute (self, rank, step->node, 0, time);
  pd_cproc_spend (self, rank, step->node, t);
  pd_interval_tree_add (self->context.tree, step->node, PD_Q_CPU_SEQ, rank, t);
  if (team->n > 1)
    pd_interval_tree_add (self->context.tree, step->node, PD_Q_INSUFF_SEQ, rank,
                          pd_time_scale (t, team->n - 1, team->n));
  return TRUE;
}

static PdCollective
get_collective (const PdStepDvm *step, guint32 linear)
{
  const PdStepOperation *operation = step->operation;

  return (PdCollective){ .op = (PdOp) step->op,
                         .root = operation->central,
                         .bytes =
                             operation->counts != NULL ? operation->counts[linear] : step->bytes,
                         .recv_counts = operation->counts };
}

static gboolean
perform_collective_start (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (proc->phase == 2)
    {
      PdCall call = pd_cproc_call (self, rank);
      PdCollective collective = get_collective (step, linear);
      proc->phase = 3;
      PdRequest request = pd_comsys_icollective (
          self->context.comsys, &call, pd_comm_family_get (step->family, linear), &collective);
      pd_bundle_add (self->context.comsys, &step->operation->bundles[linear], request);
    }
  return pd_cproc_returned (self, rank);
}

static gboolean
perform_collective_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  if (self->procs[rank].phase == 2)
    pd_cproc_wait_for_bundle (self, rank, &step->operation->bundles[linear]);
  return pd_cproc_returned (self, rank);
}

static gboolean
perform_collective (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (proc->phase == 2)
    {
      PdCall call = pd_cproc_call (self, rank);
      PdCollective collective = get_collective (step, linear);
      proc->phase = 3;
      pd_comsys_collective (self->context.comsys, &call, pd_comm_family_get (step->family, linear),
                            &collective);
    }
  return pd_cproc_returned (self, rank);
}

/* ---- reductions through the central processor */

/* The other members of a star, seen from the central one. */
static guint32
peer_of (guint32 index, guint32 me)
{
  return index < me ? index : index + 1;
}

/* The central one: a receive from each other; the others: a send, a receive. */
static gboolean
perform_star_start (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdStepOperation *operation = step->operation;
  PdComm *comm = pd_comm_family_get (step->family, linear);
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);
  gboolean is_central = me == operation->central;
  guint32 n = is_central ? pd_comm_get_size (comm) - 1 : 2;

  while (proc->index < n)
    {
      PdPlanMessage message = { .peer = is_central ? peer_of (proc->index, me) : operation->central,
                                .send = !is_central && proc->index == 0,
                                .bytes = operation->bytes };
      if (!pd_cproc_start_message (self, rank, comm, &operation->bundles[linear], &message,
                                   operation->tag))
        return FALSE;
    }
  return TRUE;
}

/* Phases 2, 3: wait for the started operation; 4, 5: the central processor sends the
 * result to each and waits for these messages. */
static gboolean
perform_star_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdStepOperation *operation = step->operation;
  PdComm *comm = pd_comm_family_get (step->family, linear);
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);

  if (proc->phase == 2)
    pd_cproc_wait_for_bundle (self, rank, &operation->bundles[linear]);
  if (proc->phase == 3)
    {
      if (!pd_cproc_returned (self, rank))
        return FALSE;
      if (me != operation->central)
        return TRUE;
      proc->phase = 4;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
    }
  while (proc->phase == 4 && proc->index + 1 < pd_comm_get_size (comm))
    {
      PdPlanMessage message = { .peer = peer_of (proc->index, me),
                                .send = TRUE,
                                .bytes = operation->bytes };
      if (!pd_cproc_start_message (self, rank, comm, &operation->bundles[linear], &message,
                                   operation->tag))
        return FALSE;
    }
  if (proc->phase == 4)
    pd_cproc_wait_for_bundle (self, rank, &operation->bundles[linear]);
  return pd_cproc_returned (self, rank);
}

/* How a kind of step is performed. */
typedef enum
{
  ALONE,  /* nothing shared is touched */
  STARTS, /* an operation, which another step waits for */
  TAKES_PART,
} Manner;

static const struct
{
  StepFunc perform;
  Manner manner;
} kinds[PD_N_STEP_KINDS] = {
  [PD_STEP_KIND_NONE] = { perform_none, ALONE },
  [PD_STEP_KIND_LOOP] = { pd_cproc_loop, ALONE },
  [PD_STEP_KIND_PIPELINE] = { pd_cproc_pipeline, TAKES_PART },
  [PD_STEP_KIND_EXCHANGE_START] = { pd_cproc_exchange_start, STARTS },
  [PD_STEP_KIND_EXCHANGE_WAIT] = { pd_cproc_exchange_wait, TAKES_PART },
  [PD_STEP_KIND_COLLECTIVE] = { perform_collective, TAKES_PART },
  [PD_STEP_KIND_COLLECTIVE_START] = { perform_collective_start, STARTS },
  [PD_STEP_KIND_COLLECTIVE_WAIT] = { perform_collective_wait, TAKES_PART },
  [PD_STEP_KIND_STAR_START] = { perform_star_start, STARTS },
  [PD_STEP_KIND_STAR_WAIT] = { perform_star_wait, TAKES_PART },
  [PD_STEP_KIND_COLLECT] = { pd_cproc_collect, TAKES_PART },
  [PD_STEP_KIND_DEAL] = { pd_cproc_collect, TAKES_PART },
  [PD_STEP_KIND_FILE_IO] = { pd_cproc_file_io, ALONE },
  [PD_STEP_KIND_COMPUTE] = { perform_compute, ALONE },
  [PD_STEP_KIND_TASK] = { perform_none, ALONE },
};

/* The processor is through with @step. */
static void
watch (const PdSimulation *self, guint32 rank, const PdStepDvm *step, PdTime begin)
{
  const PdCProc *proc = &self->procs[rank];

  PD_WATCH (self->context.watchers, done,
            &(PdDeed){ .what = step,
                       .number = proc->position,
                       .rank = rank,
                       .begin = begin,
                       .end = proc->clock });
}

/* Processors outside a task continue after it. This may be the end of @task, and of
 * its step. */
static void
leave_out (PdSimulation *self, guint32 rank, const PdTask *task)
{
  PdCProc *proc = &self->procs[rank];

  if (pd_grid_find (task->team->grid, rank) >= 0)
    return;
  proc->position = task->end - 1;
  pd_data_server_jump (self->context.server, &proc->block, task->last);
}

static gboolean
perform_alone (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdTime begin = self->procs[rank].clock;
  gboolean is_over = kinds[step->kind].perform (self, rank, step, 0);

  watch (self, rank, step, begin);
  if (step->task != NULL)
    leave_out (self, rank, step->task);
  return is_over;
}

/* Has the account of the processor loaded that is likely to come to @operation soon. */
static inline void
expect_likewise (const PdSimulation *self, const PdStepOperation *operation, guint32 rank,
                 guint32 linear)
{
  guint32 other = linear + (self->soon - rank);

  if (self->soon < self->context.n && operation->participants != NULL && other < operation->team->n)
    pd_prefetch (&operation->participants[other]);
}

/* Arrival, the operation's own phases from 2 on, and the account. */
gboolean
pd_cproc_perform (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdCProc *proc = &self->procs[rank];
  Manner manner = kinds[step->kind].manner;

  if (manner == ALONE)
    return perform_alone (self, rank, step);

  gint64 linear = pd_operation_find (step->operation, rank);
  if (linear < 0)
    return TRUE;
  expect_likewise (self, step->operation, rank, (guint32) linear);
  if (proc->phase == 1 && (step->flags & PD_STEP_PARTLY) != 0
      && pd_operation_has_left (step->operation, (guint32) linear))
    return TRUE;
  if (proc->phase == 1 && pd_cproc_passes_by (step, rank))
    {
      if ((step->flags & PD_STEP_LEAVES) != 0)
        pd_operation_leave (self, step->operation, (guint32) linear, step);
      return TRUE;
    }
  if (proc->phase == 1)
    {
      begin (self, rank, step, (guint32) linear);
      if (manner == STARTS)
        pd_operation_enter (step->operation, (guint32) linear, proc->clock);
      if (step->kind == PD_STEP_KIND_EXCHANGE_START)
        pd_cproc_prepare_exchange (self, rank, step);
      proc->phase = 2;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
    }
  if (!kinds[step->kind].perform (self, rank, step, (guint32) linear))
    return FALSE;
  end (self, rank, step, (guint32) linear);
  if (manner == STARTS)
    step->operation->participants[linear].started = proc->clock;
  watch (self, rank, step, proc->began);
  return TRUE;
}
