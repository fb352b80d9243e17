/* A table from handles of MPI to numbers. Plain C, no locks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MAP_H
#define PD_MAP_H

#include <stdint.h>

typedef struct
{
  uintptr_t key;
  uint32_t value; /* 0 = the place is free */
} PdMapPlace;

/* All zero is an empty table. */
typedef struct
{
  PdMapPlace *places;
  uint32_t n_places; /* a power of two, or 0 */
  uint32_t n;
} PdMap;

/**
 * pd_map_get:
 *
 * Returns: the value of @key; 0: none.
 */
uint32_t pd_map_get (const PdMap *self, uintptr_t key);

/**
 * pd_map_set: @value: 0 takes @key out.
 *
 * Returns: 0 if there is no memory; then nothing has changed.
 */
int pd_map_set (PdMap *self, uintptr_t key, uint32_t value);

#endif
