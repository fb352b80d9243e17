/* Text, line by line, through a window.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-lines.h"

#include <string.h>

gboolean
pd_lines_read (PdInput *input, const char *name, PdLineFunc line, gpointer data, PdLinesDone *done,
               GError **error)
{
  const PdWindow *window = pd_input_get_window (input);
  gsize pos = 0, scanned = 0;
  guint64 n_lines = 0;

  for (;;)
    {
      const char *from = window->data + scanned;
      const char *lf = memchr (from, '\n', window->size - scanned);
      if (lf == NULL)
        {
          scanned = window->size - pos;
          if (scanned > PD_LINE_MAX)
            {
              g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                           "%s:%" G_GUINT64_FORMAT ": a line of more than %d bytes", name,
                           n_lines + 1, PD_LINE_MAX);
              return FALSE;
            }
          if (!pd_input_fill (input, pos))
            break;
          pos = 0;
          continue;
        }
      n_lines++;
      if (!line (data, window->data + pos, lf, FALSE, error))
        return FALSE;
      pos = (gsize) (lf + 1 - window->data);
      if (done != NULL)
        {
          pos += done->n_bytes;
          n_lines += done->n_lines;
          *done = (PdLinesDone){ 0 };
        }
      scanned = pos;
    }
  return window->size == 0 || line (data, window->data, window->data + window->size, TRUE, error);
}
