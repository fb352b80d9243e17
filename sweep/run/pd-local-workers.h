/* Workers that are processes of this machine, reached through sockets.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOCAL_WORKERS_H
#define PD_LOCAL_WORKERS_H

#include "sweep/run/pd-transport.h"

/* The file descriptor that a worker finds its coordinator at. */
#define PD_LOCAL_WORKER_FD 3

/* The function of a worker that is not another program. Returns its exit status. */
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

#endif
