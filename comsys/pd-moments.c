/* SPDX-License-Identifier: MIT */
#include "comsys/pd-moments.h"

#include "comsys/pd-lines.h"

#define LINES 4 /* of a chunk */

static guint32
new_chunk (PdMoments *self)
{
  guint32 chunk = self->free;

  if (chunk != 0)
    self->free = self->chunks[chunk].next;
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
  return chunk;
}

/* First items come before the lists that follow them. */
static inline gboolean
is_before (const PdMoment *a, const PdMoment *b)
{
  return a->key < b->key || (a->key == b->key && a->chunk == 0 && b->chunk != 0);
}

static void
push (PdMoments *self, const PdMoment *moment)
{
  guint32 i = self->n++;

  if (self->n > self->room)
    {
      self->room = MAX (16, 2 * self->room);
      self->heap = g_renew (PdMoment, self->heap, self->room);
    }
  for (; i > 0 && is_before (moment, &self->heap[(i - 1) / 2]); i = (i - 1) / 2)
    self->heap[i] = self->heap[(i - 1) / 2];
  self->heap[i] = *moment;
}

void
pd_moments_add (PdMoments *self, guint64 key, guint64 order, guint64 what)
{
  guint64 hash = key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  PdMomentRecent *recent = &self->recent[hash >> 32 & (PD_MOMENTS_RECENT - 1)];
  const PdMomentItem item = { order, what };
  guint32 at = recent->chunk;

  /* the key of what was taken does not come again */
  if (recent->key != key)
    {
      push (self, &(PdMoment){ key, item, 0 });
      *recent = (PdMomentRecent){ key, 0 };
      return;
    }
  if (at == 0)
    {
      at = new_chunk (self);
      push (self, &(PdMoment){ .key = key, .chunk = at });
    }
  else if (self->chunks[at].n == PD_MOMENTS_CHUNK)
    {
      guint32 more = new_chunk (self);
      self->chunks[at].next = more;
      at = more;
    }
  recent->chunk = at;
  PdMomentChunk *chunk = &self->chunks[at];
  chunk->items[chunk->n++] = item;
}

guint32
pd_moments_take (PdMoments *self, PdMomentItem *single)
{
  guint32 first = self->heap[0].chunk;
  const PdMoment *last = &self->heap[--self->n];
  guint32 i = 0;

  *single = self->heap[0].item;
  for (guint32 child = 1; child < self->n; child = 2 * i + 1)
    {
      if (child + 1 < self->n && is_before (&self->heap[child + 1], &self->heap[child]))
        child++;
      if (!is_before (&self->heap[child], last))
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = *last;
  return first;
}

void
pd_moments_give_back (PdMoments *self, guint32 chunk)
{
  self->chunks[chunk].next = self->free;
  self->free = chunk;
}

void
pd_moments_clear (PdMoments *self)
{
  g_free (self->heap);
  if (self->chunks != NULL)
    pd_lines_free (self->chunks, (gsize) LINES * self->chunks_room);
}
