/* Workers that are processes of this machine, reached through sockets.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOCAL_WORKERS_H
#define PD_LOCAL_WORKERS_H

#include "sweep/pd-transport.h"

G_BEGIN_DECLS

/* The file descriptor that a worker finds its coordinator at. */
#define PD_LOCAL_WORKER_FD 3

/* What a worker does that is not another program. Returns the status it exits with. */
typedef int (*PdLocalWorkerFunc) (gpointer data, int fd);

/**
 * pd_local_workers_new:
 * @n: workers
 * @argv: (nullable) (array zero-terminated=1): the program that they run; it finds the
 *   coordinator at %PD_LOCAL_WORKER_FD; copied
 * @func: without @argv: what they do in a copy of this process
 * @data: for @func
 * @error: return location for %PD_TRANSPORT_ERROR_START
 *
 * They do not outlive this process, and do not hear of the terminal's signals.
 *
 * Returns: (transfer full) (nullable): the transport; the workers run.
 */
PdTransport *pd_local_workers_new (guint n, const char *const *argv, PdLocalWorkerFunc func,
                                   gpointer data, GError **error);

/**
 * pd_local_link_new:
 * @fd: of a worker; stays the caller's
 *
 * Returns: (transfer full): its link, for pd_local_link_free().
 */
PdWorkerLink *pd_local_link_new (int fd);

/**
 * pd_local_link_free:
 * @link: (nullable): from pd_local_link_new()
 */
void pd_local_link_free (PdWorkerLink *link);

G_END_DECLS

#endif
