/* The event queue of graph simulation: events leave in the order of (time,
 * number). A wheel of eight levels, one for each byte of the time; of a level
 * only the digits above the present one are in use. The bucket that comes
 * next is sorted as a whole, so that what follows is known some events ahead
 * and can be fetched.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_QUEUE_PRIVATE_H
#define PD_GOAL_QUEUE_PRIVATE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 time;    /* ps */
  guint32 number; /* breaks ties */
  guint32 host;   /* rank it happens at */
  /* The queue does not look at these: */
  guint32 op;
  guint32 source;
  guint32 tag;
  guint32 size;
} PdGoalEvent;

#define PD_GOAL_PEEK  24 /* events that can be looked at ahead of their turn */
#define PD_GOAL_CHUNK 63 /* events, so that it takes 2 KB with its head */

typedef struct _PdGoalChunk PdGoalChunk;
struct _PdGoalChunk
{
  PdGoalChunk *next;
  PdGoalEvent events[PD_GOAL_CHUNK];
};

typedef struct
{
  PdGoalEvent *at, *end; /* room in the last chunk */
  PdGoalChunk *first, *last;
} PdGoalBucket;

typedef struct
{
  gint64 time;
  guint32 number;
  guint32 index;
} PdGoalSortKey;

typedef struct
{
  /* What comes next, in order; everything up to limit is here or in near. */
  PdGoalEvent *sorted;
  gsize at, n_sorted;
  gint64 limit;
  /* A binary heap of what was pushed before limit since. */
  PdGoalEvent *near;
  gsize n_near, size_near;
  /* Times are relative to base: a bucket of level l has those that agree with
   * it above byte l and have the bucket's digit there. */
  gint64 base;
  PdGoalBucket buckets[8][256];
  guint64 used[8 * 4]; /* bits: buckets of a level that are not empty; four words each */
  guint32 used_words;  /* bits: which of these are not 0 */
  gsize n_waiting;     /* events in them */
  /* Room. */
  PdGoalEvent *raw;
  gsize size_raw; /* of raw and of sorted */
  PdGoalSortKey *keys[2];
  gsize size_keys;
  PdGoalChunk *free_chunks;
  GPtrArray *slabs;
  gboolean backwards; /* events may be pushed before what was popped */
} PdGoalQueue;

void pd_goal_queue_init (PdGoalQueue *self, gboolean backwards);
void pd_goal_queue_clear (PdGoalQueue *self);
void pd_goal_queue_push_near (PdGoalQueue *self, const PdGoalEvent *event);
void pd_goal_queue_add_chunk (PdGoalQueue *self, PdGoalBucket *bucket, guint level, guint digit);
gsize pd_goal_queue_get_bytes (const PdGoalQueue *self);
gboolean pd_goal_queue_pop_slow (PdGoalQueue *self, PdGoalEvent *event);

static inline gboolean
pd_goal_event_before (const PdGoalEvent *a, const PdGoalEvent *b)
{
  return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static inline void
pd_goal_queue_push (PdGoalQueue *self, const PdGoalEvent *event)
{
  guint64 differs = (guint64) (event->time ^ self->base);
  guint level, digit;
  PdGoalBucket *bucket;

  if (event->time < self->limit)
    {
      pd_goal_queue_push_near (self, event);
      return;
    }
  level = (63u - (guint) __builtin_clzll (differs | 1)) >> 3;
  digit = (guint) (event->time >> (8 * level)) & 255;
  bucket = &self->buckets[level][digit];
  if (bucket->at == bucket->end)
    pd_goal_queue_add_chunk (self, bucket, level, digit);
  *bucket->at++ = *event;
  self->n_waiting++;
}

/* Returns FALSE if the queue is empty. */
static inline gboolean
pd_goal_queue_pop (PdGoalQueue *self, PdGoalEvent *event)
{
  if (self->at < self->n_sorted && self->n_near == 0)
    {
      *event = self->sorted[self->at++];
      return TRUE;
    }
  return pd_goal_queue_pop_slow (self, event);
}

/* Returns the event that comes @ahead, up to PD_GOAL_PEEK, events later if
 * nothing is pushed before it; if that is not known, one that was there once or
 * is all 0. */
static inline const PdGoalEvent *
pd_goal_queue_peek (const PdGoalQueue *self, gsize ahead)
{
  return &self->sorted[self->at + ahead];
}

G_END_DECLS

#endif
