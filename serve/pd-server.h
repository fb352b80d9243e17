/* The data server as a process: traces that it parses once for all predictions on this
 * machine, of its own user and of root.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SERVER_H
#define PD_SERVER_H

#include "serve/pd-serve-message.h"

#include <signal.h>

typedef struct _PdServer PdServer;

/**
 * pd_server_new:
 * @path: the name of its socket; one that a killed server has left is replaced. Next to
 *   it a file of that name and ".lock" is kept while it lives
 * @error: return location for %PD_SERVE_ERROR_SOCKET, or _RUNNING if there is a server
 *
 * Returns: (transfer full) (nullable): the server; clients can connect, and wait.
 */
PdServer *pd_server_new (const char *path, GError **error);

/**
 * pd_server_free:
 * @self: (nullable): the server; its socket is removed
 */
void pd_server_free (PdServer *self);

/**
 * pd_server_add:
 * @path: a trace, which is parsed at once, or a folder with traces
 * @error: return location for a #PdTraceError
 *
 * They are kept without clients.
 *
 * Returns: %FALSE if it is neither.
 */
gboolean pd_server_add (PdServer *self, const char *path, GError **error);

/**
 * pd_server_keep_all:
 * @self: the server
 *
 * All traces that clients ask for are kept, also without clients.
 */
void pd_server_keep_all (PdServer *self);

/**
 * pd_server_run:
 * @stop: not 0: the server is to end
 * @mask: signals that are blocked while it waits; those that set @stop are not among
 *   them, and blocked otherwise
 * @error: return location for %PD_SERVE_ERROR_SOCKET
 *
 * Serves until @stop or a client ends it.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_server_run (PdServer *self, const volatile sig_atomic_t *stop, const sigset_t *mask,
                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdServer, pd_server_free)

#endif
