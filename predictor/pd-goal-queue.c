/* The event queue of graph simulation.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-queue-private.h"

#include <string.h>

#define SORT_MAX   192 /* a bucket with more events and several times is spread first */
#define GATHER_MAX 512 /* buckets are sorted until there are so many events, */
#define GATHER_OF  16  /* or one of so many in the queue */
#define NEAR_MAX   128 /* with more, what is ahead is spread anew */
#define INSERT_MAX 8   /* up to here insertion sort */
#define SLAB       64  /* chunks that are allocated at a time */

G_STATIC_ASSERT (sizeof (PdGoalEvent) == 32);

static void
reserve (PdGoalQueue *self, gsize n)
{
  if (n > self->size_raw)
    {
      self->size_raw = n + n / 2;
      g_free (self->raw);
      g_free (self->sorted);
      self->raw = g_new (PdGoalEvent, self->size_raw);
      self->sorted = g_new0 (PdGoalEvent, self->size_raw + PD_GOAL_PEEK + 1);
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
  g_free (self->raw);
  g_free (self->keys[0]);
  g_free (self->keys[1]);
  g_clear_pointer (&self->slabs, g_ptr_array_unref);
}

/* Memory it takes, besides itself. */
gsize
pd_goal_queue_get_bytes (const PdGoalQueue *self)
{
  return self->slabs->len * SLAB * sizeof (PdGoalChunk)
         + (2 * self->size_raw + self->size_near) * sizeof (PdGoalEvent)
         + 2 * self->size_keys * sizeof (PdGoalSortKey);
}

/* ---- the heap of what is near */

void
pd_goal_queue_push_near (PdGoalQueue *self, const PdGoalEvent *event)
{
  gsize i = self->n_near++;

  if (i == self->size_near)
    {
      self->size_near = MAX (2 * NEAR_MAX, 2 * self->size_near);
      self->near = g_realloc_n (self->near, self->size_near, sizeof *self->near);
    }
  for (; i > 0 && pd_goal_event_before (event, &self->near[(i - 1) / 2]); i = (i - 1) / 2)
    self->near[i] = self->near[(i - 1) / 2];
  self->near[i] = *event;
}

static void
pop_near (PdGoalQueue *self, PdGoalEvent *event)
{
  PdGoalEvent last = self->near[--self->n_near];
  gsize n = self->n_near, i = 0, child;

  *event = self->near[0];
  for (; (child = 2 * i + 1) < n; i = child)
    {
      if (child + 1 < n && pd_goal_event_before (&self->near[child + 1], &self->near[child]))
        child++;
      if (!pd_goal_event_before (&self->near[child], &last))
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
  bucket->at = chunk->events;
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

/* Returns the bucket whose events come first, NULL if all are empty. */
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
  return chunk == bucket->last ? (gsize) (bucket->at - chunk->events) : PD_GOAL_CHUNK;
}

static gsize
count_events (const PdGoalBucket *bucket)
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
      if (chunk->events[i].time != bucket->first->events[0].time)
        return FALSE;
  return TRUE;
}

/* What is to be known to sort a bucket. */
typedef struct
{
  gsize n;
  gint64 min, max;  /* times */
  gboolean numbers; /* in the order of their numbers */
  gboolean sorted;  /* also in the order of (time, number) */
} Survey;

static Survey
survey (const PdGoalBucket *bucket)
{
  Survey found = { 0, G_MAXINT64, G_MININT64, TRUE, TRUE };
  PdGoalEvent before = { .time = G_MININT64 };

  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    {
      for (gsize i = 0, n = count_chunk (bucket, chunk); i < n; i++)
        {
          const PdGoalEvent *event = &chunk->events[i];
          found.min = MIN (found.min, event->time);
          found.max = MAX (found.max, event->time);
          found.numbers &= event->number >= before.number;
          found.sorted &= !pd_goal_event_before (event, &before);
          before.time = event->time;
          before.number = event->number;
        }
      found.n += count_chunk (bucket, chunk);
    }
  return found;
}

/* ---- sorting */

static gboolean
key_before (const PdGoalSortKey *a, const PdGoalSortKey *b)
{
  return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static void
insertion_sort (PdGoalSortKey *keys, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      PdGoalSortKey key = keys[i];
      gsize k = i;
      for (; k > 0 && key_before (&key, &keys[k - 1]); k--)
        keys[k] = keys[k - 1];
      keys[k] = key;
    }
}

/* Puts up to SORT_MAX keys roughly in the order of their times, into at least
 * as many places as there are keys. */
static void
spread_keys (const PdGoalSortKey *from, PdGoalSortKey *to, gsize n, guint64 range)
{
  guint8 starts[2 * SORT_MAX] = { 0 };
  guint n_bits = 64u - (guint) __builtin_clzll (n - 1);
  guint range_bits = 64u - (guint) __builtin_clzll (range | 1);
  guint shift = range_bits > n_bits ? range_bits - n_bits : 0;
  guint8 sum = 0;

  for (gsize i = 0; i < n; i++)
    starts[(guint64) from[i].time >> shift]++;
  for (guint i = 0; i < 1u << n_bits; i++)
    {
      guint8 count = starts[i];
      starts[i] = sum;
      sum = (guint8) (sum + count);
    }
  for (gsize i = 0; i < n; i++)
    to[starts[(guint64) from[i].time >> shift]++] = from[i];
}

/* One pass over byte @byte of the number (0 to 3) or of the time (4 on); returns
 * FALSE, and does nothing, if all have the same there. */
static gboolean
radix_pass (const PdGoalSortKey *from, PdGoalSortKey *to, gsize n, guint byte)
{
  guint shift = 8 * (byte & 3);
  gsize counts[256] = { 0 }, sum = 0;

#define DIGIT(key)                                                                                 \
  ((guint) (byte < 4 ? (key).number >> shift : (guint64) (key).time >> (8 * (byte - 4))) & 255)
  for (gsize i = 0; i < n; i++)
    counts[DIGIT (from[i])]++;
  if (counts[DIGIT (from[0])] == n)
    return FALSE;
  for (guint i = 0; i < 256; i++)
    {
      gsize count = counts[i];
      counts[i] = sum;
      sum += count;
    }
  for (gsize i = 0; i < n; i++)
    to[counts[DIGIT (from[i])]++] = from[i];
#undef DIGIT
  return TRUE;
}

static PdGoalSortKey *
sort_keys (PdGoalQueue *self, const Survey *found)
{
  PdGoalSortKey *keys = self->keys[0], *other = self->keys[1];
  guint64 range = (guint64) (found->max - found->min);

  if (found->n <= INSERT_MAX)
    {
      insertion_sort (keys, found->n);
      return keys;
    }
  if (found->n <= SORT_MAX)
    {
      spread_keys (keys, other, found->n, range);
      insertion_sort (other, found->n);
      return other;
    }
  for (guint byte = found->numbers ? 4 : 0; byte < 12 && (byte < 4 || range >> (8 * (byte - 4)));
       byte++)
    if (radix_pass (keys, other, found->n, byte))
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

/* Copies the events of @bucket. */
static void
unpack (const PdGoalBucket *bucket, PdGoalEvent *to)
{
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    {
      gsize n = count_chunk (bucket, chunk);
      memcpy (to, chunk->events, n * sizeof *to);
      to += n;
    }
}

/* Adds the events of @bucket to what comes next. */
static void
sort_bucket (PdGoalQueue *self, const PdGoalBucket *bucket)
{
  Survey found = survey (bucket);
  PdGoalEvent *to = self->sorted + self->n_sorted;
  const PdGoalSortKey *keys;

  if (found.sorted)
    unpack (bucket, to);
  else
    {
      reserve_keys (self, found.n);
      unpack (bucket, self->raw);
      for (guint32 i = 0; i < found.n; i++)
        self->keys[0][i] = (PdGoalSortKey){ self->raw[i].time - found.min, self->raw[i].number, i };
      keys = sort_keys (self, &found);
      for (gsize i = 0; i < found.n; i++)
        to[i] = self->raw[keys[i].index];
    }
  self->n_sorted += found.n;
  self->n_waiting -= found.n;
  self->base = found.min;
  self->limit = found.max + 1;
}

/* Puts the events of @bucket, of @level, into buckets of lower levels. */
static void
spread_bucket (PdGoalQueue *self, const PdGoalBucket *bucket, guint level)
{
  guint64 below = (G_GUINT64_CONSTANT (1) << (8 * level)) - 1;
  gint64 start = (gint64) ((guint64) bucket->first->events[0].time & ~below);

  self->base = self->limit = start;
  self->n_waiting -= count_events (bucket);
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    for (gsize i = 0, n = count_chunk (bucket, chunk); i < n; i++)
      pd_goal_queue_push (self, &chunk->events[i]);
}

/* Sorts as much as makes a good stretch; FALSE if nothing is left. What is then
 * before limit is sorted, what is behind is in buckets relative to base. */
static gboolean
advance (PdGoalQueue *self)
{
  gsize enough = MIN (self->n_waiting / GATHER_OF, GATHER_MAX);
  guint level, digit;
  PdGoalBucket *next;

  self->at = self->n_sorted = 0;
  while ((next = find_bucket (self, &level, &digit)) != NULL)
    {
      gsize n = count_events (next);
      PdGoalBucket bucket;
      if (self->n_sorted > 0 && self->n_sorted + n > MAX (enough, self->size_raw))
        return TRUE;
      reserve (self, n);
      bucket = take_bucket (self, level, digit);
      if (n <= SORT_MAX || has_one_time (&bucket))
        sort_bucket (self, &bucket);
      else
        spread_bucket (self, &bucket, level);
      free_chunks (self, bucket);
      if (self->n_sorted > enough)
        return TRUE;
    }
  return self->n_sorted > 0;
}

/* Much was pushed into the present stretch of time: begins it anew, so that
 * buckets take what a heap would have to. */
static void
spread_near (PdGoalQueue *self)
{
  gint64 min = self->near[0].time;

  if (self->at < self->n_sorted)
    min = MIN (min, self->sorted[self->at].time);
  self->base = self->limit = min;
  for (; self->at < self->n_sorted; self->at++)
    pd_goal_queue_push (self, &self->sorted[self->at]);
  for (gsize i = 0; i < self->n_near; i++)
    pd_goal_queue_push (self, &self->near[i]);
  self->n_near = 0;
}

gboolean
pd_goal_queue_pop_slow (PdGoalQueue *self, PdGoalEvent *event)
{
  if (self->n_near > NEAR_MAX && !self->backwards)
    spread_near (self);
  if (self->at == self->n_sorted && self->n_near == 0 && !advance (self))
    return FALSE;
  if (self->n_near > 0
      && (self->at == self->n_sorted
          || pd_goal_event_before (&self->near[0], &self->sorted[self->at])))
    pop_near (self, event);
  else
    *event = self->sorted[self->at++];
  return TRUE;
}
