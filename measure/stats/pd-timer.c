/* Timers: a table of functions that read ticks.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "measure/stats/pd-timer.h"

#include <string.h>
#include <sys/time.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>
#define HAVE_TSC 1
#else
#define HAVE_TSC 0
#endif

#define CALIBRATION_PAIRS 200

GQuark
pd_measure_error_quark (void)
{
  return g_quark_from_static_string ("pd-measure-error");
}

/* ---- reading ticks */

static double (*read_wtime) (void);

static gint64
read_monotonic (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static gint64
read_time_of_day (void)
{
  struct timeval now;

  gettimeofday (&now, NULL);
  return (gint64) now.tv_sec * 1000000 + now.tv_usec;
}

static gint64
read_mpi (void)
{
  return (gint64) (read_wtime () * 1e9);
}

/* rdtscp waits for earlier instructions, and the fence holds back later ones; cpuid does both,
 * too, but traps in virtual machines. */
static gint64
read_tsc (void)
{
#if HAVE_TSC
  unsigned processor;
  gint64 ticks = (gint64) __rdtscp (&processor);

  _mm_lfence ();
  return ticks;
#else
  return 0;
#endif
}

static const struct
{
  const char *name;
  gint64 (*read) (void);
  gdouble seconds; /* of a tick; 0: measured */
} timers[PD_N_TIMERS] = {
  [PD_TIMER_CLOCK_MONOTONIC] = { "clock_monotonic", read_monotonic, 1e-9 },
  [PD_TIMER_GETTIMEOFDAY] = { "gettimeofday", read_time_of_day, 1e-6 },
  [PD_TIMER_MPI_WTIME] = { "MPI_Wtime", read_mpi, 1e-9 },
  [PD_TIMER_TSC] = { "tsc", read_tsc, 0 },
};

PdTimerKind
pd_timer_find (const char *name, GError **error)
{
  for (PdTimerKind i = 0; i < PD_N_TIMERS; i++)
    if (strcmp (timers[i].name, name) == 0)
      return i;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "unknown timer '%s': expected clock_monotonic, gettimeofday, MPI_Wtime or tsc",
               name);
  return PD_N_TIMERS;
}

const char *
pd_timer_name (PdTimerKind kind)
{
  g_return_val_if_fail (kind < PD_N_TIMERS, NULL);
  return timers[kind].name;
}

void
pd_timer_set_wtime (double (*wtime) (void))
{
  read_wtime = wtime;
}

/* ---- the frequency of the counter */

/* It counts at a constant rate, whatever the processor's frequency and state. */
static gboolean
tsc_is_invariant (void)
{
#if HAVE_TSC
  unsigned a, b, c, d;

  return __get_cpuid (0x80000001, &a, &b, &c, &d) && (d & 1u << 27) != 0
         && __get_cpuid (0x80000007, &a, &b, &c, &d) && (d & 1u << 8) != 0;
#else
  return FALSE;
#endif
}

/* Both clocks at one moment: the reading in the tightest bracket. */
static void
read_both (gint64 *ticks, gdouble *nanoseconds)
{
  gint64 tightest = G_MAXINT64;

  for (guint i = 0; i < CALIBRATION_PAIRS; i++)
    {
      gint64 before = read_monotonic (), middle = read_tsc (), after = read_monotonic ();
      if (after - before >= tightest)
        continue;
      tightest = after - before;
      *ticks = middle;
      *nanoseconds = (gdouble) before + (gdouble) tightest / 2;
    }
}

gdouble
pd_timer_calibrate_tsc (gdouble duration, GError **error)
{
  gint64 ticks[2];
  gdouble ns[2];

  g_return_val_if_fail (duration > 0, 0);
  if (!tsc_is_invariant ())
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_TIMER,
                   "timer 'tsc': this processor has no invariant time stamp counter");
      return 0;
    }
  read_both (&ticks[0], &ns[0]);
  g_usleep ((gulong) (duration * 1e6));
  read_both (&ticks[1], &ns[1]);
  if (ticks[1] <= ticks[0])
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_TIMER,
                   "timer 'tsc': the counter went backwards");
      return 0;
    }
  return (ns[1] - ns[0]) * 1e-9 / (gdouble) (ticks[1] - ticks[0]);
}

/* ---- one timer */

void
pd_timer_start (PdTimer *self, PdTimerKind kind, gdouble tick)
{
  g_return_if_fail (kind < PD_N_TIMERS);
  g_return_if_fail (kind != PD_TIMER_TSC || tick > 0);
  g_return_if_fail (kind != PD_TIMER_MPI_WTIME || read_wtime != NULL);
  *self = (PdTimer){ .kind = kind, .seconds = timers[kind].seconds };
  if (kind == PD_TIMER_TSC)
    self->seconds = tick;
  self->began = timers[kind].read ();
}

gdouble
pd_timer_now (const PdTimer *self)
{
  gdouble shown = (gdouble) (timers[self->kind].read () - self->began) * self->seconds;

  return shown + self->skew + self->drift * shown;
}

gdouble
pd_timer_undisturbed (const PdTimer *self, gdouble shown)
{
  return (shown - self->skew) / (1 + self->drift);
}

void
pd_timer_wait (const PdTimer *self, gdouble until)
{
  while (pd_timer_now (self) < until)
    ;
}
