/* The candidates of receives with wildcards: lists and heaps by the values that they match, in
 * one table. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WILDCARD_LISTS_H
#define PD_WILDCARD_LISTS_H

#include "comsys/state/pd-comsys-data.h"

typedef enum
{
  PD_WILDCARD_FREE,
  PD_WILDCARD_RECEIVES, /* list by PdReq.next */
  PD_WILDCARD_TAG,      /* messages of (target, source, tag): list by PdReq.next */
  PD_WILDCARD_SOURCE,   /* messages of (target, source): list by PdWildcardNode.next,
                           PdWildcardNode.previous */
  PD_WILDCARD_TAG_HEAP, /* visible first ones of PD_WILDCARD_TAG, of all sources: heap */
  PD_WILDCARD_HEAP,     /* visible first ones of PD_WILDCARD_SOURCE, of all sources: heap */
} PdWildcardKind;

typedef struct
{
  guint32 kind;
  guint32 target;
  guint32 source; /* G_MAXUINT32 = any */
  guint32 context;
  gint32 tag;   /* %PD_ANY_TAG = any */
  guint32 head; /* or root; 0 = empty */
  guint32 tail;
} PdWildcardEntry;

/* A place in a skew heap. */
typedef struct
{
  guint32 left;
  guint32 right;
  guint32 parent;
} PdWildcardLeaf;

/* Which heap a PdWildcardLeaf belongs to. */
enum
{
  PD_WILDCARD_BY_TAG, /* PD_WILDCARD_TAG_HEAP; while it is not visible: the heap of coming ones */
  PD_WILDCARD_BY_SOURCE, /* PD_WILDCARD_HEAP */
};

/* The data of a message besides its PdReq. */
typedef struct
{
  PdWildcardLeaf leaves[2];
  guint32 previous;
  guint32 next;
} PdWildcardNode;

/* A receive that may find a message now. */
typedef struct
{
  guint64 order;
  guint32 recv;
} PdWildcardChance;

struct _PdWildcard
{
  PdWildcardEntry *entries; /* open addressing, linear probing; empty ones go when it grows */
  gsize mask;
  gsize used;            /* not PD_WILDCARD_FREE */
  PdWildcardNode *nodes; /* (array length=room): by request */
  gsize room;
  guint64 n_unmatched;
  GArray *chances; /* PdWildcardChance: binary heap, least order first */
  GArray *targets; /* guint32 ranks to look at */
  gboolean pumping;
};

/**
 * pd_wildcard_make_room:
 * There is a node for each request.
 */
void pd_wildcard_make_room (PdComsys *self);

/**
 * pd_wildcard_list_message:
 * The message waits for a receive.
 */
void pd_wildcard_list_message (PdComsys *self, guint32 send);

/**
 * pd_wildcard_unlist_message:
 * Takes a visible message, which is the first of its tag, out of everything.
 */
void pd_wildcard_unlist_message (PdComsys *self, guint32 send);

/**
 * pd_wildcard_list_receive:
 * The receive waits for a message.
 */
void pd_wildcard_list_receive (PdComsys *self, guint32 recv);

/**
 * pd_wildcard_unlist_receive:
 * It is the first of its list: the next one may find a message.
 */
void pd_wildcard_unlist_receive (PdComsys *self, guint32 recv);

/**
 * pd_wildcard_find_message:
 * The message that @recv gets now; 0 = none.
 */
guint32 pd_wildcard_find_message (PdComsys *self, guint32 recv);

/**
 * pd_wildcard_become_visible:
 * The first of the coming messages can be matched from now on.
 */
void pd_wildcard_become_visible (PdComsys *self, guint32 send);

/**
 * pd_wildcard_arrival_known:
 * The arrival of a message that is not matched became known.
 */
void pd_wildcard_arrival_known (PdComsys *self, guint32 send);

/**
 * pd_wildcard_remove:
 * Takes a receive that nothing has matched out of its list.
 */
void pd_wildcard_remove (PdComsys *self, guint32 recv);

/**
 * pd_wildcard_get_n_unmatched:
 * Sends and receives that nothing has matched.
 */
guint64 pd_wildcard_get_n_unmatched (const PdWildcard *self);

/**
 * pd_wildcard_free:
 * Frees the lists.
 */
void pd_wildcard_free (PdWildcard *self);

#endif
