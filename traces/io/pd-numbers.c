/* Decimal text to double. A number m * 10^e with m < 2^53 and |e| <= 22 is one
 * correctly rounded operation on two exact doubles (W. Clinger, "How to read
 * floating point numbers accurately", PLDI 1990).
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-numbers.h"

#include "base/pd-number.h"

#include <string.h>

#define MAX_DIGITS 15

static const gdouble powers[] = {
  1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static gboolean
read_slowly (const char *text, const char *end, gdouble *value)
{
  char copy[64];
  gsize n = (gsize) (end - text);
  g_autofree char *longer = NULL;
  char *from = copy;

  if (n >= sizeof copy)
    from = longer = g_malloc (n + 1);
  memcpy (from, text, n);
  from[n] = '\0';
  return strlen (from) == n && pd_number_parse_real (from, value);
}

/* The exponent from behind the "e"; FALSE if it is none, or a large one. */
static gboolean
read_exponent (const char *p, const char *end, int *exponent)
{
  gboolean negative = p < end && *p == '-';
  int sum = 0;

  p += negative || (p < end && *p == '+');
  if (p == end || end - p > 3)
    return FALSE;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return FALSE;
      sum = 10 * sum + (*p - '0');
    }
  *exponent += negative ? -sum : sum;
  return TRUE;
}

gboolean
pd_numbers_read_double (const char *text, const char *end, gdouble *value)
{
  const char *p = text;
  gboolean negative = p < end && *p == '-', point = FALSE;
  gint64 mantissa = 0;
  int n_digits = 0, exponent = 0;

  for (p += negative; p < end; p++)
    {
      if ((guint8) (*p - '0') <= 9)
        {
          mantissa = 10 * mantissa + (*p - '0');
          if (++n_digits > MAX_DIGITS)
            return read_slowly (text, end, value);
          exponent -= point;
        }
      else if (*p == '.' && !point)
        point = TRUE;
      else
        break;
    }
  if (n_digits == 0)
    return read_slowly (text, end, value);
  if (p < end && ((*p | 0x20) != 'e' || !read_exponent (p + 1, end, &exponent)))
    return read_slowly (text, end, value);
  if (exponent < -22 || exponent > 22)
    return read_slowly (text, end, value);
  *value =
      exponent < 0 ? (gdouble) mantissa / powers[-exponent] : (gdouble) mantissa * powers[exponent];
  if (negative)
    *value = -*value;
  return TRUE;
}
