/* The table of the lists and heaps of pd-wildcard.c, and what they are made of.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-wildcard-table-private.h"

#include "comsys/state/pd-lookup.h"

/* ---- the table */

static gsize
hash (const PdWildcardEntry *key)
{
  guint64 h = ((guint64) key->target << 32 | key->source) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= h >> 29;
  h += ((guint64) key->context << 32 | (guint32) key->tag) ^ (guint64) key->kind << 28;
  h *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (gsize) (h ^ h >> 32);
}

static gboolean
entry_equal (const PdWildcardEntry *a, const PdWildcardEntry *b)
{
  return a->kind == b->kind && a->target == b->target && a->source == b->source
         && a->context == b->context && a->tag == b->tag;
}

static PdWildcardEntry *
probe (const PdWildcard *self, const PdWildcardEntry *key)
{
  gsize i = hash (key) & self->mask;

  while (self->entries[i].kind != PD_WILDCARD_FREE && !entry_equal (&self->entries[i], key))
    i = (i + 1) & self->mask;
  return &self->entries[i];
}

void
pd_wildcard_table_init (PdWildcard *self)
{
  self->mask = 63;
  self->entries = g_new0 (PdWildcardEntry, self->mask + 1);
}

/* Leaves out empty entries; afterwards at most a quarter is in use. */
static void
rebuild (PdWildcard *self)
{
  g_autofree PdWildcardEntry *old = self->entries;
  gsize n_old = self->mask + 1, n_live = 0, n = 64;

  for (gsize i = 0; i < n_old; i++)
    n_live += old[i].head != 0;
  while (n < 4 * n_live)
    n *= 2;
  self->entries = g_new0 (PdWildcardEntry, n);
  self->mask = n - 1;
  self->used = n_live;
  for (gsize i = 0; i < n_old; i++)
    if (old[i].head != 0)
      *probe (self, &old[i]) = old[i];
}

PdWildcardEntry *
pd_wildcard_find (PdWildcard *self, PdWildcardEntry key, gboolean wanted)
{
  PdWildcardEntry *entry = probe (self, &key);

  if (entry->kind != PD_WILDCARD_FREE)
    return wanted || entry->head != 0 ? entry : NULL;
  if (!wanted)
    return NULL;
  if (2 * (self->used + 1) > self->mask)
    {
      rebuild (self);
      entry = probe (self, &key);
    }
  self->used++;
  *entry = key;
  return entry;
}

guint32
pd_wildcard_head_of (PdWildcard *self, PdWildcardEntry key)
{
  const PdWildcardEntry *entry = pd_wildcard_find (self, key, FALSE);

  return entry == NULL ? 0 : entry->head;
}

/* ---- skew heaps */

static PdWildcardLeaf *
leaf_of (const PdWildcard *self, guint32 send, guint which)
{
  return &self->nodes[send].leaves[which];
}

static gboolean
precedes (PdComsys *self, guint32 a, guint32 b)
{
  const PdReq *x = pd_req (self, a), *y = pd_req (self, b);

  if (x->arrival.ps != y->arrival.ps)
    return x->arrival.ps < y->arrival.ps;
  /* operations of LogGOPSim: in the order of launches */
  return x->rank != y->rank && self->operations == NULL ? x->rank < y->rank : x->order < y->order;
}

static guint32
merge (PdComsys *self, guint which, guint32 a, guint32 b)
{
  guint32 root = 0, parent = 0, *link = &root;

  while (a != 0 && b != 0)
    {
      guint32 first = precedes (self, b, a) ? b : a;
      PdWildcardLeaf *leaf = leaf_of (self->wildcards, first, which);
      guint32 right = leaf->right;
      b = first == a ? b : a;
      a = right;
      *link = first;
      leaf->parent = parent;
      leaf->right = leaf->left;
      link = &leaf->left;
      parent = first;
    }
  *link = a != 0 ? a : b;
  if (*link != 0)
    leaf_of (self->wildcards, *link, which)->parent = parent;
  return root;
}

guint32
pd_wildcard_heap_add (PdComsys *self, guint which, guint32 root, guint32 send)
{
  *leaf_of (self->wildcards, send, which) = (PdWildcardLeaf){ 0, 0, 0 };
  return merge (self, which, root, send);
}

guint32
pd_wildcard_heap_remove (PdComsys *self, guint which, guint32 root, guint32 send)
{
  PdWildcardLeaf leaf = *leaf_of (self->wildcards, send, which);
  guint32 rest = merge (self, which, leaf.left, leaf.right);

  if (rest != 0)
    leaf_of (self->wildcards, rest, which)->parent = leaf.parent;
  if (leaf.parent == 0)
    return rest;
  PdWildcardLeaf *parent = leaf_of (self->wildcards, leaf.parent, which);
  if (parent->left == send)
    parent->left = rest;
  else
    parent->right = rest;
  return root;
}

/* ---- chances */

void
pd_wildcard_chance_add (PdComsys *self, guint32 recv)
{
  GArray *heap = self->wildcards->chances;
  PdWildcardChance chance = { recv == 0 ? 0 : pd_req_order (pd_req (self, recv)), recv };
  guint i = heap->len;

  if (recv == 0)
    return;
  g_array_append_val (heap, chance);
  PdWildcardChance *chances = (PdWildcardChance *) (gpointer) heap->data;
  for (; i > 0 && chance.order < chances[(i - 1) / 2].order; i = (i - 1) / 2)
    chances[i] = chances[(i - 1) / 2];
  chances[i] = chance;
}

PdWildcardChance
pd_wildcard_chance_pop (PdComsys *self)
{
  GArray *heap = self->wildcards->chances;
  PdWildcardChance *chances = (PdWildcardChance *) (gpointer) heap->data;
  PdWildcardChance top = chances[0], last = chances[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  g_array_set_size (heap, n);
  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      child += child + 1 < n && chances[child + 1].order < chances[child].order ? 1 : 0;
      if (chances[child].order >= last.order)
        break;
      chances[i] = chances[child];
      i = child;
    }
  if (n > 0)
    chances[i] = last;
  return top;
}
