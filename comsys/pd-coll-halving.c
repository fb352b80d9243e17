/* Schedules of reductions that halve the vector from step to step, for a power of
 * two of places (see pd_fold): Rabenseifner's Allreduce and Reduce
 * (R. Rabenseifner, "Optimization of Collective Reduction Operations", 2004), and
 * those of Reduce_scatter; there are some that do not halve, too.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* ---- doubling distances: after the steps with bits 1 … b a place has the part
 * of the vector that the bits name, the lowest one its half */

typedef struct
{
  guint32 first; /* pieces, of as many as places */
  guint32 count;
} Run;

/* What @place has of @n pieces after the steps with the bits below @bit. */
static Run
run_of (guint32 place, guint32 n, guint32 bit)
{
  Run run = { 0, n };

  for (guint32 b = 1; b < bit; b <<= 1)
    {
      run.count /= 2;
      if ((place & b) != 0)
        run.first += run.count;
    }
  return run;
}

/* The half of @run that goes with the value of a bit. */
static Run
half_of (Run run, gboolean upper)
{
  guint32 half = run.count / 2;

  return (Run){ upper ? run.first + half : run.first, half };
}

static gint64
run_bytes (const PdPlay *play, Run run)
{
  return pd_piece_bytes (play->args.bytes, pd_floor_power (play->n), run.first,
                         run.first + run.count);
}

static gint64
run_at (const PdPlay *play, Run run)
{
  return pd_piece_at (play->args.bytes, pd_floor_power (play->n), run.first);
}

static PdStep
exchange (const PdPlay *play, guint32 peer, Run out, Run in)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = peer,
                   .from = peer,
                   .send_bytes = run_bytes (play, out),
                   .recv_bytes = run_bytes (play, in),
                   .send_at = run_at (play, out),
                   .recv_at = run_at (play, in) };
}

enum
{
  HALVE = 2,
  HALVED, /* a half has come */
  DOUBLE,
  LAST,
};

/* The next step of the halving; FALSE: it is over. @place and @peer_of: who takes
 * part. */
static gboolean
halve (PdPlay *play, PdStep *step, guint32 place,
       guint32 (*peer_of) (const PdPlay *play, guint32 place))
{
  guint32 n = pd_floor_power (play->n);

  if (play->stage == HALVED)
    {
      *step = pd_step_reduce (
          run_bytes (play, half_of (run_of (place, n, play->i), (place & play->i) != 0)));
      play->stage = HALVE;
      return TRUE;
    }
  play->i = play->i == 0 ? 1 : play->i << 1;
  if (play->i >= n)
    return FALSE;
  Run run = run_of (place, n, play->i);
  gboolean upper = (place & play->i) != 0;
  *step =
      exchange (play, peer_of (play, place ^ play->i), half_of (run, !upper), half_of (run, upper));
  play->stage = HALVED;
  return TRUE;
}

void
pd_coll_allreduce_rabenseifner (PdPlay *play, PdStep *step)
{
  gint64 bytes = play->args.bytes;
  const PdFold fold = { .last = LAST, .bytes = bytes, .back = bytes };
  guint32 n = pd_floor_power (play->n), place = pd_folded (play, play->rank);

  if (pd_fold (play, step, &fold))
    return;
  if (play->stage < DOUBLE)
    {
      if (halve (play, step, place, pd_unfolded))
        return;
      play->stage = DOUBLE;
      play->i = n;
    }
  play->i >>= 1;
  if (play->i == 0)
    {
      play->stage = LAST;
      pd_fold (play, step, &fold);
      return;
    }
  Run run = run_of (place, n, play->i);
  gboolean upper = (place & play->i) != 0;
  *step = exchange (play, pd_unfolded (play, place ^ play->i), half_of (run, upper),
                    half_of (run, !upper));
}

/* ---- Reduce: of a pair the root takes part, otherwise the even one */

static guint32
reduce_peer (const PdPlay *play, guint32 place)
{
  guint32 rest = play->n - pd_floor_power (play->n), root = play->args.root;

  return place >= rest ? place + rest : root == 2 * place + 1 ? root : 2 * place;
}

/* The odd one of a pair, or the even one beside the root, gives its vector away
 * and is done. FALSE: it takes part. */
static gboolean
fold_for_root (PdPlay *play, PdStep *step)
{
  guint32 rest = play->n - pd_floor_power (play->n), me = play->rank;
  guint32 partner = me ^ 1;

  if (play->stage >= HALVE)
    return FALSE;
  if (me >= 2 * rest)
    {
      play->stage = HALVE;
      return FALSE;
    }
  if (reduce_peer (play, me / 2) == me)
    {
      *step = play->stage == 0 ? pd_step_recv (partner, play->args.bytes, 0)
                               : pd_step_reduce (play->args.bytes);
      play->stage++;
      return TRUE;
    }
  *step = play->stage == 0 ? pd_step_send (partner, play->args.bytes, 0) : pd_step_done ();
  play->stage = 1;
  return TRUE;
}

/* After the halving the parts go to the root, together with what has come. */
void
pd_coll_reduce_rabenseifner (PdPlay *play, PdStep *step)
{
  guint32 n = pd_floor_power (play->n), place = pd_folded (play, play->rank);
  guint32 root_place = pd_folded (play, play->args.root);

  if (fold_for_root (play, step))
    return;
  if (play->stage < DOUBLE)
    {
      if (halve (play, step, place, reduce_peer))
        return;
      play->stage = DOUBLE;
      play->i = n;
    }
  play->i >>= 1;
  *step = pd_step_done ();
  if (play->i == 0 || play->stage == LAST)
    {
      play->i = 1; /* 0 from the next call on, too */
      play->stage = LAST;
      return;
    }
  guint32 peer = reduce_peer (play, place ^ play->i);
  Run run = run_of (place, n, play->i);
  gboolean upper = (place & play->i) != 0;
  Run own = half_of (run, upper), other = half_of (run, !upper);
  if (((place ^ root_place) & play->i) == 0)
    {
      *step = pd_step_recv (peer, run_bytes (play, other), run_at (play, other));
      return;
    }
  *step = pd_step_send (peer, run_bytes (play, own), run_at (play, own));
  play->stage = LAST;
}

/* ---- Reduce_scatter: places have the blocks of their ranks */

/* The first block of a place; of the number of places: n. */
static guint32
block_of (const PdPlay *play, guint32 place)
{
  guint32 rest = play->n - pd_floor_power (play->n);

  return place < rest ? 2 * place : place + rest;
}

static gint64
places_bytes (const PdPlay *play, guint32 first, guint32 end)
{
  guint32 block = block_of (play, first);

  return pd_blocks_bytes (play, play->args.recv_counts, block, block_of (play, end) - block);
}

static gint64
total_of (PdPlay *play)
{
  if (play->total < 0)
    play->total = pd_blocks_bytes (play, play->args.recv_counts, 0, play->n);
  return play->total;
}

/* What is given to, and back from, the odd one of a pair. */
static PdFold
fold_blocks (PdPlay *play)
{
  guint32 even = play->rank & ~1u;

  return (PdFold){ .last = LAST,
                   .bytes = total_of (play),
                   .back = pd_block_of (play, play->args.recv_counts, even),
                   .back_at = even };
}

/* Exchanges of places @out … for places @in …, @count of each. */
static PdStep
exchange_places (const PdPlay *play, guint32 peer, guint32 out, guint32 in, guint32 count)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = peer,
                   .from = peer,
                   .send_bytes = places_bytes (play, out, out + count),
                   .recv_bytes = places_bytes (play, in, in + count),
                   .send_at = block_of (play, out),
                   .recv_at = block_of (play, in) };
}

/* Recursive halving: the distance halves, too. */
void
pd_coll_reduce_scatter_halving (PdPlay *play, PdStep *step)
{
  const PdFold fold = fold_blocks (play);
  guint32 n = pd_floor_power (play->n), place = pd_folded (play, play->rank);

  if (pd_fold (play, step, &fold))
    return;
  if (play->stage == HALVED)
    {
      *step = pd_step_reduce (places_bytes (play, place & -play->i, (place & -play->i) + play->i));
      play->stage = HALVE;
      return;
    }
  play->i = play->i == 0 ? n / 2 : play->i >> 1;
  if (play->i == 0)
    {
      play->stage = LAST;
      pd_fold (play, step, &fold);
      return;
    }
  guint32 other = (place ^ play->i) & -play->i, own = place & -play->i;
  *step = exchange_places (play, pd_unfolded (play, place ^ play->i), other, own, play->i);
  play->stage = HALVED;
}

static guint32
reverse_bits (guint32 place, guint32 n)
{
  guint32 reversed = 0;

  for (guint32 bit = 1; bit < n; bit <<= 1)
    reversed = reversed << 1 | ((place & bit) != 0 ? 1 : 0);
  return reversed;
}

/* What place @holder has at the end of a butterfly goes to place @owner. */
static PdStep
hand_over (const PdPlay *play, guint32 owner, guint32 holder)
{
  guint32 place = pd_folded (play, play->rank);
  gint64 out = places_bytes (play, owner, owner + 1);
  gint64 in = places_bytes (play, place, place + 1);

  return (PdStep){
    PD_STEP_SENDRECV,       pd_unfolded (play, owner), pd_unfolded (play, holder), out, in,
    block_of (play, owner), block_of (play, place)
  };
}

/* Butterfly: the distance doubles, so that places end with each other's parts. */
void
pd_coll_reduce_scatter_butterfly (PdPlay *play, PdStep *step)
{
  const PdFold fold = fold_blocks (play);
  guint32 n = pd_floor_power (play->n), place = pd_folded (play, play->rank);

  if (pd_fold (play, step, &fold))
    return;
  Run run = run_of (place, n, MAX (play->i, 1) << 1);
  if (play->stage == HALVED)
    {
      *step = pd_step_reduce (places_bytes (play, run.first, run.first + run.count));
      play->stage = HALVE;
      return;
    }
  play->i = play->stage == DOUBLE ? n : play->i == 0 ? 1 : play->i << 1;
  guint32 owner = reverse_bits (place, n);
  if (play->i >= n && play->stage == HALVE && owner != place)
    {
      *step = hand_over (play, owner, owner);
      play->stage = DOUBLE;
      return;
    }
  if (play->i >= n)
    {
      play->stage = LAST;
      pd_fold (play, step, &fold);
      return;
    }
  run = run_of (place, n, play->i);
  gboolean upper = (place & play->i) != 0;
  Run keep = half_of (run, upper), give = half_of (run, !upper);
  *step = exchange_places (play, pd_unfolded (play, place ^ play->i), give.first, keep.first,
                           keep.count);
  play->stage = HALVED;
}

/* ---- Reduce_scatter by recursive doubling, as in MPICH and Open MPI: each side of a
 * pair of subtrees, of as many ranks as the mask has, gives what is not its own */

/* All but the blocks of the subtree from @root on: how many bytes, and where they
 * begin. */
static gint64
bytes_outside (PdPlay *play, guint32 root)
{
  guint32 count = MIN (play->i, play->n - root);

  return total_of (play) - pd_blocks_bytes (play, play->args.recv_counts, root, count);
}

static guint32
block_outside (const PdPlay *play, guint32 root)
{
  return (root + MIN (play->i, play->n - root)) % play->n;
}

/* Where the other subtree is smaller, only the first ranks of this one have got
 * something: they pass it on, over halves of the distance. FALSE: not this rank,
 * over the distance play->j. */
static gboolean
pass_on (PdPlay *play, PdStep *step)
{
  guint32 me = play->rank, peer = me ^ play->j, other = (me ^ play->i) & -play->i;
  guint32 limit = (me & -(2 * play->j)) + play->n - other;

  if (other >= play->n || play->n - other >= play->i || (me < limit) == (peer < limit))
    return FALSE;
  gint64 bytes = bytes_outside (play, other), at = block_outside (play, other);
  *step = peer > me ? pd_step_send (peer, bytes, at) : pd_step_recv (peer, bytes, at);
  return TRUE;
}

void
pd_coll_reduce_scatter_doubling (PdPlay *play, PdStep *step)
{
  enum
  {
    NEXT,
    NOTHING, /* has come from the other subtree so far */
    CAME,
  };
  guint32 me = play->rank, n = play->n;

  *step = pd_step_done ();
  for (;;)
    {
      guint32 other = (me ^ play->i) & -play->i;
      while (play->stage != NEXT && (play->j >>= 1) > 0)
        if (pass_on (play, step))
          {
            play->stage = step->kind == PD_STEP_RECV ? CAME : play->stage;
            return;
          }
      if (play->stage == CAME)
        {
          play->stage = NEXT;
          *step = pd_step_reduce (bytes_outside (play, other));
          return;
        }
      play->i = play->j = play->i == 0 ? 1 : play->i << 1;
      if (play->i >= n)
        return;
      play->stage = NOTHING;
      guint32 peer = me ^ play->i, own = me & -play->i;
      other = peer & -play->i;
      if (peer >= n)
        continue;
      play->stage = CAME;
      *step = (PdStep){ .kind = PD_STEP_SENDRECV,
                        .to = peer,
                        .from = peer,
                        .send_bytes = bytes_outside (play, own),
                        .recv_bytes = bytes_outside (play, other),
                        .send_at = block_outside (play, own),
                        .recv_at = block_outside (play, other) };
      return;
    }
}

/* In step i everybody gets its block from the rank i before it. */
void
pd_coll_reduce_scatter_pairwise (PdPlay *play, PdStep *step)
{
  const gint64 *counts = play->args.recv_counts;
  gint64 own = pd_block_of (play, counts, play->rank);

  if (play->stage == 1)
    {
      *step = pd_step_reduce (own);
      play->stage = 0;
      return;
    }
  *step = pd_step_done ();
  if (++play->i >= play->n)
    return;
  guint32 to = pd_after (play, play->i);
  *step = (PdStep){
    PD_STEP_SENDRECV, to, pd_before (play, play->i), pd_block_of (play, counts, to), own, to,
    play->rank
  };
  play->stage = 1;
}
