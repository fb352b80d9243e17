/* How much memory a process of this program may take.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MEMORY_LIMIT_H
#define PD_MEMORY_LIMIT_H

#include <glib.h>

/**
 * pd_memory_limit_take:
 * @argc: (inout): as in main()
 * @argv: (inout): as in main(); "--max-memory SIZE" before "--" is removed
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Limits the memory of this process and of those it starts, each by itself: to SIZE, or
 * to nine tenths of the memory of the machine or the container. An allocation beyond the limit
 * ends the process with one line and status 1; its temporary files are removed. Threads must
 * not run yet.
 *
 * Returns: %FALSE with @error set if SIZE is none.
 */
gboolean pd_memory_limit_take (int *argc, char **argv, GError **error);

/**
 * pd_memory_limit_lift:
 * Takes the limit back, in a child that becomes another program. May be called between
 * fork() and exec().
 */
void pd_memory_limit_lift (void);

#endif
