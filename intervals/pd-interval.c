/* The tree, and additions to it while a simulation runs.
 * SPDX-License-Identifier: MIT */
#include "intervals/pd-interval-private.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes */

static guint
node_hash (gconstpointer data)
{
  const PdIntervalNode *node = data;
  guint64 h = node->parent;

  /* the file's name is left to the comparison: it seldom decides */
  for (const char *p = node->key.name; *p != '\0'; p++)
    h = h * 31 + (guchar) *p;
  h = h * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (guint64) node->key.type;
  h = h * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (guint64) node->key.line;
  h = h * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (guint64) node->key.index;
  return (guint) (h ^ (h >> 32));
}

static gboolean
node_equal (gconstpointer a, gconstpointer b)
{
  const PdIntervalNode *x = a, *y = b;

  return x->parent == y->parent && x->key.type == y->key.type && x->key.line == y->key.line
         && x->key.index == y->key.index && strcmp (x->key.file, y->key.file) == 0
         && strcmp (x->key.name, y->key.name) == 0;
}

static void
node_free (gpointer data)
{
  PdIntervalNode *node = data;

  for (guint32 i = 0; i < node->n_shared; i++)
    g_free (node->shared[i]);
  g_free (node->shared);
  g_free ((char *) node->key.file);
  g_free ((char *) node->key.name);
  g_free (node);
}

static PdIntervalNode *
add_node (PdIntervalTree *self, guint32 parent, const PdIntervalKey *key)
{
  PdIntervalNode *node = g_new0 (PdIntervalNode, 1);
  gsize needed = ((gsize) self->nodes->len + 1) * PD_N_QUANTITIES;

  if (needed > self->n_columns)
    {
      gsize n = MAX (2 * self->n_columns, 16 * (gsize) PD_N_QUANTITIES);
      self->columns = g_renew (gint64 *, self->columns, n);
      memset (self->columns + self->n_columns, 0, (n - self->n_columns) * sizeof *self->columns);
      self->n_columns = n;
    }
  node->key = *key;
  node->key.file = g_strdup (key->file);
  node->key.name = g_strdup (key->name);
  node->number = self->nodes->len;
  node->parent = parent;
  node->first_child = node->last_child = node->next_sibling = PD_INTERVAL_NONE;
  g_ptr_array_add (self->nodes, node);
  g_hash_table_add (self->index, node);
  return node;
}

guint32
pd_interval_tree_child (PdIntervalTree *self, guint32 parent, const PdIntervalKey *key)
{
  g_return_val_if_fail (parent < self->nodes->len && key != NULL, PD_INTERVAL_ROOT);

  PdIntervalNode wanted = { .key = *key, .parent = parent };
  if (wanted.key.file == NULL)
    wanted.key.file = "";
  if (wanted.key.name == NULL)
    wanted.key.name = "";
  PdIntervalNode *node = g_hash_table_lookup (self->index, &wanted);
  if (node != NULL)
    return node->number;

  PdIntervalNode *above = g_ptr_array_index (self->nodes, parent);
  node = add_node (self, parent, &wanted.key);
  node->depth = above->depth + 1;
  if (above->last_child == PD_INTERVAL_NONE)
    above->first_child = node->number;
  else
    ((PdIntervalNode *) g_ptr_array_index (self->nodes, above->last_child))->next_sibling =
        node->number;
  above->last_child = node->number;
  return node->number;
}

/* ---- the tree */

static void
set_clear (gpointer data)
{
  g_free (((PdIntervalSet *) data)->members);
}

PdIntervalTree *
pd_interval_tree_new (guint32 n_processors)
{
  g_return_val_if_fail (n_processors >= 1, NULL);

  static const PdIntervalKey root = { PD_INTERVAL_MAIN, "", 0, PD_INTERVAL_NO_INDEX, "" };
  PdIntervalTree *self = g_new0 (PdIntervalTree, 1);
  PdIntervalSet all = { n_processors, NULL };

  self->n_processors = n_processors;
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->index = g_hash_table_new (node_hash, node_equal);
  self->sets = g_array_new (FALSE, FALSE, sizeof (PdIntervalSet));
  g_array_set_clear_func (self->sets, set_clear);
  g_array_append_val (self->sets, all);
  self->set_index =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  add_node (self, PD_INTERVAL_NONE, &root);
  return self;
}

PdIntervalTree *
pd_interval_tree_new_mpi (guint32 n_processors)
{
  PdIntervalTree *self = pd_interval_tree_new (n_processors);

  self->model = PD_MODEL_MPI;
  return self;
}

void
pd_interval_tree_free (PdIntervalTree *self)
{
  if (self == NULL)
    return;
  for (gsize i = 0; i < self->n_columns; i++)
    g_free (self->columns[i]);
  g_free (self->columns);
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->nodes);
  g_hash_table_unref (self->set_index);
  g_array_unref (self->sets);
  g_free (self);
}

guint32
pd_interval_tree_get_n_nodes (const PdIntervalTree *self)
{
  return self->nodes->len;
}

PdIntervalKey
pd_interval_tree_get_key (const PdIntervalTree *self, guint32 node)
{
  return pd_interval_node (self, node)->key;
}

guint32
pd_interval_tree_get_parent (const PdIntervalTree *self, guint32 node)
{
  guint32 parent = pd_interval_node (self, node)->parent;

  return parent == PD_INTERVAL_NONE ? PD_INTERVAL_ROOT : parent;
}

PdIntervalModel
pd_interval_tree_get_model (const PdIntervalTree *self)
{
  return self->model;
}

guint32
pd_interval_tree_get_n_processors (const PdIntervalTree *self)
{
  return self->n_processors;
}

/* ---- adding */

/* Where many processors do the same at a moment they do so in the order of their numbers: what one
 * of the next has is loaded ahead. */
#define AHEAD 32

void
pd_interval_tree_add (PdIntervalTree *self, guint32 node, PdQuantity quantity, guint32 processor,
                      PdTime value)
{
  g_return_if_fail (node < self->nodes->len && quantity < PD_N_QUANTITIES
                    && processor < self->n_processors && value.ps >= 0);

  gint64 **column = &self->columns[(gsize) node * PD_N_QUANTITIES + quantity];
  if (G_UNLIKELY (*column == NULL))
    {
      /* a charge of nothing is no reason to hold a column */
      if (value.ps == 0)
        return;
      *column = g_new0 (gint64, self->n_processors);
    }
  __builtin_prefetch (&(*column)[processor + AHEAD], 1);
  (*column)[processor] = pd_interval_plus ((*column)[processor], value.ps);
}

static int
compare_numbers (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

guint32
pd_interval_tree_add_set (PdIntervalTree *self, const guint32 *processors, guint32 n)
{
  if (n == 0)
    return PD_INTERVAL_ALL;
  g_return_val_if_fail (processors != NULL && n <= self->n_processors, PD_INTERVAL_ALL);

  g_autofree guint32 *members = g_new (guint32, n);
  memcpy (members, processors, n * sizeof *members);
  qsort (members, n, sizeof *members, compare_numbers);
  for (guint32 i = 0; i < n; i++)
    g_return_val_if_fail (members[i] < self->n_processors
                              && (i == 0 || members[i - 1] < members[i]),
                          PD_INTERVAL_ALL);
  if (n == self->n_processors)
    return PD_INTERVAL_ALL;

  g_autoptr (GBytes) key = g_bytes_new (members, n * sizeof *members);
  gpointer known;
  if (g_hash_table_lookup_extended (self->set_index, key, NULL, &known))
    return GPOINTER_TO_UINT (known);

  PdIntervalSet set = { n, g_steal_pointer (&members) };
  guint32 number = self->sets->len;
  g_array_append_val (self->sets, set);
  g_hash_table_insert (self->set_index, g_steal_pointer (&key), GUINT_TO_POINTER (number));
  return number;
}

/* Room for the values of @set in @node. */
static gint64 *
grow_shared (PdIntervalNode *node, guint32 set)
{
  if (set >= node->n_shared)
    {
      guint32 n = MAX (set + 1, 2 * node->n_shared);
      node->shared = g_renew (gint64 *, node->shared, n);
      memset (node->shared + node->n_shared, 0, (n - node->n_shared) * sizeof *node->shared);
      node->n_shared = n;
    }
  if (node->shared[set] == NULL)
    node->shared[set] = g_new0 (gint64, PD_N_QUANTITIES);
  return node->shared[set];
}

void
pd_interval_tree_add_shared (PdIntervalTree *self, guint32 node, PdQuantity quantity, guint32 set,
                             PdTime value)
{
  g_return_if_fail (node < self->nodes->len && quantity < PD_N_QUANTITIES && set < self->sets->len
                    && value.ps >= 0);

  PdIntervalNode *n = g_ptr_array_index (self->nodes, node);
  gint64 *values = set < n->n_shared ? n->shared[set] : NULL;
  if (G_UNLIKELY (values == NULL))
    values = grow_shared (n, set);
  values[quantity] = pd_interval_plus (values[quantity], value.ps);
}

void
pd_interval_tree_count_operation (PdIntervalTree *self, guint32 node, PdOperationKind kind)
{
  g_return_if_fail (node < self->nodes->len && kind < PD_N_OPERATIONS);

  PdIntervalNode *n = g_ptr_array_index (self->nodes, node);
  n->n_operations[kind]++;
}
