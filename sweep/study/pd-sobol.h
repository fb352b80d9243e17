/* The Sobol sequence: points that fill a box evenly, however many are taken.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SOBOL_H
#define PD_SOBOL_H

#include <glib.h>

/* Dimensions whose direction numbers are here. */
#define PD_SOBOL_MAX_DIMENSIONS 21

/* A sequence under way; on the stack. */
typedef struct
{
  guint n;        /* dimensions */
  guint32 number; /* of the next point */
  guint32 directions[PD_SOBOL_MAX_DIMENSIONS][32];
  guint32 state[PD_SOBOL_MAX_DIMENSIONS];
  guint32 shift[PD_SOBOL_MAX_DIMENSIONS];
} PdSobol;

/**
 * pd_sobol_init:
 * @self: (out caller-allocated): the sequence
 * @n: dimensions, 1 to %PD_SOBOL_MAX_DIMENSIONS
 * @seed: 0 = the sequence itself; else each dimension is shifted by a number that
 *   depends on @seed, bit by bit, which keeps it as even as it is
 *
 * Direction numbers: S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better
 * two-dimensional projections", SIAM J. Sci. Comput. 30 (2008) 2635-2654, table
 * new-joe-kuo-6. Order of the points: I. A. Antonov, V. M. Saleev, "An economic
 * method of computing LP-tau sequences", USSR Comput. Math. Math. Phys. 19 (1979).
 */
void pd_sobol_init (PdSobol *self, guint n, guint32 seed);

/**
 * pd_sobol_next:
 * @point: (array length=n) (out caller-allocated): each at least 0, less than 1
 *
 * The next of 2^32 points.
 */
void pd_sobol_next (PdSobol *self, gdouble *point);

#endif
