/* From addresses in programs and libraries to lines of their source.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SOURCE_LINES_H
#define PD_SOURCE_LINES_H

#include <glib.h>

typedef struct _PdSourceLines PdSourceLines;

/**
 * pd_source_lines_new:
 * Loads elfutils. Errors: %G_FILE_ERROR_FAILED: they cannot be loaded.
 *
 * Returns: (transfer full): no modules are loaded yet; %NULL on error.
 */
PdSourceLines *pd_source_lines_new (GError **error);

/**
 * pd_source_lines_find:
 * @module: path of a program or library
 * @address: in it, as its file has it: a return address, so the instruction before it is meant
 * @function: (out) (transfer full): that contains the call; inlined ones count
 * @file: (out) (transfer full): of the source, relative to where it was compiled if it is
 *   below that; @module where only the function is known
 * @line: (out): in @file, 0 = not known
 *
 * Returns: %FALSE if the module cannot be read or has no lines, and nothing is set.
 */
gboolean pd_source_lines_find (PdSourceLines *self, const char *module, guint64 address,
                               char **function, char **file, guint32 *line);

/**
 * pd_source_lines_free:
 * @self: (nullable): with all modules
 */
void pd_source_lines_free (PdSourceLines *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSourceLines, pd_source_lines_free)

#endif
