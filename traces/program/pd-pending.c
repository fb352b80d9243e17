/* Pending requests: entries by slot, linked in lists of a hash table, each in
 * the order of beginning; the oldest of a key is therefore met first.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-pending.h"

#include <string.h>

#define NONE     G_MAXUINT32
#define MIN_ROOM 64
/* Requests per bucket before there are more buckets: short lists are searched
 * faster than hashed. */
#define CROWD 8

struct _PdPendingEntry
{
  guint64 key;
  guint32 previous;
  guint32 next;
};

struct _PdPendingBucket
{
  guint32 head;
  guint32 tail;
};

static PdPendingBucket *
get_bucket (const PdPending *self, guint64 key)
{
  key *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return &self->buckets[(key >> 32) & (self->n_buckets - 1)];
}

static void
append (PdPending *self, guint32 slot)
{
  PdPendingEntry *entry = &self->entries[slot];
  PdPendingBucket *bucket = get_bucket (self, entry->key);

  entry->previous = bucket->tail;
  entry->next = NONE;
  if (bucket->tail != NONE)
    self->entries[bucket->tail].next = slot;
  else
    bucket->head = slot;
  bucket->tail = slot;
}

/* All of one key are in one list, so that their order stays. */
static void
rehash (PdPending *self, guint32 n_buckets)
{
  g_autofree PdPendingBucket *old = self->buckets;
  guint32 n_old = self->n_buckets;

  self->buckets = g_new (PdPendingBucket, n_buckets);
  self->n_buckets = n_buckets;
  for (guint32 i = 0; i < n_buckets; i++)
    self->buckets[i] = (PdPendingBucket){ NONE, NONE };
  for (guint32 i = 0; i < n_old; i++)
    for (guint32 slot = old[i].head, next; slot != NONE; slot = next)
      {
        next = self->entries[slot].next;
        append (self, slot);
      }
}

static void
extend (PdPending *self)
{
  guint32 room = MAX (2 * self->room, MIN_ROOM);

  self->entries = g_renew (PdPendingEntry, self->entries, room);
  self->used = g_renew (guint64, self->used, room / 64);
  memset (self->used + self->room / 64, 0, (room - self->room) / 8);
  self->room = room;
}

static guint32
take_slot (PdPending *self)
{
  guint32 n_words;

  if (self->n == self->room)
    extend (self);
  n_words = self->room / 64;
  while (self->hint < n_words && self->used[self->hint] == G_MAXUINT64)
    self->hint++;
  guint32 bit = (guint32) __builtin_ctzll (~self->used[self->hint]);
  self->used[self->hint] |= G_GUINT64_CONSTANT (1) << bit;
  return 64 * self->hint + bit;
}

/* ---- public */

void
pd_pending_clear (PdPending *self)
{
  g_free (self->entries);
  g_free (self->used);
  g_free (self->buckets);
  memset (self, 0, sizeof *self);
}

guint32
pd_pending_add (PdPending *self, guint64 key)
{
  guint32 slot = take_slot (self);

  if (self->n_buckets == 0 || self->n >= (guint64) CROWD * self->n_buckets)
    rehash (self, MAX (1, 4 * self->n_buckets));
  self->entries[slot].key = key;
  append (self, slot);
  self->n++;
  return slot;
}

gboolean
pd_pending_find (const PdPending *self, guint64 key, guint32 *slot)
{
  if (self->n == 0)
    return FALSE;
  for (guint32 i = get_bucket (self, key)->head; i != NONE; i = self->entries[i].next)
    if (self->entries[i].key == key)
      {
        *slot = i;
        return TRUE;
      }
  return FALSE;
}

void
pd_pending_remove (PdPending *self, guint32 slot)
{
  const PdPendingEntry *entry = &self->entries[slot];
  PdPendingBucket *bucket = get_bucket (self, entry->key);

  if (entry->previous != NONE)
    self->entries[entry->previous].next = entry->next;
  else
    bucket->head = entry->next;
  if (entry->next != NONE)
    self->entries[entry->next].previous = entry->previous;
  else
    bucket->tail = entry->previous;
  self->used[slot / 64] &= ~(G_GUINT64_CONSTANT (1) << slot % 64);
  self->hint = MIN (self->hint, slot / 64);
  self->n--;
}

void
pd_pending_remove_all (PdPending *self)
{
  if (self->n == 0)
    return;
  memset (self->used, 0, self->room / 8);
  for (guint32 i = 0; i < self->n_buckets; i++)
    self->buckets[i] = (PdPendingBucket){ NONE, NONE };
  self->n = self->hint = 0;
}

void
pd_pending_list (const PdPending *self, GArray *slots)
{
  g_array_set_size (slots, 0);
  for (guint32 word = 0; word < self->room / 64 && slots->len < self->n; word++)
    for (guint64 rest = self->used[word]; rest != 0; rest &= rest - 1)
      {
        guint32 slot = 64 * word + (guint32) __builtin_ctzll (rest);
        g_array_append_val (slots, slot);
      }
}
