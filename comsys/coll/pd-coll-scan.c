/* Schedules of Scan and Exscan; the chain of Scan is in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

/* The sum of those before comes; with the own vector it goes on. */
void
pd_coll_exscan_chain (PdExecution *exec, PdStep *step)
{
  gint64 bytes = exec->args.bytes;
  gboolean is_last = exec->rank + 1 == exec->n;
  guint stage = exec->stage == 0 && exec->rank == 0 ? 2 : exec->stage;

  *step = stage == 0              ? pd_step_recv (exec->rank - 1, bytes, 0)
          : is_last || stage == 3 ? pd_step_done ()
          : stage == 1            ? pd_step_reduce (bytes)
                                  : pd_step_send (exec->rank + 1, bytes, 0);
  exec->stage = stage + 1;
}

/* Partial sums of 1, 2, 4 … ranks are exchanged; those of lower ranks are
 * added to the result, too, but the first of an exclusive scan is the result. */
static void
doubling (PdExecution *exec, PdStep *step, gboolean exclusive)
{
  enum
  {
    NEXT,
    PARTIAL,
    RESULT,
  };
  gint64 bytes = exec->args.bytes;

  if (exec->stage == PARTIAL)
    {
      guint32 lower = exec->rank & (exec->i - 1); /* of which sums have come before */
      gboolean adds = (exec->rank & exec->i) != 0 && (!exclusive || lower != 0);
      *step = pd_step_reduce (bytes);
      exec->stage = adds ? RESULT : NEXT;
      return;
    }
  if (exec->stage == RESULT)
    {
      *step = pd_step_reduce (bytes);
      exec->stage = NEXT;
      return;
    }
  do
    exec->i = exec->i == 0 ? 1 : exec->i << 1;
  while (exec->i != 0 && exec->i < exec->n && (exec->rank ^ exec->i) >= exec->n);
  *step = pd_step_done ();
  if (exec->i == 0 || exec->i >= exec->n)
    {
      exec->i = G_MAXUINT32 / 2 + 1;
      return;
    }
  guint32 peer = exec->rank ^ exec->i;
  *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, bytes, bytes, 0, 0 };
  exec->stage = PARTIAL;
}

void
pd_coll_scan_doubling (PdExecution *exec, PdStep *step)
{
  doubling (exec, step, FALSE);
}

void
pd_coll_exscan_doubling (PdExecution *exec, PdStep *step)
{
  doubling (exec, step, TRUE);
}
