/* The collective operations of MPICH 1.2.5, as the 2004 thesis describes them.
 * Relative ranks are (rank - root) mod n.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-collective-private.h"

static PdStep
send_to (guint32 to, gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_SEND, .to = to, .send_bytes = bytes };
}

static PdStep
recv_from (guint32 from, gint64 bytes)
{
  return (PdStep){ .kind = PD_STEP_RECV, .from = from, .recv_bytes = bytes };
}

static const PdStep done = { .kind = PD_STEP_DONE };

/* The largest power of two <= n. */
static guint32
floor_power (guint32 n)
{
  return 1u << (31 - __builtin_clz (n));
}

static guint32
relative (const PdPlay *play)
{
  return play->rank >= play->args.root ? play->rank - play->args.root
                                       : play->rank + play->n - play->args.root;
}

static guint32
absolute (const PdPlay *play, guint32 r)
{
  return (guint32) (((guint64) r + play->args.root) % play->n);
}

/* Ranks from the power of two on fold onto the lower ones; those pass messages
 * along the edges of a hypercube. */
static void
barrier (PdPlay *play, PdStep *step)
{
  guint32 low = floor_power (play->n), high = play->n - low, me = play->rank;

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
static void
bcast (PdPlay *play, PdStep *step)
{
  guint32 r = relative (play);
  gint64 bytes = play->args.bytes;

  if (play->stage == 0)
    {
      play->stage = 1;
      play->i = r == 0 ? (play->n > 1 ? floor_power (play->n - 1) : 0) : (r & -r) >> 1;
      if (r != 0)
        {
          *step = recv_from (absolute (play, r & (r - 1)), bytes);
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
  *step = send_to (absolute (play, r + play->i), bytes);
  play->i >>= 1;
}

/* The mirror of bcast: low to high, a local reduction after each receive. */
static void
reduce (PdPlay *play, PdStep *step)
{
  guint32 r = relative (play);
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
          *step = send_to (absolute (play, r - play->i), bytes);
          play->stage = 3;
          return;
        }
      if ((guint64) r + play->i < play->n)
        {
          *step = recv_from (absolute (play, r + play->i), bytes);
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
static void
gather (PdPlay *play, PdStep *step)
{
  if (play->rank != play->args.root)
    {
      *step = play->stage == 0 ? send_to (play->args.root, play->args.bytes) : done;
      play->stage = 1;
      return;
    }
  play->stage = 1;
  if (play->i == play->args.root)
    play->i++;
  *step = play->i < play->n
              ? (PdStep){ .kind = PD_STEP_IRECV, .from = play->i, .recv_bytes = play->args.bytes }
          : play->i == play->n ? (PdStep){ .kind = PD_STEP_WAITALL }
                               : done;
  play->i++;
}

/* The root sends to each in rank order. */
static void
scatter (PdPlay *play, PdStep *step)
{
  if (play->rank != play->args.root)
    {
      *step = play->stage == 0 ? recv_from (play->args.root, play->args.bytes) : done;
      play->stage = 1;
      return;
    }
  play->stage = 1;
  if (play->i == play->args.root)
    play->i++;
  *step = play->i < play->n
              ? (PdStep){ .kind = PD_STEP_ISEND, .to = play->i, .send_bytes = play->args.bytes }
          : play->i == play->n ? (PdStep){ .kind = PD_STEP_WAITALL }
                               : done;
  play->i++;
}

/* Ring: n - 1 steps, each passes on the block received in the step before. */
static void
allgather (PdPlay *play, PdStep *step)
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
                    .recv_bytes = counts != NULL ? counts[received] : play->args.bytes };
  play->i++;
}

/* All receives, then all sends in rank order, the own block copied, Waitall. */
static void
alltoallv (PdPlay *play, PdStep *step)
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
static void
scan (PdPlay *play, PdStep *step)
{
  gint64 bytes = play->args.bytes;
  guint stage = play->rank == 0 && play->stage == 0 ? 2 : play->stage;

  *step = stage == 0   ? recv_from (play->rank - 1, bytes)
          : stage == 1 ? (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes }
          : stage == 2 && play->rank + 1 < play->n ? send_to (play->rank + 1, bytes)
                                                   : done;
  play->stage = stage + 1;
}

/* The whole vector is reduced, then the blocks are dealt out. */
static void
reduce_whole (PdPlay *play, PdStep *step)
{
  gint64 block = play->args.bytes;

  play->args.bytes = block > G_MAXINT64 / play->n ? G_MAXINT64 : block * play->n;
  reduce (play, step);
  play->args.bytes = block;
}

const PdCollectiveSet pd_collectives_mpich1 = {
  .name = "mpich1",
  .schedules = {
    [PD_OP_BARRIER] = { "hypercube", { barrier }, { 0 }, FALSE },
    [PD_OP_BCAST] = { "binomial", { bcast }, { 0 }, FALSE },
    [PD_OP_REDUCE] = { "binomial", { reduce }, { 0 }, FALSE },
    [PD_OP_ALLREDUCE] = { "reduce-bcast", { reduce, bcast }, { 0 }, FALSE },
    [PD_OP_GATHER] = { "linear", { gather }, { 0 }, FALSE },
    [PD_OP_SCATTER] = { "linear", { scatter }, { 0 }, FALSE },
    [PD_OP_ALLGATHER] = { "ring", { allgather }, { 0 }, FALSE },
    [PD_OP_ALLGATHERV] = { "ring", { allgather }, { 0 }, FALSE },
    [PD_OP_ALLTOALL] = { "linear", { alltoallv }, { 0 }, FALSE },
    [PD_OP_ALLTOALLV] = { "linear", { alltoallv }, { 0 }, FALSE },
    [PD_OP_SCAN] = { "chain", { scan }, { 0 }, FALSE },
    [PD_OP_REDUCE_SCATTER] = { "reduce-scatter", { reduce_whole, scatter }, { 0 }, FALSE },
    [PD_OP_COMM_DUP] = { "allreduce", { reduce, bcast }, { 4, 4 }, TRUE },
    [PD_OP_COMM_CREATE] = { "barrier-allgather", { barrier, allgather }, { 0, 4 }, TRUE },
    [PD_OP_COMM_SPLIT] = { "allgather-allreduce", { allgather, reduce, bcast }, { 8, 4, 4 }, TRUE },
  },
};
