/* The queue of the main loop: a 4-ary heap of what is to happen, ordered by
 * (time, protocol events before ranks, rank, order of insertion).
 * SPDX-License-Identifier: MIT */
#ifndef PD_QUEUE_H
#define PD_QUEUE_H

#include "base/pd-time.h"

G_BEGIN_DECLS

/* The order is that of two integers: (time, class) and (rank, sequence). */
typedef struct
{
  guint64 when_class;    /* time << 1 | is a rank's turn */
  guint64 rank_sequence; /* (rank + 1) << 40 | sequence; a network's own events: rank 0 */
  guint64 what;          /* the caller's */
} PdQueueItem;

typedef struct
{
  PdQueueItem *items; /* a heap of @n */
  gsize n;
  gsize room;
  guint64 sequence;
} PdQueue;

/* Networks' own events come before those of ranks at the same moment. */
#define PD_QUEUE_NO_RANK G_MAXUINT32

/**
 * pd_queue_item_time:
 * Returns: the moment of @item.
 */
static inline PdTime
pd_queue_item_time (const PdQueueItem *item)
{
  return PD_TIME ((gint64) (item->when_class >> 1));
}

/**
 * pd_queue_item_before:
 * Returns: whether @a leaves the queue before @b.
 */
static inline gboolean
pd_queue_item_before (const PdQueueItem *a, const PdQueueItem *b)
{
  return a->when_class < b->when_class
         || (a->when_class == b->when_class && a->rank_sequence < b->rank_sequence);
}

/**
 * pd_queue_item:
 * @when: not negative
 * @is_turn: a rank's turn; FALSE: a protocol event, which comes first
 * @rank: less than 2^24, or %PD_QUEUE_NO_RANK
 * @sequence: less than 2^40
 *
 * Returns: the item's place in the order; @what is left 0.
 */
static inline PdQueueItem
pd_queue_item (PdTime when, gboolean is_turn, guint32 rank, guint64 sequence)
{
  return (PdQueueItem){ .when_class = (guint64) when.ps << 1 | (is_turn ? 1 : 0),
                        .rank_sequence = (guint64) (guint32) (rank + 1) << 40 | sequence };
}

/**
 * pd_queue_push:
 * @when: see pd_queue_item(); likewise @is_turn and @rank
 * @what: the caller's
 *
 * Adds an item. O(log n).
 */
static inline void
pd_queue_push (PdQueue *self, PdTime when, gboolean is_turn, guint32 rank, guint64 what)
{
  PdQueueItem item = pd_queue_item (when, is_turn, rank, self->sequence++ & 0xffffffffff);
  gsize i = self->n++;

  item.what = what;
  if (G_UNLIKELY (self->n > self->room))
    {
      self->room = MAX (64, self->room * 2);
      self->items = g_renew (PdQueueItem, self->items, self->room);
    }
  while (i > 0)
    {
      gsize parent = (i - 1) / 4;
      if (!pd_queue_item_before (&item, &self->items[parent]))
        break;
      self->items[i] = self->items[parent];
      i = parent;
    }
  self->items[i] = item;
}

/**
 * pd_queue_pop:
 * The queue must not be empty. O(log n).
 *
 * Returns: the first item, which is taken out.
 */
static inline PdQueueItem
pd_queue_pop (PdQueue *self)
{
  PdQueueItem top = self->items[0];
  PdQueueItem last = self->items[--self->n];
  gsize i = 0;

  for (;;)
    {
      gsize child = 4 * i + 1;
      gsize end = MIN (child + 4, self->n);
      if (child >= self->n)
        break;
      gsize best = child;
      for (gsize c = child + 1; c < end; c++)
        if (pd_queue_item_before (&self->items[c], &self->items[best]))
          best = c;
      if (!pd_queue_item_before (&self->items[best], &last))
        break;
      self->items[i] = self->items[best];
      i = best;
    }
  self->items[i] = last;
  return top;
}

G_END_DECLS

#endif
