/* Schedules that move runs of pieces: Gather, Scatter, Allgather, and the halves
 * of Bcast and Allreduce that are made like those. Piece i is the block of rank
 * i of the operation, or the i-th of n parts of its vector; pieces and ranks are
 * relative to the root.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* ---- pieces */

static gboolean
has_vector (const PdPlay *play)
{
  return play->args.op == PD_OP_BCAST || play->args.op == PD_OP_ALLREDUCE;
}

static const gint64 *
get_counts (const PdPlay *play)
{
  return play->args.recv_counts != NULL ? play->args.recv_counts : play->args.send_counts;
}

/* Of @count pieces from @first on, in circular order. */
static gint64
span_bytes (const PdPlay *play, guint32 first, guint32 count)
{
  gint64 bytes = play->args.bytes;
  guint32 n = play->n, end = first + count;

  if (!has_vector (play))
    return pd_blocks_bytes (play, get_counts (play), pd_absolute (play, first), count);
  if (end <= n)
    return pd_piece_bytes (bytes, n, first, end);
  return pd_piece_bytes (bytes, n, first, n) + pd_piece_bytes (bytes, n, 0, end - n);
}

static gint64
span_at (const PdPlay *play, guint32 first)
{
  return has_vector (play) ? pd_piece_at (play->args.bytes, play->n, first)
                           : (gint64) pd_absolute (play, first);
}

typedef struct
{
  guint32 first;
  guint32 count;
} Span;

/* Sends @out to @to and receives @in from @from, ranks relative to the root. */
static PdStep
exchange (const PdPlay *play, guint32 to, Span out, guint32 from, Span in)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = pd_absolute (play, to),
                   .from = pd_absolute (play, from),
                   .send_bytes = span_bytes (play, out.first, out.count),
                   .recv_bytes = span_bytes (play, in.first, in.count),
                   .send_at = span_at (play, out.first),
                   .recv_at = span_at (play, in.first) };
}

static guint32
plus (const PdPlay *play, guint32 r, guint32 by)
{
  return (guint32) (((guint64) r + by) % play->n);
}

static guint32
minus (const PdPlay *play, guint32 r, guint32 by)
{
  return (guint32) (((guint64) r + play->n - by) % play->n);
}

/* ---- binomial trees: r has the pieces from r to before r + 2^m, m its trailing
 * zero bits, those that exist */

static guint32
subtree_size (const PdPlay *play, guint32 r)
{
  guint32 rest = play->n - r;

  return r == 0 ? rest : MIN (rest, r & -r);
}

void
pd_coll_gather_binomial (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), size = subtree_size (play, r);

  *step = pd_step_done ();
  if (play->stage > 0)
    return;
  play->i = play->i == 0 ? 1 : play->i << 1;
  if (play->i < size)
    {
      guint32 child = r + play->i, count = MIN (play->i, play->n - child);
      *step = pd_step_recv (pd_absolute (play, child), span_bytes (play, child, count),
                            span_at (play, child));
      return;
    }
  play->stage = 1;
  if (r != 0)
    *step = pd_step_send (pd_absolute (play, r & (r - 1)), span_bytes (play, r, size),
                          span_at (play, r));
}

void
pd_coll_scatter_binomial (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), size = subtree_size (play, r);

  if (play->stage == 0)
    {
      play->stage = 1;
      play->i = size > 1 ? pd_floor_power (size - 1) : 0;
      if (r != 0)
        {
          *step = pd_step_recv (pd_absolute (play, r & (r - 1)), span_bytes (play, r, size),
                                span_at (play, r));
          return;
        }
    }
  *step = pd_step_done ();
  if (play->i == 0)
    return;
  guint32 child = r + play->i, count = MIN (play->i, play->n - child);
  *step = pd_step_send (pd_absolute (play, child), span_bytes (play, child, count),
                        span_at (play, child));
  play->i >>= 1;
}

/* ---- everybody has its piece and gets the others */

/* Ring: each passes on what it received in the step before. */
void
pd_coll_spread_ring (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), k = play->i++;

  *step = k + 1 >= play->n ? pd_step_done ()
                           : exchange (play, plus (play, r, 1), (Span){ minus (play, r, k), 1 },
                                       minus (play, r, 1), (Span){ minus (play, r, k + 1), 1 });
}

/* Recursive doubling, for a power of two. */
void
pd_coll_spread_doubling (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank);

  play->i = play->i == 0 ? 1 : play->i << 1;
  guint32 have = play->i, peer = r ^ have;
  *step = have >= play->n || have == 0 ? pd_step_done ()
                                       : exchange (play, peer, (Span){ r & -have, have }, peer,
                                                   (Span){ peer & -have, have });
}

/* In round k the pieces from the own one on, 2^k of them, go to the rank 2^k
 * before (J. Bruck and others, "Efficient algorithms for all-to-all
 * communications in multiport message-passing systems", 1997). */
void
pd_coll_spread_bruck (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank);

  play->i = play->i == 0 ? 1 : play->i << 1;
  if (play->i >= play->n || play->i == 0)
    {
      *step = pd_step_done ();
      return;
    }
  guint32 count = MIN (play->i, play->n - play->i), from = plus (play, r, play->i);
  *step =
      exchange (play, minus (play, r, play->i), (Span){ r, count }, from, (Span){ from, count });
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
pd_coll_spread_neighbors (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), k = play->i++, n = play->n;
  gboolean upwards = (r % 2 == 0) == (k % 2 == 0);

  *step = pd_step_done ();
  if (2 * (guint64) k >= n)
    return;
  guint32 peer = upwards ? plus (play, r, 1) : minus (play, r, 1);
  if (k == 0)
    {
      *step = exchange (play, peer, (Span){ r, 1 }, peer, (Span){ peer, 1 });
      return;
    }
  guint32 mine = pair_of (r, k - 1, n), theirs = pair_of (peer, k - 1, n);
  *step = exchange (play, peer, (Span){ mine, 2 }, peer, (Span){ theirs, 2 });
}

/* Both have all. */
void
pd_coll_spread_two (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), peer = 1 - r;

  *step = play->stage++ == 0 ? exchange (play, peer, (Span){ r, 1 }, peer, (Span){ peer, 1 })
                             : pd_step_done ();
}

/* Rank 0 gathers the pieces. */
void
pd_coll_gather_gathered (PdPlay *play, PdStep *step)
{
  gint64 block = play->args.bytes;

  play->args.bytes = pd_block_of (play, play->args.recv_counts, play->rank);
  pd_coll_gather_linear (play, step);
  play->args.bytes = block;
}

/* All pieces, from rank 0. */
void
pd_coll_bcast_gathered (PdPlay *play, PdStep *step)
{
  gint64 block = play->args.bytes;

  if (play->total < 0)
    play->total = pd_blocks_bytes (play, get_counts (play), 0, play->n);
  play->args.bytes = play->total;
  pd_coll_bcast_binomial (play, step);
  play->args.bytes = block;
}

/* ---- reductions round the ring: everybody ends with the sum of its piece */

void
pd_coll_reduce_ring (PdPlay *play, PdStep *step)
{
  guint32 r = pd_relative (play, play->rank), k = play->i;

  *step = pd_step_done ();
  if (k + 1 >= play->n)
    return;
  Span out = { minus (play, r, 1 + k), 1 };
  Span in = { minus (play, minus (play, r, 1), 1 + k), 1 };
  if (play->stage == 1)
    {
      *step = pd_step_reduce (span_bytes (play, in.first, 1));
      play->stage = 0;
      play->i++;
      return;
    }
  *step = exchange (play, plus (play, r, 1), out, minus (play, r, 1), in);
  play->stage = 1;
}

/* The same of a part of each piece after the other, so that no message is
 * larger than a segment. */
void
pd_coll_reduce_ring_segments (PdPlay *play, PdStep *step)
{
  guint32 n = play->n, me = play->rank;
  gint64 bytes = play->args.bytes, largest = pd_piece_bytes (bytes, n, 0, 1);
  guint32 phases = play->segment > 0 && largest > play->segment
                       ? (guint32) MIN ((largest - 1) / play->segment + 1, 65536)
                       : 1;

  *step = pd_step_done ();
  if (n == 1 || play->j >= phases)
    return;
  pd_coll_reduce_ring (play, step);
  if (step->kind == PD_STEP_DONE)
    {
      play->i = 0;
      play->j++;
      if (play->j >= phases)
        return;
      pd_coll_reduce_ring (play, step);
    }
  guint32 k = step->kind == PD_STEP_REDUCE ? play->i - 1 : play->i;
  guint32 out = minus (play, me, 1 + k), in = minus (play, minus (play, me, 1), 1 + k);
  gint64 out_bytes = pd_piece_bytes (bytes, n, out, out + 1);
  gint64 in_bytes = pd_piece_bytes (bytes, n, in, in + 1);
  step->recv_bytes = pd_piece_bytes (in_bytes, phases, play->j, play->j + 1);
  step->recv_at = pd_piece_at (bytes, n, in) + pd_piece_at (in_bytes, phases, play->j);
  if (step->kind == PD_STEP_REDUCE)
    *step = pd_step_reduce (step->recv_bytes);
  else
    {
      step->send_bytes = pd_piece_bytes (out_bytes, phases, play->j, play->j + 1);
      step->send_at = pd_piece_at (bytes, n, out) + pd_piece_at (out_bytes, phases, play->j);
    }
}
