/* Schedules that move runs of pieces: Gather, Scatter, Allgather, and the halves
 * of Bcast and Allreduce that are made like those. Piece i is the block of rank
 * i of the operation, or the i-th of n parts of its vector; pieces and ranks are
 * relative to the root.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

/* ---- pieces */

static gboolean
has_vector (const PdExecution *exec)
{
  return exec->args.op == PD_OP_BCAST || exec->args.op == PD_OP_ALLREDUCE;
}

static const gint64 *
get_counts (const PdExecution *exec)
{
  return exec->args.recv_counts != NULL ? exec->args.recv_counts : exec->args.send_counts;
}

/* Of @count pieces from @first on, in circular order. */
static gint64
span_bytes (const PdExecution *exec, guint32 first, guint32 count)
{
  gint64 bytes = exec->args.bytes;
  guint32 n = exec->n, end = first + count;

  if (!has_vector (exec))
    return pd_blocks_bytes (exec, get_counts (exec), pd_absolute (exec, first), count);
  if (end <= n)
    return pd_piece_bytes (bytes, n, first, end);
  return pd_piece_bytes (bytes, n, first, n) + pd_piece_bytes (bytes, n, 0, end - n);
}

static gint64
span_at (const PdExecution *exec, guint32 first)
{
  return has_vector (exec) ? pd_piece_at (exec->args.bytes, exec->n, first)
                           : (gint64) pd_absolute (exec, first);
}

typedef struct
{
  guint32 first;
  guint32 count;
} Span;

/* Sends @out to @to and receives @in from @from, ranks relative to the root. */
static PdStep
exchange (const PdExecution *exec, guint32 to, Span out, guint32 from, Span in)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = pd_absolute (exec, to),
                   .from = pd_absolute (exec, from),
                   .send_bytes = span_bytes (exec, out.first, out.count),
                   .recv_bytes = span_bytes (exec, in.first, in.count),
                   .send_at = span_at (exec, out.first),
                   .recv_at = span_at (exec, in.first) };
}

static guint32
plus (const PdExecution *exec, guint32 r, guint32 by)
{
  return (guint32) (((guint64) r + by) % exec->n);
}

static guint32
minus (const PdExecution *exec, guint32 r, guint32 by)
{
  return (guint32) (((guint64) r + exec->n - by) % exec->n);
}

/* ---- binomial trees: r has the pieces from r to before r + 2^m, m its trailing
 * zero bits, those that exist */

static guint32
subtree_size (const PdExecution *exec, guint32 r)
{
  guint32 rest = exec->n - r;

  return r == 0 ? rest : MIN (rest, r & -r);
}

void
pd_coll_gather_binomial (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), size = subtree_size (exec, r);

  *step = pd_step_done ();
  if (exec->stage > 0)
    return;
  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  if (exec->i < size)
    {
      guint32 child = r + exec->i, count = MIN (exec->i, exec->n - child);
      *step = pd_step_recv (pd_absolute (exec, child), span_bytes (exec, child, count),
                            span_at (exec, child));
      return;
    }
  exec->stage = 1;
  if (r != 0)
    *step = pd_step_send (pd_absolute (exec, r & (r - 1)), span_bytes (exec, r, size),
                          span_at (exec, r));
}

void
pd_coll_scatter_binomial (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), size = subtree_size (exec, r);

  if (exec->stage == 0)
    {
      exec->stage = 1;
      exec->i = size > 1 ? pd_floor_power (size - 1) : 0;
      if (r != 0)
        {
          *step = pd_step_recv (pd_absolute (exec, r & (r - 1)), span_bytes (exec, r, size),
                                span_at (exec, r));
          return;
        }
    }
  *step = pd_step_done ();
  if (exec->i == 0)
    return;
  guint32 child = r + exec->i, count = MIN (exec->i, exec->n - child);
  *step = pd_step_send (pd_absolute (exec, child), span_bytes (exec, child, count),
                        span_at (exec, child));
  exec->i >>= 1;
}

/* ---- everybody has its piece and gets the others */

/* Ring: each passes on what it received in the step before. */
void
pd_coll_spread_ring (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), k = exec->i++;

  *step = k + 1 >= exec->n ? pd_step_done ()
                           : exchange (exec, plus (exec, r, 1), (Span){ minus (exec, r, k), 1 },
                                       minus (exec, r, 1), (Span){ minus (exec, r, k + 1), 1 });
}

/* Recursive doubling, for a power of two. */
void
pd_coll_spread_doubling (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank);

  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  guint32 have = exec->i, peer = r ^ have;
  *step = have >= exec->n || have == 0 ? pd_step_done ()
                                       : exchange (exec, peer, (Span){ r & -have, have }, peer,
                                                   (Span){ peer & -have, have });
}

/* In round k the pieces from the own one on, 2^k of them, go to the rank 2^k
 * before (J. Bruck and others, "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", 1997). */
void
pd_coll_spread_bruck (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank);

  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  if (exec->i >= exec->n || exec->i == 0)
    {
      *step = pd_step_done ();
      return;
    }
  guint32 count = MIN (exec->i, exec->n - exec->i), from = plus (exec, r, exec->i);
  *step =
      exchange (exec, minus (exec, r, exec->i), (Span){ r, count }, from, (Span){ from, count });
}

/* The pair of pieces that @r gets in step @k of the schedule below: at first its
 * own and its neighbour's, then from alternating sides, further and further away. */
static guint32
pair_of (guint32 r, guint32 k, guint32 n)
{
  guint32 base = r & ~1u, distance = 2 * ((k + 1) / 2);
  gboolean upwards = (k % 2 == 0) == (r % 2 == 0);

  return (guint32) (((guint64) base + (upwards ? distance : n - distance)) % n);
}

/* Neighbours in turn exchange what the others gave them, two pieces at a time,
 * for an even number (J. Chen and others, "Performance evaluation of allgather
 * algorithms on terascale Linux cluster with fast Ethernet", 2005). Even r and
 * r + 1 begin; in step k the pair that r got before goes on. */
void
pd_coll_spread_neighbors (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), k = exec->i++, n = exec->n;
  gboolean upwards = (r % 2 == 0) == (k % 2 == 0);

  *step = pd_step_done ();
  if (2 * (guint64) k >= n)
    return;
  guint32 peer = upwards ? plus (exec, r, 1) : minus (exec, r, 1);
  if (k == 0)
    {
      *step = exchange (exec, peer, (Span){ r, 1 }, peer, (Span){ peer, 1 });
      return;
    }
  guint32 mine = pair_of (r, k - 1, n), theirs = pair_of (peer, k - 1, n);
  *step = exchange (exec, peer, (Span){ mine, 2 }, peer, (Span){ theirs, 2 });
}

/* Both have all. */
void
pd_coll_spread_two (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), peer = 1 - r;

  *step = exec->stage++ == 0 ? exchange (exec, peer, (Span){ r, 1 }, peer, (Span){ peer, 1 })
                             : pd_step_done ();
}

/* Rank 0 gathers the pieces. */
void
pd_coll_gather_gathered (PdExecution *exec, PdStep *step)
{
  gint64 block = exec->args.bytes;

  exec->args.bytes = pd_block_of (exec, exec->args.recv_counts, exec->rank);
  pd_coll_gather_linear (exec, step);
  exec->args.bytes = block;
}

/* All pieces, from rank 0. */
void
pd_coll_bcast_gathered (PdExecution *exec, PdStep *step)
{
  gint64 block = exec->args.bytes;

  if (exec->total < 0)
    exec->total = pd_blocks_bytes (exec, get_counts (exec), 0, exec->n);
  exec->args.bytes = exec->total;
  pd_coll_bcast_binomial (exec, step);
  exec->args.bytes = block;
}

/* ---- reductions round the ring: everybody ends with the sum of its piece */

void
pd_coll_reduce_ring (PdExecution *exec, PdStep *step)
{
  guint32 r = pd_relative (exec, exec->rank), k = exec->i;

  *step = pd_step_done ();
  if (k + 1 >= exec->n)
    return;
  Span out = { minus (exec, r, 1 + k), 1 };
  Span in = { minus (exec, minus (exec, r, 1), 1 + k), 1 };
  if (exec->stage == 1)
    {
      *step = pd_step_reduce (span_bytes (exec, in.first, 1));
      exec->stage = 0;
      exec->i++;
      return;
    }
  *step = exchange (exec, plus (exec, r, 1), out, minus (exec, r, 1), in);
  exec->stage = 1;
}

/* The same of a part of each piece after the other, so that no message is
 * larger than a segment. */
void
pd_coll_reduce_ring_segments (PdExecution *exec, PdStep *step)
{
  guint32 n = exec->n, me = exec->rank;
  gint64 bytes = exec->args.bytes, largest = pd_piece_bytes (bytes, n, 0, 1);
  guint32 phases = exec->segment > 0 && largest > exec->segment
                       ? (guint32) MIN ((largest - 1) / exec->segment + 1, 65536)
                       : 1;

  *step = pd_step_done ();
  if (n == 1 || exec->j >= phases)
    return;
  pd_coll_reduce_ring (exec, step);
  if (step->kind == PD_STEP_DONE)
    {
      exec->i = 0;
      exec->j++;
      if (exec->j >= phases)
        return;
      pd_coll_reduce_ring (exec, step);
    }
  guint32 k = step->kind == PD_STEP_REDUCE ? exec->i - 1 : exec->i;
  guint32 out = minus (exec, me, 1 + k), in = minus (exec, minus (exec, me, 1), 1 + k);
  gint64 out_bytes = pd_piece_bytes (bytes, n, out, out + 1);
  gint64 in_bytes = pd_piece_bytes (bytes, n, in, in + 1);
  step->recv_bytes = pd_piece_bytes (in_bytes, phases, exec->j, exec->j + 1);
  step->recv_at = pd_piece_at (bytes, n, in) + pd_piece_at (in_bytes, phases, exec->j);
  if (step->kind == PD_STEP_REDUCE)
    *step = pd_step_reduce (step->recv_bytes);
  else
    {
      step->send_bytes = pd_piece_bytes (out_bytes, phases, exec->j, exec->j + 1);
      step->send_at = pd_piece_at (bytes, n, out) + pd_piece_at (out_bytes, phases, exec->j);
    }
}
