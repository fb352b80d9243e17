/* Patterns in which processes arrive at an operation.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-arrival.h"

#include "base/pd-error.h"
#include "measure/stats/pd-timer.h"

#include <string.h>

static gdouble
share_together (int rank, int size, gsize launch)
{
  (void) rank, (void) size, (void) launch;
  return 0;
}

static gdouble
share_late (int rank, int size, gsize launch)
{
  (void) launch;
  return rank == size - 1 ? 1 : 0;
}

static gdouble
share_linear (int rank, int size, gsize launch)
{
  (void) launch;
  return size > 1 ? (gdouble) rank / (size - 1) : 0;
}

/* SplitMix64 of the number of the launch and the rank: G. Steele, D. Lea, C. Flood: Fast
 * Splittable Pseudorandom Number Generators (OOPSLA 2014). */
static gdouble
share_random (int rank, int size, gsize launch)
{
  guint64 x = ((guint64) launch * (guint64) size + (guint64) rank + 1)
              * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (gdouble) ((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static const struct
{
  const char *name;
  gdouble (*share) (int rank, int size, gsize launch);
} patterns[PD_N_ARRIVALS] = {
  [PD_ARRIVAL_TOGETHER] = { "", share_together },
  [PD_ARRIVAL_LATE] = { "late", share_late },
  [PD_ARRIVAL_LINEAR] = { "linear", share_linear },
  [PD_ARRIVAL_RANDOM] = { "random", share_random },
};

PdArrivalPattern
pd_arrival_find (const char *name, GError **error)
{
  for (guint i = PD_ARRIVAL_TOGETHER + 1; i < PD_N_ARRIVALS; i++)
    if (strcmp (patterns[i].name, name) == 0)
      return (PdArrivalPattern) i;
  pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
           "--arrival=%s: expected late, linear or random", name);
  return PD_N_ARRIVALS;
}

const char *
pd_arrival_name (PdArrivalPattern pattern)
{
  return patterns[pattern].name;
}

gdouble
pd_arrival_delay (const PdArrival *self, int rank, int size, gsize launch)
{
  return self->skew * patterns[self->pattern].share (rank, size, launch);
}
