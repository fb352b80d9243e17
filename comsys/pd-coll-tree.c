/* Schedules of Bcast and Reduce over trees, whole or segment by segment. Ranks
 * are relative to the root.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

#define CHAINS 4 /* of "chain" */

/* So many segments at most: a message of any size is played in finite time. */
#define MAX_SEGMENTS 65536

typedef struct
{
  guint32 (*get_parent) (guint32 r, guint32 n); /* r > 0 */
  guint32 (*get_n_children) (guint32 r, guint32 n);
  guint32 (*get_child) (guint32 r, guint32 n, guint32 k);
  gboolean is_split; /* odd ranks pass on the first half, even ones the second */
} Tree;

/* ---- binomial: of r + 2^j below r's lowest bit, the largest first */

static guint32
ceil_log (guint32 n)
{
  return n <= 1 ? 0 : 32 - (guint32) __builtin_clz (n - 1);
}

static guint32
binomial_parent (guint32 r, guint32 n G_GNUC_UNUSED)
{
  return r & (r - 1);
}

static guint32
binomial_n_children (guint32 r, guint32 n)
{
  guint32 fit = ceil_log (n - r);

  return r == 0 ? fit : MIN (fit, (guint32) __builtin_ctz (r));
}

static guint32
binomial_child (guint32 r, guint32 n, guint32 k)
{
  return r + (1u << (binomial_n_children (r, n) - 1 - k));
}

/* ---- binary: level l holds 2^l - 1 … 2^(l+1) - 2; the children of r are
 * 2^l and 2^(l+1) after it, so that one half of the tree is odd */

static guint32
level_size (guint32 r)
{
  return pd_floor_power (r + 1);
}

static guint32
binary_parent (guint32 r, guint32 n G_GNUC_UNUSED)
{
  guint32 size = level_size (r), above = size / 2;

  return r - above < size - 1 ? r - above : r - size;
}

static guint32
binary_child (guint32 r, guint32 n G_GNUC_UNUSED, guint32 k)
{
  return r + level_size (r) * (k + 1);
}

static guint32
binary_n_children (guint32 r, guint32 n)
{
  guint64 size = level_size (r);

  return (r + size < n ? 1u : 0u) + (r + 2 * size < n ? 1u : 0u);
}

/* ---- chains: of equal length, the first ones longer by one */

typedef struct
{
  guint32 number;   /* of r's chain */
  guint32 position; /* in it */
  guint32 length;
} Link;

static Link
find_link (guint32 r, guint32 n, guint32 n_chains)
{
  guint32 short_length = (n - 1) / n_chains, n_longer = (n - 1) % n_chains;
  guint32 x = r - 1, in_longer = n_longer * (short_length + 1);

  if (x < in_longer)
    return (Link){ x / (short_length + 1), x % (short_length + 1), short_length + 1 };
  x -= in_longer;
  return (Link){ n_longer + x / short_length, x % short_length, short_length };
}

static guint32
chain_parent_of (guint32 r, guint32 n, guint32 n_chains)
{
  return find_link (r, n, MIN (n_chains, n - 1)).position == 0 ? 0 : r - 1;
}

static guint32
chain_n_children_of (guint32 r, guint32 n, guint32 n_chains)
{
  if (r == 0)
    return MIN (n_chains, n - 1);
  Link link = find_link (r, n, MIN (n_chains, n - 1));
  return link.position + 1 < link.length ? 1 : 0;
}

static guint32
chain_child_of (guint32 r, guint32 n, guint32 k, guint32 n_chains)
{
  guint32 chains = MIN (n_chains, n - 1), length = (n - 1) / chains, n_longer = (n - 1) % chains;

  return r == 0 ? 1 + k * length + MIN (k, n_longer) : r + 1;
}

static guint32
chain_parent (guint32 r, guint32 n)
{
  return chain_parent_of (r, n, CHAINS);
}

static guint32
chain_n_children (guint32 r, guint32 n)
{
  return chain_n_children_of (r, n, CHAINS);
}

static guint32
chain_child (guint32 r, guint32 n, guint32 k)
{
  return chain_child_of (r, n, k, CHAINS);
}

static guint32
pipeline_parent (guint32 r, guint32 n G_GNUC_UNUSED)
{
  return r - 1;
}

static guint32
pipeline_n_children (guint32 r, guint32 n)
{
  return r + 1 < n ? 1 : 0;
}

static guint32
pipeline_child (guint32 r, guint32 n G_GNUC_UNUSED, guint32 k G_GNUC_UNUSED)
{
  return r + 1;
}

/* ---- linear */

static guint32
linear_parent (guint32 r G_GNUC_UNUSED, guint32 n G_GNUC_UNUSED)
{
  return 0;
}

static guint32
linear_n_children (guint32 r, guint32 n)
{
  return r == 0 ? n - 1 : 0;
}

static guint32
linear_child (guint32 r G_GNUC_UNUSED, guint32 n G_GNUC_UNUSED, guint32 k)
{
  return k + 1;
}

static const Tree binomial = { binomial_parent, binomial_n_children, binomial_child, FALSE };
static const Tree binary = { binary_parent, binary_n_children, binary_child, FALSE };
static const Tree split_binary = { binary_parent, binary_n_children, binary_child, TRUE };
static const Tree chain = { chain_parent, chain_n_children, chain_child, FALSE };
static const Tree pipeline = { pipeline_parent, pipeline_n_children, pipeline_child, FALSE };
static const Tree linear = { linear_parent, linear_n_children, linear_child, FALSE };

/* ---- segments */

/* The part of the vector that goes to @r, or comes from it. */
static void
get_share (const PdPlay *play, const Tree *tree, guint32 r, gint64 *at, gint64 *bytes)
{
  gint64 first = play->args.bytes - play->args.bytes / 2;

  *at = tree->is_split && r % 2 == 0 ? first : 0;
  *bytes = !tree->is_split ? play->args.bytes : r % 2 == 0 ? play->args.bytes / 2 : first;
}

static guint32
count_segments (const PdPlay *play, const Tree *tree)
{
  gint64 most = tree->is_split ? play->args.bytes - play->args.bytes / 2 : play->args.bytes;

  if (play->segment == 0 || most <= play->segment)
    return 1;
  return (guint32) MIN ((most - 1) / play->segment + 1, MAX_SEGMENTS);
}

/* Segment @i on its way to @r. */
static void
get_segment (const PdPlay *play, const Tree *tree, guint32 r, guint32 i, PdStep *piece)
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
receive_segment (const PdPlay *play, const Tree *tree, guint32 r, PdStep *step)
{
  get_segment (play, tree, r, play->i, step);
  *step = pd_step_recv (pd_absolute (play, tree->get_parent (r, play->n)), step->recv_bytes,
                        step->recv_at);
}

/* Posts the receive of the segment after this one; FALSE: there is none. */
static gboolean
post_next (const PdPlay *play, const Tree *tree, guint32 r, PdStep *step)
{
  if (r == 0 || play->i + 1 >= count_segments (play, tree))
    return FALSE;
  get_segment (play, tree, r, play->i + 1, step);
  *step = pd_step_irecv (pd_absolute (play, tree->get_parent (r, play->n)), step->recv_bytes,
                         step->recv_at);
  return TRUE;
}

static void
bcast_over (PdPlay *play, PdStep *step, const Tree *tree)
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
    bcast_over (play, step, &binomial);
}

void
pd_coll_bcast_binary (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &binary);
}

void
pd_coll_bcast_split (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &split_binary);
}

void
pd_coll_bcast_chain (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &chain);
}

void
pd_coll_bcast_pipeline (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &pipeline);
}

void
pd_coll_bcast_linear (PdPlay *play, PdStep *step)
{
  bcast_over (play, step, &linear);
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
reduce_over (PdPlay *play, PdStep *step, const Tree *tree)
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
    reduce_over (play, step, &binomial);
}

void
pd_coll_reduce_binary (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &binary);
}

void
pd_coll_reduce_chain (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &chain);
}

void
pd_coll_reduce_pipeline (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &pipeline);
}

void
pd_coll_reduce_linear (PdPlay *play, PdStep *step)
{
  reduce_over (play, step, &linear);
}
