/* How long a computation takes on other numbers of ranks.
 *
 * Candidates are c0 + c1 f(P) with f of P^-3 to P^2 in halves and thirds, times log2(P)^0 to 2, as
 * in Calotoiu, Hoefler, Poke, Wolf: "Using automated performance modeling to find scalability bugs
 * in complex codes" (SC 2013); fitted to medians by relative least squares and chosen by
 * leave-one-out error. With two sizes only constants, 1/P and P are tried.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_TIMES_H
#define PD_SCALE_TIMES_H

#include <glib.h>

typedef struct
{
  gdouble ranks;
  gdouble amount; /* the median, picoseconds or operations */
} PdScalePoint;

typedef struct
{
  gdouble c0;
  gdouble c1;
  gdouble power; /* f = P^power log2(P)^logs */
  guint logs;
  gdouble error;  /* greatest relative error of the points when each is left out; of two points: of
                     both */
  gdouble weight; /* how much all ranks of the largest recording have of it; of the caller */
} PdScaleTimes;

/**
 * pd_scale_times_fit:
 * @points: (array length=n): one for each number of ranks, n > 0
 * @times: (out caller-allocated): the best candidate
 */
void pd_scale_times_fit (const PdScalePoint *points, guint n, PdScaleTimes *times);

/**
 * pd_scale_times_get:
 * Returns: the amount on that many ranks, 0 or more.
 */
gdouble pd_scale_times_get (const PdScaleTimes *self, gdouble ranks);

#endif
