/* Computation of a stated length: what the examples do instead of real work.
 * SPDX-License-Identifier: MIT */
#ifndef BUSY_H
#define BUSY_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 199309L /* clock_gettime() */
#endif

#include <stdlib.h>
#include <time.h>

static inline double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Keeps the processor busy for @seconds. */
static inline void
busy (double seconds)
{
  double end = now () + seconds;

  while (now () < end)
    ;
}

/* @n multiplications and additions, each of which needs the one before: real work, as long as its
 * result is used. */
static inline double
toil (double n)
{
  double value = 1;

  for (double i = 0; i < n; i++)
    value = value * 0.999 + 0.001;
  return value;
}

/* The number on the command line, or @otherwise. */
static inline int
argument (int argc, char **argv, int i, int otherwise)
{
  return argc > i ? atoi (argv[i]) : otherwise;
}

#endif
