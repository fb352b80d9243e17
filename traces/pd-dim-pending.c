/* SPDX-License-Identifier: MIT */
#include "traces/pd-dim-private.h"

#include <string.h>

#define FIRST_BUCKETS 16

static guint32
get_bucket (const PdDimPendings *self, gint32 peer, gint32 tag, guint32 comm)
{
  guint64 key = (guint64) (guint32) peer << 32 | (guint32) tag;

  key = (key ^ (guint64) comm << 20) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint32) (key >> 40) & (self->n_buckets - 1);
}

static void
append (PdDimPendings *self, guint32 i)
{
  PdDimPending *item = &self->items[i];
  guint32 bucket = get_bucket (self, item->peer, item->tag, item->comm);

  item->next = 0;
  if (self->heads[bucket] == 0)
    self->heads[bucket] = i;
  else
    self->items[self->tails[bucket]].next = i;
  self->tails[bucket] = i;
}

/* More buckets; of equal ones the order stays. */
static void
grow_buckets (PdDimPendings *self)
{
  guint32 *heads = self->heads;
  guint32 n = self->n_buckets;

  self->n_buckets = MAX (FIRST_BUCKETS, 4 * n);
  self->heads = g_new0 (guint32, self->n_buckets);
  self->tails = g_renew (guint32, self->tails, self->n_buckets);
  for (guint32 b = 0; b < n; b++)
    for (guint32 i = heads[b], next; i != 0; i = next)
      {
        next = self->items[i].next;
        append (self, i);
      }
  g_free (heads);
}

guint32
pd_dim_pendings_add (PdDimPendings *self, gint32 peer, gint32 tag, guint32 comm)
{
  guint32 i = self->free;

  if (self->n_used >= 2 * self->n_buckets)
    grow_buckets (self);
  if (i != 0)
    self->free = self->items[i].next;
  else
    {
      if (self->n + 1 >= self->room)
        {
          self->room = MAX (16, 2 * self->room);
          self->items = g_renew (PdDimPending, self->items, self->room);
        }
      i = ++self->n;
    }
  self->items[i] = (PdDimPending){ peer, tag, comm, 0 };
  self->n_used++;
  append (self, i);
  return i - 1;
}

/* Takes item @i out, which follows @before in its bucket. */
static void
take (PdDimPendings *self, guint32 bucket, guint32 i, guint32 before)
{
  PdDimPending *item = &self->items[i];

  *(before == 0 ? &self->heads[bucket] : &self->items[before].next) = item->next;
  if (self->tails[bucket] == i)
    self->tails[bucket] = before;
  item->next = self->free;
  self->free = i;
  self->n_used--;
}

void
pd_dim_pendings_give_back (PdDimPendings *self, guint32 slot)
{
  const PdDimPending *item = &self->items[slot + 1];
  guint32 bucket = get_bucket (self, item->peer, item->tag, item->comm), before = 0;

  for (guint32 i = self->heads[bucket]; i != slot + 1; i = self->items[i].next)
    before = i;
  take (self, bucket, slot + 1, before);
}

gboolean
pd_dim_pendings_take (PdDimPendings *self, gint32 peer, gint32 tag, guint32 comm, guint32 *slot)
{
  if (self->n_used == 0)
    return FALSE;
  guint32 bucket = get_bucket (self, peer, tag, comm), before = 0;
  for (guint32 i = self->heads[bucket]; i != 0; before = i, i = self->items[i].next)
    {
      const PdDimPending *item = &self->items[i];
      if (item->peer != peer || item->tag != tag || item->comm != comm)
        continue;
      take (self, bucket, i, before);
      *slot = i - 1;
      return TRUE;
    }
  return FALSE;
}

void
pd_dim_pendings_reset (PdDimPendings *self)
{
  if (self->n_used > 0)
    memset (self->heads, 0, self->n_buckets * sizeof *self->heads);
  self->n = self->n_used = self->free = 0;
}

void
pd_dim_pendings_clear (PdDimPendings *self)
{
  g_free (self->items);
  g_free (self->heads);
  g_free (self->tails);
}
