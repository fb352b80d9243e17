/* Files as they are written: under a temporary name beside the one that they get when all of
 * it is on the disk. A process that is ended on the way leaves none of them behind, if its
 * program wants that. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TARGET_H
#define PD_TARGET_H

#include <glib.h>

typedef struct _PdTarget PdTarget;

/**
 * pd_target_new:
 * @path: the file to write; "-" = standard output; a device or pipe is written directly
 *
 * Returns: (transfer full) (nullable): it, open and empty, with an unpredictable
 *   name; a file at @path stays until pd_target_commit(). %NULL with errno set.
 */
PdTarget *pd_target_new (const char *path);

/**
 * pd_target_new_temporary:
 * @path: the file to write
 *
 * Returns: (transfer full) (nullable): as pd_target_new(), whatever is at @path, so that it
 *   always has a temporary name; also for what never gets another. %NULL with errno set.
 */
PdTarget *pd_target_new_temporary (const char *path);

/**
 * pd_target_new_folder:
 * @path: what the name of a new folder begins with; the rest is made up
 *
 * Returns: (transfer full) (nullable): it, to be removed with all that will be in it by
 *   pd_target_free(). %NULL with errno set.
 */
PdTarget *pd_target_new_folder (const char *path);

/**
 * pd_target_get_fd:
 * Returns: a file's descriptor, which remains @self's; -1 for a folder.
 */
int pd_target_get_fd (const PdTarget *self);

/**
 * pd_target_get_name:
 * Returns: (nullable): the temporary name; %NULL for a target that is written directly.
 */
const char *pd_target_get_name (const PdTarget *self);

/**
 * pd_target_write:
 * @self: a file
 * @text: (array length=n): the bytes to write
 *
 * Returns: %FALSE, with errno set, if not all of it could be written. A signal that is caught
 *   while a pipe takes nothing is a reason, too.
 */
gboolean pd_target_write (PdTarget *self, const char *text, gsize n);

/**
 * pd_target_commit:
 * @self: a file; only pd_target_free() may follow
 *
 * Synchronises the file with the disk and gives it its name.
 *
 * Returns: %FALSE, with errno set, if anything of that failed; then the file is removed, and
 *   one that was there before is as it was.
 */
gboolean pd_target_commit (PdTarget *self);

/**
 * pd_target_free:
 * @self: (nullable): a file or a folder; it is removed unless pd_target_commit() named it
 */
void pd_target_free (PdTarget *self);

/**
 * pd_target_remove_all:
 *
 * Removes the uncommitted files, before the process ends at once. May be called by a handler of
 * signals.
 */
void pd_target_remove_all (void);

/**
 * pd_target_remove_at_signals:
 *
 * For main(): signals that end the process, and are neither caught nor ignored, remove the
 * uncommitted files first. A file beyond the size limit (SIGXFSZ) is an error of writing it.
 */
void pd_target_remove_at_signals (void);

/**
 * pd_target_remove_tree:
 * @path: a file, or a folder with all that is in it, to be removed
 */
void pd_target_remove_tree (const char *path);

/**
 * pd_target_save:
 * @path: as pd_target_new()
 * @text: (array length=n): the bytes to write
 * @error: return location for a #GFileError
 *
 * Returns: %FALSE if it could not be written; an earlier file is unchanged.
 */
gboolean pd_target_save (const char *path, const char *text, gsize n, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTarget, pd_target_free)

#endif
