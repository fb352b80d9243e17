/* Byte strings, numbered in the order of their first use. Internal to record/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_POOL_H
#define PD_REC_POOL_H

#include <stddef.h>
#include <stdint.h>

#define PD_REC_NONE UINT32_MAX

/* Begins as zeros. */
typedef struct
{
  char *bytes; /* each string padded to whole words, with a zero behind */
  size_t used;
  size_t bytes_room;
  struct
  {
    size_t at;
    size_t n;
  } * strings;
  uint32_t n;
  uint32_t strings_room;
  uint32_t *table; /* 1 + number, with open addressing */
  uint32_t table_room;
} PdRecPool;

/**
 * pd_rec_pool_add:
 * Its number, the same for the same bytes; %PD_REC_NONE: out of memory.
 */
uint32_t pd_rec_pool_add (PdRecPool *self, const void *bytes, size_t n);

/**
 * pd_rec_pool_add_text:
 * Returns: as pd_rec_pool_add(), of a text without its end.
 */
uint32_t pd_rec_pool_add_text (PdRecPool *self, const char *text);

/**
 * pd_rec_pool_get:
 * Valid until the next addition.
 */
const void *pd_rec_pool_get (const PdRecPool *self, uint32_t number);

/**
 * pd_rec_pool_clear:
 * Frees the strings; the pool is empty then.
 */
void pd_rec_pool_clear (PdRecPool *self);

/**
 * pd_rec_make_room:
 * Room for one more in an array of @n elements: doubles it. 0, or -1.
 */
int pd_rec_make_room (void *array, uint32_t *room, uint32_t n, size_t element);

#endif
