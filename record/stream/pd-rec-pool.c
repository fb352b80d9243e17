/* Byte strings by number, and numbers by string.
 * SPDX-License-Identifier: MIT */
#include "record/stream/pd-rec-pool.h"

#include <stdlib.h>
#include <string.h>

int
pd_rec_make_room (void *array, uint32_t *room, uint32_t n, size_t element)
{
  void *old, *grown;
  uint32_t more = *room == 0 ? 16 : 2 * *room;

  if (n < *room)
    return 0;
  memcpy (&old, array, sizeof old);
  grown = more > UINT32_MAX / 4 ? NULL : realloc (old, more * element);
  if (grown == NULL)
    return -1;
  memcpy (array, &grown, sizeof grown);
  *room = more;
  return 0;
}

static uint32_t
hash_of (const void *bytes, size_t n)
{
  const unsigned char *at = bytes;
  uint64_t hash = UINT64_C (0xCBF29CE484222325);

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ at[i]) * UINT64_C (0x100000001B3);
  return (uint32_t) (hash ^ hash >> 32);
}

/* The place of the string, or the free one where it belongs. */
static uint32_t *
find_place (const PdRecPool *self, const void *bytes, size_t n)
{
  uint32_t mask = self->table_room - 1;

  for (uint32_t at = hash_of (bytes, n) & mask;; at = (at + 1) & mask)
    {
      uint32_t number = self->table[at];
      if (number == 0
          || (self->strings[number - 1].n == n
              && memcmp (self->bytes + self->strings[number - 1].at, bytes, n) == 0))
        return &self->table[at];
    }
}

static int
grow_table (PdRecPool *self)
{
  uint32_t room = self->table_room == 0 ? 64 : 2 * self->table_room;
  uint32_t *table = calloc (room, sizeof *table);

  if (table == NULL)
    return -1;
  free (self->table);
  self->table = table;
  self->table_room = room;
  for (uint32_t i = 0; i < self->n; i++)
    *find_place (self, self->bytes + self->strings[i].at, self->strings[i].n) = i + 1;
  return 0;
}

static int
keep (PdRecPool *self, const void *bytes, size_t n)
{
  size_t padded = (n + 8) / 8 * 8;

  if (pd_rec_make_room (&self->strings, &self->strings_room, self->n, sizeof *self->strings) != 0)
    return -1;
  if (self->used + padded > self->bytes_room)
    {
      size_t room = 2 * (self->used + padded);
      char *grown = realloc (self->bytes, room);
      if (grown == NULL)
        return -1;
      self->bytes = grown;
      self->bytes_room = room;
    }
  memset (self->bytes + self->used + padded - 8, 0, 8);
  if (n > 0)
    memcpy (self->bytes + self->used, bytes, n);
  self->strings[self->n].at = self->used;
  self->strings[self->n].n = n;
  self->used += padded;
  return 0;
}

uint32_t
pd_rec_pool_add (PdRecPool *self, const void *bytes, size_t n)
{
  uint32_t *place;

  if (2 * (self->n + 1) > self->table_room && grow_table (self) != 0)
    return PD_REC_NONE;
  place = find_place (self, bytes, n);
  if (*place != 0)
    return *place - 1;
  if (keep (self, bytes, n) != 0)
    return PD_REC_NONE;
  *place = ++self->n;
  return self->n - 1;
}

uint32_t
pd_rec_pool_add_text (PdRecPool *self, const char *text)
{
  return pd_rec_pool_add (self, text, strlen (text));
}

const void *
pd_rec_pool_get (const PdRecPool *self, uint32_t number)
{
  return self->bytes + self->strings[number].at;
}

void
pd_rec_pool_clear (PdRecPool *self)
{
  free (self->bytes);
  free (self->strings);
  free (self->table);
  memset (self, 0, sizeof *self);
}
