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

#define WINDOW 32 /* ranks at a time, where the table does not say */

/* @window ranks at a time: all receives, all sends, one wait; in circular order
 * from the own rank on, receives upwards and sends downwards. */
static void
in_windows (PdPlay *play, PdStep *step, guint32 window)
{
  guint32 here = play->i < play->n ? MIN (window, play->n - play->i) : 0;

  *step = pd_step_done ();
  if (here == 0)
    return;
  if (play->j == here) /* all receives, or all sends, of these */
    {
      play->j = 0;
      play->stage++;
    }
  if (play->stage == 2)
    {
      *step = pd_step_waitall ();
      play->stage = 0;
      play->i += here;
      return;
    }
  guint32 distance = play->i + play->j++;
  guint32 from = pd_after (play, distance), to = pd_before (play, distance);
  if (distance == 0)
    *step = pd_step_copy (play->stage == 0 ? 0 : out_to (play, play->rank));
  else if (play->stage == 0)
    *step = pd_step_irecv (from, in_from (play, from), 0);
  else
    *step = pd_step_isend (to, out_to (play, to), 0);
}

static guint32
window_of (const PdPlay *play, guint32 otherwise)
{
  return play->segment > 0 ? (guint32) MIN (play->segment, G_MAXINT32) : otherwise;
}

/* The same, by default one rank at a time: each step ends before the next begins. */
void
pd_coll_alltoall_block (PdPlay *play, PdStep *step)
{
  in_windows (play, step, window_of (play, 1));
}

void
pd_coll_alltoall_scattered (PdPlay *play, PdStep *step)
{
  in_windows (play, step, window_of (play, WINDOW));
}

/* Without a limit all at once. */
void
pd_coll_alltoall_sync (PdPlay *play, PdStep *step)
{
  in_windows (play, step, window_of (play, play->n));
}

/* How many of 0 … n - 1 have @bit set. */
static guint32
count_with (guint32 n, guint32 bit)
{
  guint32 rest = n & (2 * bit - 1);

  return (n & ~(2 * bit - 1)) / 2 + (rest > bit ? rest - bit : 0);
}

/* The block for the rank i after the own one travels 2^k ranks for each bit k of
 * i, together with all others that do (J. Bruck and others, 1997). The blocks are
 * put into that order first, and into the order of ranks at the end. send_at and
 * recv_at are the bit. */
void
pd_coll_alltoall_bruck (PdPlay *play, PdStep *step)
{
  gint64 all = pd_sizes_times (play->args.bytes, play->n);

  if (play->stage == 0)
    {
      *step = pd_step_copy (all);
      play->stage = 1;
      play->i = 1;
      return;
    }
  if (play->i >= play->n || play->i == 0)
    {
      *step = play->stage == 1 ? pd_step_copy (all) : pd_step_done ();
      play->stage = 2;
      return;
    }
  gint64 bytes = pd_sizes_times (play->args.bytes, count_with (play->n, play->i));
  *step = (PdStep){
    PD_STEP_SENDRECV, pd_after (play, play->i), pd_before (play, play->i), bytes, bytes, play->i,
    play->i
  };
  play->i <<= 1;
}
