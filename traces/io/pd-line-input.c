/* SPDX-License-Identifier: MIT */
#include "traces/io/pd-line-input.h"

#include <string.h>

void
pd_line_input_init (PdLineInput *self, PdInput *input)
{
  *self = (PdLineInput){ .input = input };
}

void
pd_line_input_clear (PdLineInput *self)
{
  if (self->tail != NULL)
    g_string_free (self->tail, TRUE);
  self->tail = NULL;
}

/* The text behind the last line end becomes a line, with an added line end. */
static gboolean
give_tail (PdLineInput *self, PdLineText *line)
{
  const PdWindow *window = pd_input_get_window (self->input);
  gsize left = window->size - self->at;

  if (left == 0 || self->tail != NULL)
    return FALSE;
  self->tail = g_string_new_len (window->data + self->at, (gssize) left);
  g_string_append_c (self->tail, '\n');
  self->at = window->size;
  self->is_last = TRUE;
  self->number++;
  *line = (PdLineText){ self->tail->str, self->tail->str + left };
  return TRUE;
}

/* The part of pd_line_input_next() that is seldom needed. */
static gboolean
next_slow (PdLineInput *self, PdLineText *line, GError **error)
{
  const PdWindow *window = pd_input_get_window (self->input);
  gsize seen = window->size - self->at; /* bytes known to hold no line end */

  while (!self->at_end)
    {
      const char *end;

      if (!pd_input_fill (self->input, self->at))
        self->at_end = TRUE;
      self->at = 0;
      end = window->size > seen ? memchr (window->data + seen, '\n', window->size - seen) : NULL;
      if (end != NULL)
        {
          *line = (PdLineText){ window->data, end };
          self->at = (gsize) (end - window->data) + 1;
          self->number++;
          return TRUE;
        }
      seen = window->size;
      if (seen > PD_LINE_MAX)
        {
          g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                       "line %" G_GINT64_FORMAT " has more than %d bytes", self->number + 1,
                       PD_LINE_MAX);
          return FALSE;
        }
    }
  return give_tail (self, line);
}

gboolean
pd_line_input_next (PdLineInput *self, PdLineText *line, GError **error)
{
  const PdWindow *window = pd_input_get_window (self->input);
  const char *begin = window->data + self->at;
  const char *end = window->size > self->at ? memchr (begin, '\n', window->size - self->at) : NULL;

  if (end == NULL)
    return next_slow (self, line, error);
  *line = (PdLineText){ begin, end };
  self->at += (gsize) (end - begin) + 1;
  self->number++;
  return TRUE;
}
