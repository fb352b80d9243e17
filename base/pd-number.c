/* SPDX-License-Identifier: MIT */
#include "base/pd-number.h"

#include <math.h>

const char *
pd_number_end (const char *text)
{
  const char *p = text;

  if (*p == '+' || *p == '-')
    p++;
  if (!g_ascii_isdigit (*p) && !(*p == '.' && g_ascii_isdigit (p[1])))
    return text;
  while (g_ascii_isdigit (*p))
    p++;
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p); p++)
      ;
  if (*p == 'e' || *p == 'E')
    {
      const char *q = p + 1;
      if (*q == '+' || *q == '-')
        q++;
      if (g_ascii_isdigit (*q))
        for (p = q; g_ascii_isdigit (*p); p++)
          ;
    }
  return p;
}

gboolean
pd_number_parse_real (const char *text, gdouble *value)
{
  const char *end = pd_number_end (text);
  gdouble number = g_ascii_strtod (text, NULL);

  if (end == text || *end != '\0' || !isfinite (number))
    return FALSE;
  *value = number;
  return TRUE;
}

gboolean
pd_number_parse_real_before (const char *text, const char **end, gdouble *value)
{
  const char *stop = pd_number_end (text);
  /* "0x10" would be hexadecimal to strtod() */
  g_autofree char *digits = g_strndup (text, (gsize) (stop - text));

  if (!pd_number_parse_real (digits, value))
    return FALSE;
  *end = stop;
  return TRUE;
}
