/* Schedules of Bcast and Reduce over trees, whole or segment by segment. Ranks
 * are relative to the root.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* So many segments at most: a message of any size is played in finite time. */
#define MAX_SEGMENTS 65536

/* ---- segments */

/* The part of the vector that goes to @r, or comes from it. */
static void
get_share (const PdPlay *play, const PdTree *tree, guint32 r, gint64 *at, gint64 *bytes)
{
  gint64 first = play->args.bytes - play->args.bytes / 2;

  *at = tree->is_split && r % 2 == 0 ? first : 0;
  *bytes = !tree->is_split ? play->args.bytes : r % 2 == 0 ? play->args.bytes / 2 : first;
}

static guint32
count_segments (const PdPlay *play, const PdTree *tree)
{
  gint64 most = tree->is_split ? play->args.bytes - play->args.bytes / 2 : play->args.bytes;

  if (play->segment == 0 || most <= play->segment)
    return 1;
  return (guint32) MIN ((most - 1) / play->segment + 1, MAX_SEGMENTS);
}

/* Segment @i on its way to @r. */
static void
get_segment (const PdPlay *play, const PdTree *tree, guint32 r, guint32 i, PdStep *piece)
{
  guint32 n = count_segments (play, tree);
  gint64 at, bytes;

  get_share (play, tree, r, &at, &bytes);
  piece->send_at = piece->recv_at = at + pd_piece_at (bytes, n, i);
  piece->send_bytes = piece->recv_bytes = pd_piece_bytes (bytes, n, i, i + 1);
}

/* ---- bcast: a rank that has a segment asks for the next one and passes on what
 * it has */

static void
receive_segment (const PdPlay *play, const PdTree *tree, guint32 r, PdStep *step)
{
  get_segment (play, tree, r, play->i, step);
  *step = pd_step_recv (pd_absolute (play, tree->get_parent (r, play->n)), step->recv_bytes,
                        step->recv_at);
}

/* Posts the receive of the segment after this one; FALSE: there is none. */
static gboolean
post_next (const PdPlay *play, const PdTree *tree, guint32 r, PdStep *step)
{
  if (r == 0 || play->i + 1 >= count_segments (play, tree))
    return FALSE;
  get_segment (play, tree, r, play->i + 1, step);
  *step = pd_step_irecv (pd_absolute (play, tree->get_parent (r, play->n)), step->recv_bytes,
                         step->recv_at);
  return TRUE;
}

static void
bcast_over (PdPlay *play, PdStep *step, const PdTree *tree)
{
  enum
  {
    START,
    HERE, /* segment i is here */
    PASS, /* … and passed on to children */
    PASSED,
  };
  guint32 r = pd_relative (play, play->rank);
  guint32 n_children = tree->get_n_children (r, play->n);
  guint32 n_segments = count_segments (play, tree);

  *step = pd_step_done ();
  if (play->stage == START || (play->stage == PASSED && n_children == 0))
    {
      play->stage = n_children > 0 ? HERE : PASSED;
      if (r != 0 && play->i < n_segments)
        receive_segment (play, tree, r, step);
      if (n_children == 0)
        play->i++;
      if (r != 0)
        return;
    }
  if (play->stage == HERE)
    {
      play->stage = PASS;
      play->j = 0;
      if (post_next (play, tree, r, step))
        return;
    }
  if (play->stage == PASS && play->j < n_children)
    {
      guint32 child = tree->get_child (r, play->n, play->j++);
      get_segment (play, tree, child, play->i, step);
      *step = pd_step_isend (pd_absolute (play, child), step->send_bytes, step->send_at);
      return;
    }
  if (play->stage == PASS)
    {
      *step = pd_step_waitall ();
      play->stage = ++play->i < n_segments ? HERE : PASSED;
      return;
    }
  *step = pd_step_done ();
}

void
pd_coll_bcast_tree_binomial (PdPlay *play, PdStep *step)
{
  if (play->segment == 0)
    pd_coll_bcast_binomial (play, step);
  else
    bcast_over (play, step, &pd_tree_binomial);
}

void
pd_coll_bcast_knomial (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_knomial);
}

void
pd_coll_bcast_binary (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_binary);
}

void
pd_coll_bcast_split (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_split_binary);
}

void
pd_coll_bcast_chain (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_chain);
}

void
pd_coll_bcast_pipeline (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_pipeline);
}

void
pd_coll_bcast_linear (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pd_tree_linear);
}

/* After the split one: r and r + 1, r odd, give each other their halves; what
 * the last rank of an even number lacks comes from the root. */
void
pd_coll_bcast_join (PdPlay *play, PdStep *step)
{
  guint32 n = play->n, r = pd_relative (play, play->rank);
  gboolean has_last = n % 2 == 0;
  guint32 last = pd_absolute (play, n - 1);
  gint64 first = play->args.bytes - play->args.bytes / 2, second = play->args.bytes / 2;

  *step = pd_step_done ();
  if (play->stage++ > 0 || (r == 0 && !has_last))
    return;
  if (r == 0)
    *step = pd_step_send (last, second, first);
  else if (has_last && r == n - 1)
    *step = pd_step_recv (play->args.root, second, first);
  else
    {
      guint32 peer = pd_absolute (play, r % 2 == 1 ? r + 1 : r - 1);
      *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, first, second, 0, first };
      if (r % 2 == 0)
        *step = (PdStep){ PD_STEP_SENDRECV, peer, peer, second, first, first, 0 };
    }
}

/* ---- reduce: of each segment the children's first, the smaller subtrees
 * before the larger, then it goes to the parent */

static void
reduce_over (PdPlay *play, PdStep *step, const PdTree *tree)
{
  guint32 r = pd_relative (play, play->rank);
  guint32 n_children = tree->get_n_children (r, play->n);

  *step = pd_step_done ();
  if (play->n == 1 || play->i >= count_segments (play, tree))
    return;
  get_segment (play, tree, r, play->i, step);
  gint64 bytes = step->send_bytes, at = step->send_at;
  if (play->stage == 1) /* a child's has come */
    {
      play->stage = 0;
      *step = pd_step_reduce (bytes);
      return;
    }
  if (play->j < n_children)
    {
      guint32 child = tree->get_child (r, play->n, n_children - 1 - play->j++);
      *step = pd_step_recv (pd_absolute (play, child), bytes, at);
      play->stage = 1;
      return;
    }
  play->i++;
  play->j = 0;
  if (r == 0)
    {
      reduce_over (play, step, tree); /* its next segment, of which it has children */
      return;
    }
  *step = pd_step_send (pd_absolute (play, tree->get_parent (r, play->n)), bytes, at);
}

void
pd_coll_reduce_tree_binomial (PdPlay *play, PdStep *step)
{
  if (play->segment == 0)
    pd_coll_reduce_binomial (play, step);
  else
    reduce_over (play, step, &pd_tree_binomial);
}

void
pd_coll_reduce_binary (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &pd_tree_binary);
}

void
pd_coll_reduce_chain (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &pd_tree_chain);
}

void
pd_coll_reduce_pipeline (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &pd_tree_pipeline);
}

void
pd_coll_reduce_linear (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &pd_tree_linear);
}

/* To the last rank, so that the order of the ranks is kept. */
void
pd_coll_reduce_in_order (PdPlay *play, PdStep *step)
{
  guint32 root = play->args.root;

  play->args.root = play->n - 1;
  reduce_over (play, step, &pd_tree_in_order);
  play->args.root = root;
}

/* … and from there to the root. */
void
pd_coll_reduce_hand_over (PdPlay *play, PdStep *step)
{
  guint32 last = play->n - 1, root = play->args.root;

  *step = pd_step_done ();
  if (root == last || play->stage++ > 0)
    return;
  if (play->rank == last)
    *step = pd_step_send (root, play->args.bytes, 0);
  else if (play->rank == root)
    *step = pd_step_recv (last, play->args.bytes, 0);
}
