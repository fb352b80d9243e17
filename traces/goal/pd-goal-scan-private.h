/* Tokens of GOAL texts. A scan needs no limit but the line end, which no token
 * crosses. Not for other folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_SCAN_PRIVATE_H
#define PD_GOAL_SCAN_PRIVATE_H

#include "traces/goal/pd-goal-labels.h"
#include "traces/graph/pd-graph.h"
#include "traces/io/pd-line-input.h"

#include <string.h>

typedef struct
{
  PdLineInput lines;
  const char *name;
  PdLineText line;
  PdGraphBuilder *builder; /* (nullable): until num_ranks */
  PdGoalLabels *labels;
  guint32 n_ranks;
  guint32 rank; /* the next one, or the one we are in */
  gboolean in_rank;
  gboolean in_comment;
  GError **error;
} PdGoalParser;

void pd_goal_parser_init (PdGoalParser *self, PdInput *input, const char *name, GError **error);
void pd_goal_parser_clear (PdGoalParser *self);
/* All lines that are left. */
gboolean pd_goal_parse_lines (PdGoalParser *self);
/* Those up to the number of ranks. */
gboolean pd_goal_parse_head (PdGoalParser *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdGoalParser, pd_goal_parser_clear)

/* Letters, digits and _: what a label is made of. */
static inline gboolean
pd_goal_is_label_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Sets the error, about the text at @at. Returns %NULL, which ends the reading of
 * the line. */
const char *pd_goal_fail (PdGoalParser *self, const char *at, PdTraceError code, const char *format,
                          ...) G_GNUC_PRINTF (4, 5);
/* Likewise, if the text is not the expected @what. */
const char *pd_goal_expected (PdGoalParser *self, const char *at, const char *what);

/* The end of a comment that begins at @at or before: behind its end, or the
 * line end. */
const char *pd_goal_skip_comment (PdGoalParser *self, const char *at);
/* The part of pd_goal_skip() that is seldom needed. */
const char *pd_goal_skip_slow (PdGoalParser *self, const char *at);

/* Blanks and comments. */
static inline const char *
pd_goal_skip (PdGoalParser *self, const char *at)
{
  while (*at == ' ' || *at == '\t')
    at++;
  return G_UNLIKELY (*at == '/' || *at == '\r') ? pd_goal_skip_slow (self, at) : at;
}

/* Whether the @n bytes of @word are at @at. */
static inline gboolean
pd_goal_has_word (const PdGoalParser *self, const char *at, const char *word, gsize n)
{
  return (gsize) (self->line.end - at) >= n && memcmp (at, word, n) == 0;
}

static inline const char *
pd_goal_skip_label (const char *at)
{
  while (pd_goal_is_label_char (*at))
    at++;
  return at;
}

/* A decimal number of at most @max. */
static inline const char *
pd_goal_get_number (PdGoalParser *self, const char *at, guint64 max, const char *what,
                    guint64 *value)
{
  const char *begin = at;
  guint64 number = 0;

  while (*at == '0')
    at++;
  for (const char *first = at; (guint8) (*at - '0') < 10; at++)
    {
      if (G_UNLIKELY (at - first >= 19))
        return pd_goal_fail (self, begin, PD_TRACE_ERROR_LIMIT,
                             "%s is more than %" G_GUINT64_FORMAT, what, max);
      number = number * 10 + (guint8) (*at - '0');
    }
  if (G_UNLIKELY (at == begin))
    return pd_goal_expected (self, begin, what);
  if (G_UNLIKELY (number > max))
    return pd_goal_fail (self, begin, PD_TRACE_ERROR_LIMIT,
                         "%s is %" G_GUINT64_FORMAT ", at most %" G_GUINT64_FORMAT " is possible",
                         what, number, max);
  *value = number;
  return at;
}

/* The same, or -1 = any. */
static inline const char *
pd_goal_get_number_or_any (PdGoalParser *self, const char *at, guint64 max, const char *what,
                           guint64 *value)
{
  if (G_UNLIKELY (at[0] == '-' && at[1] == '1' && !pd_goal_is_label_char (at[2])))
    {
      *value = PD_GRAPH_ANY;
      return at + 2;
    }
  return pd_goal_get_number (self, at, max, what, value);
}

#endif
