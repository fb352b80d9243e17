/* The steps of collective operations: which algorithm, and where it is.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-coll-steps.h"

#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-coll-choice-private.h"

/* That with blocks of one size. */
static PdOp
without_vectors (PdOp op)
{
  static const struct
  {
    PdOp op;
    PdOp equal;
  } pairs[] = {
    { PD_OP_GATHERV, PD_OP_GATHER },       { PD_OP_SCATTERV, PD_OP_SCATTER },
    { PD_OP_ALLGATHERV, PD_OP_ALLGATHER }, { PD_OP_ALLTOALLV, PD_OP_ALLTOALL },
    { PD_OP_ALLTOALLW, PD_OP_ALLTOALL },   { PD_OP_REDUCE_SCATTER, PD_OP_REDUCE_SCATTER_BLOCK },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (pairs[i].op == op)
      return pairs[i].equal;
  return op;
}

/* The arguments that the operation names; the others may hold anything. */
static void
take_arguments (PdScheduleArgs *args, const PdCollective *collective)
{
  PdOp op = collective->is_equal ? without_vectors (collective->op) : collective->op;
  const PdOpInfo *info = &pd_ops[op];

  args->op = op;
  if (op != PD_OP_BARRIER)
    args->bytes = collective->bytes;
  if (info->rooted)
    args->root = collective->root;
  if (info->send_counts)
    args->send_counts = collective->send_counts;
  if (info->recv_counts)
    args->recv_counts = collective->recv_counts;
  if (!info->neighbors)
    return;
  args->sources = collective->sources;
  args->targets = collective->targets;
  args->n_sources = collective->n_sources;
  args->n_targets = collective->n_targets;
}

gboolean
pd_execution_is_for (const PdComsys *self, PdOp op)
{
  /* neighbours are few: that all wait for all would be another operation */
  return !self->set->is_simple || pd_ops[op].neighbors;
}

void
pd_execution_init (PdComsys *self, PdExecution *exec, guint32 rank, PdComm *comm,
                   const PdCollective *collective)
{
  const PdOpInfo *info = &pd_ops[collective->op];

  *exec = (PdExecution){ .comm = comm,
                         .total = -1,
                         .n = comm->n,
                         .rank = (guint32) pd_comm_get_rank (comm, rank),
                         .is_ordered = collective->is_ordered != FALSE };
  take_arguments (&exec->args, collective);
  exec->op = (guint8) exec->args.op;
  if (info->n_components > 0)
    {
      exec->args.op = info->components[0].op;
      exec->args.bytes = info->components[0].bytes;
    }
  pd_collective_choose (self->set, exec);
}

static void
rewind_part (PdExecution *exec)
{
  exec->stage = 0;
  exec->i = exec->j = 0;
  exec->total = -1;
}

/* The operation continues with its next component. */
static gboolean
next_component (PdComsys *self, PdExecution *exec)
{
  const PdOpInfo *info = &pd_ops[exec->op];

  if (exec->component + 1u >= info->n_components)
    return FALSE;
  exec->component++;
  exec->part = 0;
  rewind_part (exec);
  exec->args.op = info->components[exec->component].op;
  exec->args.bytes = info->components[exec->component].bytes;
  pd_collective_choose (self->set, exec);
  return TRUE;
}

gboolean
pd_execution_next_step (PdComsys *self, PdExecution *exec, PdStep *step)
{
  do
    for (; exec->part < PD_MAX_PARTS && exec->algorithm->parts[exec->part] != NULL; exec->part++)
      {
        exec->algorithm->parts[exec->part](exec, step);
        if (step->kind != PD_STEP_DONE)
          return TRUE;
        rewind_part (exec);
      }
  while (next_component (self, exec));
  return FALSE;
}
