/* Schedules of Alltoall, Alltoallv and Alltoallw; the linear one is in
 * pd-coll-mpich1.c. The own block is copied first.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

static gint64
out_to (const PdExecution *exec, guint32 peer)
{
  return pd_block_of (exec, exec->args.send_counts, peer);
}

static gint64
in_from (const PdExecution *exec, guint32 peer)
{
  return pd_block_of (exec, exec->args.recv_counts, peer);
}

static PdStep
exchange (const PdExecution *exec, guint32 to, guint32 from)
{
  return (PdStep){ .kind = PD_STEP_SENDRECV,
                   .to = to,
                   .from = from,
                   .send_bytes = out_to (exec, to),
                   .recv_bytes = in_from (exec, from) };
}

/* n - 1 steps; in step i everybody sends to the rank i after it. */
void
pd_coll_alltoall_shift (PdExecution *exec, PdStep *step)
{
  guint32 i = exec->i++;

  *step = i == 0         ? pd_step_copy (out_to (exec, exec->rank))
          : i >= exec->n ? pd_step_done ()
                         : exchange (exec, pd_after (exec, i), pd_before (exec, i));
}

/* As the shift, but among a power of two ranks in pairs: rank xor i. */
void
pd_coll_alltoall_pairwise (PdExecution *exec, PdStep *step)
{
  guint32 i = exec->i;

  if ((exec->n & (exec->n - 1)) != 0 || i == 0 || i >= exec->n)
    {
      pd_coll_alltoall_shift (exec, step);
      return;
    }
  exec->i++;
  *step = exchange (exec, exec->rank ^ i, exec->rank ^ i);
}

#define WINDOW 32 /* ranks at a time, where the table does not say */

/* @window ranks at a time: all receives, all sends, one wait; in circular order
 * from the own rank on, receives upwards and sends downwards. */
static void
in_windows (PdExecution *exec, PdStep *step, guint32 window)
{
  guint32 here = exec->i < exec->n ? MIN (window, exec->n - exec->i) : 0;

  *step = pd_step_done ();
  if (here == 0)
    return;
  if (exec->j == here) /* all receives, or all sends, of these */
    {
      exec->j = 0;
      exec->stage++;
    }
  if (exec->stage == 2)
    {
      *step = pd_step_waitall ();
      exec->stage = 0;
      exec->i += here;
      return;
    }
  guint32 distance = exec->i + exec->j++;
  guint32 from = pd_after (exec, distance), to = pd_before (exec, distance);
  if (distance == 0)
    *step = pd_step_copy (exec->stage == 0 ? 0 : out_to (exec, exec->rank));
  else if (exec->stage == 0)
    *step = pd_step_irecv (from, in_from (exec, from), 0);
  else
    *step = pd_step_isend (to, out_to (exec, to), 0);
}

static guint32
window_of (const PdExecution *exec, guint32 otherwise)
{
  return exec->segment > 0 ? (guint32) MIN (exec->segment, G_MAXINT32) : otherwise;
}

/* The same, by default one rank at a time: each step ends before the next begins. */
void
pd_coll_alltoall_block (PdExecution *exec, PdStep *step)
{
  in_windows (exec, step, window_of (exec, 1));
}

void
pd_coll_alltoall_scattered (PdExecution *exec, PdStep *step)
{
  in_windows (exec, step, window_of (exec, WINDOW));
}

/* Without a limit all at once. */
void
pd_coll_alltoall_sync (PdExecution *exec, PdStep *step)
{
  in_windows (exec, step, window_of (exec, exec->n));
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
pd_coll_alltoall_bruck (PdExecution *exec, PdStep *step)
{
  gint64 all = pd_sizes_times (exec->args.bytes, exec->n);

  if (exec->stage == 0)
    {
      *step = pd_step_copy (all);
      exec->stage = 1;
      exec->i = 1;
      return;
    }
  if (exec->i >= exec->n || exec->i == 0)
    {
      *step = exec->stage == 1 ? pd_step_copy (all) : pd_step_done ();
      exec->stage = 2;
      return;
    }
  gint64 bytes = pd_sizes_times (exec->args.bytes, count_with (exec->n, exec->i));
  *step = (PdStep){
    PD_STEP_SENDRECV, pd_after (exec, exec->i), pd_before (exec, exec->i), bytes, bytes, exec->i,
    exec->i
  };
  exec->i <<= 1;
}
