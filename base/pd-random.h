/* Random numbers that depend on nothing but what they are for: a seed, a
 * stream and a place in it. In whatever order they are asked for, they are the
 * same.
 *
 * The generator is Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANDOM_H
#define PD_RANDOM_H

#include <glib.h>

G_BEGIN_DECLS

/* A short sequence of numbers; on the stack. */
typedef struct
{
  guint32 key[2];     /* the seed */
  guint32 counter[4]; /* block of numbers, stream, place (low, high) */
  guint32 block[4];
  guint n_left; /* of @block */
} PdRandom;

/**
 * pd_random_philox:
 * @counter: (array length=4): the text to encrypt
 * @key: (array length=2): the key
 * @result: (array length=4) (out caller-allocated): 128 random bits
 *
 * The function from which all numbers are drawn.
 */
void pd_random_philox (const guint32 counter[4], const guint32 key[2], guint32 result[4]);

/**
 * pd_random_init:
 * @self: (out caller-allocated): the sequence, at its beginning
 * @seed: what the user gave
 * @stream: a processor
 * @place: what the numbers are for
 *
 * Sequences that differ in one of the three are independent.
 */
void pd_random_init (PdRandom *self, guint64 seed, guint32 stream, guint64 place);

/**
 * pd_random_uniform:
 * Returns: a number of 53 bits in (0, 1].
 */
gdouble pd_random_uniform (PdRandom *self);

/**
 * pd_random_normal:
 * Returns: a number of the normal distribution with mean 0 and variance 1 (by
 *   the method of Box and Muller, 1958).
 */
gdouble pd_random_normal (PdRandom *self);

/**
 * pd_random_exponential:
 * Returns: a number of the exponential distribution with mean 1.
 */
gdouble pd_random_exponential (PdRandom *self);

/**
 * pd_random_poisson:
 * @mean: >= 0, finite
 *
 * Returns: a number of the Poisson distribution; for means above 100 of the
 *   normal distribution with the same mean and variance, rounded, at least 0.
 */
guint64 pd_random_poisson (PdRandom *self, gdouble mean);

G_END_DECLS

#endif
