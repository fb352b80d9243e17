/* Schedules that post everything at once, as SMPI has them: reductions to which all
 * give their vectors, Scan among all pairs, Allgather as an exchange of all.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

enum
{
  POST,
  WAIT,
  REDUCE,
  END,
};

/* After the posting: one wait, then what came is added, @n_vectors of @bytes. */
static void
wait_and_reduce (PdPlay *play, PdStep *step, gint64 bytes, guint32 n_vectors)
{
  play->stage++;
  if (play->stage == WAIT)
    *step = pd_step_waitall ();
  else if (play->stage == REDUCE && n_vectors > 0)
    *step = pd_step_reduce (pd_sizes_times (bytes, n_vectors));
  else
    {
      *step = pd_step_done ();
      play->stage = END;
    }
}

static void
gather_vectors (PdPlay *play, PdStep *step, gint64 bytes)
{
  guint32 root = play->args.root;

  if (play->rank != root)
    {
      *step = play->stage == POST ? pd_step_send (root, bytes, 0) : pd_step_done ();
      play->stage = END;
      return;
    }
  if (play->i == root)
    play->i++;
  if (play->i < play->n)
    *step = pd_step_irecv (play->i++, bytes, 0);
  else
    wait_and_reduce (play, step, bytes, play->n - 1);
}

/* The root receives all vectors at once. */
void
pd_coll_reduce_gather (PdPlay *play, PdStep *step)
{
  gather_vectors (play, step, play->args.bytes);
}

/* The same with all blocks in one vector. */
void
pd_coll_reduce_gather_whole (PdPlay *play, PdStep *step)
{
  if (play->total < 0)
    play->total = pd_blocks_bytes (play, play->args.recv_counts, 0, play->n);
  gather_vectors (play, step, play->total);
}

/* Everybody sends to all after it and receives from all before it. */
static void
scan_all (PdPlay *play, PdStep *step, guint32 n_vectors)
{
  gint64 bytes = play->args.bytes;

  if (play->i == play->rank)
    play->i++;
  if (play->i >= play->n)
    {
      wait_and_reduce (play, step, bytes, n_vectors);
      return;
    }
  *step =
      play->i < play->rank ? pd_step_irecv (play->i, bytes, 0) : pd_step_isend (play->i, bytes, 0);
  play->i++;
}

void
pd_coll_scan_linear (PdPlay *play, PdStep *step)
{
  scan_all (play, step, play->rank);
}

/* The first vector is the result, the others are added to it. */
void
pd_coll_exscan_linear (PdPlay *play, PdStep *step)
{
  scan_all (play, step, play->rank == 0 ? 0 : play->rank - 1);
}

/* All receives, all sends of the own block, one wait. */
void
pd_coll_allgather_linear (PdPlay *play, PdStep *step)
{
  guint32 n = play->n;

  while (play->i % n == play->rank && play->i < 2 * (guint64) n)
    play->i++;
  guint32 peer = play->i % n;
  gboolean posts = play->i < 2 * (guint64) n;

  *step = play->i < n ? pd_step_irecv (peer, pd_block_of (play, play->args.recv_counts, peer), peer)
          : posts     ? pd_step_isend (peer, pd_block_of (play, play->args.recv_counts, play->rank),
                                       play->rank)
          : play->stage == POST ? pd_step_waitall ()
                                : pd_step_done ();
  if (posts)
    play->i++;
  else
    play->stage = END;
}
