/* Timers of this process, and a way to disturb them for tests. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMER_H
#define PD_TIMER_H

#include <glib.h>

#define PD_MEASURE_ERROR (pd_measure_error_quark ())
typedef enum
{
  PD_MEASURE_ERROR_USAGE,   /* the command line is wrong */
  PD_MEASURE_ERROR_TIMER,   /* there is no such timer here, or it cannot be trusted */
  PD_MEASURE_ERROR_SYNC,    /* clocks have moved by more than the bound */
  PD_MEASURE_ERROR_DATA,    /* a message brought wrong data */
  PD_MEASURE_ERROR_CROWDED, /* more processes than processors */
  PD_MEASURE_ERROR_FIT,     /* the measured times contradict the model */
  PD_MEASURE_ERROR_WRITE,   /* a file cannot be written */
  PD_MEASURE_ERROR_FOREIGN, /* a database that is another application's, or newer */
  PD_MEASURE_ERROR_READ,    /* a file cannot be read, or is not understood */
  PD_MEASURE_ERROR_MEMORY,  /* buffers exceed the free memory */
  PD_MEASURE_ERROR_DIFFERS, /* compared values differ, or violate expectations */
  PD_MEASURE_ERROR_ABSENT,  /* the machine lacks the object of the measurement */
} PdMeasureError;

/**
 * pd_measure_error_quark:
 * Returns: the domain of #PdMeasureError.
 */
GQuark pd_measure_error_quark (void);

typedef enum
{
  PD_TIMER_CLOCK_MONOTONIC, /* clock_gettime(): the default */
  PD_TIMER_GETTIMEOFDAY,    /* microseconds; jumps when the time of day is set */
  PD_TIMER_MPI_WTIME,       /* the MPI library's */
  PD_TIMER_TSC,             /* the processor's counter, calibrated */
  PD_N_TIMERS
} PdTimerKind;

/* A timer shows seconds since its own start; a copy is the same timer. Of tests: it is
 * @skew seconds ahead and gains @drift seconds per second. */
typedef struct
{
  PdTimerKind kind;
  gint64 began;    /* ticks */
  gdouble seconds; /* of a tick */
  gdouble skew;
  gdouble drift;
} PdTimer;

/**
 * pd_timer_find:
 * @name: "clock_monotonic", "gettimeofday", "MPI_Wtime" or "tsc"
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: its kind, or %PD_N_TIMERS with @error set.
 */
PdTimerKind pd_timer_find (const char *name, GError **error);

/**
 * pd_timer_name:
 * Returns: (transfer none): as pd_timer_find() knows it.
 */
const char *pd_timer_name (PdTimerKind kind);

/**
 * pd_timer_set_wtime:
 * @wtime: MPI_Wtime(): the timers know no MPI
 */
void pd_timer_set_wtime (double (*wtime) (void));

/**
 * pd_timer_calibrate_tsc:
 * @duration: seconds, more than 0; 0.2 gives about 1e-7
 * @error: return location for %PD_MEASURE_ERROR_TIMER: no counter here, or one whose
 *   frequency is not constant
 *
 * Compares the counter with CLOCK_MONOTONIC at both ends of @duration, by the tightest of
 * many pairs of readings. Processes of one host should share one result.
 *
 * Returns: seconds of a tick, or 0 with @error set.
 */
gdouble pd_timer_calibrate_tsc (gdouble duration, GError **error);

/**
 * pd_timer_start:
 * @self: (out caller-allocated): shows 0 now
 * @kind: which; MPI_Wtime needs pd_timer_set_wtime() before
 * @tick: of the TSC, from pd_timer_calibrate_tsc(); ignored for the others
 */
void pd_timer_start (PdTimer *self, PdTimerKind kind, gdouble tick);

/**
 * pd_timer_now:
 * Returns: seconds since pd_timer_start(), skew and drift included.
 */
gdouble pd_timer_now (const PdTimer *self);

/**
 * pd_timer_undisturbed:
 * @self: the timer
 * @shown: what it shows
 * Returns: what it would show without skew and drift: the truth of tests.
 */
gdouble pd_timer_undisturbed (const PdTimer *self, gdouble shown);

/**
 * pd_timer_wait:
 * Spins until the timer shows at least @until.
 */
void pd_timer_wait (const PdTimer *self, gdouble until);

#endif
