/* Neighbourhood operations: all receives, all sends, one wait.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* Skips the neighbours that are none. */
static guint32
next_neighbor (const guint32 *neighbors, guint32 n, guint32 i)
{
  while (i < n && neighbors[i] == PD_NO_NEIGHBOR)
    i++;
  return i;
}

void
pd_coll_neighbor (PdPlay *play, PdStep *step)
{
  const PdPlayArgs *args = &play->args;

  if (play->stage == 0)
    {
      guint32 i = play->i = next_neighbor (args->sources, args->n_sources, play->i);
      if (i < args->n_sources)
        {
          *step = pd_step_irecv (args->sources[i], pd_block_of (play, args->recv_counts, i), 0);
          play->i++;
          return;
        }
      play->stage = 1;
      play->i = 0;
    }
  guint32 i = play->i = next_neighbor (args->targets, args->n_targets, play->i);
  if (play->stage == 1 && i < args->n_targets)
    {
      *step = pd_step_isend (args->targets[i], pd_block_of (play, args->send_counts, i), 0);
      play->i++;
      return;
    }
  *step = play->stage == 1 ? pd_step_waitall () : pd_step_done ();
  play->stage = 2;
}
