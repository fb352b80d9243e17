/* SPDX-License-Identifier: MIT */
#include "comsys/pd-moments.h"

static guint32
new_item (PdMoments *self)
{
  guint32 item = self->free;

  if (item != 0)
    {
      self->free = self->items[item].next;
      return item;
    }
  if (self->n_items == self->items_room)
    {
      self->items_room = MAX (64, 2 * self->items_room);
      self->items = g_renew (PdMomentItem, self->items, self->items_room);
      self->n_items = MAX (1, self->n_items);
    }
  return self->n_items++;
}

static void
push (PdMoments *self, PdMoment moment)
{
  guint32 i = self->n++;

  if (self->n > self->room)
    {
      self->room = MAX (16, 2 * self->room);
      self->heap = g_renew (PdMoment, self->heap, self->room);
    }
  for (; i > 0 && moment.key < self->heap[(i - 1) / 2].key; i = (i - 1) / 2)
    self->heap[i] = self->heap[(i - 1) / 2];
  self->heap[i] = moment;
}

void
pd_moments_add (PdMoments *self, guint64 key, guint64 order, guint64 what)
{
  guint64 hash = key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  PdMoment *recent = &self->recent[hash >> 32 & (PD_MOMENTS_RECENT - 1)];
  guint32 item = new_item (self);

  self->items[item] = (PdMomentItem){ order, what, 0 };
  /* the key of a list that was taken does not come again */
  if (recent->key == key && recent->item != 0)
    self->items[recent->item].next = item;
  else
    push (self, (PdMoment){ key, item });
  *recent = (PdMoment){ key, item };
}

guint32
pd_moments_take (PdMoments *self)
{
  guint32 first = self->heap[0].item;
  PdMoment last = self->heap[--self->n];
  guint32 i = 0;

  for (guint32 child = 1; child < self->n; child = 2 * i + 1)
    {
      if (child + 1 < self->n && self->heap[child + 1].key < self->heap[child].key)
        child++;
      if (self->heap[child].key >= last.key)
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = last;
  return first;
}

void
pd_moments_give_back (PdMoments *self, guint32 first, guint32 last)
{
  self->items[last].next = self->free;
  self->free = first;
}

void
pd_moments_clear (PdMoments *self)
{
  g_free (self->heap);
  g_free (self->items);
}
