/* Text, line by line, through a window.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-lines.h"

#include <string.h>

/* The longest line: of a vector with a count for each rank, at most. */
#define MAX_LINE (G_GUINT64_CONSTANT (1) << 30)

gboolean
pd_lines_read (PdInput *input, const char *name, PdLineFunc line, gpointer data, GError **error)
{
  const PdWindow *window = pd_input_get_window (input);
  gsize pos = 0, scanned = 0;

  for (;;)
    {
      const char *from = window->data + scanned;
      const char *lf = memchr (from, '\n', window->size - scanned);
      if (lf == NULL)
        {
          scanned = window->size - pos;
          if (scanned > MAX_LINE)
            {
              g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT, "%s: a line of over 1 GiB",
                           name);
              return FALSE;
            }
          if (!pd_input_fill (input, pos))
            break;
          pos = 0;
          continue;
        }
      if (!line (data, window->data + pos, lf, FALSE, error))
        return FALSE;
      pos = scanned = (gsize) (lf + 1 - window->data);
    }
  return window->size == 0 || line (data, window->data, window->data + window->size, TRUE, error);
}
