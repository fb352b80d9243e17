/* Schedules of Scan and Exscan; the chain of Scan is in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* The sum of those before comes; with the own vector it goes on. */
void
pd_coll_exscan_chain (PdPlay *play, PdStep *step)
{
  gint64 bytes = play->args.bytes;
  gboolean is_last = play->rank + 1 == play->n;
  guint stage = play->stage == 0 && play->rank == 0 ? 2 : play->stage;

  *step = stage == 0              ? pd_step_recv (play->rank - 1, bytes, 0)
          : is_last || stage == 3 ? pd_step_done ()
          : stage == 1            ? pd_step_reduce (bytes)
                                  : pd_step_send (play->rank + 1, bytes, 0);
  play->stage = stage + 1;
}

/* Partial sums of 1, 2, 4 … ranks are exchanged; those of lower ranks are
 * added to the result, too, but the first of an exclusive scan is the result. */
static void
doubling (PdPlay *play, PdStep *step, gboolean exclusive)
{
  enum
  {
    NEXT,
    PARTIAL,
    RESULT,
  };
  gint64 bytes = play->args.bytes;

  if (play->stage == PARTIAL)
    {
      guint32 lower = play->rank & (play->i - 1); /* of which sums have come before */
      gboolean adds = (play->rank & play->i) != 0 && (!exclusive || lower != 0);
      *step = pd_step_reduce (bytes);
      play->stage = adds ? RESULT : NEXT;
      return;
    }
  if (play->stage == RESULT)
    {
      *step = pd_step_reduce (bytes);
      play->stage = NEXT;
      return;
    }
  do
    play->i = play->i == 0 ? 1 : play->i << 1;
  while (play->i != 0 && play->i < play->n && (play->rank ^ play->i) >= play->n);
  *step = pd_step_done ();
  if (play->i == 0 || play->i >= play->n)
    {
      play->i = G_MAXUINT32 / 2 + 1;
      return;
    }
  guint32 peer = play->rank ^ play->i;
  *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, bytes, bytes, 0, 0 };
  play->stage = PARTIAL;
}

void
pd_coll_scan_doubling (PdPlay *play, PdStep *step)
{
  doubling (play, step, FALSE);
}

void
pd_coll_exscan_doubling (PdPlay *play, PdStep *step)
{
  doubling (play, step, TRUE);
}
