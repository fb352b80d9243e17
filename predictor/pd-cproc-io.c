/* Input and output: the I/O processor reads and writes files alone, and
 * collects a distributed array from its holders, or deals it to them.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-simulation-private.h"

gboolean
pd_cproc_file_io (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                  guint32 unused G_GNUC_UNUSED)
{
  PdCProc *proc = &self->procs[rank];
  PdTeam *team = step->family->team;
  gint64 linear = step->operation == NULL ? -1 : pd_operation_find (step->operation, rank);

  if ((step->flags & PD_STEP_ENTERS) != 0 && linear >= 0)
    pd_operation_enter (step->operation, (guint32) linear, proc->clock);
  if (rank == team->io)
    {
      PdTime t = pd_time_divide (step->time, self->host.speeds[self->host.speed_of[rank]]);
      PdTrailStretch stretch = { rank, step->node, proc->clock, pd_time_add (proc->clock, t) };
      if (self->host.trail != NULL)
        pd_trail_io (self->host.trail, &stretch);
      proc->clock = stretch.until;
      pd_interval_tree_add (self->host.tree, step->node, PD_Q_IO, rank, t);
    }
  if ((step->flags & PD_STEP_LEAVES) != 0 && linear >= 0)
    pd_operation_leave (self, step->operation, (guint32) linear, step);
  return TRUE;
}

/* Elements of the local box of @linear, in the array's grid, among the first operation->prefix
 * elements of the array in linear order. */
static gint64
count_prefix (const PdOperation *operation, guint32 linear)
{
  const PdLayout *layout = operation->layout;
  guint rank = pd_layout_get_rank (layout);
  const gint64 *sizes = pd_layout_get_sizes (layout);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], weight[PD_MAX_RANK + 1], inner[PD_MAX_RANK + 1];
  gint64 count = 0, rest = operation->prefix;

  if (!pd_layout_get_local (layout, linear, lo, hi))
    return 0;
  weight[rank] = inner[rank] = 1;
  for (guint i = rank; i-- > 0;)
    {
      weight[i] = weight[i + 1] * sizes[i];
      inner[i] = inner[i + 1] * (hi[i] - lo[i] + 1);
    }
  if (rest >= weight[0])
    return inner[0];
  /* digit by digit: whole slices below the boundary, then on within its slice */
  for (guint i = 0; i < rank; i++)
    {
      gint64 digit = rest / weight[i + 1];
      rest %= weight[i + 1];
      count += MAX (MIN (hi[i], digit - 1) - lo[i] + 1, 0) * inner[i + 1];
      if (digit < lo[i] || digit > hi[i])
        return count;
    }
  return count;
}

/* @linear: in the operation's grid, which need not be that of the array. */
gint64
pd_operation_get_part (const PdOperation *operation, guint32 linear)
{
  guint32 processor = pd_grid_get_processor (operation->team->grid, linear);
  gint64 place = pd_grid_find (pd_layout_get_grid (operation->layout), processor);

  return place < 0 ? 0 : count_prefix (operation, (guint32) place) * operation->type_size;
}

/* One blocking message of the I/O processor with @linear; phase 3 while it is
 * under way. */
static gboolean
serve_one (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  const PdOperation *operation = step->operation;
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
        pd_comsys_recv (self->host.comsys, &call, self->world, envelope);
      else
        pd_comsys_send (self->host.comsys, &call, self->world, envelope);
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
  const PdOperation *operation = step->operation;
  PdEnvelope envelope = { (gint32) operation->team->io, operation->tag,
                          pd_cproc_wire_bytes (self, pd_operation_get_part (operation, linear)) };

  if (envelope.bytes == 0)
    return TRUE;
  if (proc->phase == 2)
    {
      PdCall call = pd_cproc_call (self, rank);
      proc->phase = 3;
      if (step->kind == PD_STEP_KIND_COLLECT)
        pd_comsys_send (self->host.comsys, &call, self->world, envelope);
      else
        pd_comsys_recv (self->host.comsys, &call, self->world, envelope);
    }
  return pd_cproc_returned (self, rank);
}

gboolean
pd_cproc_collect (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (rank != step->operation->team->io)
    return be_served (self, rank, step, linear);
  for (; proc->index < step->operation->team->n; proc->index++)
    if (!serve_one (self, rank, step, proc->index))
      return FALSE;
  return TRUE;
}
