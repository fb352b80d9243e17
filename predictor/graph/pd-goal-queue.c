/* The event queue of graph simulation.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-queue-private.h"

#include <string.h>

#define SORT_MAX   192 /* a bucket with more moments and several times is spread first */
#define GATHER_MAX 512 /* buckets are sorted until there are so many moments, */
#define GATHER_OF  16  /* or one of so many in the queue */
#define NEAR_MAX   128 /* with more, later events are spread anew */
#define INSERT_MAX 8   /* up to here insertion sort */
#define INSERT_ONE 48  /* likewise of one time */
#define SLAB       64  /* chunks that are allocated at a time */

G_STATIC_ASSERT (sizeof (PdGoalEventTime) == 16);

static void
reserve (PdGoalQueue *self, gsize n)
{
  if (n > self->size_sorted)
    {
      self->size_sorted = n + n / 2;
      g_free (self->sorted);
      self->sorted = g_new0 (PdGoalEventTime, self->size_sorted + PD_GOAL_PEEK + 1);
    }
}

void
pd_goal_queue_init (PdGoalQueue *self, gboolean backwards)
{
  memset (self, 0, sizeof *self);
  self->slabs = g_ptr_array_new_with_free_func (g_free);
  self->backwards = backwards;
  reserve (self, 2 * GATHER_MAX);
}

void
pd_goal_queue_clear (PdGoalQueue *self)
{
  g_free (self->sorted);
  g_free (self->near);
  g_free (self->keys[0]);
  g_free (self->keys[1]);
  g_clear_pointer (&self->slabs, g_ptr_array_unref);
}

/* Memory it takes, besides itself. */
gsize
pd_goal_queue_get_bytes (const PdGoalQueue *self)
{
  return self->slabs->len * SLAB * sizeof (PdGoalChunk)
         + (self->size_sorted + self->size_near) * sizeof (PdGoalEventTime)
         + 2 * self->size_keys * sizeof (PdGoalSortKey);
}

/* ---- the heap of near events */

void
pd_goal_queue_push_near (PdGoalQueue *self, PdGoalEventTime moment)
{
  gsize i = self->n_near++;

  if (i == self->size_near)
    {
      self->size_near = MAX (2 * NEAR_MAX, 2 * self->size_near);
      self->near = g_realloc_n (self->near, self->size_near, sizeof *self->near);
    }
  for (; i > 0 && pd_goal_event_time_before (&moment, &self->near[(i - 1) / 2]); i = (i - 1) / 2)
    self->near[i] = self->near[(i - 1) / 2];
  self->near[i] = moment;
}

static void
pop_near (PdGoalQueue *self, PdGoalEventTime *moment)
{
  PdGoalEventTime last = self->near[--self->n_near];
  gsize n = self->n_near, i = 0, child;

  *moment = self->near[0];
  for (; (child = 2 * i + 1) < n; i = child)
    {
      if (child + 1 < n && pd_goal_event_time_before (&self->near[child + 1], &self->near[child]))
        child++;
      if (!pd_goal_event_time_before (&self->near[child], &last))
        break;
      self->near[i] = self->near[child];
    }
  self->near[i] = last;
}

/* ---- buckets */

void
pd_goal_queue_add_chunk (PdGoalQueue *self, PdGoalBucket *bucket, guint level, guint digit)
{
  PdGoalChunk *chunk = self->free_chunks;

  if (chunk == NULL)
    {
      PdGoalChunk *slab = g_new (PdGoalChunk, SLAB);
      g_ptr_array_add (self->slabs, slab);
      for (guint i = 0; i < SLAB; i++)
        slab[i].next = i + 1 < SLAB ? &slab[i + 1] : NULL;
      chunk = slab;
    }
  self->free_chunks = chunk->next;
  chunk->next = NULL;
  if (bucket->last == NULL)
    bucket->first = chunk;
  else
    bucket->last->next = chunk;
  bucket->last = chunk;
  bucket->at = chunk->event_times;
  bucket->end = bucket->at + PD_GOAL_CHUNK;
  self->used[4 * level + digit / 64] |= G_GUINT64_CONSTANT (1) << (digit % 64);
  self->used_words |= 1u << (4 * level + digit / 64);
}

static void
free_chunks (PdGoalQueue *self, PdGoalBucket bucket)
{
  bucket.last->next = self->free_chunks;
  self->free_chunks = bucket.first;
}

/* Returns the bucket whose moments come first, NULL if all are empty. */
static PdGoalBucket *
find_bucket (PdGoalQueue *self, guint *level, guint *digit)
{
  guint word;

  if (self->used_words == 0)
    return NULL;
  word = (guint) __builtin_ctz (self->used_words);
  *level = word / 4;
  *digit = 64 * (word % 4) + (guint) __builtin_ctzll (self->used[word]);
  return &self->buckets[*level][*digit];
}

static PdGoalBucket
take_bucket (PdGoalQueue *self, guint level, guint digit)
{
  PdGoalBucket taken = self->buckets[level][digit];
  guint word = 4 * level + digit / 64;

  self->buckets[level][digit] = (PdGoalBucket){ NULL, NULL, NULL, NULL };
  self->used[word] &= ~(G_GUINT64_CONSTANT (1) << (digit % 64));
  if (self->used[word] == 0)
    self->used_words &= ~(1u << word);
  return taken;
}

/* Events in @chunk of @bucket. */
static gsize
count_chunk (const PdGoalBucket *bucket, const PdGoalChunk *chunk)
{
  return chunk == bucket->last ? (gsize) (bucket->at - chunk->event_times) : PD_GOAL_CHUNK;
}

static gsize
count_event_times (const PdGoalBucket *bucket)
{
  gsize n = 0;

  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    n += count_chunk (bucket, chunk);
  return n;
}

static gboolean
has_one_time (const PdGoalBucket *bucket)
{
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    for (gsize i = 0, n = count_chunk (bucket, chunk); i < n; i++)
      if (chunk->event_times[i].time != bucket->first->event_times[0].time)
        return FALSE;
  return TRUE;
}

/* ---- sorting */

static void
insertion_sort (PdGoalSortKey *keys, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      PdGoalSortKey key = keys[i];
      gsize k = i;
      for (; k > 0 && key.key < keys[k - 1].key; k--)
        keys[k] = keys[k - 1];
      keys[k] = key;
    }
}

/* Puts up to SORT_MAX keys, whose times have @time_bits bits, roughly in the
 * order of their times. */
static void
spread_keys (const PdGoalSortKey *from, PdGoalSortKey *to, gsize n, guint time_bits)
{
  guint8 starts[2 * SORT_MAX] = { 0 };
  guint n_bits = 64u - (guint) __builtin_clzll (n - 1);
  guint shift = 32 + (time_bits > n_bits ? time_bits - n_bits : 0);
  guint8 sum = 0;

  for (gsize i = 0; i < n; i++)
    starts[from[i].key >> shift]++;
  for (guint i = 0; i < 1u << n_bits; i++)
    {
      guint8 count = starts[i];
      starts[i] = sum;
      sum = (guint8) (sum + count);
    }
  for (gsize i = 0; i < n; i++)
    to[starts[from[i].key >> shift]++] = from[i];
}

/* One pass over byte @byte of the key; returns FALSE, and does nothing, if all
 * have the same there. */
static gboolean
radix_pass (const PdGoalSortKey *from, PdGoalSortKey *to, gsize n, guint byte)
{
  gsize counts[256] = { 0 }, sum = 0;

  for (gsize i = 0; i < n; i++)
    counts[from[i].key >> (8 * byte) & 255]++;
  if (counts[from[0].key >> (8 * byte) & 255] == n)
    return FALSE;
  for (guint i = 0; i < 256; i++)
    {
      gsize count = counts[i];
      counts[i] = sum;
      sum += count;
    }
  for (gsize i = 0; i < n; i++)
    to[counts[from[i].key >> (8 * byte) & 255]++] = from[i];
  return TRUE;
}

static gboolean
is_sorted (const PdGoalSortKey *keys, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (keys[i].key < keys[i - 1].key)
      return FALSE;
  return TRUE;
}

/* Sorts @n of self->keys[0], whose times have @time_bits bits, if there are more
 * than SORT_MAX none. */
static const PdGoalSortKey *
sort_keys (PdGoalQueue *self, gsize n, guint time_bits)
{
  PdGoalSortKey *keys = self->keys[0], *other = self->keys[1];

  if (n > INSERT_MAX && n <= SORT_MAX && time_bits > 0)
    {
      spread_keys (keys, other, n, time_bits);
      insertion_sort (other, n);
      return other;
    }
  if (n <= (time_bits > 0 ? INSERT_MAX : INSERT_ONE))
    insertion_sort (keys, n);
  else if (!is_sorted (keys, n))
    for (guint byte = 0; byte < 4; byte++)
      if (radix_pass (keys, other, n, byte))
        {
          PdGoalSortKey *swap = keys;
          keys = other;
          other = swap;
        }
  return keys;
}

static void
reserve_keys (PdGoalQueue *self, gsize n)
{
  if (n > self->size_keys)
    {
      self->size_keys = n + n / 2;
      for (guint i = 0; i < 2; i++)
        {
          g_free (self->keys[i]);
          self->keys[i] = g_new (PdGoalSortKey, self->size_keys);
        }
    }
}

/* Adds the @n moments of @bucket, whose times differ in the lowest @time_bits, up
 * to 32, at most, to the next events. */
static void
sort_bucket (PdGoalQueue *self, const PdGoalBucket *bucket, gsize n, guint time_bits)
{
  guint64 width = G_GUINT64_CONSTANT (1) << time_bits;
  gint64 start = (gint64) ((guint64) bucket->first->event_times[0].time & ~(width - 1));
  PdGoalEventTime *to = self->sorted + self->n_sorted;
  const PdGoalSortKey *sorted;
  PdGoalSortKey *key;

  reserve_keys (self, n);
  key = self->keys[0];
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    for (gsize i = 0, n_chunk = count_chunk (bucket, chunk); i < n_chunk; i++)
      {
        PdGoalEventTime moment = chunk->event_times[i];
        *key++ =
            (PdGoalSortKey){ (guint64) (moment.time - start) << 32 | moment.number, moment.what };
      }
  sorted = sort_keys (self, n, time_bits);
  for (gsize i = 0; i < n; i++)
    to[i] = (PdGoalEventTime){ start + (gint64) (sorted[i].key >> 32), (guint32) sorted[i].key,
                               (guint32) sorted[i].what };
  self->n_sorted += n;
  self->n_waiting -= n;
  self->base = start;
  self->limit = (gint64) MIN ((guint64) start + width, G_MAXINT64);
}

/* Likewise up to SORT_MAX moments of any times. */
static void
sort_wide_bucket (PdGoalQueue *self, const PdGoalBucket *bucket)
{
  PdGoalEventTime *to = self->sorted + self->n_sorted;
  gsize n = 0;

  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    for (gsize i = 0, n_chunk = count_chunk (bucket, chunk); i < n_chunk; i++, n++)
      {
        gsize k = n;
        for (; k > 0 && pd_goal_event_time_before (&chunk->event_times[i], &to[k - 1]); k--)
          to[k] = to[k - 1];
        to[k] = chunk->event_times[i];
      }
  self->n_sorted += n;
  self->n_waiting -= n;
  self->base = to[0].time;
  self->limit = to[n - 1].time + 1;
}

/* Puts the moments of @bucket, of @level, into buckets of lower levels. */
static void
spread_bucket (PdGoalQueue *self, const PdGoalBucket *bucket, guint level)
{
  guint64 below = (G_GUINT64_CONSTANT (1) << (8 * level)) - 1;
  gint64 start = (gint64) ((guint64) bucket->first->event_times[0].time & ~below);

  self->base = self->limit = start;
  self->n_waiting -= count_event_times (bucket);
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    for (gsize i = 0, n = count_chunk (bucket, chunk); i < n; i++)
      pd_goal_queue_push (self, chunk->event_times[i]);
}

/* Sorts enough events for a time interval, behind the rest of the last one. Events before limit
 * are then sorted, later ones are in buckets relative to base. */
static void
advance (PdGoalQueue *self)
{
  gsize enough = MIN (self->n_waiting / GATHER_OF, GATHER_MAX);
  gsize few = CLAMP (self->n_waiting / GATHER_OF, INSERT_MAX, SORT_MAX);
  guint level, digit;
  PdGoalBucket *next;

  self->n_sorted -= self->at;
  memmove (self->sorted, self->sorted + self->at, self->n_sorted * sizeof *self->sorted);
  self->at = 0;
  while ((next = find_bucket (self, &level, &digit)) != NULL)
    {
      gsize n = count_event_times (next);
      PdGoalBucket bucket;
      if (self->n_sorted > 0 && self->n_sorted + n > self->size_sorted)
        break;
      reserve (self, n);
      bucket = take_bucket (self, level, digit);
      if (n <= few && level <= 4)
        sort_bucket (self, &bucket, n, 8 * level);
      else if (n <= INSERT_MAX)
        sort_wide_bucket (self, &bucket);
      else if (has_one_time (&bucket))
        sort_bucket (self, &bucket, n, 0);
      else
        spread_bucket (self, &bucket, level);
      free_chunks (self, bucket);
      if (self->n_sorted > enough)
        break;
    }
  enough = MIN (self->n_waiting / GATHER_OF, PD_GOAL_PEEK);
  self->refill = self->n_sorted > enough ? self->n_sorted - enough : self->n_sorted;
}

/* Many events were pushed into the present time interval: begins it anew, so that buckets take
 * them instead of a heap. Not if the events in buckets agree less with the earlier time than with
 * base: soon they will. */
static void
spread_near (PdGoalQueue *self)
{
  gint64 min = self->near[0].time;

  if (self->at < self->n_sorted)
    min = MIN (min, self->sorted[self->at].time);
  if (self->used_words != 0
      && pd_goal_queue_get_level (self, min) > (guint) __builtin_ctz (self->used_words) / 4)
    return;
  self->base = self->limit = min;
  for (; self->at < self->n_sorted; self->at++)
    pd_goal_queue_push (self, self->sorted[self->at]);
  for (gsize i = 0; i < self->n_near; i++)
    pd_goal_queue_push (self, self->near[i]);
  self->n_near = 0;
}

gboolean
pd_goal_queue_pop_slow (PdGoalQueue *self, PdGoalEventTime *moment)
{
  if (self->n_near > NEAR_MAX && !self->backwards)
    spread_near (self);
  if (self->at >= self->refill && (self->at < self->n_sorted || self->n_near == 0))
    advance (self);
  if (self->n_near > 0
      && (self->at == self->n_sorted
          || pd_goal_event_time_before (&self->near[0], &self->sorted[self->at])))
    pop_near (self, moment);
  else if (self->at < self->n_sorted)
    *moment = self->sorted[self->at++];
  else
    return FALSE;
  return TRUE;
}
