/* Input and output: the I/O processor reads and writes files alone, and
 * collects a distributed array from its holders, or deals it to them.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation-private.h"
#include "comsys/mpi/pd-calls.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/step/pd-step-part.h"
#include "predictor/dvm/simulate/pd-cproc-io-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"
#include "predictor/dvm/simulate/pd-operation-private.h"

/* Whether each processor reads or writes its own part of the operation's array. */
static gboolean
is_done_by_all (const PdSimulation *self, const PdStepOperation *operation)
{
  const PdIo *io = self->context.io;

  return io->is_given && io->writers == PD_IO_WRITERS_ALL && operation != NULL
         && operation->layout != NULL;
}

/* Files are as fast as they are, on whatever processor. */
static PdTime
get_time (const PdIo *io, const PdStepDvm *step, gint64 bytes)
{
  if (step->bytes < 0)
    return step->time;
  return pd_time_add (io->latency,
                      pd_time_for_bytes (bytes, (gdouble) PD_PS_PER_S / io->bandwidth));
}

/* All parts of a file are there at the same time; what the processor would not need for its own
 * is waiting. */
static void
do_part (PdSimulation *self, guint32 rank, const PdStepDvm *step, gint64 part)
{
  PdCProc *proc = &self->procs[rank];
  PdTime since = proc->clock, all = get_time (self->context.io, step, step->bytes);
  PdTime own = get_time (self->context.io, step, MIN (part, step->bytes));

  proc->clock = pd_time_add (since, all);
  PD_WATCH (self->context.watchers, spent,
            &(PdSpan){ PD_SPAN_IO, rank, step->node, since, proc->clock });
  pd_interval_tree_add (self->context.tree, step->node, PD_Q_IO, rank, own);
  pd_interval_tree_add (self->context.tree, step->node, PD_Q_IO_COMM, rank, pd_time_sub (all, own));
}

gboolean
pd_cproc_file_io (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                  guint32 unused G_GNUC_UNUSED)
{
  PdCProc *proc = &self->procs[rank];
  PdTeam *team = step->family->team;
  gint64 linear = step->operation == NULL ? -1 : pd_operation_find (step->operation, rank);

  if ((step->flags & PD_STEP_ENTERS) != 0 && linear >= 0)
    pd_operation_enter (step->operation, (guint32) linear, proc->clock);
  if (linear >= 0 && is_done_by_all (self, step->operation))
    {
      gint64 part = pd_operation_get_part (step->operation, (guint32) linear);
      if (part > 0)
        do_part (self, rank, step, part);
    }
  else if (rank == team->io)
    do_part (self, rank, step, step->bytes);
  if ((step->flags & PD_STEP_LEAVES) != 0 && linear >= 0)
    pd_operation_leave (self, step->operation, (guint32) linear, step);
  return TRUE;
}

/* One blocking message of the I/O processor with @linear; phase 3 while it is
 * under way. */
static gboolean
serve_one (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  const PdStepOperation *operation = step->operation;
  PdEnvelope envelope = { (gint32) pd_grid_get_processor (operation->team->grid, linear),
                          operation->tag,
                          pd_cproc_wire_bytes (self, pd_operation_get_part (operation, linear)) };

  if (proc->phase == 2)
    {
      if (envelope.bytes == 0 || envelope.peer == (gint32) rank)
        return TRUE;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
      PdCall call = pd_cproc_call (self, rank);
      proc->phase = 3;
      if (step->kind == PD_STEP_KIND_COLLECT)
        pd_comsys_recv (self->context.comsys, &call, self->world, envelope);
      else
        pd_comsys_send (self->context.comsys, &call, self->world, envelope);
    }
  if (!pd_cproc_returned (self, rank))
    return FALSE;
  proc->phase = 2;
  return TRUE;
}

/* The other side: one blocking message with the I/O processor. */
static gboolean
be_served (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  const PdStepOperation *operation = step->operation;
  PdEnvelope envelope = { (gint32) operation->team->io, operation->tag,
                          pd_cproc_wire_bytes (self, pd_operation_get_part (operation, linear)) };

  if (envelope.bytes == 0)
    return TRUE;
  if (proc->phase == 2)
    {
      PdCall call = pd_cproc_call (self, rank);
      proc->phase = 3;
      if (step->kind == PD_STEP_KIND_COLLECT)
        pd_comsys_send (self->context.comsys, &call, self->world, envelope);
      else
        pd_comsys_recv (self->context.comsys, &call, self->world, envelope);
    }
  return pd_cproc_returned (self, rank);
}

gboolean
pd_cproc_collect (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (is_done_by_all (self, step->operation))
    return TRUE;
  if (rank != step->operation->team->io)
    return be_served (self, rank, step, linear);
  for (; proc->index < step->operation->team->n; proc->index++)
    if (!serve_one (self, rank, step, proc->index))
      return FALSE;
  return TRUE;
}
