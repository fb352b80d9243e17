/* Schedules of Alltoall, Alltoallv and Alltoallw; the linear one is in
 * pd-coll-mpich1.c. The own block is copied first.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

static gint64
out_to (const PdPlay *play, guint32 peer)
{
  return pd_block_of (play, play->args.send_counts, peer);
}

static gint64
in_from (const PdPlay *play, guint32 peer)
{
  return pd_block_of (play, play->args.recv_counts, peer);
}

static PdStep
exchange (const PdPlay *play, guint32 to, guint32 from)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = to,
                   .from = from,
                   .send_bytes = out_to (play, to),
                   .recv_bytes = in_from (play, from) };
}

/* n - 1 steps; in step i everybody sends to the rank i after it. */
void
pd_coll_alltoall_shift (PdPlay *play, PdStep *step)
{
  guint32 i = play->i++;

  *step = i == 0         ? pd_step_copy (out_to (play, play->rank))
          : i >= play->n ? pd_step_done ()
                         : exchange (play, pd_after (play, i), pd_before (play, i));
}

/* As the shift, but among a power of two ranks in pairs: rank xor i. */
void
pd_coll_alltoall_pairwise (PdPlay *play, PdStep *step)
{
  guint32 i = play->i;

  if ((play->n & (play->n - 1)) != 0 || i == 0 || i >= play->n)
    {
      pd_coll_alltoall_shift (play, step);
      return;
    }
  play->i++;
  *step = exchange (play, play->rank ^ i, play->rank ^ i);
}
