/* The collective operations of MPICH 1.2.5, as the 2004 thesis describes them.
 * Relative ranks are (rank - root) mod n.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

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
pd_coll_barrier_fold (PdExecution *exec, PdStep *step)
{
  guint32 low = pd_floor_power (exec->n), high = exec->n - low, me = exec->rank;

  if (me >= low)
    {
      *step = exec->stage == 0   ? send_to (me - low, 0)
              : exec->stage == 1 ? recv_from (me - low, 0)
                                 : done;
      exec->stage++;
      return;
    }
  if (exec->stage == 0)
    {
      exec->stage = 1;
      exec->i = 1;
      if (me < high)
        {
          *step = recv_from (me + low, 0);
          return;
        }
    }
  if (exec->stage == 1 && exec->i < low)
    {
      *step = (PdStep){ .kind = PD_STEP_SENDRECV, .to = me ^ exec->i, .from = me ^ exec->i };
      exec->i <<= 1;
      return;
    }
  *step = exec->stage == 1 && me < high ? send_to (me + low, 0) : done;
  exec->stage = 2;
}

/* Binomial tree: r receives from r without its lowest bit and sends to
 * r + 2^j for the j below that bit, high to low. */
void
pd_coll_bcast_binomial (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank);
  gint64 bytes = exec->args.bytes;

  if (exec->stage == 0)
    {
      exec->stage = 1;
      exec->i = r == 0 ? (exec->n > 1 ? pd_floor_power (exec->n - 1) : 0) : (r & -r) >> 1;
      if (r != 0)
        {
          *step = recv_from (pd_absolute (exec, r & (r - 1)), bytes);
          return;
        }
    }
  while (exec->i > 0 && (guint64) r + exec->i >= exec->n)
    exec->i >>= 1;
  if (exec->i == 0)
    {
      *step = done;
      return;
    }
  *step = send_to (pd_absolute (exec, r + exec->i), bytes);
  exec->i >>= 1;
}

/* The mirror of bcast: low to high, a local reduction after each receive. */
void
pd_coll_reduce_binomial (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank);
  gint64 bytes = exec->args.bytes;

  if (exec->stage == 0)
    {
      exec->stage = 1;
      exec->i = 1;
    }
  if (exec->stage == 2) /* after a receive */
    {
      exec->stage = 1;
      *step = (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes };
      return;
    }
  for (; exec->stage == 1 && exec->i < exec->n; exec->i <<= 1)
    {
      if ((r & exec->i) != 0)
        {
          *step = send_to (pd_absolute (exec, r - exec->i), bytes);
          exec->stage = 3;
          return;
        }
      if ((guint64) r + exec->i < exec->n)
        {
          *step = recv_from (pd_absolute (exec, r + exec->i), bytes);
          exec->i <<= 1;
          exec->stage = 2;
          return;
        }
      if (exec->i > G_MAXUINT32 / 2)
        break;
    }
  *step = done;
}

/* The root posts all receives; the others send. */
void
pd_coll_gather_linear (PdExecution *exec, PdStep *step)
{
  if (exec->rank != exec->args.root)
    {
      *step =
          exec->stage == 0 ? pd_step_send (exec->args.root, exec->args.bytes, exec->rank) : done;
      exec->stage = 1;
      return;
    }
  exec->stage = 1;
  if (exec->i == exec->args.root)
    exec->i++;
  *step =
      exec->i < exec->n
          ? pd_step_irecv (exec->i, pd_block_of (exec, exec->args.recv_counts, exec->i), exec->i)
      : exec->i == exec->n ? pd_step_waitall ()
                           : done;
  exec->i++;
}

/* The root sends to each in rank order. */
void
pd_coll_scatter_linear (PdExecution *exec, PdStep *step)
{
  if (exec->rank != exec->args.root)
    {
      *step =
          exec->stage == 0 ? pd_step_recv (exec->args.root, exec->args.bytes, exec->rank) : done;
      exec->stage = 1;
      return;
    }
  exec->stage = 1;
  if (exec->i == exec->args.root)
    exec->i++;
  *step =
      exec->i < exec->n
          ? pd_step_isend (exec->i, pd_block_of (exec, exec->args.send_counts, exec->i), exec->i)
      : exec->i == exec->n ? pd_step_waitall ()
                           : done;
  exec->i++;
}

/* Ring: n - 1 steps, each passes on the block received in the step before. */
void
pd_coll_allgather_ring (PdExecution *exec, PdStep *step)
{
  guint32 n = exec->n, me = exec->rank;
  const gint64 *counts = exec->args.recv_counts;

  exec->stage = 1;
  if (exec->i + 1 >= n)
    {
      *step = done;
      return;
    }
  guint32 sent = (me + n - exec->i) % n, received = (me + n - exec->i - 1) % n;
  *step = (PdStep){ .kind = PD_STEP_SENDRECV,
                    .to = (me + 1) % n,
                    .from = (me + n - 1) % n,
                    .send_bytes = counts != NULL ? counts[sent] : exec->args.bytes,
                    .recv_bytes = counts != NULL ? counts[received] : exec->args.bytes,
                    .send_at = sent,
                    .recv_at = received };
  exec->i++;
}

/* All receives, then all sends in rank order, the own block copied, Waitall. */
void
pd_coll_alltoall_linear (PdExecution *exec, PdStep *step)
{
  guint32 n = exec->n, peer = exec->i % n;
  gint64 out = exec->args.send_counts != NULL ? exec->args.send_counts[peer] : exec->args.bytes;
  gint64 in = exec->args.recv_counts != NULL ? exec->args.recv_counts[peer] : exec->args.bytes;

  if (exec->i == 0 && exec->stage == 2)
    {
      *step = done;
      return;
    }
  if (exec->stage == 1 && exec->i == n)
    {
      *step = (PdStep){ .kind = PD_STEP_WAITALL };
      exec->stage = 2;
      exec->i = 0;
      return;
    }
  *step = exec->stage == 0 ? (PdStep){ .kind = PD_STEP_IRECV, .from = peer, .recv_bytes = in }
                           : (PdStep){ .kind = PD_STEP_ISEND, .to = peer, .send_bytes = out };
  if (peer == exec->rank)
    *step = (PdStep){ .kind = PD_STEP_COPY, .send_bytes = exec->stage == 0 ? 0 : out };
  exec->i++;
  if (exec->stage == 0 && exec->i == n)
    {
      exec->stage = 1;
      exec->i = 0;
    }
}

/* A chain: receive, reduce, pass on. */
void
pd_coll_scan_chain (PdExecution *exec, PdStep *step)
{
  gint64 bytes = exec->args.bytes;
  guint stage = exec->rank == 0 && exec->stage == 0 ? 2 : exec->stage;

  *step = stage == 0   ? recv_from (exec->rank - 1, bytes)
          : stage == 1 ? (PdStep){ .kind = PD_STEP_REDUCE, .send_bytes = bytes }
          : stage == 2 && exec->rank + 1 < exec->n ? send_to (exec->rank + 1, bytes)
                                                   : done;
  exec->stage = stage + 1;
}

/* The whole vector is reduced, before the blocks are dealt out. */
void
pd_coll_reduce_whole (PdExecution *exec, PdStep *step)
{
  gint64 block = exec->args.bytes;

  if (exec->total < 0)
    exec->total = pd_blocks_bytes (exec, exec->args.recv_counts, 0, exec->n);
  exec->args.bytes = exec->total;
  pd_coll_reduce_binomial (exec, step);
  exec->args.bytes = block;
}

/* The blocks of the result are dealt out. */
void
pd_coll_scatter_result (PdExecution *exec, PdStep *step)
{
  const gint64 *counts = exec->args.recv_counts;

  exec->args.send_counts = counts;
  if (counts != NULL)
    exec->args.bytes = counts[exec->rank];
  pd_coll_scatter_linear (exec, step);
}
