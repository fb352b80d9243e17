/* LogGP parameters from parametrised round trips (Hoefler, Lichei, Rehm: "Low-Overhead
 * LogGP Parameter Assessment for Modern Interconnection Networks", 2007). Times are
 * seconds. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOGGP_H
#define PD_LOGGP_H

#include "measure/stats/pd-timer.h"

/* PRTT (n, d, s): n messages of s bytes, d between them, then one answer. */
typedef struct
{
  gint64 bytes;
  gdouble one;     /* PRTT (1, 0, s) */
  gdouble many;    /* PRTT (n, 0, s) */
  gdouble delayed; /* PRTT (n, d, s) */
  gdouble delay;   /* d: the wait between two messages, on average */
  gdouble receive; /* of a message that is there already, at its receiver */
} PdRoundTrips;

/* The parameters for sizes between two changes of the protocol. */
typedef struct
{
  gint64 from_bytes; /* the least and the greatest size measured */
  gint64 to_bytes;
  gdouble latency;     /* L: half the least round trip of the smallest size of all */
  gdouble send;        /* o_s, at @from_bytes */
  gdouble receive;     /* o_r, at @from_bytes */
  gdouble gap;         /* g */
  gdouble gap_of_byte; /* G; 0 if the times fall by no more than their noise */
  gdouble residual;    /* relative, root of the mean square, of the fit of g and G */
} PdLogGP;

/**
 * pd_round_trips_gap:
 * @n: messages of a round trip, at least 2
 * Returns: (PRTT (n, 0, s) - PRTT (1, 0, s)) / (n - 1): g + s G
 */
gdouble pd_round_trips_gap (const PdRoundTrips *self, guint n);

/**
 * pd_round_trips_send:
 * @n: messages of a round trip, at least 2
 * Returns: o_s = (PRTT (n, d, s) - PRTT (1, 0, s)) / (n - 1) - d
 */
gdouble pd_round_trips_send (const PdRoundTrips *self, guint n);

/**
 * pd_loggp_changes:
 * @x: (array length=n): sizes, rising
 * @y: (array length=n): times, positive
 * @n: number of sizes
 * @changes: (out) (array length=n): whether the protocol is another one from this size on
 *
 * A line is fitted, with relative residuals, to the sizes since the last change. The
 * protocol changes behind the last size at which the fit is good, if for each of the next
 * 5 sizes the mean square of the residuals is at least twice what it was there, with and
 * without the first of these and the last of those, either of which may be out of line
 * alone. It is placed among the next three sizes where lines on both sides fit best.
 * Residuals below 5 % are taken as 5 %, or noise on a perfect line would count.
 */
void pd_loggp_changes (const gdouble *x, const gdouble *y, gsize n, gboolean *changes);

/**
 * pd_loggp_fit:
 * @trips: (array length=n_sizes): by rising size
 * @n_sizes: at least 2
 * @n: messages of a round trip, at least 2
 * @error: return location for %PD_MEASURE_ERROR_FIT
 *
 * Returns: (transfer full) (element-type PdLogGP): one per protocol, by rising size;
 *   %NULL with @error set if a parameter is negative or a fit is impossible.
 */
GArray *pd_loggp_fit (const PdRoundTrips *trips, gsize n_sizes, guint n, GError **error);

#endif
