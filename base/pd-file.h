/* Files that users name, whatever they are. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FILE_H
#define PD_FILE_H

#include <glib.h>

/* The largest number of bytes that a pipe may give. */
#define PD_FILE_PIPE_MAX (1024 * 1024 * 1024)

/**
 * pd_file_exists:
 * @path: of a user
 *
 * Returns: whether something is there that may be read: all but a folder.
 */
gboolean pd_file_exists (const char *path);

/**
 * pd_file_resolve:
 * @path: of a user
 * @error: return location for a %G_FILE_ERROR: a device, more than %PD_FILE_PIPE_MAX bytes,
 *   or they could not be kept
 *
 * A pipe can be read only once, and readers open files several times. Its bytes are kept
 * in a file without a name when this is first called; @path stands for them until the
 * process ends. May be called in several threads.
 *
 * Returns: (transfer none) (nullable): the path to open: @path, or that of the bytes.
 */
const char *pd_file_resolve (const char *path, GError **error);

/**
 * pd_file_read:
 * @path: a file; "-" = the rest of standard input
 * @text: (out): its bytes, and a 0
 * @size: (out) (optional): their number
 * @error: return location for a %G_FILE_ERROR
 *
 * As g_file_get_contents(), of pipes too.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_file_read (const char *path, char **text, gsize *size, GError **error);

#endif
