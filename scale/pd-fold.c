/* SPDX-License-Identifier: MIT */
#include "scale/pd-fold.h"

#define NODE(nodes, i) ((PdFoldNode *) g_ptr_array_index ((nodes), (i)))

/* ---- nodes */

/* The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). */
static guint64
mix (guint64 sum, guint64 value)
{
  guint64 z = sum * 31 + value + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void
free_node (gpointer data)
{
  PdFoldNode *node = data;

  pd_column_clear (&node->counts);
  for (guint i = 0; i < node->n_columns; i++)
    pd_column_clear (&node->columns[i]);
  g_free (node->columns);
  g_clear_pointer (&node->children, g_ptr_array_unref);
  g_free (node);
}

static PdFoldNode *
make_element (guint32 shape, guint n_columns)
{
  PdFoldNode *node = g_new0 (PdFoldNode, 1);

  node->shape = shape;
  node->hash = mix (1, shape);
  node->n_columns = n_columns;
  node->columns = g_new0 (PdColumn, n_columns);
  pd_column_append (&node->counts, 0, 1);
  return node;
}

static void
add_numbers (PdFoldNode *node, const gint64 *numbers)
{
  pd_column_increase_last (&node->counts);
  for (guint i = 0; i < node->n_columns; i++)
    pd_column_append (&node->columns[i], numbers[i], 1);
}

/* @node gets what @more, of the same structure, has behind its own. */
static void
merge (PdFoldNode *node, const PdFoldNode *more)
{
  pd_column_append_all (&node->counts, &more->counts);
  for (guint i = 0; i < node->n_columns; i++)
    pd_column_append_all (&node->columns[i], &more->columns[i]);
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    merge (NODE (node->children, i), NODE (more->children, i));
}

/* ---- loops */

/* Whether the last @w nodes have the structure of the @w nodes from @first on. */
static gboolean
repeats (const GPtrArray *nodes, const GPtrArray *others, guint first, guint w)
{
  guint begin = nodes->len - w;

  for (guint i = w; i-- > 0;)
    if (NODE (nodes, begin + i)->hash != NODE (others, first + i)->hash)
      return FALSE;
  return TRUE;
}

/* The last @w nodes are one more repetition of @loop, which stands before them. */
static void
extend (GPtrArray *nodes, PdFoldNode *loop, guint w)
{
  guint begin = nodes->len - w;

  for (guint i = 0; i < w; i++)
    merge (NODE (loop->children, i), NODE (nodes, begin + i));
  pd_column_increase_last (&loop->counts);
  g_ptr_array_remove_range (nodes, begin, w);
}

/* The last 2 @w nodes become a loop. */
static void
make_loop (GPtrArray *nodes, guint w)
{
  PdFoldNode *loop = g_new0 (PdFoldNode, 1);
  guint begin = nodes->len - 2 * w;

  loop->shape = PD_FOLD_LOOP;
  loop->hash = 2;
  loop->children = g_ptr_array_new_with_free_func (free_node);
  pd_column_append (&loop->counts, 1, 1);
  g_ptr_array_insert (nodes, (gint) begin, loop);
  for (guint i = 0; i < w; i++)
    {
      PdFoldNode *node = g_ptr_array_steal_index (nodes, begin + 1);
      loop->hash = mix (loop->hash, node->hash);
      g_ptr_array_add (loop->children, node);
    }
  extend (nodes, loop, w);
}

static gboolean
fold_once (GPtrArray *nodes)
{
  for (guint w = 1; w <= PD_FOLD_WINDOW && w < nodes->len; w++)
    {
      PdFoldNode *before = NODE (nodes, nodes->len - w - 1);
      if (before->children != NULL && before->children->len == w
          && repeats (nodes, before->children, 0, w))
        {
          extend (nodes, before, w);
          return TRUE;
        }
      if (w > 1 && 2 * w <= nodes->len && repeats (nodes, nodes, nodes->len - 2 * w, w))
        {
          make_loop (nodes, w);
          return TRUE;
        }
    }
  return FALSE;
}

/* A loop that was made, or went on, may be the end of another repetition. */
static void
fold (GPtrArray *nodes)
{
  while (fold_once (nodes))
    ;
}

/* ---- public */

void
pd_fold_init (PdFold *self, guint n_columns)
{
  self->n_columns = n_columns;
  self->nodes = g_ptr_array_new_with_free_func (free_node);
}

void
pd_fold_add (PdFold *self, guint32 shape, const gint64 *numbers)
{
  PdFoldNode *last = self->nodes->len > 0 ? NODE (self->nodes, self->nodes->len - 1) : NULL;

  if (last == NULL || last->shape != shape)
    {
      fold (self->nodes);
      last = make_element (shape, self->n_columns);
      g_ptr_array_add (self->nodes, last);
    }
  add_numbers (last, numbers);
}

void
pd_fold_finish (PdFold *self)
{
  fold (self->nodes);
}

gboolean
pd_fold_equal (const GPtrArray *a, const GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const PdFoldNode *one = NODE (a, i), *other = NODE (b, i);
      if (one->shape != other->shape || (one->children == NULL) != (other->children == NULL)
          || (one->children != NULL && !pd_fold_equal (one->children, other->children)))
        return FALSE;
    }
  return TRUE;
}

void
pd_fold_clear (PdFold *self)
{
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
}
