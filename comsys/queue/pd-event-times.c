/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-event-times.h"

#include "comsys/queue/pd-lines.h"

#define LINES 4 /* of a chunk */

/* When there are no lists so many chunks are kept, and more if a quarter of them was in use. */
#define KEPT (1u << 14)

static guint32
new_chunk (PdEventTimes *self)
{
  guint32 chunk = self->free;

  if (chunk != 0)
    {
      self->free = self->chunks[chunk].next;
      pd_prefetch (&self->chunks[self->free]);
    }
  else
    {
      if (self->n_chunks == self->chunks_room)
        {
          guint32 room = MAX (16, 2 * self->chunks_room);
          self->chunks = pd_lines_resize (self->chunks, (gsize) LINES * self->chunks_room,
                                          (gsize) LINES * room);
          self->chunks_room = room;
          self->n_chunks = MAX (1, self->n_chunks);
        }
      chunk = self->n_chunks++;
    }
  self->chunks[chunk].n = self->chunks[chunk].next = 0;
  self->n_listed++;
  return chunk;
}

/* First items come before the lists that follow them. */
static inline gboolean
is_before (PdEventTime a, PdEventTime b)
{
  __extension__ typedef unsigned __int128 Wide;

  return ((Wide) a.key << 64 | a.ref) < ((Wide) b.key << 64 | b.ref); /* without branches */
}

/* The heap begins at the end of a cache line: so four children lie in one. */
#define BEFORE_ROOT      3
#define HEAP_LINES(room) (((gsize) (room) + BEFORE_ROOT + 3) / 4)
#define FIRST_CHILD(i)   (4 * (i) + 1)
#define PARENT(i)        (((i) -1) / 4)

static void
grow_heap (PdEventTimes *self)
{
  guint32 room = self->room == 0 ? 64 - BEFORE_ROOT : 2 * self->room + BEFORE_ROOT;
  PdEventTime *lines = self->heap == NULL ? NULL : self->heap - BEFORE_ROOT;

  lines = pd_lines_resize (lines, HEAP_LINES (self->room), HEAP_LINES (room));
  self->heap = lines + BEFORE_ROOT;
  self->room = room;
}

static void
push (PdEventTimes *self, PdEventTime moment)
{
  guint32 i = self->n++;

  if (self->n > self->room)
    grow_heap (self);
  for (; i > 0 && is_before (moment, self->heap[PARENT (i)]); i = PARENT (i))
    self->heap[i] = self->heap[PARENT (i)];
  self->heap[i] = moment;
}

static void
push_single (PdEventTimes *self, guint64 key, PdEventItem item)
{
  guint32 i = self->free_item;

  if (i != 0)
    self->free_item = (guint32) self->items[--i].order;
  else
    {
      i = self->n_items++;
      if (self->n_items > self->items_room)
        {
          self->items_room = MAX (64, 2 * self->items_room);
          self->items = g_renew (PdEventItem, self->items, self->items_room);
        }
    }
  self->items[i] = item;
  push (self, (PdEventTime){ key, i });
}

void
pd_event_times_add (PdEventTimes *self, guint64 key, guint64 order, guint64 what)
{
  guint64 hash = key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  PdRecentEventTime *recent = &self->recent[hash >> 32 & (PD_EVENT_TIMES_RECENT - 1)];
  const PdEventItem item = { order, what };
  guint32 at = recent->chunk;

  /* the key of a removed item does not occur again */
  if (recent->key != key)
    {
      push_single (self, key, item);
      *recent = (PdRecentEventTime){ key, 0 };
      return;
    }
  if (at == 0)
    {
      at = new_chunk (self);
      push (self, (PdEventTime){ key, PD_EVENT_TIME_LIST | at });
    }
  else if (self->chunks[at].n == PD_EVENT_TIMES_CHUNK)
    {
      guint32 more = new_chunk (self);
      self->chunks[at].next = more;
      at = more;
    }
  recent->chunk = at;
  PdEventChunk *chunk = &self->chunks[at];
  chunk->items[chunk->n++] = item;
}

/* The least of the children of a node that has some. */
static inline guint32
least_child (const PdEventTime *heap, guint32 first, guint32 n)
{
  guint32 best = first;

  if (G_LIKELY (first + 4 <= n))
    {
      guint32 a = is_before (heap[first + 1], heap[first]) ? first + 1 : first;
      guint32 b = is_before (heap[first + 3], heap[first + 2]) ? first + 3 : first + 2;
      return is_before (heap[b], heap[a]) ? b : a;
    }
  for (guint32 child = first + 1; child < n; child++)
    best = is_before (heap[child], heap[best]) ? child : best;
  return best;
}

/* The last one takes the place of the first: the hole goes down to a leaf, where
 * most recently added items belong, and moves up again if necessary. */
static void
drop_root (PdEventTimes *self)
{
  PdEventTime *heap = self->heap, last = heap[--self->n];
  guint32 i = 0, n = self->n;

  for (guint32 child = FIRST_CHILD (i); child < n; child = FIRST_CHILD (i))
    {
      child = least_child (heap, child, n);
      heap[i] = heap[child];
      i = child;
    }
  for (; i > 0 && is_before (last, heap[PARENT (i)]); i = PARENT (i))
    heap[i] = heap[PARENT (i)];
  heap[i] = last;
}

guint32
pd_event_times_take (PdEventTimes *self, PdEventItem *single)
{
  guint64 ref = self->heap[0].ref;

  drop_root (self);
  if (ref >= PD_EVENT_TIME_LIST)
    return (guint32) ref;
  *single = self->items[ref];
  self->items[ref].order = self->free_item;
  self->free_item = (guint32) ref + 1;
  return 0;
}

void
pd_event_times_give_back (PdEventTimes *self, guint32 chunk)
{
  guint32 used = self->n_chunks;

  self->chunks[chunk].next = self->free;
  self->free = chunk;
  if (--self->n_listed > 0)
    return;
  self->n_chunks = 1; /* they are taken in order again */
  self->free = 0;
  if (G_LIKELY (self->chunks_room <= KEPT) || used > self->chunks_room / 4)
    return;
  pd_lines_free (self->chunks, (gsize) LINES * self->chunks_room);
  self->chunks = NULL;
  self->n_chunks = self->chunks_room = 0;
}

void
pd_event_times_clear (PdEventTimes *self)
{
  if (self->heap != NULL)
    pd_lines_free (self->heap - BEFORE_ROOT, HEAP_LINES (self->room));
  g_free (self->items);
  if (self->chunks != NULL)
    pd_lines_free (self->chunks, (gsize) LINES * self->chunks_room);
}
