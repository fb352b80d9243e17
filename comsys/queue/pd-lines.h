/* Arrays of cache lines (64 bytes): aligned, zero, in large pages where the
 * system has them; memory is taken only for touched lines. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LINES_H
#define PD_LINES_H

#include <glib.h>

/**
 * pd_prefetch:
 * Has the cache line of @address loaded, which will be needed soon. Not __builtin_prefetch() alone:
 * GCC takes functions that have no other effect for such without any, and leaves out their calls.
 */
static inline void
pd_prefetch (gconstpointer address)
{
  __builtin_prefetch (address);
  __asm__ volatile("");
}

/**
 * pd_lines_resize:
 * @old: (nullable): the array so far, of @n_old lines
 * @n: lines wanted, at least 1
 *
 * Returns: the array, maybe moved; new lines are zero. It is freed by
 *   pd_lines_free().
 */
gpointer pd_lines_resize (gpointer old, gsize n_old, gsize n);

/**
 * pd_lines_free:
 * @lines: (nullable): the array
 * @n: its size in lines
 */
void pd_lines_free (gpointer lines, gsize n);

#endif
