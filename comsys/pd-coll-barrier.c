/* Schedules of Barrier; recursive doubling is in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

static PdStep
exchange (guint32 to, guint32 from)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV, .to = to, .from = from };
}

/* In round k everybody tells the rank 2^k after it (D. Hensgen, R. Finkel,
 * U. Manber, "Two algorithms for barrier synchronization", 1988). */
void
pd_coll_barrier_dissemination (PdPlay *play, PdStep *step)
{
  play->i = play->i == 0 ? 1 : play->i << 1;
  *step = play->i < play->n && play->i != 0
              ? exchange (pd_after (play, play->i), pd_before (play, play->i))
              : pd_step_done ();
}

/* All tell rank 0, which then tells all. */
void
pd_coll_barrier_linear (PdPlay *play, PdStep *step)
{
  if (play->rank != 0)
    {
      *step = play->stage == 0   ? pd_step_send (0, 0, 0)
              : play->stage == 1 ? pd_step_recv (0, 0, 0)
                                 : pd_step_done ();
      play->stage++;
      return;
    }
  *step = pd_step_done ();
  if (play->stage == 2)
    return;
  if (++play->i < play->n)
    {
      *step = play->stage == 0 ? pd_step_irecv (play->i, 0, 0) : pd_step_isend (play->i, 0, 0);
      return;
    }
  *step = pd_step_waitall ();
  play->stage++;
  play->i = 0;
}

/* A token goes round twice. */
void
pd_coll_barrier_double_ring (PdPlay *play, PdStep *step)
{
  gboolean sends = (play->stage % 2 == 0) == (play->rank == 0);

  *step = play->stage == 4 || play->n == 1 ? pd_step_done ()
          : sends                          ? pd_step_send (pd_after (play, 1), 0, 0)
                                           : pd_step_recv (pd_before (play, 1), 0, 0);
  play->stage++;
}

void
pd_coll_barrier_two (PdPlay *play, PdStep *step)
{
  *step = play->stage++ == 0 ? exchange (1 - play->rank, 1 - play->rank) : pd_step_done ();
}
