/* Relations between clocks: offsets from exchanges, and how they change with time.
 * Times are seconds of some clock, as double. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CLOCK_H
#define PD_CLOCK_H

#include <glib.h>

/* One exchange: at @at of the own clock, the other one showed @at + @offset. */
typedef struct
{
  gdouble at;
  gdouble offset;
  gdouble round_trip;
} PdClockPoint;

/* The exchange with the smallest round trip so far. */
typedef struct
{
  PdClockPoint best;
  guint unchanged; /* exchanges since it was found */
  guint n;
} PdClockSearch;

#define PD_CLOCK_SEARCH_INIT                                                                       \
  {                                                                                                \
    { 0, 0, G_MAXDOUBLE }, 0, 0                                                                    \
  }

/**
 * pd_clock_search_add:
 * @self: the search, from %PD_CLOCK_SEARCH_INIT
 * @sent: own clock when the question was sent
 * @there: the other clock when it was answered
 * @received: own clock when the answer was there
 * @patience: see below
 *
 * The offset is @there minus the middle between @sent and @received: of an exchange that
 * took no longer than it must, at the smallest round trip.
 *
 * Returns: %TRUE if the smallest round trip has not changed in @patience exchanges.
 */
gboolean pd_clock_search_add (PdClockSearch *self, gdouble sent, gdouble there, gdouble received,
                              guint patience);

/* other = own + offset + slope (own - at) */
typedef struct
{
  gdouble at;
  gdouble offset;
  gdouble slope;
} PdClockModel;

/**
 * pd_clock_fit:
 * @points: (array length=n): in any order
 * @n: at least 1
 *
 * The clocks' linear relation from the points whose round trips are at most 1.5 times the
 * smallest one: where a process had to wait for a processor, half the wait is the error.
 * The slope is 0 unless its confidence interval at 0.99 excludes 0: over a short time a
 * slope of noise adds a larger error than it removes.
 */
PdClockModel pd_clock_fit (const PdClockPoint *points, gsize n);

/**
 * pd_clock_there:
 * Returns: what the other clock shows when the own one shows @own.
 */
gdouble pd_clock_there (const PdClockModel *model, gdouble own);

/**
 * pd_clock_here:
 * Returns: what the own clock shows when the other one shows @there.
 */
gdouble pd_clock_here (const PdClockModel *model, gdouble there);

/**
 * pd_clock_chain:
 * @near: from clock A to clock B
 * @far: from clock B to clock C
 * Returns: the relation from A to C.
 */
PdClockModel pd_clock_chain (const PdClockModel *near, const PdClockModel *far);

#endif
