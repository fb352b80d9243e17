/* Patterns in which processes arrive at an operation. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ARRIVAL_H
#define PD_ARRIVAL_H

#include <glib.h>

typedef enum
{
  PD_ARRIVAL_TOGETHER,
  PD_ARRIVAL_LATE,   /* the last rank comes late, by all of the skew */
  PD_ARRIVAL_LINEAR, /* rank i of p by i / (p - 1) of the skew */
  PD_ARRIVAL_RANDOM, /* each rank by a share of its own, in each launch another one */
  PD_N_ARRIVALS
} PdArrivalPattern;

typedef struct
{
  PdArrivalPattern pattern;
  gdouble skew; /* seconds */
} PdArrival;

/**
 * pd_arrival_find:
 * @name: "late", "linear" or "random"
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: the pattern, or %PD_N_ARRIVALS with @error set.
 */
PdArrivalPattern pd_arrival_find (const char *name, GError **error);

/**
 * pd_arrival_name:
 * Returns: (transfer none): as pd_arrival_find() knows it; "" of those that come together.
 */
const char *pd_arrival_name (PdArrivalPattern pattern);

/**
 * pd_arrival_delay:
 * @rank: below @size
 * @launch: number of the launch
 *
 * The same at all processes, and each time.
 *
 * Returns: seconds by which the rank comes after the start of the launch.
 */
gdouble pd_arrival_delay (const PdArrival *self, int rank, int size, gsize launch);

#endif
