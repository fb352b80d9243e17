/* Functions with which the programs of bench/ measure.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

#include <glib.h>
#include <sys/resource.h>
#include <time.h>

/* Processor time of this process, in seconds: the machine may be shared. */
static inline gdouble
bench_seconds (void)
{
  return (gdouble) clock () / CLOCKS_PER_SEC;
}

/* Elapsed time, for what several threads do. */
static inline gdouble
bench_elapsed (void)
{
  return (gdouble) g_get_monotonic_time () / G_USEC_PER_SEC;
}

/* The most bytes of memory that this process has had. */
static inline gdouble
bench_peak_bytes (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (gdouble) usage.ru_maxrss * 1024;
}

#endif
