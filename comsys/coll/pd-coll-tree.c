/* Schedules of Bcast and Reduce over trees, whole or segment by segment. Ranks
 * are relative to the root.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-shapes-private.h"
#include "comsys/coll/pd-coll-schedule.h"

/* So many segments at most: a message of any size is played in finite time. */
#define MAX_SEGMENTS 65536

/* ---- segments */

/* The part of the vector that goes to @r, or comes from it. */
static void
get_share (const PdExecution *exec, const PdTree *tree, guint32 r, gint64 *at, gint64 *bytes)
{
  gint64 first = exec->args.bytes - exec->args.bytes / 2;

  *at = tree->is_split && r % 2 == 0 ? first : 0;
  *bytes = !tree->is_split ? exec->args.bytes : r % 2 == 0 ? exec->args.bytes / 2 : first;
}

static guint32
count_segments (const PdExecution *exec, const PdTree *tree)
{
  gint64 most = tree->is_split ? exec->args.bytes - exec->args.bytes / 2 : exec->args.bytes;

  if (exec->segment == 0 || most <= exec->segment)
    return 1;
  return (guint32) MIN ((most - 1) / exec->segment + 1, MAX_SEGMENTS);
}

/* Segment @i on its way to @r. */
static void
get_segment (const PdExecution *exec, const PdTree *tree, guint32 r, guint32 i, PdStep *piece)
{
  guint32 n = count_segments (exec, tree);
  gint64 at, bytes;

  get_share (exec, tree, r, &at, &bytes);
  piece->send_at = piece->recv_at = at + pd_piece_at (bytes, n, i);
  piece->send_bytes = piece->recv_bytes = pd_piece_bytes (bytes, n, i, i + 1);
}

/* ---- bcast: a rank that has a segment asks for the next one and passes on what
 * it has */

static void
receive_segment (const PdExecution *exec, const PdTree *tree, guint32 r, PdStep *step)
{
  get_segment (exec, tree, r, exec->i, step);
  *step = pd_step_recv (pd_absolute (exec, tree->get_parent (r, exec->n)), step->recv_bytes,
                        step->recv_at);
}

/* Posts the receive of the segment after this one; FALSE: there is none. */
static gboolean
post_next (const PdExecution *exec, const PdTree *tree, guint32 r, PdStep *step)
{
  if (r == 0 || exec->i + 1 >= count_segments (exec, tree))
    return FALSE;
  get_segment (exec, tree, r, exec->i + 1, step);
  *step = pd_step_irecv (pd_absolute (exec, tree->get_parent (r, exec->n)), step->recv_bytes,
                         step->recv_at);
  return TRUE;
}

static void
bcast_over (PdExecution *exec, PdStep *step, const PdTree *tree)
{
  enum
  {
    START,
    HERE, /* segment i is here */
    PASS, /* … and passed on to children */
    PASSED,
  };
  guint32 r = pd_relative (exec, exec->rank);
  guint32 n_children = tree->get_n_children (r, exec->n);
  guint32 n_segments = count_segments (exec, tree);

  *step = pd_step_done ();
  if (exec->stage == START || (exec->stage == PASSED && n_children == 0))
    {
      exec->stage = n_children > 0 ? HERE : PASSED;
      if (r != 0 && exec->i < n_segments)
        receive_segment (exec, tree, r, step);
      if (n_children == 0)
        exec->i++;
      if (r != 0)
        return;
    }
  if (exec->stage == HERE)
    {
      exec->stage = PASS;
      exec->j = 0;
      if (post_next (exec, tree, r, step))
        return;
    }
  if (exec->stage == PASS && exec->j < n_children)
    {
      guint32 child = tree->get_child (r, exec->n, exec->j++);
      get_segment (exec, tree, child, exec->i, step);
      *step = pd_step_isend (pd_absolute (exec, child), step->send_bytes, step->send_at);
      return;
    }
  if (exec->stage == PASS)
    {
      *step = pd_step_waitall ();
      exec->stage = ++exec->i < n_segments ? HERE : PASSED;
      return;
    }
  *step = pd_step_done ();
}

void
pd_coll_bcast_tree_binomial (PdExecution *exec, PdStep *step)
{
  if (exec->segment == 0)
    pd_coll_bcast_binomial (exec, step);
  else
    bcast_over (exec, step, &pd_tree_binomial);
}

void
pd_coll_bcast_knomial (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_knomial);
}

void
pd_coll_bcast_binary (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_binary);
}

void
pd_coll_bcast_split (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_split_binary);
}

void
pd_coll_bcast_chain (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_chain);
}

void
pd_coll_bcast_pipeline (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_pipeline);
}

void
pd_coll_bcast_linear (PdExecution *exec, PdStep *step)
{
  bcast_over (exec, step, &pd_tree_linear);
}

/* After the split one: r and r + 1, r odd, give each other their halves; what
 * the last rank of an even number lacks comes from the root. */
void
pd_coll_bcast_join (PdExecution *exec, PdStep *step)
{
  guint32 n = exec->n, r = pd_relative (exec, exec->rank);
  gboolean has_last = n % 2 == 0;
  guint32 last = pd_absolute (exec, n - 1);
  gint64 first = exec->args.bytes - exec->args.bytes / 2, second = exec->args.bytes / 2;

  *step = pd_step_done ();
  if (exec->stage++ > 0 || (r == 0 && !has_last))
    return;
  if (r == 0)
    *step = pd_step_send (last, second, first);
  else if (has_last && r == n - 1)
    *step = pd_step_recv (exec->args.root, second, first);
  else
    {
      guint32 peer = pd_absolute (exec, r % 2 == 1 ? r + 1 : r - 1);
      *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, first, second, 0, first };
      if (r % 2 == 0)
        *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, second, first, first, 0 };
    }
}

/* ---- reduce: of each segment the children's first, the smaller subtrees
 * before the larger, then it goes to the parent */

static void
reduce_over (PdExecution *exec, PdStep *step, const PdTree *tree)
{
  guint32 r = pd_relative (exec, exec->rank);
  guint32 n_children = tree->get_n_children (r, exec->n);

  *step = pd_step_done ();
  if (exec->n == 1 || exec->i >= count_segments (exec, tree))
    return;
  get_segment (exec, tree, r, exec->i, step);
  gint64 bytes = step->send_bytes, at = step->send_at;
  if (exec->stage == 1) /* a child's has come */
    {
      exec->stage = 0;
      *step = pd_step_reduce (bytes);
      return;
    }
  if (exec->j < n_children)
    {
      guint32 child = tree->get_child (r, exec->n, n_children - 1 - exec->j++);
      *step = pd_step_recv (pd_absolute (exec, child), bytes, at);
      exec->stage = 1;
      return;
    }
  exec->i++;
  exec->j = 0;
  if (r == 0)
    {
      reduce_over (exec, step, tree); /* its next segment, of which it has children */
      return;
    }
  *step = pd_step_send (pd_absolute (exec, tree->get_parent (r, exec->n)), bytes, at);
}

/* Without elements there is no operation, as in MPICH and SMPI: no rank waits. */
void
pd_coll_reduce_tree_binomial (PdExecution *exec, PdStep *step)
{
  if (exec->args.bytes == 0)
    *step = pd_step_done ();
  else if (exec->segment == 0)
    pd_coll_reduce_binomial (exec, step);
  else
    reduce_over (exec, step, &pd_tree_binomial);
}

void
pd_coll_reduce_binary (PdExecution *exec, PdStep *step)
{
  reduce_over (exec, step, &pd_tree_binary);
}

void
pd_coll_reduce_chain (PdExecution *exec, PdStep *step)
{
  reduce_over (exec, step, &pd_tree_chain);
}

void
pd_coll_reduce_pipeline (PdExecution *exec, PdStep *step)
{
  reduce_over (exec, step, &pd_tree_pipeline);
}

void
pd_coll_reduce_linear (PdExecution *exec, PdStep *step)
{
  reduce_over (exec, step, &pd_tree_linear);
}

/* To the last rank, so that the order of the ranks is kept. */
void
pd_coll_reduce_in_order (PdExecution *exec, PdStep *step)
{
  guint32 root = exec->args.root;

  exec->args.root = exec->n - 1;
  reduce_over (exec, step, &pd_tree_in_order);
  exec->args.root = root;
}

/* … and from there to the root. */
void
pd_coll_reduce_hand_over (PdExecution *exec, PdStep *step)
{
  guint32 last = exec->n - 1, root = exec->args.root;

  *step = pd_step_done ();
  if (root == last || exec->stage++ > 0)
    return;
  if (exec->rank == last)
    *step = pd_step_send (root, exec->args.bytes, 0);
  else if (exec->rank == root)
    *step = pd_step_recv (last, exec->args.bytes, 0);
}
