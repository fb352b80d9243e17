/* Further linear schedules of Gather and Scatter; those that post all at once are
 * in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

/* The root receives from one after the other. */
void
pd_coll_gather_blocking (PdExecution *exec, PdStep *step)
{
  pd_coll_gather_linear (exec, step);
  if (step->kind == PD_STEP_IRECV)
    step->kind = PD_STEP_RECV;
  else if (step->kind == PD_STEP_WAITALL)
    *step = pd_step_done ();
}

/* The root sends to one after the other. */
void
pd_coll_scatter_blocking (PdExecution *exec, PdStep *step)
{
  pd_coll_scatter_linear (exec, step);
  if (step->kind == PD_STEP_ISEND)
    step->kind = PD_STEP_SEND;
  else if (step->kind == PD_STEP_WAITALL)
    *step = pd_step_done ();
}

/* ---- Gather, one after the other: the root asks each, so that no more than one
 * large message is under way to it besides the end of the one before */

void
pd_coll_gather_sync (PdExecution *exec, PdStep *step)
{
  guint32 root = exec->args.root;
  gint64 bytes = exec->args.bytes;
  gint64 first = exec->segment > 0 ? MIN (bytes, exec->segment) : bytes;
  guint stage = exec->stage;

  *step = pd_step_done ();
  if (exec->rank != root)
    {
      *step = stage == 0   ? pd_step_recv (root, 0, exec->rank)
              : stage == 1 ? pd_step_send (root, first, exec->rank)
              : stage == 2 ? pd_step_send (root, bytes - first, exec->rank)
                           : pd_step_done ();
      exec->stage++;
      return;
    }
  if (exec->i == root)
    exec->i++;
  if (exec->i >= exec->n)
    {
      if (stage == 0)
        *step = pd_step_waitall ();
      exec->stage = 4;
      return;
    }
  *step = stage == 0   ? pd_step_send (exec->i, 0, exec->i)
          : stage == 1 ? pd_step_recv (exec->i, first, exec->i)
                       : pd_step_irecv (exec->i, bytes - first, exec->i);
  exec->stage = stage == 2 ? 0 : stage + 1;
  exec->i += stage == 2 ? 1 : 0;
}
