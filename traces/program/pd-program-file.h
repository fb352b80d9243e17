/* Programs as files that are mapped into memory: as they are there, for this
 * kind of machine. A file is checked from end to end when it is mapped, so that
 * a damaged one is an error and nothing worse.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_FILE_H
#define PD_PROGRAM_FILE_H

#include "traces/program/pd-program.h"

/* Size of the key of a file, in bytes. */
#define PD_PROGRAM_KEY_SIZE 32

/**
 * pd_program_save:
 * @self: the program
 * @key: (array length=32): what it was made from, as the caller knows it
 * @notes: (nullable): any further value, given back by pd_program_map()
 * @path: the file; an older one is replaced when the new one is complete
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: %FALSE if there is no such file now.
 */
gboolean pd_program_save (const PdProgram *self, const guint8 *key, GVariant *notes,
                          const char *path, GError **error);

/**
 * pd_program_save_to_fd:
 * @fd: an open file, empty; stays open
 *
 * As pd_program_save(), into a file without a name.
 */
gboolean pd_program_save_to_fd (const PdProgram *self, const guint8 *key, GVariant *notes, int fd,
                                GError **error);

/**
 * pd_program_map:
 * @path: a file of pd_program_save()
 * @key: (array length=32) (nullable): the expected key of its source
 * @notes: (out) (optional) (nullable) (transfer full): the stored notes, of
 *   any type; must be freed if not %NULL
 * @error: return location for %PD_TRACE_ERROR_OPEN, or _FORMAT for a file that
 *   is not one, is of another version or machine, has another key, or is
 *   damaged
 *
 * Returns: (transfer full) (nullable): the program; the file stays mapped as
 *   long as it lives.
 */
PdProgram *pd_program_map (const char *path, const guint8 *key, GVariant **notes, GError **error);

/**
 * pd_program_map_bytes:
 * @bytes: the contents of a file
 *
 * As pd_program_map().
 */
PdProgram *pd_program_map_bytes (GBytes *bytes, const guint8 *key, GVariant **notes,
                                 GError **error);

#endif
