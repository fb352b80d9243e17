/* The event queue of graph simulation.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-queue-private.h"

#include <string.h>

#define SORT_MAX   192 /* a bucket with more events and several times is spread first */
#define GATHER_MAX 512 /* buckets are sorted until there are so many events, */
#define GATHER_OF  16  /* or one of so many in the queue */
#define NEAR_MAX   128 /* with more, what is ahead is spread anew */
#define INSERT_MAX 24  /* up to here insertion sort */
#define SLAB       64  /* chunks that are allocated at a time */

G_STATIC_ASSERT (sizeof (PdGoalEvent) == 32);

void
pd_goal_queue_init (PdGoalQueue *self, gboolean backwards)
{
  memset (self, 0, sizeof *self);
  self->slabs = g_ptr_array_new_with_free_func (g_free);
  self->backwards = backwards;
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
  chunk->n = 0;
  if (bucket->last == NULL)
    bucket->first = chunk;
  else
    bucket->last->next = chunk;
  bucket->last = chunk;
  self->used[level][digit / 64] |= G_GUINT64_CONSTANT (1) << (digit % 64);
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
  for (*level = 0; *level < 8; ++*level)
    for (guint word = 0; word < 4; word++)
      if (self->used[*level][word] != 0)
        {
          *digit = 64 * word + (guint) __builtin_ctzll (self->used[*level][word]);
          return &self->buckets[*level][*digit];
        }
  return NULL;
}

static PdGoalBucket
take_bucket (PdGoalQueue *self, guint level, guint digit)
{
  PdGoalBucket taken = self->buckets[level][digit];

  self->buckets[level][digit] = (PdGoalBucket){ NULL, NULL };
  self->used[level][digit / 64] &= ~(G_GUINT64_CONSTANT (1) << (digit % 64));
  return taken;
}

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
      for (guint i = 0; i < chunk->n; i++)
        {
          const PdGoalEvent *event = &chunk->events[i];
          found.min = MIN (found.min, event->time);
          found.max = MAX (found.max, event->time);
          found.numbers &= event->number >= before.number;
          found.sorted &= !pd_goal_event_before (event, &before);
          before.time = event->time;
          before.number = event->number;
        }
      found.n += chunk->n;
    }
  return found;
}

/* ---- sorting */

static void
insertion_sort (PdGoalSortKey *keys, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      PdGoalSortKey key = keys[i];
      gsize k = i;
      for (; k > 0
             && (key.time < keys[k - 1].time
                 || (key.time == keys[k - 1].time && key.number < keys[k - 1].number));
           k--)
        keys[k] = keys[k - 1];
      keys[k] = key;
    }
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
reserve (PdGoalQueue *self, gsize n)
{
  if (n > self->size_raw)
    {
      self->size_raw = n + n / 2;
      g_free (self->raw);
      g_free (self->sorted);
      self->raw = g_new (PdGoalEvent, self->size_raw);
      self->sorted = g_new (PdGoalEvent, self->size_raw);
    }
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
      memcpy (to, chunk->events, chunk->n * sizeof *to);
      to += chunk->n;
    }
}

/* Adds the events of @bucket to what comes next. */
static void
sort_bucket (PdGoalQueue *self, const PdGoalBucket *bucket, const Survey *found)
{
  PdGoalEvent *to = self->sorted + self->n_sorted;
  const PdGoalSortKey *keys;

  if (found->sorted)
    unpack (bucket, to);
  else
    {
      reserve_keys (self, found->n);
      unpack (bucket, self->raw);
      for (guint32 i = 0; i < found->n; i++)
        self->keys[0][i] =
            (PdGoalSortKey){ self->raw[i].time - found->min, self->raw[i].number, i };
      keys = sort_keys (self, found);
      for (gsize i = 0; i < found->n; i++)
        to[i] = self->raw[keys[i].index];
    }
  self->n_sorted += found->n;
  self->n_waiting -= found->n;
  self->base = found->min;
  self->limit = found->max + 1;
}

/* Puts the events of @bucket into buckets of lower levels. */
static void
spread_bucket (PdGoalQueue *self, const PdGoalBucket *bucket, gint64 min)
{
  self->base = self->limit = min;
  for (const PdGoalChunk *chunk = bucket->first; chunk != NULL; chunk = chunk->next)
    {
      self->n_waiting -= chunk->n;
      for (guint i = 0; i < chunk->n; i++)
        pd_goal_queue_push (self, &chunk->events[i]);
    }
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
      Survey found = survey (next);
      PdGoalBucket bucket;
      if (self->n_sorted > 0 && self->n_sorted + found.n > MAX (enough, self->size_raw))
        return TRUE;
      reserve (self, MAX (found.n, 2 * GATHER_MAX));
      bucket = take_bucket (self, level, digit);
      if (found.n <= SORT_MAX || found.min == found.max)
        sort_bucket (self, &bucket, &found);
      else
        spread_bucket (self, &bucket, found.min);
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
