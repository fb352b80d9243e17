/* What is to happen, kept by moment: where thousands of things happen at the
 * same moment, a heap of the few moments and a list for each cost far less than
 * a heap of the things.
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
  guint32 next; /* of its list; 0 = none */
} PdMomentItem;

typedef struct
{
  guint64 key;
  guint32 item; /* in the heap the first of the list, among the recent the last; 0 = none */
} PdMoment;

/* All zero at first. */
typedef struct
{
  PdMoment *heap; /* binary, least key first */
  guint32 n;      /* of @heap */
  guint32 room;
  PdMomentItem *items; /* pool; 0 is never used */
  guint32 n_items;
  guint32 items_room;
  guint32 free; /* list of items */
  PdMoment recent[PD_MOMENTS_RECENT];
} PdMoments;

/**
 * pd_moments_add:
 * @key: later than every key taken so far
 *
 * Appends (@order, @what) to the list of @key.
 */
void pd_moments_add (PdMoments *self, guint64 key, guint64 order, guint64 what);

/**
 * pd_moments_take:
 * @self: not empty
 *
 * Takes the least key out, @self->heap[0].key. If it had got lost meanwhile it
 * comes again: the lists of a key are taken one after the other.
 *
 * Returns: the first item of its list, in order of adding; the caller gives the
 *   list back by pd_moments_give_back().
 */
guint32 pd_moments_take (PdMoments *self);

/**
 * pd_moments_give_back:
 * @first: the first item of a list taken
 * @last: its last item
 *
 * The items are free for new lists; in the same order, so that what is added in
 * a row lies in a row.
 */
void pd_moments_give_back (PdMoments *self, guint32 first, guint32 last);

void pd_moments_clear (PdMoments *self);

G_END_DECLS

#endif
