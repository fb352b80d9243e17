/* Schedules of Barrier; recursive doubling is in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

static PdStep
exchange (guint32 to, guint32 from)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV, .to = to, .from = from };
}

/* In round k each rank notifies the rank 2^k after it (D. Hensgen, R. Finkel,
 * U. Manber, "Two algorithms for barrier synchronization", 1988). */
void
pd_coll_barrier_dissemination (PdExecution *exec, PdStep *step)
{
  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  *step = exec->i < exec->n && exec->i != 0
              ? exchange (pd_after (exec, exec->i), pd_before (exec, exec->i))
              : pd_step_done ();
}

/* All ranks notify rank 0, which then notifies all. */
void
pd_coll_barrier_linear (PdExecution *exec, PdStep *step)
{
  if (exec->rank != 0)
    {
      *step = exec->stage == 0   ? pd_step_send (0, 0, 0)
              : exec->stage == 1 ? pd_step_recv (0, 0, 0)
                                 : pd_step_done ();
      exec->stage++;
      return;
    }
  *step = pd_step_done ();
  if (exec->stage == 2)
    return;
  if (++exec->i < exec->n)
    {
      *step = exec->stage == 0 ? pd_step_irecv (exec->i, 0, 0) : pd_step_isend (exec->i, 0, 0);
      return;
    }
  *step = pd_step_waitall ();
  exec->stage++;
  exec->i = 0;
}

/* A token goes round twice. */
void
pd_coll_barrier_double_ring (PdExecution *exec, PdStep *step)
{
  gboolean sends = (exec->stage % 2 == 0) == (exec->rank == 0);

  *step = exec->stage == 4 || exec->n == 1 ? pd_step_done ()
          : sends                          ? pd_step_send (pd_after (exec, 1), 0, 0)
                                           : pd_step_recv (pd_before (exec, 1), 0, 0);
  exec->stage++;
}

void
pd_coll_barrier_two (PdExecution *exec, PdStep *step)
{
  *step = exec->stage++ == 0 ? exchange (1 - exec->rank, 1 - exec->rank) : pd_step_done ();
}
