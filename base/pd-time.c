/* SPDX-License-Identifier: MIT */
#include "base/pd-time.h"

/* Half up to an integer, saturating. @ps is never negative here, so that what the
 * conversion cuts off is what floor() would. */
static PdTime
from_double (gdouble ps)
{
  gdouble above = ps + 0.5;
  return above >= (gdouble) G_MAXINT64 ? PD_TIME_MAX : PD_TIME ((gint64) above);
}

PdTime
pd_time_scale (PdTime t, gint64 numerator, gint64 denominator)
{
  gint64 product;

  g_return_val_if_fail (t.ps >= 0 && numerator >= 0 && denominator > 0, PD_TIME_ZERO);

  /* the usual case, without a 128-bit division */
  if (!__builtin_mul_overflow (t.ps, numerator, &product)
      && product <= G_MAXINT64 - denominator / 2)
    return PD_TIME ((product + denominator / 2) / denominator);

  PdWide wide = ((PdWide) t.ps * numerator + denominator / 2) / denominator;
  return wide > G_MAXINT64 ? PD_TIME_MAX : PD_TIME ((gint64) wide);
}

PdTime
pd_time_divide (PdTime t, gdouble speed)
{
  g_return_val_if_fail (t.ps >= 0 && speed > 0, PD_TIME_ZERO);

  /* floating-point equality is meant: only an exact 1 leaves t untouched */
  return speed >= 1.0 && speed <= 1.0 ? t : from_double ((gdouble) t.ps / speed);
}

PdTime
pd_time_multiply (PdTime t, gdouble factor)
{
  g_return_val_if_fail (t.ps >= 0 && factor >= 0, PD_TIME_ZERO);

  return factor >= 1.0 && factor <= 1.0 ? t : from_double ((gdouble) t.ps * factor);
}

PdTime
pd_time_for_bytes (gint64 n_bytes, gdouble ps_per_byte)
{
  g_return_val_if_fail (n_bytes >= 0 && ps_per_byte >= 0, PD_TIME_ZERO);

  return from_double ((gdouble) n_bytes * ps_per_byte);
}

gboolean
pd_time_from_seconds (gdouble seconds, PdTime *time)
{
  gdouble ps = seconds * (gdouble) PD_PS_PER_S;

  if (!(ps >= 0 && ps < (gdouble) G_MAXINT64))
    return FALSE;
  *time = from_double (ps);
  return TRUE;
}

gdouble
pd_time_to_seconds (PdTime t)
{
  return (gdouble) t.ps / (gdouble) PD_PS_PER_S;
}

gdouble
pd_time_sum_to_seconds (PdTimeSum sum)
{
  return (gdouble) sum.ps / (gdouble) PD_PS_PER_S;
}

/* Writes the last @n digits of @x; returns the place behind them. */
static char *
append_digits (char *to, guint n, guint64 x)
{
  for (guint i = n; i-- > 0; x /= 10)
    to[i] = (char) ('0' + x % 10);
  return to + n;
}

char *
pd_time_sum_format (PdTimeSum sum, char buffer[64])
{
  PdWide ps = sum.ps < 0 ? -sum.ps : sum.ps;
  guint64 whole = (guint64) (ps / PD_PS_PER_S);
  guint n = 1;
  char *end = buffer;

  for (guint64 x = whole; x >= 10; x /= 10)
    n++;
  if (sum.ps < 0)
    *end++ = '-';
  end = append_digits (end, n, whole);
  *end++ = '.';
  *append_digits (end, 12, (guint64) (ps % PD_PS_PER_S)) = '\0';
  return buffer;
}

char *
pd_time_format (PdTime t, char buffer[64])
{
  return pd_time_sum_format ((PdTimeSum){ t.ps }, buffer);
}
