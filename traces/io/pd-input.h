/* The bytes of a trace, plain, gzip or zstd, seen through a window that only
 * grows for what must be seen in one piece. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INPUT_H
#define PD_INPUT_H

#include "base/pd-messages.h"
#include "traces/io/pd-trace-error.h"

/* The longest line of any text that is taken, in bytes: a vector with a number for each of
 * some million ranks. */
#define PD_LINE_MAX (64 * 1024 * 1024)

/* The error at the end of the input; the bytes before it are valid. */
typedef enum
{
  PD_INPUT_FINE,
  PD_INPUT_TRUNCATED,  /* the last gzip member or zstd frame is cut */
  PD_INPUT_DAMAGED,    /* one cannot be decoded, or its sum is wrong */
  PD_INPUT_GARBAGE,    /* bytes after the last one */
  PD_INPUT_UNREADABLE, /* the system reported an error */
  PD_INPUT_NO_ZSTD,    /* the library that decompresses it cannot be loaded */
} PdInputProblem;

typedef struct _PdInput PdInput;

/* The window: @size bytes at @data. More bytes may be at @data + @size, but
 * not trace. Changed by pd_input_fill() only. */
typedef struct
{
  const char *data;
  gsize size;
} PdWindow;

/**
 * pd_input_new_from_file:
 * @path: a file; "-" = standard input
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): the input; its window is empty.
 */
PdInput *pd_input_new_from_file (const char *path, GError **error);

/**
 * pd_input_new_from_bytes:
 * @bytes: the contents of a file
 *
 * Returns: (transfer full): the input; its window is empty.
 */
PdInput *pd_input_new_from_bytes (GBytes *bytes);

/**
 * pd_input_new_from_part:
 * @path: a file
 * @bytes: (nullable): its contents, which are read instead
 * @begin: the first byte, and
 * @end: the one behind the last one
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * As pd_input_new_from_file(), of bytes that are not decompressed, whatever they look like.
 *
 * Returns: (transfer full) (nullable): the input; its window is empty.
 */
PdInput *pd_input_new_from_part (const char *path, GBytes *bytes, guint64 begin, guint64 end,
                                 GError **error);

/**
 * pd_input_move_to:
 * @self: an input of pd_input_new_from_part()
 * @begin: a byte of the file
 *
 * The input begins anew at @begin, with an empty window; its end stays.
 */
void pd_input_move_to (PdInput *self, guint64 begin);

/**
 * pd_input_get_plain_size:
 * @self: an input before the first pd_input_fill(), which is done here
 *
 * Returns: bytes of the file, or 0: it is compressed, or no regular file, or empty; then
 *   pd_input_new_from_part() cannot read it.
 */
guint64 pd_input_get_plain_size (PdInput *self);

/**
 * pd_input_free:
 * @self: (nullable): the input
 */
void pd_input_free (PdInput *self);

/**
 * pd_input_set_chunk:
 * @self: an input nothing was read from
 * @chunk: >= 1; how many bytes each fill adds at most
 *
 * Changes nothing that is read; for tests.
 */
void pd_input_set_chunk (PdInput *self, gsize chunk);

/**
 * pd_input_get_window:
 * Returns: (transfer none): the window.
 */
const PdWindow *pd_input_get_window (const PdInput *self);

/**
 * pd_input_fill:
 * @self: the input
 * @keep: offset of the first byte still wanted, at most the window's size;
 *   the bytes before it are dropped, so that it becomes offset 0
 *
 * Adds bytes at the end of the window.
 *
 * Returns: %FALSE at the end of the input.
 */
gboolean pd_input_fill (PdInput *self, gsize keep);

/**
 * pd_input_get_problem:
 * Returns: what the input ended with, once pd_input_fill() gave %FALSE.
 */
PdInputProblem pd_input_get_problem (const PdInput *self);

/**
 * pd_input_check:
 * @self: an input that has ended
 * @place: where, for the message
 * @error: return location for a %PD_TRACE_ERROR_TRUNCATED, %PD_TRACE_ERROR_OPEN, or
 *   %PD_TRACE_ERROR_FORMAT if it is damaged
 *
 * For readers that cannot use a part.
 *
 * Returns: %FALSE if the input ended for another reason than that it was read.
 */
gboolean pd_input_check (const PdInput *self, const char *place, GError **error);

/**
 * pd_input_report:
 * @self: an input that has ended
 * @messages: (nullable): where to
 * @place: what the warning is about
 *
 * Adds a warning about how the input ended, if that was not fine.
 */
void pd_input_report (const PdInput *self, PdMessages *messages, const PdPlace *place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdInput, pd_input_free)

#endif
