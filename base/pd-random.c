/* SPDX-License-Identifier: MIT */
#include "base/pd-random.h"

#include <math.h>
#include <string.h>

/* Multipliers and additions to the key of each round, from the paper. */
#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0       0x9E3779B9u
#define WEYL_1       0xBB67AE85u
#define N_ROUNDS     10

/* Above this mean Poisson's distribution is taken as normal. */
#define MAX_POISSON_MEAN 100.0

void
pd_random_philox (const guint32 counter[4], const guint32 key[2], guint32 result[4])
{
  guint32 k0 = key[0], k1 = key[1];

  memcpy (result, counter, 4 * sizeof *result);
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      guint64 a = (guint64) MULTIPLIER_0 * result[0];
      guint64 b = (guint64) MULTIPLIER_1 * result[2];
      result[0] = (guint32) (b >> 32) ^ result[1] ^ k0;
      result[1] = (guint32) b;
      result[2] = (guint32) (a >> 32) ^ result[3] ^ k1;
      result[3] = (guint32) a;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
}

void
pd_random_init (PdRandom *self, guint64 seed, guint32 stream, guint64 place)
{
  *self = (PdRandom){ .key = { (guint32) seed, (guint32) (seed >> 32) },
                      .counter = { 0, stream, (guint32) place, (guint32) (place >> 32) } };
}

static guint32
next (PdRandom *self)
{
  if (self->n_left == 0)
    {
      pd_random_philox (self->counter, self->key, self->block);
      self->counter[0]++;
      self->n_left = 4;
    }
  return self->block[4 - self->n_left--];
}

gdouble
pd_random_uniform (PdRandom *self)
{
  guint64 high = next (self), low = next (self);

  return (gdouble) (((high << 32 | low) >> 11) + 1) * 0x1p-53;
}

gdouble
pd_random_normal (PdRandom *self)
{
  gdouble radius = sqrt (-2 * log (pd_random_uniform (self)));

  return radius * cos (2 * G_PI * pd_random_uniform (self));
}

gdouble
pd_random_exponential (PdRandom *self)
{
  return -log (pd_random_uniform (self));
}

guint64
pd_random_poisson (PdRandom *self, gdouble mean)
{
  if (mean > MAX_POISSON_MEAN)
    {
      gdouble n = floor (mean + sqrt (mean) * pd_random_normal (self) + 0.5);
      return (guint64) CLAMP (n, 0, 0x1p62);
    }

  /* inversion; the bound is for a rest that rounding leaves beyond all terms */
  gdouble rest = pd_random_uniform (self), term = exp (-mean);
  guint64 n = 0;
  while (rest > term && n < 10 * (guint64) MAX_POISSON_MEAN)
    {
      rest -= term;
      term *= mean / (gdouble) ++n;
    }
  return n;
}
