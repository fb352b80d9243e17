/* Neighbourhood operations: all receives, all sends, one wait.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-op.h"

/* Skips the neighbours that are none. */
static guint32
next_neighbor (const guint32 *neighbors, guint32 n, guint32 i)
{
  while (i < n && neighbors[i] == PD_NO_NEIGHBOR)
    i++;
  return i;
}

void
pd_coll_neighbor (PdExecution *exec, PdStep *step)
{
  const PdScheduleArgs *args = &exec->args;

  if (exec->stage == 0)
    {
      guint32 i = exec->i = next_neighbor (args->sources, args->n_sources, exec->i);
      if (i < args->n_sources)
        {
          *step = pd_step_irecv (args->sources[i], pd_block_of (exec, args->recv_counts, i), 0);
          exec->i++;
          return;
        }
      exec->stage = 1;
      exec->i = 0;
    }
  guint32 i = exec->i = next_neighbor (args->targets, args->n_targets, exec->i);
  if (exec->stage == 1 && i < args->n_targets)
    {
      *step = pd_step_isend (args->targets[i], pd_block_of (exec, args->send_counts, i), 0);
      exec->i++;
      return;
    }
  *step = exec->stage == 1 ? pd_step_waitall () : pd_step_done ();
  exec->stage = 2;
}
