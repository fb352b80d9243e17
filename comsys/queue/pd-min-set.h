/* A set of small numbers from which the least is taken: bits, and above each
 * 64 of them one that tells whether any is set. Adding and taking look at one
 * word a level; adding a number that is in the set costs nothing. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MIN_SET_H
#define PD_MIN_SET_H

#include <glib.h>

#define PD_LEAST_LEVELS 6 /* more than 32 bits */

/* All zero at first: room for no number. */
typedef struct
{
  guint n_levels;
  gsize n_words;                    /* of [0] */
  guint64 *levels[PD_LEAST_LEVELS]; /* of [0]: a bit per number; one word in the last */
} PdMinSet;

/**
 * pd_min_set_clear:
 * Releases what the set holds: room for no number again.
 */
static inline void
pd_min_set_clear (PdMinSet *self)
{
  for (guint i = 0; i < self->n_levels; i++)
    g_free (self->levels[i]);
  self->n_levels = 0;
}

/**
 * pd_min_set_resize:
 * Makes room for numbers below @n; the set must be empty.
 */
static inline void
pd_min_set_resize (PdMinSet *self, guint32 n)
{
  gsize words = n;

  pd_min_set_clear (self);
  do
    {
      words = (words + 63) / 64;
      self->levels[self->n_levels++] = g_new0 (guint64, words);
    }
  while (words > 1);
  self->n_words = ((gsize) n + 63) / 64;
}

/**
 * pd_min_set_add:
 * @number: below the room there is
 *
 * O(1): one word a level.
 */
static inline void
pd_min_set_add (PdMinSet *self, guint32 number)
{
  for (guint level = 0; level < self->n_levels; level++, number /= 64)
    {
      guint64 *word = &self->levels[level][number / 64];
      guint64 old = *word;
      *word |= G_GUINT64_CONSTANT (1) << number % 64;
      if (old != 0)
        return;
    }
}

/**
 * pd_min_set_is_empty:
 * Returns: whether it holds no number.
 */
static inline gboolean
pd_min_set_is_empty (const PdMinSet *self)
{
  return self->n_levels == 0 || self->levels[self->n_levels - 1][0] == 0;
}

/**
 * pd_min_set_peek:
 * @number: one that was just taken
 * @ahead: from 0
 *
 * Returns: the number that is likely to be taken so many later, unless others are added; or
 *   G_MAXUINT32, if it is neither in the word of @number nor in the next two.
 */
static inline guint32
pd_min_set_peek (const PdMinSet *self, guint32 number, guint ahead)
{
  gsize word = number / 64, end = MIN (word + 3, self->n_words);
  guint64 bits = self->levels[0][word] >> number % 64 >> 1 << number % 64 << 1;

  for (;; bits = self->levels[0][word])
    {
      for (; bits != 0; bits &= bits - 1)
        if (ahead-- == 0)
          return (guint32) (64 * word) + (guint32) __builtin_ctzll (bits);
      if (++word >= end)
        return G_MAXUINT32;
    }
}

/**
 * pd_min_set_take:
 * Returns: the least number, which is taken out; the set must not be empty.
 */
static inline guint32
pd_min_set_take (PdMinSet *self)
{
  guint32 number = 0;
  guint32 bits;

  for (guint level = self->n_levels; level-- > 0;)
    number = 64 * number + (guint32) __builtin_ctzll (self->levels[level][number]);
  bits = number;
  for (guint level = 0; level < self->n_levels; level++, bits /= 64)
    if ((self->levels[level][bits / 64] &= ~(G_GUINT64_CONSTANT (1) << bits % 64)) != 0)
      break;
  return number;
}

#endif
