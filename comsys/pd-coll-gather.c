/* Further linear schedules of Gather and Scatter; those that post all at once are
 * in pd-coll-mpich1.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* The root receives from one after the other. */
void
pd_coll_gather_blocking (PdPlay *play, PdStep *step)
{
  pd_coll_gather_linear (play, step);
  if (step->kind == PD_STEP_IRECV)
    step->kind = PD_STEP_RECV;
  else if (step->kind == PD_STEP_WAITALL)
    *step = pd_step_done ();
}

/* The root sends to one after the other. */
void
pd_coll_scatter_blocking (PdPlay *play, PdStep *step)
{
  pd_coll_scatter_linear (play, step);
  if (step->kind == PD_STEP_ISEND)
    step->kind = PD_STEP_SEND;
  else if (step->kind == PD_STEP_WAITALL)
    *step = pd_step_done ();
}

/* ---- Gather, one after the other: the root asks each, so that no more than one
 * large message is under way to it besides the end of the one before */

void
pd_coll_gather_sync (PdPlay *play, PdStep *step)
{
  guint32 root = play->args.root;
  gint64 bytes = play->args.bytes;
  gint64 first = play->segment > 0 ? MIN (bytes, play->segment) : bytes;
  guint stage = play->stage;

  *step = pd_step_done ();
  if (play->rank != root)
    {
      *step = stage == 0   ? pd_step_recv (root, 0, play->rank)
              : stage == 1 ? pd_step_send (root, first, play->rank)
              : stage == 2 ? pd_step_send (root, bytes - first, play->rank)
                           : pd_step_done ();
      play->stage++;
      return;
    }
  if (play->i == root)
    play->i++;
  if (play->i >= play->n)
    {
      if (stage == 0)
        *step = pd_step_waitall ();
      play->stage = 4;
      return;
    }
  *step = stage == 0   ? pd_step_send (play->i, 0, play->i)
          : stage == 1 ? pd_step_recv (play->i, first, play->i)
                       : pd_step_irecv (play->i, bytes - first, play->i);
  play->stage = stage == 2 ? 0 : stage + 1;
  play->i += stage == 2 ? 1 : 0;
}
