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
 * @n: how many there are of what needs memory
 * @what: their name in plural, "processors"
 * @bytes: a lower bound of what all of them need
 * @error: return location for a %PD_MEMORY_ERROR
 *
 * Compares with the limit of the process (RLIMIT_DATA, which --max-memory sets), not with what is
 * free at the moment: what fits is never refused, what is not refused may still not fit.
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
