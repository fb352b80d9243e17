/* Header lines: NAME TIME=… LINE=… FILE=…
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-line.h"

#include <string.h>

static inline gboolean
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

static inline gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static inline gboolean
starts (const char *p, const char *end, const char *word, gsize n)
{
  return (gsize) (end - p) >= n && memcmp (p, word, n) == 0;
}

#define STARTS(p, end, word) starts (p, end, word, sizeof word - 1)

static inline const char *
skip_blanks (const char *p, const char *end)
{
  while (p < end && *p == ' ')
    p++;
  return p;
}

static inline const char *
find_blank (const char *p, const char *end)
{
  while (p < end && *p != ' ')
    p++;
  return p;
}

/* ---- TIME */

/* Digits of the fraction weigh this much each, in picoseconds. */
static const gint64 weights[] = {
  100000000000, 10000000000, 1000000000, 100000000, 10000000, 1000000,
  100000,       10000,       1000,       100,       10,       1,
};

/* Reads the fraction after the point; NULL if it is none. */
static const char *
parse_fraction (const char *p, const char *end, gint64 *ps)
{
  const char *first = p;

  for (; p < end && is_digit (*p); p++)
    {
      gsize i = (gsize) (p - first);
      if (i < G_N_ELEMENTS (weights))
        *ps += (*p - '0') * weights[i];
      else if (i == G_N_ELEMENTS (weights) && *p >= '5')
        *ps += 1;
    }
  return p > first ? p : NULL;
}

gboolean
pd_dvm_time_parse (PdDvmText text, gint64 *ps)
{
  const char *p = text.begin, *end = text.end;
  gint64 seconds = 0, fraction = 0, sum;

  if (p == end || !is_digit (*p))
    return FALSE;
  for (; p < end && is_digit (*p); p++)
    if (seconds < G_MAXINT64 / 100)
      seconds = 10 * seconds + (*p - '0');
  if (p < end && *p == '.')
    p = parse_fraction (p + 1, end, &fraction);
  if (p != end)
    return FALSE;
  if (__builtin_mul_overflow (seconds, weights[0] * 10, &sum)
      || __builtin_add_overflow (sum, fraction, &sum))
    return FALSE;
  *ps = sum;
  return TRUE;
}

/* TIME=number [number], up to the blank before LINE. The text in the place of a number
 * must at least begin as a number does, or as nan and inf do. */
static const char *
parse_times (const char *p, const char *end, PdDvmLine *line)
{
  PdDvmText time = { p, find_blank (p, end) };

  if (time.begin == time.end
      || (!is_digit (*p) && memchr ("-+.nNiI", *p, sizeof "-+.nNiI" - 1) == NULL))
    return NULL;
  line->time_ps = 0;
  line->time_bad = !pd_dvm_time_parse (time, &line->time_ps);

  p = skip_blanks (time.end, end);
  if (p < end && *p != 'L') /* CurrentTimeTrace=1: the time since the start */
    p = skip_blanks (find_blank (p, end), end);
  return p;
}

/* ---- LINE and FILE */

static const char *
parse_line_number (const char *p, const char *end, gint64 *number)
{
  gboolean negative = p < end && *p == '-';
  gint64 value = 0;

  for (p += negative; p < end && is_digit (*p); p++)
    if (value < G_MAXINT64 / 100)
      value = 10 * value + (*p - '0');
  *number = negative ? 0 : value;
  return p < end && *p == ' ' ? skip_blanks (p, end) : NULL;
}

static PdDvmText
parse_file (const char *p, const char *end)
{
  while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  if (end - p == 6 && memcmp (p, "(null)", 6) == 0)
    end = p;
  return (PdDvmText){ p, end };
}

/* ---- name */

/* Tells the kind and cuts the prefix; FALSE if @p cannot begin a name. */
static gboolean
parse_kind (const char **p, const char *end, PdDvmLineKind *kind)
{
  if (STARTS (*p, end, "call_"))
    {
      *kind = PD_DVM_LINE_CALL;
      *p += 5;
      return TRUE;
    }
  if (STARTS (*p, end, "ret_"))
    {
      *kind = PD_DVM_LINE_RET;
      *p += 4;
      return TRUE;
    }
  *kind = PD_DVM_LINE_SINGLE;
  return STARTS (*p, end, "Event_") || STARTS (*p, end, "DVM_Trace_")
         || (*p < end && is_digit (**p));
}

static const char *
find_name_end (const char *p, const char *end, gboolean is_number)
{
  if (is_number)
    while (p < end && is_digit (*p))
      p++;
  else
    while (p < end && is_word (*p))
      p++;
  return p;
}

gboolean
pd_dvm_line_parse (PdDvmText text, PdDvmLine *line)
{
  const char *p = text.begin, *end = text.end;
  gboolean is_number;

  if (STARTS (p, end, "NAME="))
    p += 5;
  is_number = p < end && is_digit (*p);
  if (!parse_kind (&p, end, &line->kind))
    return FALSE;
  line->name = (PdDvmText){ p, find_name_end (p, end, is_number) };
  if (line->name.begin == line->name.end || line->name.end == end || *line->name.end != ' ')
    return FALSE;

  p = skip_blanks (line->name.end, end);
  if (!STARTS (p, end, "TIME=") || (p = parse_times (p + 5, end, line)) == NULL)
    return FALSE;
  if (!STARTS (p, end, "LINE=") || (p = parse_line_number (p + 5, end, &line->line)) == NULL)
    return FALSE;
  if (!STARTS (p, end, "FILE="))
    return FALSE;
  line->file = parse_file (p + 5, end);
  return TRUE;
}
