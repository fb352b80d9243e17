/* SPDX-License-Identifier: MIT */
#include "scale/fold/pd-fold.h"

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

/* ---- known loops */

/* The hash of the last node of a body → the bodies (element-type GArray of guint64), the longest
 * ones first. */
struct _PdFoldLoops
{
  GHashTable *by_last;
};

PdFoldLoops *
pd_fold_loops_new (void)
{
  PdFoldLoops *self = g_new (PdFoldLoops, 1);

  self->by_last = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                         (GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
pd_fold_loops_free (PdFoldLoops *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_last);
  g_free (self);
}

/* Whether @nodes end with the body. */
static gboolean
ends_with (const GPtrArray *nodes, const GArray *body)
{
  for (guint i = 1; i <= body->len; i++)
    if (i > nodes->len
        || NODE (nodes, nodes->len - i)->hash != g_array_index (body, guint64, body->len - i))
      return FALSE;
  return TRUE;
}

static GPtrArray *
find_bodies (const PdFoldLoops *self, const GPtrArray *nodes)
{
  return g_hash_table_lookup (self->by_last, &NODE (nodes, nodes->len - 1)->hash);
}

static gboolean
add_body (PdFoldLoops *self, const GPtrArray *nodes)
{
  GPtrArray *bodies = find_bodies (self, nodes);
  guint place = 0;

  if (bodies == NULL)
    {
      guint64 *key = g_new (guint64, 1);
      *key = NODE (nodes, nodes->len - 1)->hash;
      bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
      g_hash_table_insert (self->by_last, key, bodies);
    }
  for (; place < bodies->len; place++)
    {
      const GArray *body = g_ptr_array_index (bodies, place);
      if (body->len < nodes->len)
        break;
      if (body->len == nodes->len && ends_with (nodes, body))
        return FALSE;
    }
  GArray *body = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < nodes->len; i++)
    g_array_append_val (body, NODE (nodes, i)->hash);
  g_ptr_array_insert (bodies, (gint) place, body);
  return TRUE;
}

gboolean
pd_fold_loops_add (PdFoldLoops *self, const GPtrArray *nodes)
{
  gboolean is_new = FALSE;

  for (guint i = 0; i < nodes->len; i++)
    if (NODE (nodes, i)->children != NULL)
      {
        is_new = pd_fold_loops_add (self, NODE (nodes, i)->children) || is_new;
        is_new = add_body (self, NODE (nodes, i)->children) || is_new;
      }
  return is_new;
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

static guint64
hash_loop (const PdFoldNode *loop)
{
  guint64 hash = 2;

  for (guint i = 0; i < loop->children->len; i++)
    hash = mix (hash, NODE (loop->children, i)->hash);
  return hash;
}

/* The @w nodes from @begin on become a loop of one repetition. */
static PdFoldNode *
make_loop (GPtrArray *nodes, guint begin, guint w)
{
  PdFoldNode *loop = g_new0 (PdFoldNode, 1);

  loop->shape = PD_FOLD_LOOP;
  loop->children = g_ptr_array_new_with_free_func (free_node);
  pd_column_append (&loop->counts, 1, NODE (nodes, begin)->counts.n);
  g_ptr_array_insert (nodes, (gint) begin, loop);
  for (guint i = 0; i < w; i++)
    g_ptr_array_add (loop->children, g_ptr_array_steal_index (nodes, begin + 1));
  loop->hash = hash_loop (loop);
  return loop;
}

/* The loop before the last @w nodes of which these are one more repetition: it may end others that
 * seemed to be complete. */
static PdFoldNode *
find_repeated (const GPtrArray *nodes, guint w)
{
  PdFoldNode *loop = NODE (nodes, nodes->len - w - 1), *found = NULL;

  for (; loop->children != NULL; loop = NODE (loop->children, loop->children->len - 1))
    if (loop->children->len == w && repeats (nodes, loop->children, 0, w))
      found = loop;
  return found;
}

static gboolean
fold_once (GPtrArray *nodes)
{
  for (guint w = 1; w <= PD_FOLD_WINDOW && w < nodes->len; w++)
    {
      PdFoldNode *before = find_repeated (nodes, w);
      if (before != NULL)
        {
          extend (nodes, before, w);
          return TRUE;
        }
      if (w > 1 && 2 * w <= nodes->len && repeats (nodes, nodes, nodes->len - 2 * w, w))
        {
          extend (nodes, make_loop (nodes, nodes->len - 2 * w, w), w);
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

/* ---- loops of other sequences */

/* Whether @nodes end with a known body of at most @most nodes, which is a loop then. */
static gboolean
find_known (GPtrArray *nodes, const PdFoldLoops *known, guint most)
{
  const GPtrArray *bodies = find_bodies (known, nodes);

  for (guint i = 0; bodies != NULL && i < bodies->len; i++)
    {
      const GArray *body = g_ptr_array_index (bodies, i);
      if (body->len > most || !ends_with (nodes, body))
        continue;
      make_loop (nodes, nodes->len - body->len, body->len);
      return TRUE;
    }
  return FALSE;
}

/* @inside: the list is the body of a loop; the whole body is no further loop. Nodes that differed
 * by their loops may be equal now, and are folded again. */
static void
recognise (GPtrArray *nodes, const PdFoldLoops *known, gboolean inside)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (free_node);

  while (nodes->len > 0)
    g_ptr_array_insert (all, 0, g_ptr_array_steal_index (nodes, nodes->len - 1));
  while (all->len > 0)
    {
      PdFoldNode *node = g_ptr_array_steal_index (all, 0);
      if (node->children != NULL)
        {
          recognise (node->children, known, TRUE);
          node->hash = hash_loop (node);
        }
      g_ptr_array_add (nodes, node);
      while (find_known (nodes, known, nodes->len - (inside && all->len == 0 ? 1 : 0))
             || (!inside && fold_once (nodes)))
        ;
    }
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

void
pd_fold_recognise (PdFold *self, const PdFoldLoops *known)
{
  recognise (self->nodes, known, FALSE);
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
