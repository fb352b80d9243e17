/* Lines of Dimemas traces: the interface of pd-dim-lines.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIM_LINES_PRIVATE_H
#define PD_DIM_LINES_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"
#include "base/pd-error.h"

typedef struct
{
  PdInput *input;
  const char *name; /* for messages */
  gsize at;         /* in the window: end of the lines given so far */
  char *rest;       /* the last line, if it has no end */
  gboolean is_rest; /* the line given last is @rest */
  guint64 size;     /* bytes given so far */
  guint64 line;     /* number of the record at hand, from 1; the caller's */
} PdDimLines;

/**
 * pd_dim_lines_init:
 * Opens @source. Returns: %FALSE with @error set if it cannot be opened.
 */
gboolean pd_dim_lines_init (PdDimLines *self, const PdTraceSource *source, GError **error);

void pd_dim_lines_clear (PdDimLines *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdDimLines, pd_dim_lines_clear)

/**
 * pd_dim_lines_next:
 * @begin: (out): the next lines, whole ones; each ends with a newline, that of
 *   a last line without one is added
 * @end: (out): behind them
 *
 * Returns: %FALSE at the end, or with @error set if a line is too long.
 */
gboolean pd_dim_lines_next (PdDimLines *self, const char **begin, const char **end, GError **error);

/**
 * pd_dim_fail:
 * Sets @error, with the name of the trace and the line. Returns: %FALSE.
 */
#define pd_dim_fail(self, code, error, ...)                                                        \
  pd_fail_at (error, PD_TRACE_ERROR, (gint) (code), (self)->name, (gint64) (self)->line,           \
              __VA_ARGS__)

/**
 * pd_dim_parse_int:
 * @p: digits, maybe after a minus, and something else after them
 * @value: (out): at most 18 digits
 *
 * Returns: (nullable): behind the digits; %NULL if that is no such number.
 */
static inline const char *
pd_dim_parse_int (const char *p, gint64 *value)
{
  gboolean negative = *p == '-';
  const char *start = p + negative;
  guint64 x = (guint8) (*p - '0');

  /* most have one digit */
  if (x <= 9 && (guint8) (p[1] - '0') > 9)
    {
      *value = (gint64) x;
      return p + 1;
    }
  x = 0;
  for (p = start; (guint8) (*p - '0') <= 9; p++)
    x = x * 10 + (guint64) (*p - '0');
  if (p == start || p - start > 18)
    return NULL;
  *value = negative ? -(gint64) x : (gint64) x;
  return p;
}

/**
 * pd_dim_parse_ints:
 * @p: numbers with colons between them
 * @values: (out) (array length=n): the numbers
 * @n: (inout): how many at most, how many there are
 *
 * Returns: (nullable): behind the newline after them; %NULL if it does not
 *   follow.
 */
static inline const char *
pd_dim_parse_ints (const char *p, gint64 *values, guint *n)
{
  guint i = 0;

  while (i < *n && (p = pd_dim_parse_int (p, &values[i])) != NULL)
    {
      i++;
      if (*p != ':')
        break;
      p++;
    }
  *n = i;
  if (p != NULL && *p == '\r')
    p++;
  return p != NULL && *p == '\n' ? p + 1 : NULL;
}

#endif
