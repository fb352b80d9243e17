/* Schedules of reductions that halve the vector from step to step, for a power of
 * two of places (see pd_fold): Rabenseifner's Allreduce and Reduce
 * (R. Rabenseifner, "Optimization of Collective Reduction Operations", 2004), and
 * those of Reduce_scatter; there are some that do not halve, too.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

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
run_bytes (const PdExecution *exec, Run run)
{
  return pd_piece_bytes (exec->args.bytes, pd_floor_power (exec->n), run.first,
                         run.first + run.count);
}

static gint64
run_at (const PdExecution *exec, Run run)
{
  return pd_piece_at (exec->args.bytes, pd_floor_power (exec->n), run.first);
}

static PdStep
exchange (const PdExecution *exec, guint32 peer, Run out, Run in)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = peer,
                   .from = peer,
                   .send_bytes = run_bytes (exec, out),
                   .recv_bytes = run_bytes (exec, in),
                   .send_at = run_at (exec, out),
                   .recv_at = run_at (exec, in) };
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
halve (PdExecution *exec, PdStep *step, guint32 place,
       guint32 (*peer_of) (const PdExecution *exec, guint32 place))
{
  guint32 n = pd_floor_power (exec->n);

  if (exec->stage == HALVED)
    {
      *step = pd_step_reduce (
          run_bytes (exec, half_of (run_of (place, n, exec->i), (place & exec->i) != 0)));
      exec->stage = HALVE;
      return TRUE;
    }
  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  if (exec->i >= n)
    return FALSE;
  Run run = run_of (place, n, exec->i);
  gboolean upper = (place & exec->i) != 0;
  *step =
      exchange (exec, peer_of (exec, place ^ exec->i), half_of (run, !upper), half_of (run, upper));
  exec->stage = HALVED;
  return TRUE;
}

void
pd_coll_allreduce_rabenseifner (PdExecution *exec, PdStep *step)
{
  gint64 bytes = exec->args.bytes;
  const PdFold fold = { .last = LAST, .bytes = bytes, .back = bytes };
  guint32 n = pd_floor_power (exec->n), place = pd_folded (exec, exec->rank);

  if (pd_fold (exec, step, &fold))
    return;
  if (exec->stage < DOUBLE)
    {
      if (halve (exec, step, place, pd_unfolded))
        return;
      exec->stage = DOUBLE;
      exec->i = n;
    }
  exec->i >>= 1;
  if (exec->i == 0)
    {
      exec->stage = LAST;
      pd_fold (exec, step, &fold);
      return;
    }
  Run run = run_of (place, n, exec->i);
  gboolean upper = (place & exec->i) != 0;
  *step = exchange (exec, pd_unfolded (exec, place ^ exec->i), half_of (run, upper),
                    half_of (run, !upper));
}

/* ---- Reduce: of a pair the root takes part, otherwise the even one */

static guint32
reduce_peer (const PdExecution *exec, guint32 place)
{
  guint32 rest = exec->n - pd_floor_power (exec->n), root = exec->args.root;

  return place >= rest ? place + rest : root == 2 * place + 1 ? root : 2 * place;
}

/* The odd one of a pair, or the even one beside the root, gives its vector away
 * and is done. FALSE: it takes part. */
static gboolean
fold_for_root (PdExecution *exec, PdStep *step)
{
  guint32 rest = exec->n - pd_floor_power (exec->n), me = exec->rank;
  guint32 partner = me ^ 1;

  if (exec->stage >= HALVE)
    return FALSE;
  if (me >= 2 * rest)
    {
      exec->stage = HALVE;
      return FALSE;
    }
  if (reduce_peer (exec, me / 2) == me)
    {
      *step = exec->stage == 0 ? pd_step_recv (partner, exec->args.bytes, 0)
                               : pd_step_reduce (exec->args.bytes);
      exec->stage++;
      return TRUE;
    }
  *step = exec->stage == 0 ? pd_step_send (partner, exec->args.bytes, 0) : pd_step_done ();
  exec->stage = 1;
  return TRUE;
}

/* After the halving each rank sends the parts that it holds, its own and received, to the root. */
void
pd_coll_reduce_rabenseifner (PdExecution *exec, PdStep *step)
{
  guint32 n = pd_floor_power (exec->n), place = pd_folded (exec, exec->rank);
  guint32 root_place = pd_folded (exec, exec->args.root);

  if (fold_for_root (exec, step))
    return;
  if (exec->stage < DOUBLE)
    {
      if (halve (exec, step, place, reduce_peer))
        return;
      exec->stage = DOUBLE;
      exec->i = n;
    }
  exec->i >>= 1;
  *step = pd_step_done ();
  if (exec->i == 0 || exec->stage == LAST)
    {
      exec->i = 1; /* 0 from the next call on, too */
      exec->stage = LAST;
      return;
    }
  guint32 peer = reduce_peer (exec, place ^ exec->i);
  Run run = run_of (place, n, exec->i);
  gboolean upper = (place & exec->i) != 0;
  Run own = half_of (run, upper), other = half_of (run, !upper);
  if (((place ^ root_place) & exec->i) == 0)
    {
      *step = pd_step_recv (peer, run_bytes (exec, other), run_at (exec, other));
      return;
    }
  *step = pd_step_send (peer, run_bytes (exec, own), run_at (exec, own));
  exec->stage = LAST;
}

/* ---- Reduce_scatter: places have the blocks of their ranks */

/* The first block of a place; of the number of places: n. */
static guint32
block_of (const PdExecution *exec, guint32 place)
{
  guint32 rest = exec->n - pd_floor_power (exec->n);

  return place < rest ? 2 * place : place + rest;
}

static gint64
places_bytes (const PdExecution *exec, guint32 first, guint32 end)
{
  guint32 block = block_of (exec, first);

  return pd_blocks_bytes (exec, exec->args.recv_counts, block, block_of (exec, end) - block);
}

static gint64
total_of (PdExecution *exec)
{
  if (exec->total < 0)
    exec->total = pd_blocks_bytes (exec, exec->args.recv_counts, 0, exec->n);
  return exec->total;
}

/* The data sent to, and back from, the odd rank of a pair. */
static PdFold
fold_blocks (PdExecution *exec)
{
  guint32 even = exec->rank & ~1u;

  return (PdFold){ .last = LAST,
                   .bytes = total_of (exec),
                   .back = pd_block_of (exec, exec->args.recv_counts, even),
                   .back_at = even };
}

/* Exchanges of places @out … for places @in …, @count of each. */
static PdStep
exchange_places (const PdExecution *exec, guint32 peer, guint32 out, guint32 in, guint32 count)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = peer,
                   .from = peer,
                   .send_bytes = places_bytes (exec, out, out + count),
                   .recv_bytes = places_bytes (exec, in, in + count),
                   .send_at = block_of (exec, out),
                   .recv_at = block_of (exec, in) };
}

/* Recursive halving: the distance halves, too. */
void
pd_coll_reduce_scatter_halving (PdExecution *exec, PdStep *step)
{
  const PdFold fold = fold_blocks (exec);
  guint32 n = pd_floor_power (exec->n), place = pd_folded (exec, exec->rank);

  if (pd_fold (exec, step, &fold))
    return;
  if (exec->stage == HALVED)
    {
      *step = pd_step_reduce (places_bytes (exec, place & -exec->i, (place & -exec->i) + exec->i));
      exec->stage = HALVE;
      return;
    }
  exec->i = exec->i == 0 ? n / 2 : exec->i >> 1;
  if (exec->i == 0)
    {
      exec->stage = LAST;
      pd_fold (exec, step, &fold);
      return;
    }
  guint32 other = (place ^ exec->i) & -exec->i, own = place & -exec->i;
  *step = exchange_places (exec, pd_unfolded (exec, place ^ exec->i), other, own, exec->i);
  exec->stage = HALVED;
}

static guint32
reverse_bits (guint32 place, guint32 n)
{
  guint32 reversed = 0;

  for (guint32 bit = 1; bit < n; bit <<= 1)
    reversed = reversed << 1 | ((place & bit) != 0 ? 1 : 0);
  return reversed;
}

/* The part that place @holder has at the end of a butterfly goes to place @owner. */
static PdStep
hand_over (const PdExecution *exec, guint32 owner, guint32 holder)
{
  guint32 place = pd_folded (exec, exec->rank);
  gint64 out = places_bytes (exec, owner, owner + 1);
  gint64 in = places_bytes (exec, place, place + 1);

  return (PdStep){
    PD_STEP_SENDRECV,       pd_unfolded (exec, owner), pd_unfolded (exec, holder), out, in,
    block_of (exec, owner), block_of (exec, place)
  };
}

/* Butterfly: the distance doubles, so that places end with each other's parts. */
void
pd_coll_reduce_scatter_butterfly (PdExecution *exec, PdStep *step)
{
  const PdFold fold = fold_blocks (exec);
  guint32 n = pd_floor_power (exec->n), place = pd_folded (exec, exec->rank);

  if (pd_fold (exec, step, &fold))
    return;
  Run run = run_of (place, n, MAX (exec->i, 1) << 1);
  if (exec->stage == HALVED)
    {
      *step = pd_step_reduce (places_bytes (exec, run.first, run.first + run.count));
      exec->stage = HALVE;
      return;
    }
  exec->i = exec->stage == DOUBLE ? n : exec->i == 0 ? 1 : exec->i << 1;
  guint32 owner = reverse_bits (place, n);
  if (exec->i >= n && exec->stage == HALVE && owner != place)
    {
      *step = hand_over (exec, owner, owner);
      exec->stage = DOUBLE;
      return;
    }
  if (exec->i >= n)
    {
      exec->stage = LAST;
      pd_fold (exec, step, &fold);
      return;
    }
  run = run_of (place, n, exec->i);
  gboolean upper = (place & exec->i) != 0;
  Run keep = half_of (run, upper), give = half_of (run, !upper);
  *step = exchange_places (exec, pd_unfolded (exec, place ^ exec->i), give.first, keep.first,
                           keep.count);
  exec->stage = HALVED;
}

/* ---- Reduce_scatter by recursive doubling, as in MPICH and Open MPI: each side of a
 * pair of subtrees, of as many ranks as the mask has, sends the parts of the other side */

/* All but the blocks of the subtree from @root on: how many bytes, and where they
 * begin. */
static gint64
bytes_outside (PdExecution *exec, guint32 root)
{
  guint32 count = MIN (exec->i, exec->n - root);

  return total_of (exec) - pd_blocks_bytes (exec, exec->args.recv_counts, root, count);
}

static guint32
block_outside (const PdExecution *exec, guint32 root)
{
  return (root + MIN (exec->i, exec->n - root)) % exec->n;
}

/* Where the other subtree is smaller, only the first ranks of this one have got
 * something: they pass it on, over halves of the distance. FALSE: not this rank,
 * over the distance play->j. */
static gboolean
pass_on (PdExecution *exec, PdStep *step)
{
  guint32 me = exec->rank, peer = me ^ exec->j, other = (me ^ exec->i) & -exec->i;
  guint32 limit = (me & -(2 * exec->j)) + exec->n - other;

  if (other >= exec->n || exec->n - other >= exec->i || (me < limit) == (peer < limit))
    return FALSE;
  gint64 bytes = bytes_outside (exec, other), at = block_outside (exec, other);
  *step = peer > me ? pd_step_send (peer, bytes, at) : pd_step_recv (peer, bytes, at);
  return TRUE;
}

void
pd_coll_reduce_scatter_doubling (PdExecution *exec, PdStep *step)
{
  enum
  {
    NEXT,
    NOTHING, /* has come from the other subtree so far */
    CAME,
  };
  guint32 me = exec->rank, n = exec->n;

  *step = pd_step_done ();
  for (;;)
    {
      guint32 other = (me ^ exec->i) & -exec->i;
      while (exec->stage != NEXT && (exec->j >>= 1) > 0)
        if (pass_on (exec, step))
          {
            exec->stage = step->kind == PD_STEP_RECV ? CAME : exec->stage;
            return;
          }
      if (exec->stage == CAME)
        {
          exec->stage = NEXT;
          *step = pd_step_reduce (bytes_outside (exec, other));
          return;
        }
      exec->i = exec->j = exec->i == 0 ? 1 : exec->i << 1;
      if (exec->i >= n)
        return;
      exec->stage = NOTHING;
      guint32 peer = me ^ exec->i, own = me & -exec->i;
      other = peer & -exec->i;
      if (peer >= n)
        continue;
      exec->stage = CAME;
      *step = (PdStep){ .kind = PD_STEP_SENDRECV,
                        .to = peer,
                        .from = peer,
                        .send_bytes = bytes_outside (exec, own),
                        .recv_bytes = bytes_outside (exec, other),
                        .send_at = block_outside (exec, own),
                        .recv_at = block_outside (exec, other) };
      return;
    }
}

static gboolean
are_all_empty (const PdExecution *exec, const gint64 *counts)
{
  for (guint32 rank = 0; rank < exec->n; rank++)
    if (pd_block_of (exec, counts, rank) != 0)
      return FALSE;
  return TRUE;
}

/* In step i everybody gets its block from the rank i before it; of no elements in
 * all it is no operation, as in MPICH and SMPI. */
void
pd_coll_reduce_scatter_pairwise (PdExecution *exec, PdStep *step)
{
  const gint64 *counts = exec->args.recv_counts;
  gint64 own = pd_block_of (exec, counts, exec->rank);

  if (exec->stage == 1)
    {
      *step = pd_step_reduce (own);
      exec->stage = 0;
      return;
    }
  *step = pd_step_done ();
  if (++exec->i >= exec->n || (exec->i == 1 && are_all_empty (exec, counts)))
    return;
  guint32 to = pd_after (exec, exec->i);
  *step = (PdStep){
    PD_STEP_SENDRECV, to, pd_before (exec, exec->i), pd_block_of (exec, counts, to), own, to,
    exec->rank
  };
  exec->stage = 1;
}
