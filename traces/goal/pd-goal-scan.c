/* SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal-scan-private.h"

#define MAX_SHOWN 24 /* bytes of the text in a message */

/* ---- errors */

/* Whether the text may have been cut: the error at @at is in a last line without end, and
 * without a brace behind it. */
static gboolean
is_cut (const PdGoalParser *self, const char *at)
{
  return self->lines.is_last && (self->builder == NULL || self->rank < self->n_ranks)
         && memchr (at, '}', (gsize) (self->line.end - at)) == NULL;
}

const char *
pd_goal_fail (PdGoalParser *self, const char *at, PdTraceError code, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, PD_TRACE_ERROR,
               (gint) (is_cut (self, at) ? PD_TRACE_ERROR_TRUNCATED : code),
               "%s:%" G_GINT64_FORMAT ":%d: %s", self->name, self->lines.number,
               (int) (at - self->line.begin) + 1, text);
  return NULL;
}

/* The text at @at, in quotes. */
static char *
found (const PdGoalParser *self, const char *at)
{
  const char *end = at;
  GString *text;

  if (at >= self->line.end)
    return g_strdup (self->lines.is_last ? "the end of the text" : "the end of the line");
  while (end < self->line.end && end - at < MAX_SHOWN && pd_goal_is_label_char (*end))
    end++;
  if (end == at)
    end++;
  text = g_string_new ("'");
  for (; at < end; at++)
    if (g_ascii_isprint (*at))
      g_string_append_c (text, *at);
    else
      g_string_append_printf (text, "\\x%02x", (guint8) *at);
  g_string_append_c (text, '\'');
  return g_string_free (text, FALSE);
}

const char *
pd_goal_expected (PdGoalParser *self, const char *at, const char *what)
{
  g_autofree char *instead = found (self, at);

  return pd_goal_fail (self, at, PD_TRACE_ERROR_SYNTAX, "expected %s, found %s", what, instead);
}

/* ---- blanks */

const char *
pd_goal_skip_comment (PdGoalParser *self, const char *at)
{
  const char *close;

  for (close = at; close + 1 < self->line.end; close++)
    if (close[0] == '*' && close[1] == '/')
      {
        self->in_comment = FALSE;
        return close + 2;
      }
  self->in_comment = TRUE;
  return self->line.end;
}

const char *
pd_goal_skip_slow (PdGoalParser *self, const char *at)
{
  for (;;)
    {
      if (*at == ' ' || *at == '\t' || (*at == '\r' && at + 1 == self->line.end))
        at++;
      else if (at[0] == '/' && at[1] == '/')
        return self->line.end;
      else if (at[0] == '/' && at[1] == '*')
        at = pd_goal_skip_comment (self, at + 2);
      else
        return at;
    }
}
