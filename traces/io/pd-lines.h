/* Text, line by line. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LINES_H
#define PD_LINES_H

#include "traces/io/pd-input.h"

/**
 * PdLineFunc:
 * @data: of the caller
 * @begin: the line
 * @end: behind its last byte; the line end is not part of it
 * @is_last: it is the last one, and has no line end
 * @error: return location
 *
 * Returns: %FALSE with @error set to stop.
 */
typedef gboolean (*PdLineFunc) (gpointer data, const char *begin, const char *end, gboolean is_last,
                                GError **error);

/* Whole lines behind a line that need not be read. */
typedef struct
{
  gsize n_bytes; /* line ends included */
  guint64 n_lines;
} PdLinesDone;

/**
 * pd_lines_read:
 * @input: what to read, from where it is
 * @name: the input's, for the message
 * @line: is called for each line
 * @data: for it
 * @done: (nullable): all zero; @line may set it to lines of the window, which are left out then
 * @error: return location for what @line says, or %PD_TRACE_ERROR_LIMIT for a
 *   line of over %PD_LINE_MAX bytes
 *
 * Returns: %FALSE if @error was set; how the input ended, it tells itself.
 */
gboolean pd_lines_read (PdInput *input, const char *name, PdLineFunc line, gpointer data,
                        PdLinesDone *done, GError **error);

#endif
