/* The trees of Bcast and Reduce.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-shapes-private.h"

#define CHAINS 4 /* of "chain" */

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

/* ---- k-nomial: as binomial with digits of base 4 */

#define RADIX 4

/* The place value of r's lowest digit that is not 0; of the root beyond n. */
static guint64
lowest_digit (guint32 r, guint32 n)
{
  guint64 place = 1;

  while (r == 0 ? place < n : r / place % RADIX == 0)
    place *= RADIX;
  return place;
}

static guint32
knomial_parent (guint32 r, guint32 n)
{
  guint64 place = lowest_digit (r, n);

  return (guint32) (r - r / place % RADIX * place);
}

static guint32
knomial_n_children (guint32 r, guint32 n)
{
  guint64 n_children = 0;

  for (guint64 place = lowest_digit (r, n) / RADIX; place > 0; place /= RADIX)
    n_children += MIN (RADIX - 1, (n - 1 - r) / place);
  return (guint32) n_children;
}

static guint32
knomial_child (guint32 r, guint32 n, guint32 k)
{
  guint64 place = lowest_digit (r, n) / RADIX, here;

  while (k >= (here = MIN (RADIX - 1, (n - 1 - r) / place)))
    {
      k -= (guint32) here;
      place /= RADIX;
    }
  return (guint32) (r + (k + 1) * place);
}

/* ---- in-order binary: ranks first … last hang on the last one; of the others
 * the upper half is one subtree, the rest the other. r is the rank + 1, of the last
 * one of all 0 */

typedef struct
{
  guint32 parent; /* ranks */
  guint32 children[2];
  guint32 n_children;
} InOrder;

static InOrder
find_in_order (guint32 rank, guint32 n)
{
  guint32 first = 0, last = n - 1, parent = n - 1;

  for (;;)
    {
      guint32 size = last - first + 1, upper = size / 2, lower = size - upper - 1;
      if (rank == last)
        {
          InOrder found = { .parent = parent };
          if (lower > 0)
            found.children[found.n_children++] = first + lower - 1;
          if (upper > 0)
            found.children[found.n_children++] = last - 1;
          return found;
        }
      parent = last;
      if (rank < first + lower)
        last = first + lower - 1;
      else
        {
          first += lower;
          last--;
        }
    }
}

static guint32
in_order_rank (guint32 r, guint32 n)
{
  return r == 0 ? n - 1 : r - 1;
}

static guint32
in_order_parent (guint32 r, guint32 n)
{
  return (find_in_order (in_order_rank (r, n), n).parent + 1) % n;
}

static guint32
in_order_n_children (guint32 r, guint32 n)
{
  return find_in_order (in_order_rank (r, n), n).n_children;
}

static guint32
in_order_child (guint32 r, guint32 n, guint32 k)
{
  return (find_in_order (in_order_rank (r, n), n).children[k] + 1) % n;
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

const PdTree pd_tree_binomial = { binomial_parent, binomial_n_children, binomial_child, FALSE };
const PdTree pd_tree_knomial = { knomial_parent, knomial_n_children, knomial_child, FALSE };
const PdTree pd_tree_in_order = { in_order_parent, in_order_n_children, in_order_child, FALSE };
const PdTree pd_tree_binary = { binary_parent, binary_n_children, binary_child, FALSE };
const PdTree pd_tree_split_binary = { binary_parent, binary_n_children, binary_child, TRUE };
const PdTree pd_tree_chain = { chain_parent, chain_n_children, chain_child, FALSE };
const PdTree pd_tree_pipeline = { pipeline_parent, pipeline_n_children, pipeline_child, FALSE };
const PdTree pd_tree_linear = { linear_parent, linear_n_children, linear_child, FALSE };
