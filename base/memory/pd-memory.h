/* The limit of memory that this process has, before anything of a known size is allocated.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MEMORY_H
#define PD_MEMORY_H

#include <glib.h>

/* The domain of requests that cannot fit into memory; its only code is 0. */
#define PD_MEMORY_ERROR (pd_memory_error_quark ())

/**
 * pd_memory_error_quark:
 * Returns: the domain of errors of pd_memory_check().
 */
GQuark pd_memory_error_quark (void);

/**
 * pd_memory_check:
 * @n: number of objects that need memory
 * @what: their name in plural, "processors"
 * @bytes: a lower bound of the memory of all of them
 * @error: return location for a %PD_MEMORY_ERROR
 *
 * Compares with the limit of the process (RLIMIT_DATA, which --max-memory sets), not with the free
 * memory of the moment: objects that fit are never refused, accepted ones may still not fit.
 *
 * Returns: %TRUE unless @bytes are more than the limit.
 */
gboolean pd_memory_check (guint64 n, const char *what, guint64 bytes, GError **error);

/**
 * pd_memory_trim:
 *
 * Returns memory that has been freed to the system, where the C library can: for the end of a stage
 * that has freed many small or temporary arrays.
 */
void pd_memory_trim (void);

#endif
