/* The queue of the main loop: events, ordered by (time, protocol events before ranks,
 * rank, order of insertion).
 *
 * Thousands of ranks act at the same moment. Future events are kept by moment
 * (pd-event-times.h) and sorted when their moment comes; events inserted for the current
 * moment are kept in a heap beside it. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_QUEUE_H
#define PD_QUEUE_H

#include "base/pd-time.h"
#include "comsys/queue/pd-event-times.h"

/* The order is that of two integers: (time, class) and (rank, sequence). */
typedef struct
{
  guint64 when_class;    /* time << 1 | is a rank's turn */
  guint64 rank_sequence; /* (rank + 1) << 40 | sequence; a network's own events: rank 0 */
  guint64 what;          /* the caller's */
} PdQueueItem;

/* All zero at first. */
typedef struct
{
  PdEventTimes future; /* later than @come */
  guint64 come;        /* the last moment taken from @future */
  PdEventItem *run;    /* of that moment, in order */
  gsize n_run;
  gsize next; /* the first of @run that is still there */
  gsize run_room;
  PdEventItem *spare; /* (nullable): where a moment is put into order */
  gsize spare_room;
  PdQueueItem *late; /* heap of @n_late, not later than @come */
  gsize n_late;
  gsize late_room;
  guint64 sequence;
  gboolean keeps_numbers; /* items of a moment are ordered by their numbers alone */
} PdQueue;

/* Networks' own events come before those of ranks at the same moment. */
#define PD_QUEUE_NO_RANK G_MAXUINT32

#define PD_QUEUE_SEQUENCE_BITS 40

/* Where numbers are kept, a pushed item gets one; others fit between two. */
#define PD_NUMBER_STEP 16

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
 * pd_queue_item_rank:
 * Returns: the rank of @item, or %PD_QUEUE_NO_RANK.
 */
static inline guint32
pd_queue_item_rank (const PdQueueItem *item)
{
  return (guint32) (item->rank_sequence >> PD_QUEUE_SEQUENCE_BITS) - 1;
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
 * Returns: the item's place in the order, with its field what 0.
 */
static inline PdQueueItem
pd_queue_item (PdTime when, gboolean is_turn, guint32 rank, guint64 sequence)
{
  return (PdQueueItem){ .when_class = (guint64) when.ps << 1 | (is_turn ? 1 : 0),
                        .rank_sequence =
                            (guint64) (guint32) (rank + 1) << PD_QUEUE_SEQUENCE_BITS | sequence };
}

/**
 * pd_queue_is_empty:
 * Returns: whether nothing is queued.
 */
static inline gboolean
pd_queue_is_empty (const PdQueue *self)
{
  return self->next == self->n_run && self->n_late == 0 && self->future.n == 0;
}

/**
 * pd_queue_get_run:
 * Returns: the first item of the run, which must not be at its end.
 */
static inline PdQueueItem
pd_queue_get_run (const PdQueue *self)
{
  const PdEventItem *next = &self->run[self->next];

  return (PdQueueItem){ self->come, next->order, next->what };
}

/**
 * pd_queue_is_first:
 * Returns: whether @item comes before all that is queued. %FALSE also where to
 *   know that would take putting the next moment into order.
 */
static inline gboolean
pd_queue_is_first (const PdQueue *self, const PdQueueItem *item)
{
  PdQueueItem next;

  if (self->future.n > 0 && item->when_class >= self->future.heap[0].key)
    return FALSE;
  if (self->n_late > 0 && !pd_queue_item_before (item, self->late))
    return FALSE;
  if (self->next == self->n_run)
    return TRUE;
  next = pd_queue_get_run (self);
  return pd_queue_item_before (item, &next);
}

/**
 * pd_queue_push_late:
 * @when_class: not later than the moment that has come; like the others of a #PdQueueItem
 *
 * For pd_queue_push(). In registers: a copy of an item that has just been written in parts would
 * wait for them.
 */
void pd_queue_push_late (PdQueue *self, guint64 when_class, guint64 rank_sequence, guint64 what);

/**
 * pd_queue_trim:
 * Gives back memory that an earlier moment has taken and that nothing is in.
 */
void pd_queue_trim (PdQueue *self);

/**
 * pd_queue_pop_other:
 * For pd_queue_pop().
 *
 * Returns: the next item where it is not the first of the run; taken out.
 */
PdQueueItem pd_queue_pop_other (PdQueue *self);

/**
 * pd_queue_clear:
 * Releases what the queue holds, not @self.
 */
void pd_queue_clear (PdQueue *self);

/**
 * pd_queue_next_item:
 * Returns: likewise, for the item that is pushed next.
 */
static inline PdQueueItem
pd_queue_next_item (const PdQueue *self, PdTime when, gboolean is_turn, guint32 rank)
{
  if (G_UNLIKELY (self->keeps_numbers))
    return pd_queue_item (when, FALSE, PD_QUEUE_NO_RANK,
                          (self->sequence + PD_NUMBER_STEP) & 0xffffffffff);
  return pd_queue_item (when, is_turn, rank, self->sequence & 0xffffffffff);
}

/**
 * pd_queue_add:
 * @item: which has its place and what it means
 *
 * Adds an item. O(log n).
 */
static inline void
pd_queue_add (PdQueue *self, const PdQueueItem *item)
{
  if (item->when_class > self->come)
    pd_event_times_add (&self->future, item->when_class, item->rank_sequence, item->what);
  else
    pd_queue_push_late (self, item->when_class, item->rank_sequence, item->what);
}

/**
 * pd_queue_push:
 * @when: see pd_queue_item(); likewise @is_turn and @rank
 * @what: the caller's
 *
 * Adds an item, with a number of its own where numbers are kept.
 */
static inline void
pd_queue_push (PdQueue *self, PdTime when, gboolean is_turn, guint32 rank, guint64 what)
{
  PdQueueItem item = pd_queue_next_item (self, when, is_turn, rank);

  item.what = what;
  self->sequence += G_UNLIKELY (self->keeps_numbers) ? PD_NUMBER_STEP : 1;
  pd_queue_add (self, &item);
}

/**
 * pd_queue_push_numbered:
 * @number: what orders the items of a moment; less than 2^40
 *
 * Adds an item of nobody.
 */
static inline void
pd_queue_push_numbered (PdQueue *self, PdTime when, guint64 number, guint64 what)
{
  PdQueueItem item = pd_queue_item (when, FALSE, PD_QUEUE_NO_RANK, number & 0xffffffffff);

  item.what = what;
  pd_queue_add (self, &item);
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
  if (G_LIKELY (self->next < self->n_run))
    {
      PdQueueItem item = pd_queue_get_run (self);
      if (G_LIKELY (self->n_late == 0 || pd_queue_item_before (&item, self->late)))
        {
          self->next++;
          return item;
        }
    }
  return pd_queue_pop_other (self);
}

#endif
