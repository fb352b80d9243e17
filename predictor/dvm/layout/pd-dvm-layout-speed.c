/* Weights of coordinates that follow the speeds of processors, in the order of
 * operations of the run-time system.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-speed.h"

#include <math.h>

/* Speeds that differ by less are even. */
#define EVEN 0.85

/* The dimension along which processor @coords follows its predecessor: the
 * last one where it is not the first. */
static guint
last_moved (const PdGrid *self, const guint32 *coords)
{
  guint d = self->rank - 1;

  while (d > 0 && coords[d] == 0)
    d--;
  return d;
}

/* Marks the uneven dimensions; returns how many. */
static guint
find_uneven (const PdGrid *self, const gdouble *powers, gboolean *uneven)
{
  gdouble mean[PD_MAX_GRID_RANK]; /* of the line so far, recent ones count more */
  guint32 coords[PD_MAX_GRID_RANK];
  guint n = 0;

  for (guint d = 0; d < self->rank; d++)
    {
      mean[d] = powers[0];
      uneven[d] = FALSE;
    }
  for (guint32 i = 1; i < self->n; i++)
    {
      pd_grid_get_coords (self, i, coords);
      guint moved = last_moved (self, coords);
      if (MIN (mean[moved], powers[i]) / MAX (mean[moved], powers[i]) > EVEN)
        mean[moved] = (mean[moved] + powers[i]) * 0.5;
      else
        uneven[moved] = TRUE;
      for (guint d = moved + 1; d < self->rank; d++)
        mean[d] = powers[i];
    }
  for (guint d = 0; d < self->rank; d++)
    n += uneven[d] ? 1 : 0;
  return n;
}

static gdouble
root (gdouble power, guint n)
{
  return n == 1 ? power : n == 2 ? sqrt (power) : pow (power, 1. / n);
}

/* Sums over the processors of each coordinate; ones for even dimensions. */
static void
sum_powers (const PdGrid *self, const gdouble *powers, const gboolean *uneven, guint n_uneven,
            GArray **sums)
{
  guint32 coords[PD_MAX_GRID_RANK];

  for (guint d = 0; d < self->rank; d++)
    {
      gdouble start = uneven[d] ? 0 : 1;
      sums[d] = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), self->sizes[d]);
      for (guint32 c = 0; c < self->sizes[d]; c++)
        g_array_append_val (sums[d], start);
    }
  for (guint32 i = 0; i < self->n && n_uneven > 0; i++)
    {
      gdouble power = root (powers[i], n_uneven);
      pd_grid_get_coords (self, i, coords);
      for (guint d = 0; d < self->rank; d++)
        if (uneven[d])
          g_array_index (sums[d], gdouble, coords[d]) += power;
    }
}

/* Multiplies the sums by the weights; returns the least positive result. */
static gdouble
multiply (const PdGrid *self, const gboolean *uneven, GArray **weights, GArray **sums)
{
  gdouble least = 0;

  for (guint d = 0; d < self->rank; d++)
    {
      gdouble share = uneven[d] ? (gdouble) self->sizes[d] / self->n : 1;

      for (guint32 c = 0; c < self->sizes[d]; c++)
        {
          gdouble weight = weights[d] != NULL ? g_array_index (weights[d], gdouble, c) : 1;
          gdouble *value = &g_array_index (sums[d], gdouble, c);

          *value *= weight * share;
          if (*value > 0 && (least <= 0 || *value < least))
            least = *value;
        }
    }
  return least;
}

void
pd_grid_scale_weights (const PdGrid *self, const gdouble *powers, GArray **weights)
{
  gboolean uneven[PD_MAX_GRID_RANK];
  GArray *sums[PD_MAX_GRID_RANK];

  g_return_if_fail (self != NULL && powers != NULL && weights != NULL);
  guint n_uneven = find_uneven (self, powers, uneven);
  sum_powers (self, powers, uneven, n_uneven, sums);
  gdouble least = multiply (self, uneven, weights, sums);
  for (guint d = 0; d < self->rank; d++)
    {
      for (guint32 c = 0; c < self->sizes[d] && least > 0; c++)
        g_array_index (sums[d], gdouble, c) *= 1. / least;
      g_clear_pointer (&weights[d], g_array_unref);
      weights[d] = sums[d];
    }
}
