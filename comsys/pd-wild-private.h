/* What receives with wildcards choose from: lists and heaps by what they match, in one
 * table. What happens with them is in pd-wild.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WILD_PRIVATE_H
#define PD_WILD_PRIVATE_H

#include "comsys/pd-comsys-private.h"

G_BEGIN_DECLS

typedef enum
{
  PD_WILD_FREE,
  PD_WILD_RECEIVES, /* list by PdReq.next */
  PD_WILD_TAG,      /* messages of (target, source, tag): list by PdReq.next */
  PD_WILD_SOURCE,   /* messages of (target, source): list by PdWildNode.next, PdWildNode.previous */
  PD_WILD_TAG_HEAP, /* visible first ones of PD_WILD_TAG, of all sources: heap */
  PD_WILD_HEAP,     /* visible first ones of PD_WILD_SOURCE, of all sources: heap */
} PdWildKind;

typedef struct
{
  guint32 kind;
  guint32 target;
  guint32 source; /* G_MAXUINT32 = any */
  guint32 context;
  gint32 tag;   /* %PD_ANY_TAG = any */
  guint32 head; /* or root; 0 = empty */
  guint32 tail;
} PdWildEntry;

/* A place in a skew heap. */
typedef struct
{
  guint32 left;
  guint32 right;
  guint32 parent;
} PdWildLeaf;

/* Which heap a PdWildLeaf belongs to. */
enum
{
  PD_WILD_BY_TAG,    /* PD_WILD_TAG_HEAP; while it is not visible: the heap of coming ones */
  PD_WILD_BY_SOURCE, /* PD_WILD_HEAP */
};

/* What a message needs besides its PdReq. */
typedef struct
{
  PdWildLeaf leaves[2];
  guint32 previous;
  guint32 next;
} PdWildNode;

/* A receive that may find a message now. */
typedef struct
{
  guint64 order;
  guint32 recv;
} PdWildChance;

struct _PdWild
{
  PdWildEntry *entries; /* open addressing, linear probing; empty ones go when it grows */
  gsize mask;
  gsize used;        /* not PD_WILD_FREE */
  PdWildNode *nodes; /* (array length=room): by request */
  gsize room;
  guint64 n_unmatched;
  GArray *chances; /* PdWildChance: binary heap, least order first */
  GArray *targets; /* guint32 ranks to look at */
  gboolean pumping;
};

/* ---- pd-wild-table.c */

void pd_wild_table_init (PdWild *self);

/* The entry of @key, valid until the next call; %NULL if it is empty and not
 * @wanted. */
PdWildEntry *pd_wild_find (PdWild *self, PdWildEntry key, gboolean wanted);

/* The first one in it; 0 = none. */
guint32 pd_wild_head_of (PdWild *self, PdWildEntry key);

/* A heap of messages, by (visible since, source): the new root. */
guint32 pd_wild_heap_add (PdComsys *self, guint which, guint32 root, guint32 send);
guint32 pd_wild_heap_remove (PdComsys *self, guint which, guint32 root, guint32 send);

/* @recv, 0 = none, may find a message. */
void pd_wild_chance_add (PdComsys *self, guint32 recv);
/* The oldest one; there must be some. */
PdWildChance pd_wild_chance_pop (PdComsys *self);

G_END_DECLS

#endif
