/* A file being written: buffered, a target of base/pd-target.h. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OUTPUT_H
#define PD_OUTPUT_H

#include "traces/io/pd-trace-error.h"

typedef struct _PdOutput PdOutput;

/**
 * pd_output_new:
 * @path: the file to write; "-" = standard output; a device or pipe is written
 *   directly
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): it, empty; an older file of that name
 *   stays until pd_output_close().
 */
PdOutput *pd_output_new (const char *path, GError **error);

/**
 * pd_output_new_to_fd:
 * @fd: of an open file; stays the caller's
 * @name: what errors call it
 *
 * Returns: (transfer full): an output that goes on where @fd is.
 */
PdOutput *pd_output_new_to_fd (int fd, const char *name);

/**
 * pd_output_new_in_memory:
 * Returns: (transfer full): an output that writes no file; for
 *   pd_output_free_to_bytes().
 */
PdOutput *pd_output_new_in_memory (void);

/**
 * pd_output_free_to_bytes:
 * @self: (transfer full): one of pd_output_new_in_memory()
 *
 * Returns: (transfer full): the written bytes.
 */
GBytes *pd_output_free_to_bytes (PdOutput *self);

/**
 * pd_output_free:
 * @self: (nullable): an output; one that was not closed leaves nothing behind
 */
void pd_output_free (PdOutput *self);

/**
 * pd_output_add:
 * @data: (array length=n): bytes
 *
 * An error is kept, and reported by pd_output_close().
 */
void pd_output_add (PdOutput *self, gconstpointer data, gsize n);

/**
 * pd_output_text:
 * @text: what to write
 */
void pd_output_text (PdOutput *self, const char *text);

/**
 * pd_output_char:
 * @c: what to write
 */
void pd_output_char (PdOutput *self, char c);

/**
 * pd_output_int:
 * @value: what to write, in decimal
 */
void pd_output_int (PdOutput *self, gint64 value);

/**
 * pd_output_double:
 * @value: what to write: the fewest digits that read back as @value, with a
 *   point whatever the locale; "3" for 3.0
 */
void pd_output_double (PdOutput *self, gdouble value);

/**
 * pd_output_printf:
 * @format: what to write
 */
void pd_output_printf (PdOutput *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * pd_output_flush:
 *
 * Writes the buffered bytes, to a file that still has a temporary name. A trace of several
 * files is flushed before the first file is closed.
 *
 * Returns: %FALSE if anything could not be written.
 */
gboolean pd_output_flush (PdOutput *self);

/**
 * pd_output_close:
 * @self: the output; only pd_output_free() may follow
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Writes the buffered bytes and gives the file its name.
 *
 * Returns: %FALSE if anything could not be written; then there is no file.
 */
gboolean pd_output_close (PdOutput *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOutput, pd_output_free)

#endif
