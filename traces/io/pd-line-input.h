/* The lines of a text trace, one at a time. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LINE_INPUT_H
#define PD_LINE_INPUT_H

#include "traces/io/pd-input.h"

/* Where the lines come from; by value, begun by pd_line_input_init(). */
typedef struct
{
  PdInput *input;
  gsize at;         /* the next line's begin, in the window */
  gint64 number;    /* of the last line given, from 1 */
  GString *tail;    /* (nullable): a last line that had no end */
  gboolean at_end;  /* the input has no more bytes */
  gboolean is_last; /* the line given last was @tail: the input may be cut in it */
} PdLineInput;

/* One line: the bytes from @begin to before @end; *@end is '\n', so that a
 * scan needs no other limit. Good until the next one is asked for. */
typedef struct
{
  const char *begin;
  const char *end;
} PdLineText;

/**
 * pd_line_input_init:
 * @self: (out caller-allocated): at the first line; free with
 *   pd_line_input_clear()
 * @input: where the bytes are; must outlive @self
 */
void pd_line_input_init (PdLineInput *self, PdInput *input);

/**
 * pd_line_input_clear:
 * @self: its memory is released
 */
void pd_line_input_clear (PdLineInput *self);

/**
 * pd_line_input_next:
 * @self: the lines
 * @line: (out): the next one
 * @error: return location for a %PD_TRACE_ERROR_LIMIT: a line is too long
 *
 * Returns: %FALSE at the end, and on an error.
 */
gboolean pd_line_input_next (PdLineInput *self, PdLineText *line, GError **error);

#endif
