/* Schedules that post everything at once, as SMPI has them: reductions to which all
 * give their vectors, Scan among all pairs, Allgather as an exchange of all.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

enum
{
  POST,
  WAIT,
  REDUCE,
  END,
};

/* After the posting: one wait, then what came is added, @n_vectors of @bytes. */
static void
wait_and_reduce (PdExecution *exec, PdStep *step, gint64 bytes, guint32 n_vectors)
{
  exec->stage++;
  if (exec->stage == WAIT)
    *step = pd_step_waitall ();
  else if (exec->stage == REDUCE && n_vectors > 0)
    *step = pd_step_reduce (pd_sizes_times (bytes, n_vectors));
  else
    {
      *step = pd_step_done ();
      exec->stage = END;
    }
}

static void
gather_vectors (PdExecution *exec, PdStep *step, gint64 bytes)
{
  guint32 root = exec->args.root;

  if (exec->rank != root)
    {
      *step = exec->stage == POST ? pd_step_send (root, bytes, 0) : pd_step_done ();
      exec->stage = END;
      return;
    }
  if (exec->i == root)
    exec->i++;
  if (exec->i < exec->n)
    *step = pd_step_irecv (exec->i++, bytes, 0);
  else
    wait_and_reduce (exec, step, bytes, exec->n - 1);
}

/* The root receives all vectors at once. */
void
pd_coll_reduce_gather (PdExecution *exec, PdStep *step)
{
  gather_vectors (exec, step, exec->args.bytes);
}

/* The same with all blocks in one vector. */
void
pd_coll_reduce_gather_whole (PdExecution *exec, PdStep *step)
{
  if (exec->total < 0)
    exec->total = pd_blocks_bytes (exec, exec->args.recv_counts, 0, exec->n);
  gather_vectors (exec, step, exec->total);
}

/* Everybody sends to all after it and receives from all before it. */
static void
scan_all (PdExecution *exec, PdStep *step, guint32 n_vectors)
{
  gint64 bytes = exec->args.bytes;

  if (exec->i == exec->rank)
    exec->i++;
  if (exec->i >= exec->n)
    {
      wait_and_reduce (exec, step, bytes, n_vectors);
      return;
    }
  *step =
      exec->i < exec->rank ? pd_step_irecv (exec->i, bytes, 0) : pd_step_isend (exec->i, bytes, 0);
  exec->i++;
}

void
pd_coll_scan_linear (PdExecution *exec, PdStep *step)
{
  scan_all (exec, step, exec->rank);
}

/* The first vector is the result, the others are added to it. */
void
pd_coll_exscan_linear (PdExecution *exec, PdStep *step)
{
  scan_all (exec, step, exec->rank == 0 ? 0 : exec->rank - 1);
}

/* All receives, all sends of the own block, one wait. */
void
pd_coll_allgather_linear (PdExecution *exec, PdStep *step)
{
  guint32 n = exec->n;

  while (exec->i % n == exec->rank && exec->i < 2 * (guint64) n)
    exec->i++;
  guint32 peer = exec->i % n;
  gboolean posts = exec->i < 2 * (guint64) n;

  *step = exec->i < n ? pd_step_irecv (peer, pd_block_of (exec, exec->args.recv_counts, peer), peer)
          : posts     ? pd_step_isend (peer, pd_block_of (exec, exec->args.recv_counts, exec->rank),
                                       exec->rank)
          : exec->stage == POST ? pd_step_waitall ()
                                : pd_step_done ();
  if (posts)
    exec->i++;
  else
    exec->stage = END;
}
