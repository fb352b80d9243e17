/* Sizes of the messages that calls of one place send, receive or contribute.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SIZES_H
#define PD_SIZES_H

#include "base/pd-time.h"

/* Class 0 has messages of 0 bytes, class k those of 2^(k-1) to 2^k - 1 bytes. */
#define PD_N_SIZE_CLASSES 64

typedef struct
{
  guint64 n;       /* messages */
  PdTimeSum bytes; /* of all (in .ps) */
  gint64 smallest; /* of one, in bytes; these two if @n > 0 */
  gint64 largest;
  guint64 classes[PD_N_SIZE_CLASSES]; /* how many messages each has */
} PdSizes;

/**
 * pd_sizes_add:
 * @bytes: of one more message, >= 0
 */
static inline void
pd_sizes_add (PdSizes *self, gint64 bytes)
{
  self->smallest = self->n > 0 ? MIN (self->smallest, bytes) : bytes;
  self->largest = MAX (self->largest, bytes);
  self->bytes.ps += bytes;
  self->n++;
  self->classes[bytes > 0 ? g_bit_storage ((gulong) bytes) : 0]++;
}

/**
 * pd_sizes_merge:
 * @more: is added to @self
 */
void pd_sizes_merge (PdSizes *self, const PdSizes *more);

/**
 * pd_sizes_mean:
 * Returns: bytes of a message on average; NaN if there is none.
 */
gdouble pd_sizes_mean (const PdSizes *self);

/**
 * pd_sizes_class_from:
 * Returns: the least number of bytes of a message in @size_class.
 */
gint64 pd_sizes_class_from (guint size_class);

/**
 * pd_sizes_class_to:
 * Returns: the greatest number of bytes of a message in @size_class.
 */
gint64 pd_sizes_class_to (guint size_class);

#endif
