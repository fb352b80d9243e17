/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memrchr */
#include "traces/dim/pd-dim-lines-private.h"

#include <string.h>

/* A header names the threads of each task: that of the most ranks fits. */

gboolean
pd_dim_lines_init (PdDimLines *self, const PdTraceSource *source, GError **error)
{
  *self = (PdDimLines){ .name = pd_trace_source_get_name (source), .line = 1 };
  self->input = pd_trace_source_open (source, error);
  return self->input != NULL;
}

void
pd_dim_lines_clear (PdDimLines *self)
{
  g_clear_pointer (&self->input, pd_input_free);
  g_clear_pointer (&self->rest, g_free);
}

/* The last line has no newline. */
static gboolean
give_rest (PdDimLines *self, const char **begin, const char **end)
{
  const PdWindow *window = pd_input_get_window (self->input);
  gsize n = window->size - self->at;

  if (n == 0)
    return FALSE;
  self->rest = g_malloc (n + 2);
  memcpy (self->rest, window->data + self->at, n);
  memcpy (self->rest + n, "\n", 2);
  self->is_rest = TRUE;
  self->at += n;
  self->size += n;
  *begin = self->rest;
  *end = self->rest + n + 1;
  return TRUE;
}

gboolean
pd_dim_lines_next (PdDimLines *self, const char **begin, const char **end, GError **error)
{
  const PdWindow *window = pd_input_get_window (self->input);

  for (gsize seen = 0;;) /* bytes without a newline */
    {
      gsize n = window->size - self->at;
      const char *from = n > 0 ? window->data + self->at : NULL;
      const char *last = n > seen ? memrchr (from + seen, '\n', n - seen) : NULL;
      if (last != NULL)
        {
          *begin = from;
          *end = last + 1;
          self->at += (gsize) (*end - from);
          self->size += (gsize) (*end - from);
          return TRUE;
        }
      if (n > PD_LINE_MAX)
        return pd_dim_fail (self, PD_TRACE_ERROR_LIMIT, error, "a line of more than %d bytes",
                            PD_LINE_MAX);
      seen = n;
      gboolean more = pd_input_fill (self->input, self->at);
      self->at = 0;
      if (!more)
        return give_rest (self, begin, end);
    }
}
