/* SPDX-License-Identifier: MIT */
#include "sweep/study/pd-sobol.h"

#include "base/pd-random.h"

#define N_BITS     32
#define MAX_DEGREE 7

/* A primitive polynomial over GF(2), of that degree, whose inner coefficients are the
 * bits of @a, and the first direction numbers. */
static const struct
{
  guint degree;
  guint a;
  guint m[MAX_DEGREE];
} table[PD_SOBOL_MAX_DIMENSIONS - 1] = {
  { 1, 0, { 1 } },
  { 2, 1, { 1, 3 } },
  { 3, 1, { 1, 3, 1 } },
  { 3, 2, { 1, 1, 1 } },
  { 4, 1, { 1, 1, 3, 3 } },
  { 4, 4, { 1, 3, 5, 13 } },
  { 5, 2, { 1, 1, 5, 5, 17 } },
  { 5, 4, { 1, 1, 5, 5, 5 } },
  { 5, 7, { 1, 1, 7, 11, 19 } },
  { 5, 11, { 1, 1, 5, 1, 1 } },
  { 5, 13, { 1, 1, 1, 3, 11 } },
  { 5, 14, { 1, 3, 5, 5, 31 } },
  { 6, 1, { 1, 3, 3, 9, 7, 49 } },
  { 6, 13, { 1, 1, 1, 15, 21, 21 } },
  { 6, 16, { 1, 3, 1, 13, 27, 49 } },
  { 6, 19, { 1, 1, 1, 15, 7, 5 } },
  { 6, 22, { 1, 3, 1, 15, 13, 25 } },
  { 6, 25, { 1, 1, 5, 5, 19, 61 } },
  { 7, 1, { 1, 3, 7, 11, 23, 15, 103 } },
  { 7, 4, { 1, 3, 7, 13, 13, 15, 69 } },
};

/* The recurrence of the paper, section 2. */
static void
fill_directions (guint dimension, guint32 *v)
{
  if (dimension == 0)
    {
      for (guint i = 0; i < N_BITS; i++)
        v[i] = 1u << (N_BITS - 1 - i);
      return;
    }
  guint s = MIN (table[dimension - 1].degree, MAX_DEGREE), a = table[dimension - 1].a;
  for (guint i = 0; i < s; i++)
    v[i] = table[dimension - 1].m[i] << (N_BITS - 1 - i);
  for (guint i = s; i < N_BITS; i++)
    {
      v[i] = v[i - s] ^ (v[i - s] >> s);
      for (guint k = 1; k < s; k++)
        if ((a >> (s - 1 - k) & 1) != 0)
          v[i] ^= v[i - k];
    }
}

void
pd_sobol_init (PdSobol *self, guint n, guint32 seed)
{
  g_return_if_fail (n >= 1 && n <= PD_SOBOL_MAX_DIMENSIONS);

  *self = (PdSobol){ .n = n };
  for (guint d = 0; d < n; d++)
    {
      const guint32 counter[4] = { d, 0, 0, 0 }, key[2] = { seed, 0 };
      guint32 random[4];
      fill_directions (d, self->directions[d]);
      pd_random_philox (counter, key, random);
      self->shift[d] = seed == 0 ? 0 : random[0];
    }
}

void
pd_sobol_next (PdSobol *self, gdouble *point)
{
  guint changed = 0; /* the lowest bit of the number that is 0: the one that the next Gray code has
                      * another */

  for (guint d = 0; d < self->n; d++)
    point[d] = (gdouble) (self->state[d] ^ self->shift[d]) / 4294967296.0;
  while ((self->number >> changed & 1) != 0 && changed < N_BITS - 1)
    changed++;
  for (guint d = 0; d < self->n; d++)
    self->state[d] ^= self->directions[d][changed];
  self->number++;
}
