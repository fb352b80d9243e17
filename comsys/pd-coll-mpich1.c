/* The collective operations of MPICH 1.2.5, as the 2004 thesis describes them.
 * Relative ranks are (rank - root) mod n.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

static PdStep
send_to (guint32 to, gint64 bytes)
{
  return pd_step_send (to, bytes, 0);
}

static PdStep
recv_from (guint32 from, gint64 bytes)
{
  return pd_step_recv (from, bytes, 0);
}

static const PdStep done = { .kind = PD_STEP_DONE };

/* Ranks from the power of two on fold onto the lower ones; those pass messages
 * along the edges of a hypercube. */
void
pd_coll_barrier_fold (PdPlay *play, PdStep *step)
{
  guint32 low = pd_floor_power (play->n), high = play->n - low, me = play->rank;

  if (me >= low)
    {
      *step = play->stage == 0   ? send_to (me - low, 0)
              : play->stage == 1 ? recv_from (me - low, 0)
                                 : done;
      play->stage++;
      return;
    }
  if (play->stage == 0)
    {
      play->stage = 1;
      play->i = 1;
      if (me < high)
        {
          *step = recv_from (me + low, 0);
          return;
        }
    }
  if (play->stage == 1 && play->i < low)
    {
      *step = (PdStep){ .kind = PD_STEP_SENDRECV, .to = me ^ play->i, .from = me ^ play->i };
      play->i <<= 1;
      return;
    }
  *step = play->stage == 1 && me < high ? send_to (me + low, 0) : done;
  play->stage = 2;
}

/* Binomial tree: r receives from r without its lowest bit and sends to
 * r + 2^j for the j below that bit, high to low. */
void
pd_coll_bcast_binomial (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank);
  gint64 bytes = play->args.bytes;

  if (play->stage == 0)
    {
      play->stage = 1;
      play->i = r == 0 ? (play->n > 1 ? pd_floor_power (play->n - 1) : 0) : (r & -r) >> 1;
      if (r != 0)
        {
          *step = recv_from (pd_absolute (play, r & (r - 1)), bytes);
          return;
        }
    }
  while (play->i > 0 && (guint64) r + play->i >= play->n)
    play->i >>= 1;
  if (play->i == 0)
    {
      *step = done;
      return;
    }
  *step = send_to (pd_absolute (play, r + play->i), bytes);
  play->i >>= 1;
}

/* The mirror of bcast: low to high, a local reduction after each receive. */
void
pd_coll_reduce_binomial (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank);
  gint64 bytes = play->args.bytes;

  if (play->stage == 0)
    {
      play->stage = 1;
      play->i = 1;
    }
  if (play->stage == 2) /* after a receive */
    {
      play->stage = 1;
      *step = (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes };
      return;
    }
  for (; play->stage == 1 && play->i < play->n; play->i <<= 1)
    {
      if ((r & play->i) != 0)
        {
          *step = send_to (pd_absolute (play, r - play->i), bytes);
          play->stage = 3;
          return;
        }
      if ((guint64) r + play->i < play->n)
        {
          *step = recv_from (pd_absolute (play, r + play->i), bytes);
          play->i <<= 1;
          play->stage = 2;
          return;
        }
      if (play->i > G_MAXUINT32 / 2)
        break;
    }
  *step = done;
}

/* The root posts all receives; the others send. */
void
pd_coll_gather_linear (PdPlay *play, PdStep *step)
{
  if (play->rank != play->args.root)
    {
      *step =
          play->stage == 0 ? pd_step_send (play->args.root, play->args.bytes, play->rank) : done;
      play->stage = 1;
      return;
    }
  play->stage = 1;
  if (play->i == play->args.root)
    play->i++;
  *step =
      play->i < play->n
          ? pd_step_irecv (play->i, pd_block_of (play, play->args.recv_counts, play->i), play->i)
      : play->i == play->n ? pd_step_waitall ()
                           : done;
  play->i++;
}

/* The root sends to each in rank order. */
void
pd_coll_scatter_linear (PdPlay *play, PdStep *step)
{
  if (play->rank != play->args.root)
    {
      *step =
          play->stage == 0 ? pd_step_recv (play->args.root, play->args.bytes, play->rank) : done;
      play->stage = 1;
      return;
    }
  play->stage = 1;
  if (play->i == play->args.root)
    play->i++;
  *step =
      play->i < play->n
          ? pd_step_isend (play->i, pd_block_of (play, play->args.send_counts, play->i), play->i)
      : play->i == play->n ? pd_step_waitall ()
                           : done;
  play->i++;
}

/* Ring: n - 1 steps, each passes on the block received in the step before. */
void
pd_coll_allgather_ring (PdPlay *play, PdStep *step)
{
  guint32 n = play->n, me = play->rank;
  const gint64 *counts = play->args.recv_counts;

  play->stage = 1;
  if (play->i + 1 >= n)
    {
      *step = done;
      return;
    }
  guint32 sent = (me + n - play->i) % n, received = (me + n - play->i - 1) % n;
  *step = (PdStep){ .kind = PD_STEP_SENDRECV,
                    .to = (me + 1) % n,
                    .from = (me + n - 1) % n,
                    .send_bytes = counts != NULL ? counts[sent] : play->args.bytes,
                    .recv_bytes = counts != NULL ? counts[received] : play->args.bytes,
                    .send_at = sent,
                    .recv_at = received };
  play->i++;
}

/* All receives, then all sends in rank order, the own block copied, Waitall. */
void
pd_coll_alltoall_linear (PdPlay *play, PdStep *step)
{
  guint32 n = play->n, peer = play->i % n;
  gint64 out = play->args.send_counts != NULL ? play->args.send_counts[peer] : play->args.bytes;
  gint64 in = play->args.recv_counts != NULL ? play->args.recv_counts[peer] : play->args.bytes;

  if (play->i == 0 && play->stage == 2)
    {
      *step = done;
      return;
    }
  if (play->stage == 1 && play->i == n)
    {
      *step = (PdStep){ .kind = PD_STEP_WAITALL };
      play->stage = 2;
      play->i = 0;
      return;
    }
  *step = play->stage == 0 ? (PdStep){ .kind = PD_STEP_IRECV, .from = peer, .recv_bytes = in }
                           : (PdStep){ .kind = PD_STEP_ISEND, .to = peer, .send_bytes = out };
  if (peer == play->rank)
    *step = (PdStep){ .kind = PD_STEP_COPY, .send_bytes = play->stage == 0 ? 0 : out };
  play->i++;
  if (play->stage == 0 && play->i == n)
    {
      play->stage = 1;
      play->i = 0;
    }
}

/* A chain: receive, reduce, pass on. */
void
pd_coll_scan_chain (PdPlay *play, PdStep *step)
{
  gint64 bytes = play->args.bytes;
  guint stage = play->rank == 0 && play->stage == 0 ? 2 : play->stage;

  *step = stage == 0   ? recv_from (play->rank - 1, bytes)
          : stage == 1 ? (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes }
          : stage == 2 && play->rank + 1 < play->n ? send_to (play->rank + 1, bytes)
                                                   : done;
  play->stage = stage + 1;
}

/* The whole vector is reduced, before the blocks are dealt out. */
void
pd_coll_reduce_whole (PdPlay *play, PdStep *step)
{
  gint64 block = play->args.bytes;

  if (play->total < 0)
    play->total = pd_blocks_bytes (play, play->args.recv_counts, 0, play->n);
  play->args.bytes = play->total;
  pd_coll_reduce_binomial (play, step);
  play->args.bytes = block;
}

/* The blocks of the result are dealt out. */
void
pd_coll_scatter_result (PdPlay *play, PdStep *step)
{
  const gint64 *counts = play->args.recv_counts;

  play->args.send_counts = counts;
  if (counts != NULL)
    play->args.bytes = counts[play->rank];
  pd_coll_scatter_linear (play, step);
}
