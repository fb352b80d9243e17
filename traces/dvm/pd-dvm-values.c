/* The text of a value, by its kind.
 * SPDX-License-Identifier: MIT */
#include "base/pd-number.h"
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-values.h"

#include <string.h>

static inline int
hex_digit (char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

gboolean
pd_dvm_parse_hex (PdDvmText text, gint64 *value)
{
  guint64 bits = 0;
  const char *p = text.begin;

  if (pd_dvm_text_length (text) == 4 && memcmp (p, "NULL", 4) == 0)
    {
      *value = 0;
      return TRUE;
    }
  if (pd_dvm_text_length (text) > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
    p += 2;
  if (p == text.end)
    return FALSE;
  for (; p < text.end; p++)
    {
      int digit = hex_digit (*p);
      if (digit < 0 || bits >> 60 != 0)
        return FALSE;
      bits = bits << 4 | (guint64) digit;
    }
  *value = (gint64) bits;
  return TRUE;
}

gboolean
pd_dvm_parse_dec (PdDvmText text, gint64 *value)
{
  const char *p = text.begin;
  gboolean negative = p < text.end && *p == '-';
  gint64 sum = 0;

  p += p < text.end && (*p == '-' || *p == '+');
  if (p == text.end)
    return FALSE;
  for (; p < text.end; p++)
    {
      gint64 digit = *p - '0';
      if (digit < 0 || digit > 9)
        return FALSE;
      if (__builtin_mul_overflow (sum, 10, &sum)
          || __builtin_add_overflow (sum, negative ? -digit : digit, &sum))
        sum = negative ? G_MININT64 : G_MAXINT64;
    }
  *value = sum;
  return TRUE;
}

gboolean
pd_dvm_parse_float (PdDvmText text, gdouble *value)
{
  char buffer[400]; /* printf's %f of the largest double has 317 characters */
  gsize n = pd_dvm_text_length (text);

  if (n == 0 || n >= sizeof buffer)
    return FALSE;
  memcpy (buffer, text.begin, n);
  buffer[n] = '\0';
  return strlen (buffer) == n && pd_number_parse_real (buffer, value);
}
