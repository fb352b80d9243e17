/* Simulated time. This header is the one thing that traces/, comsys/ and
 * intervals/ share; it knows nothing of them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIME_H
#define PD_TIME_H

#include <glib.h>

G_BEGIN_DECLS

/* A moment or a duration: integer picoseconds. 64 bits hold 106 days. A
 * struct, so that a byte count or a raw double cannot be passed as a time. */
typedef struct
{
  gint64 ps;
} PdTime;

/* Sums over processors can exceed 64 bits. */
__extension__ typedef __int128 PdWide;

typedef struct
{
  PdWide ps;
} PdTimeSum;

#define PD_TIME(picoseconds) ((PdTime){ (picoseconds) })
#define PD_TIME_ZERO         PD_TIME (0)
/* The latest moment; also the result of every sum that would not fit, and of sums with it:
 * code that reads a clock with this value reports an overflow. */
#define PD_TIME_MAX PD_TIME (G_MAXINT64)
/* In a result slot: not known yet. No time is ever negative. */
#define PD_TIME_PENDING PD_TIME (-1)

#define PD_PS_PER_NS G_GINT64_CONSTANT (1000)
#define PD_PS_PER_US G_GINT64_CONSTANT (1000000)
#define PD_PS_PER_MS G_GINT64_CONSTANT (1000000000)
#define PD_PS_PER_S  G_GINT64_CONSTANT (1000000000000)

/**
 * pd_time_add:
 * Returns: @a + @b, or %PD_TIME_MAX where that does not fit. Both must be >= 0.
 */
static inline PdTime
pd_time_add (PdTime a, PdTime b)
{
  gint64 sum;
  return PD_TIME (__builtin_add_overflow (a.ps, b.ps, &sum) ? G_MAXINT64 : sum);
}

/**
 * pd_time_sub:
 * Returns: @a - @b; the caller knows that @a >= @b >= 0.
 */
static inline PdTime
pd_time_sub (PdTime a, PdTime b)
{
  return PD_TIME (a.ps - b.ps);
}

/**
 * pd_time_max:
 * Returns: the later of @a and @b.
 */
static inline PdTime
pd_time_max (PdTime a, PdTime b)
{
  return a.ps >= b.ps ? a : b;
}

/**
 * pd_time_is_pending:
 * Returns: whether @t is %PD_TIME_PENDING.
 */
static inline gboolean
pd_time_is_pending (PdTime t)
{
  return t.ps < 0;
}

/**
 * pd_time_scale:
 * @t: a duration, >= 0
 * @numerator: >= 0
 * @denominator: > 0
 *
 * Returns: @t * @numerator / @denominator, rounded half up to 1 ps;
 *   %PD_TIME_MAX where that does not fit.
 */
PdTime pd_time_scale (PdTime t, gint64 numerator, gint64 denominator);

/**
 * pd_time_divide:
 * @t: a duration, >= 0
 * @speed: > 0, relative processor speed (no unit)
 *
 * Returns: @t / @speed rounded half up to 1 ps; exactly @t for a speed of 1.
 */
PdTime pd_time_divide (PdTime t, gdouble speed);

/**
 * pd_time_multiply:
 * @t: a duration, >= 0
 * @factor: >= 0, finite
 *
 * Returns: @t * @factor rounded half up to 1 ps; exactly @t for a factor of 1;
 *   %PD_TIME_MAX where that does not fit.
 */
PdTime pd_time_multiply (PdTime t, gdouble factor);

/**
 * pd_time_for_bytes:
 * @n_bytes: >= 0
 * @ps_per_byte: >= 0, picoseconds per byte
 *
 * Returns: @n_bytes * @ps_per_byte rounded half up, once, to 1 ps;
 *   %PD_TIME_MAX where that does not fit.
 */
PdTime pd_time_for_bytes (gint64 n_bytes, gdouble ps_per_byte);

/**
 * pd_time_from_seconds:
 * @seconds: any double
 * @time: (out): written only on success
 *
 * The one place where seconds become picoseconds: rounded half up.
 *
 * Returns: %FALSE if @seconds is negative, not finite, or over 106 days.
 */
gboolean pd_time_from_seconds (gdouble seconds, PdTime *time);

/**
 * pd_time_to_seconds:
 * Returns: @t in seconds, the nearest double.
 */
gdouble pd_time_to_seconds (PdTime t);

/**
 * pd_time_sum_to_seconds:
 * Returns: @sum in seconds, the nearest double.
 */
gdouble pd_time_sum_to_seconds (PdTimeSum sum);

/**
 * pd_time_sum_add:
 * Adds @t to @sum, which cannot overflow for less than 2^63 summands.
 */
static inline void
pd_time_sum_add (PdTimeSum *sum, PdTime t)
{
  sum->ps += t.ps;
}

/**
 * pd_time_sum_format:
 * @sum: any sum, also a negative one
 * @buffer: (array length=64) (out caller-allocated): room for 64 characters
 *
 * Writes @sum in seconds with 12 decimals, exactly, as "-0.000000000001".
 *
 * Returns: @buffer.
 */
char *pd_time_sum_format (PdTimeSum sum, char buffer[64]);

/**
 * pd_time_format:
 * @t: a time
 * @buffer: (array length=64) (out caller-allocated): room for 64 characters
 *
 * Writes @t in seconds with 12 decimals, exactly.
 *
 * Returns: @buffer.
 */
char *pd_time_format (PdTime t, char buffer[64]);

G_END_DECLS

#endif
