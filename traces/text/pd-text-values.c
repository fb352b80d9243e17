/* Words and values of the text form.
 * SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "base/pd-units.h"
#include "traces/io/pd-numbers.h"
#include "traces/text/pd-text-reader-private.h"
#include "traces/text/pd-text-values-private.h"
#include "traces/text/pd-text-words-private.h"

#include <string.h>

static inline gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

gboolean
pd_text_next (PdTextSpan *rest, PdTextSpan *word)
{
  const char *p = rest->p;
  gboolean quoted = FALSE;

  while (p < rest->end && is_blank (*p))
    p++;
  word->p = p;
  if (p == rest->end || *p == '#')
    {
      rest->p = word->p = word->end = rest->end;
      return FALSE;
    }
  for (; p < rest->end && (quoted || !is_blank (*p)); p++)
    {
      if (*p == '"')
        quoted = !quoted;
      else if (*p == '\\' && quoted && p + 1 < rest->end)
        p++;
    }
  rest->p = word->end = p;
  return TRUE;
}

gboolean
pd_text_is (PdTextSpan span, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (span.end - span.p) == n && memcmp (span.p, text, n) == 0;
}

gboolean
pd_text_refuse (PdTextSpan span, const char *what, const char *expected, GError **error)
{
  if (span.p == span.end)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX, "the %s is missing, expected %s",
                 what, expected);
  else
    {
      g_autofree char *text = g_strndup (span.p, (gsize) MIN (span.end - span.p, 40));
      g_autofree char *shown = pd_text_show (text);
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX, "the %s is '%s', expected %s",
                   what, shown, expected);
    }
  return FALSE;
}

gboolean
pd_text_int (PdTextSpan span, const char *what, gint64 min, gint64 *value, GError **error)
{
  if (pd_numbers_read_int (span.p, span.end, value) != span.end || span.p == span.end)
    return pd_text_refuse (span, what, "a whole number", error);
  if (*value >= min)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
               "the %s is %" G_GINT64_FORMAT ", expected at least %" G_GINT64_FORMAT, what, *value,
               min);
  return FALSE;
}

/* Whatever options of the command line take. */
static gboolean
parse_units (PdUnit unit, PdTextSpan span, const char *what, const char *expected, gint64 *value,
             GError **error)
{
  g_autofree char *text = g_strndup (span.p, (gsize) (span.end - span.p));
  PdNumber number;

  if (!pd_units_parse (unit, text, &number, NULL))
    return pd_text_refuse (span, what, expected, error);
  *value = number.i;
  return TRUE;
}

gboolean
pd_text_bytes (PdTextSpan span, const char *what, gint64 *value, GError **error)
{
  if (span.p < span.end && pd_numbers_read_int (span.p, span.end, value) == span.end && *value >= 0)
    return TRUE;
  return parse_units (PD_UNIT_BYTES, span, what, "a size in bytes, as 1024 or 1KiB", value, error);
}

/* Exact for what the writer writes: digits, perhaps a point with at most as
 * many decimals as the unit has, and the unit. */
static gboolean
read_exact_time (PdTextSpan span, gint64 *ps)
{
  gint64 mantissa = 0;
  int n_digits = 0, n_decimals = 0;
  gboolean point = FALSE;
  const char *p;

  for (p = span.p; p < span.end && (g_ascii_isdigit (*p) || (*p == '.' && !point)); p++)
    {
      point |= *p == '.';
      if (*p == '.')
        continue;
      if (__builtin_mul_overflow (mantissa, 10, &mantissa)
          || __builtin_add_overflow (mantissa, *p - '0', &mantissa))
        return FALSE;
      n_digits++;
      n_decimals += point;
    }
  for (gsize i = 0; n_digits > 0 && i < PD_TEXT_N_UNITS; i++)
    if (pd_text_is ((PdTextSpan){ p, span.end }, pd_text_units[i].name)
        && n_decimals <= pd_text_units[i].n_decimals)
      {
        for (int left = pd_text_units[i].n_decimals - n_decimals; left > 0; left--)
          if (__builtin_mul_overflow (mantissa, 10, &mantissa))
            return FALSE;
        *ps = mantissa;
        return TRUE;
      }
  return FALSE;
}

gboolean
pd_text_time (PdTextSpan span, PdTime *time, GError **error)
{
  return read_exact_time (span, &time->ps)
         || parse_units (PD_UNIT_TIME, span, "time", "a time with its unit, as 1.5us", &time->ps,
                         error);
}

gboolean
pd_text_peer (PdTextSpan span, const char *what, gint32 *peer, GError **error)
{
  gint64 value;

  if (pd_text_is (span, "any"))
    *peer = PD_PROGRAM_ANY;
  else if (pd_text_is (span, "none"))
    *peer = PD_PROGRAM_PROC_NULL;
  else if (!pd_text_int (span, what, 0, &value, error))
    return FALSE;
  else if (value > G_MAXINT32)
    return pd_text_refuse (span, what, "a number below 2^31", error);
  else
    *peer = (gint32) value;
  return TRUE;
}

/* "\x41", "\"", "\\". */
char *
pd_text_string (PdTextSpan span, const char *what, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *p = span.p + 1;

  if (span.end - span.p < 2 || *span.p != '"' || span.end[-1] != '"')
    {
      pd_text_refuse (span, what, "a \"text in quotes\"", error);
      return NULL;
    }
  for (; p < span.end - 1; p++)
    {
      char c = *p;
      gboolean bare = c == '"';
      if (c == '\\' && p + 4 < span.end && p[1] == 'x' && g_ascii_isxdigit (p[2])
          && g_ascii_isxdigit (p[3]))
        {
          c = (char) (g_ascii_xdigit_value (p[2]) * 16 + g_ascii_xdigit_value (p[3]));
          p += 3;
        }
      else if (c == '\\' && p + 2 < span.end)
        c = *++p;
      if (c == '\0' || bare)
        {
          pd_text_refuse (span, what, "a \"text in quotes\"", error);
          return NULL;
        }
      g_string_append_c (text, c);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
