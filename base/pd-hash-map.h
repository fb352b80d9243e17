/* A hash table: keys of two words, values of one, 24 bytes an entry; open addressing, one place
 * after the other. Plain C, without GLib: record/ uses it, too. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HASH_MAP_H
#define PD_HASH_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct
{
  uint64_t a;
  uint64_t b; /* never 0 in an entry */
  uint64_t value;
} PdHashMapEntry;

/* All zero is an empty table. */
typedef struct
{
  PdHashMapEntry *entries;
  size_t size; /* 0 or a power of two, at least twice @n */
  size_t n;
} PdHashMap;

/**
 * pd_hash_map_clear:
 * Takes all entries out.
 */
static inline void
pd_hash_map_clear (PdHashMap *self)
{
  free (self->entries);
  *self = (PdHashMap){ NULL, 0, 0 };
}

/**
 * pd_hash_map_home:
 * Returns: where the search for a key begins. Of use to the others here only.
 */
static inline size_t
pd_hash_map_home (const PdHashMap *self, uint64_t a, uint64_t b)
{
  uint64_t mixed = (a ^ b * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;

  return (size_t) (mixed ^ mixed >> 32) & (self->size - 1);
}

/**
 * pd_hash_map_probe:
 * Returns: the entry of a key, or the free one where it belongs. Of use to the others here only.
 */
static inline PdHashMapEntry *
pd_hash_map_probe (const PdHashMap *self, uint64_t a, uint64_t b)
{
  size_t i = pd_hash_map_home (self, a, b);

  while (self->entries[i].b != 0 && (self->entries[i].a != a || self->entries[i].b != b))
    i = (i + 1) & (self->size - 1);
  return &self->entries[i];
}

/**
 * pd_hash_map_find:
 * @b: not 0
 * Returns: the value of a key, valid until the next change; NULL if there is none.
 */
static inline uint64_t *
pd_hash_map_find (const PdHashMap *self, uint64_t a, uint64_t b)
{
  PdHashMapEntry *entry;

  if (self->n == 0)
    return NULL;
  entry = pd_hash_map_probe (self, a, b);
  return entry->b != 0 ? &entry->value : NULL;
}

/**
 * pd_hash_map_enlarge:
 * Makes room for one entry more. Returns: 0 if there is no memory; then nothing has changed.
 */
static inline int
pd_hash_map_enlarge (PdHashMap *self)
{
  PdHashMap larger = { NULL, self->size > 0 ? 2 * self->size : 64, self->n };

  if (2 * (self->n + 1) <= self->size)
    return 1;
  larger.entries = (PdHashMapEntry *) calloc (larger.size, sizeof *larger.entries);
  if (larger.entries == NULL)
    return 0;
  for (size_t i = 0; i < self->size; i++)
    if (self->entries[i].b != 0)
      *pd_hash_map_probe (&larger, self->entries[i].a, self->entries[i].b) = self->entries[i];
  free (self->entries);
  *self = larger;
  return 1;
}

/**
 * pd_hash_map_get:
 * @b: not 0
 * Returns: likewise; a new entry has the value @initial. Without memory the program ends.
 */
static inline uint64_t *
pd_hash_map_get (PdHashMap *self, uint64_t a, uint64_t b, uint64_t initial)
{
  PdHashMapEntry *entry;

  if (!pd_hash_map_enlarge (self))
    abort (); /* "out of memory", as in GLib */
  entry = pd_hash_map_probe (self, a, b);
  if (entry->b == 0)
    {
      *entry = (PdHashMapEntry){ a, b, initial };
      self->n++;
    }
  return &entry->value;
}

/**
 * pd_hash_map_remove:
 * @value: in an entry of the table, which is removed
 *
 * Entries behind the gap that could not be found any more move up: the table does not grow
 * by use.
 */
static inline void
pd_hash_map_remove (PdHashMap *self, uint64_t *value)
{
  PdHashMapEntry *removed = (PdHashMapEntry *) ((char *) value - offsetof (PdHashMapEntry, value));
  size_t mask = self->size - 1, gap = (size_t) (removed - self->entries);

  self->n--;
  for (size_t i = (gap + 1) & mask; self->entries[i].b != 0; i = (i + 1) & mask)
    {
      size_t home = pd_hash_map_home (self, self->entries[i].a, self->entries[i].b);
      if (((i - home) & mask) < ((i - gap) & mask))
        continue;
      self->entries[gap] = self->entries[i];
      gap = i;
    }
  self->entries[gap].b = 0;
}

#endif
