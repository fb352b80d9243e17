/* What is to happen, kept by moment: where thousands of things happen at the
 * same moment, a heap of the few moments and a list for each cost far less than
 * a heap of the things. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MOMENTS_H
#define PD_MOMENTS_H

#include <glib.h>

G_BEGIN_DECLS

/* A list may be found again by its key as long as the key is here: one of the
 * recent ones. A key that got lost gets a second list. */
#define PD_MOMENTS_RECENT 256

typedef struct
{
  guint64 order;
  guint64 what; /* both are the caller's */
} PdMomentItem;

#define PD_MOMENTS_CHUNK 15

/* A piece of a list, four cache lines. */
typedef struct
{
  guint32 n;
  guint32 next; /* 0 = none */
  guint64 unused;
  PdMomentItem items[PD_MOMENTS_CHUNK];
} PdMomentChunk;

G_STATIC_ASSERT (sizeof (PdMomentChunk) == 256);

/* What is in the heap: the first item of a moment by itself, so that where no two
 * things happen at the same moment there are no lists; or the list of those that
 * were added after it. Four to a cache line. */
typedef struct
{
  guint64 key;
  guint64 ref; /* of an item in @items; or %PD_MOMENT_LIST and the first chunk */
} PdMoment;

#define PD_MOMENT_LIST (G_GUINT64_CONSTANT (1) << 32)

/* The last chunk of a list; 0: so far the key has a first item only. */
typedef struct
{
  guint64 key;
  guint32 chunk;
} PdMomentRecent;

/* All zero at first. */
typedef struct
{
  PdMoment *heap; /* of four children each, least key first; see pd-moments.c */
  guint32 n;      /* of @heap */
  guint32 room;
  PdMomentItem *items; /* pool of single items */
  guint32 n_items;
  guint32 items_room;
  guint32 free_item;     /* 1 + the first of a list by .order; 0 = none */
  PdMomentChunk *chunks; /* pool; 0 is never used */
  guint32 n_chunks;
  guint32 chunks_room;
  guint32 free;     /* list of chunks */
  guint32 n_listed; /* chunks that are in lists */
  PdMomentRecent recent[PD_MOMENTS_RECENT];
} PdMoments;

/**
 * pd_moments_add:
 * @key: later than every key taken so far
 *
 * Appends (@order, @what) to the list of @key.
 */
void pd_moments_add (PdMoments *self, guint64 key, guint64 order, guint64 what);

/**
 * pd_moments_peek:
 * @i: from 0, less than n: the first is the next, those behind it are early
 *
 * Returns: (nullable): that item, if it is a single one.
 */
static inline const PdMomentItem *
pd_moments_peek (const PdMoments *self, guint32 i)
{
  guint64 ref = self->heap[i].ref;

  return ref < PD_MOMENT_LIST ? &self->items[ref] : NULL;
}

/**
 * pd_moments_is_single:
 * @self: not empty
 *
 * Returns: whether one item is all that is there of the least key.
 */
static inline gboolean
pd_moments_is_single (const PdMoments *self)
{
  guint64 key = self->heap[0].key;

  for (guint32 i = 1; i < MIN (self->n, 5); i++) /* another one would be a child of the first */
    if (self->heap[i].key == key)
      return FALSE;
  return self->heap[0].ref < PD_MOMENT_LIST;
}

/**
 * pd_moments_take:
 * @self: not empty
 *
 * @single: (out): an item, where the return value is 0
 *
 * Takes the least key out, @self->heap[0].key: its first item or, after that, the
 * list of the others. If the key had got lost meanwhile it comes again: items and
 * lists of a key are taken one after the other.
 *
 * Returns: the first chunk of a list, in order of adding; the caller gives them
 *   back by pd_moments_give_back(). 0: it was a single item.
 */
guint32 pd_moments_take (PdMoments *self, PdMomentItem *single);

/**
 * pd_moments_give_back:
 * @chunk: of a list taken; what it holds may be lost
 */
void pd_moments_give_back (PdMoments *self, guint32 chunk);

/**
 * pd_moments_clear:
 * Releases what @self holds, not @self.
 */
void pd_moments_clear (PdMoments *self);

G_END_DECLS

#endif
