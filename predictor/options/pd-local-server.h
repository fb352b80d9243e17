/* A data server that a command starts for its own workers on this machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOCAL_SERVER_H
#define PD_LOCAL_SERVER_H

#include <glib.h>

typedef struct _PdLocalServer PdLocalServer;

/**
 * pd_local_server_start:
 * @program: this program, an absolute path
 * @error: return location for a #GSpawnError, a #GFileError or %PD_SERVE_ERROR_SOCKET
 *
 * Its socket is in a folder that only the own user can enter. It ends with this process,
 * however that ends.
 *
 * Returns: (transfer full) (nullable): the server, which clients can connect to.
 */
PdLocalServer *pd_local_server_start (const char *program, GError **error);

/**
 * pd_local_server_get_socket:
 * Returns: (transfer none): where clients find it, now or after it was started again.
 */
const char *pd_local_server_get_socket (const PdLocalServer *self);

/**
 * pd_local_server_check:
 * @self: the server
 * @now: monotonic time in microseconds
 *
 * Starts it again if it has died, at most once a second; cheap otherwise.
 *
 * Returns: (transfer none) (nullable): how it died, the first time that it did.
 */
const char *pd_local_server_check (PdLocalServer *self, gint64 now);

/**
 * pd_local_server_free:
 * @self: (nullable): the server, which ends
 */
void pd_local_server_free (PdLocalServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLocalServer, pd_local_server_free)

#endif
