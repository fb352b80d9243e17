/* Numbers in text, read fast. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NUMBERS_H
#define PD_NUMBERS_H

#include <glib.h>

/**
 * pd_numbers_read_int:
 * @text: begins with a digit or "-" and ends at a byte that is no digit at @end or before
 * @end: no byte from here on is looked at
 * @value: (out): the number
 *
 * Returns: behind the digits; %NULL if there is no digit, or the number does
 *   not fit.
 */
static inline const char *
pd_numbers_read_int (const char *text, const char *end, gint64 *value)
{
  gboolean negative = text < end && *text == '-';
  const char *p = text + negative, *first = p;
  gint64 sum = 0;

  for (; p < end && (guint8) (*p - '0') <= 9; p++)
    {
      if (G_LIKELY (p - first < 18))
        sum = 10 * sum + (*p - '0');
      else if (__builtin_mul_overflow (sum, 10, &sum)
               || __builtin_add_overflow (sum, *p - '0', &sum))
        return NULL;
    }
  *value = negative ? -sum : sum;
  return p > first ? p : NULL;
}

/**
 * pd_numbers_read_double:
 * @text: a number as pd_number_parse_real() reads it
 * @end: behind its last byte
 * @value: (out): the nearest double
 *
 * Numbers of up to 15 digits with small exponents are computed exactly without
 * strtod().
 *
 * Returns: %FALSE if @text to @end is no finite number.
 */
gboolean pd_numbers_read_double (const char *text, const char *end, gdouble *value);

#endif
