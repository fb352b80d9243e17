/* The event queue of graph simulation: events leave in the order of (time,
 * number). A wheel of eight levels, one for each byte of the time; of a level
 * only the digits above the present one are in use. The bucket that comes
 * next is sorted as a whole, so that what follows is known some events ahead
 * and can be fetched.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_QUEUE_PRIVATE_H
#define PD_GOAL_QUEUE_PRIVATE_H

#include <glib.h>

typedef struct
{
  gint64 time;    /* ps, >= 0 */
  guint32 number; /* breaks ties */
  guint32 what;   /* the queue does not look at it */
} PdGoalEventTime;

#define PD_GOAL_PEEK  24  /* moments that can be looked at ahead of their turn */
#define PD_GOAL_CHUNK 127 /* moments, so that it takes 2 KB with its head */

typedef struct _PdGoalChunk PdGoalChunk;
struct _PdGoalChunk
{
  PdGoalChunk *next;
  PdGoalEventTime event_times[PD_GOAL_CHUNK];
};

typedef struct
{
  PdGoalEventTime *at, *end; /* room in the last chunk */
  PdGoalChunk *first, *last;
} PdGoalBucket;

typedef struct
{
  guint64 key; /* time since something << 32 | number */
  guint64 what;
} PdGoalSortKey;

typedef struct
{
  /* The next events, in order; everything up to limit is here or in near. */
  PdGoalEventTime *sorted;
  gsize at, n_sorted;
  gsize refill; /* the position at which more events are sorted, so that the next ones are known */
  gint64 limit;
  /* A binary heap of the events pushed before limit since. */
  PdGoalEventTime *near;
  gsize n_near, size_near;
  /* Times are relative to base: a bucket of level l has those that agree with
   * it above byte l and have the bucket's digit there. */
  gint64 base;
  PdGoalBucket buckets[8][256];
  guint64 used[8 * 4]; /* bits: buckets of a level that are not empty; four words each */
  guint32 used_words;  /* bits: which of these are not 0 */
  gsize n_waiting;     /* moments in them */
  /* Room. */
  gsize size_sorted;
  PdGoalSortKey *keys[2];
  gsize size_keys;
  PdGoalChunk *free_chunks;
  GPtrArray *slabs;
  gboolean backwards; /* moments may be pushed before the last popped one */
} PdGoalQueue;

void pd_goal_queue_init (PdGoalQueue *self, gboolean backwards);
void pd_goal_queue_clear (PdGoalQueue *self);
void pd_goal_queue_push_near (PdGoalQueue *self, PdGoalEventTime moment);
void pd_goal_queue_add_chunk (PdGoalQueue *self, PdGoalBucket *bucket, guint level, guint digit);
gsize pd_goal_queue_get_bytes (const PdGoalQueue *self);
gboolean pd_goal_queue_pop_slow (PdGoalQueue *self, PdGoalEventTime *moment);

static inline gboolean
pd_goal_event_time_before (const PdGoalEventTime *a, const PdGoalEventTime *b)
{
  return a->time < b->time || (a->time == b->time && a->number < b->number);
}

/* The highest byte in which @time differs from base. */
static inline guint
pd_goal_queue_get_level (const PdGoalQueue *self, gint64 time)
{
  return (63u - (guint) __builtin_clzll ((guint64) (time ^ self->base) | 1)) >> 3;
}

static inline void
pd_goal_queue_push (PdGoalQueue *self, PdGoalEventTime moment)
{
  guint level, digit;
  PdGoalBucket *bucket;

  if (moment.time < self->limit)
    {
      pd_goal_queue_push_near (self, moment);
      return;
    }
  level = pd_goal_queue_get_level (self, moment.time);
  digit = (guint) (moment.time >> (8 * level)) & 255;
  bucket = &self->buckets[level][digit];
  if (G_UNLIKELY (bucket->at == bucket->end))
    pd_goal_queue_add_chunk (self, bucket, level, digit);
  *bucket->at++ = moment;
  self->n_waiting++;
}

/* Returns FALSE if the queue is empty. */
static inline gboolean
pd_goal_queue_pop (PdGoalQueue *self, PdGoalEventTime *moment)
{
  if (self->at < self->refill && self->n_near == 0)
    {
      *moment = self->sorted[self->at++];
      return TRUE;
    }
  return pd_goal_queue_pop_slow (self, moment);
}

/* Returns the moment that comes @ahead, up to PD_GOAL_PEEK, moments later if
 * nothing is pushed before it; if that is not known, one that was there once or
 * is all 0. */
static inline const PdGoalEventTime *
pd_goal_queue_peek (const PdGoalQueue *self, gsize ahead)
{
  return &self->sorted[self->at + ahead];
}

#endif
