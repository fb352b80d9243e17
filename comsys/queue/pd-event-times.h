/* Future events by moment: where thousands of events have the same moment, a heap of
 * the few moments and a list for each cost far less than a heap of the events. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_EVENT_TIMES_H
#define PD_EVENT_TIMES_H

#include "comsys/queue/pd-lines.h"

#include <glib.h>

/* A list may be found again by its key as long as the key is here: one of the
 * recent ones. A key that got lost gets a second list. */
#define PD_EVENT_TIMES_RECENT 256

typedef struct
{
  guint64 order;
  guint64 what; /* both are the caller's */
} PdEventItem;

#define PD_EVENT_TIMES_CHUNK 15

/* A piece of a list, four cache lines. */
typedef struct
{
  guint32 n;
  guint32 next; /* 0 = none */
  guint64 unused;
  PdEventItem items[PD_EVENT_TIMES_CHUNK];
} PdEventChunk;

G_STATIC_ASSERT (sizeof (PdEventChunk) == 256);

/* An entry of the heap: the first event of a moment itself, so that moments with one
 * event need no list; or the list of events that were added after it. Four to a cache
 * line. */
typedef struct
{
  guint64 key;
  guint64 ref; /* of an item in @items; or %PD_EVENT_TIME_LIST and the first chunk */
} PdEventTime;

#define PD_EVENT_TIME_LIST (G_GUINT64_CONSTANT (1) << 32)

/* The last chunk of a list; 0: so far the key has a first item only. */
typedef struct
{
  guint64 key;
  guint32 chunk;
} PdRecentEventTime;

/* All zero at first. */
typedef struct
{
  PdEventTime *heap; /* of four children each, least key first; see pd-event-times.c */
  guint32 n;         /* of @heap */
  guint32 room;
  PdEventItem *items; /* pool of single items */
  guint32 n_items;
  guint32 items_room;
  guint32 free_item;    /* 1 + the first of a list by .order; 0 = none */
  PdEventChunk *chunks; /* pool; 0 is never used */
  guint32 n_chunks;
  guint32 chunks_room;
  guint32 free;     /* list of chunks */
  guint32 n_listed; /* chunks that are in lists */
  PdRecentEventTime recent[PD_EVENT_TIMES_RECENT];
} PdEventTimes;

/**
 * pd_event_chunk_prefetch:
 * @chunk: of a list that is processed, or 0
 *
 * Has the chunk loaded.
 */
static inline void
pd_event_chunk_prefetch (const PdEventTimes *self, guint32 chunk)
{
  for (gsize at = 0; at < sizeof (PdEventChunk); at += 64)
    pd_prefetch ((const char *) &self->chunks[chunk] + at);
}

/**
 * pd_event_times_add:
 * @key: later than every key taken so far
 *
 * Appends (@order, @what) to the list of @key.
 */
void pd_event_times_add (PdEventTimes *self, guint64 key, guint64 order, guint64 what);

/**
 * pd_event_times_peek:
 * @i: from 0, less than n: the first is the next, those behind it are early
 *
 * Returns: (nullable): that item, if it is a single one.
 */
static inline const PdEventItem *
pd_event_times_peek (const PdEventTimes *self, guint32 i)
{
  guint64 ref = self->heap[i].ref;

  return ref < PD_EVENT_TIME_LIST ? &self->items[ref] : NULL;
}

/**
 * pd_event_times_is_single:
 * @self: not empty
 *
 * Returns: whether one item is all that is there of the least key.
 */
static inline gboolean
pd_event_times_is_single (const PdEventTimes *self)
{
  guint64 key = self->heap[0].key;

  for (guint32 i = 1; i < MIN (self->n, 5); i++) /* another one would be a child of the first */
    if (self->heap[i].key == key)
      return FALSE;
  return self->heap[0].ref < PD_EVENT_TIME_LIST;
}

/**
 * pd_event_times_take:
 * @self: not empty
 *
 * @single: (out): an item, where the return value is 0
 *
 * Takes the least key out, @self->heap[0].key: its first item or, after that, the
 * list of the others. If the key had got lost meanwhile it comes again: items and
 * lists of a key are taken one after the other.
 *
 * Returns: the first chunk of a list, in order of adding; the caller gives them
 *   back by pd_event_times_give_back(). 0: it was a single item.
 */
guint32 pd_event_times_take (PdEventTimes *self, PdEventItem *single);

/**
 * pd_event_times_give_back:
 * @chunk: of a list taken; what it holds may be lost
 */
void pd_event_times_give_back (PdEventTimes *self, guint32 chunk);

/**
 * pd_event_times_clear:
 * Releases what @self holds, not @self.
 */
void pd_event_times_clear (PdEventTimes *self);

#endif
