/* The same for many items, by several threads. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARALLEL_H
#define PD_PARALLEL_H

#include <glib.h>

G_BEGIN_DECLS

/* Of item @i; of no other item may it change anything. */
typedef void (*PdParallelFunc) (guint i, gpointer data);

/**
 * pd_parallel_run:
 * @n: items
 * @n_threads: at most, this one included
 * @func: called once for each item, from the first to the last as threads are free
 * @data: for @func
 *
 * Returns when all items are done. Where the system has no thread left, fewer do the work.
 */
void pd_parallel_run (guint n, guint n_threads, PdParallelFunc func, gpointer data);

/**
 * pd_parallel_get_n_processors:
 * Returns: the processors that this process may run on, 1 at least: in a container or a job there
 *   may be fewer than the machine has.
 */
guint pd_parallel_get_n_processors (void);

G_END_DECLS

#endif
