/* A data server that a command starts for its own workers on this machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OWN_SERVER_H
#define PD_OWN_SERVER_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PdOwnServer PdOwnServer;

/**
 * pd_own_server_start:
 * @program: this program, an absolute path
 * @error: return location for a #GSpawnError, a #GFileError or %PD_SERVE_ERROR_SOCKET
 *
 * Its socket is in a folder that only the own user can enter. It ends with this process,
 * however that ends.
 *
 * Returns: (transfer full) (nullable): the server, which clients can connect to.
 */
PdOwnServer *pd_own_server_start (const char *program, GError **error);

/**
 * pd_own_server_get_socket:
 * Returns: (transfer none): where clients find it, now or after it was started again.
 */
const char *pd_own_server_get_socket (const PdOwnServer *self);

/**
 * pd_own_server_check:
 * @self: the server
 * @now: monotonic time in microseconds
 *
 * Starts it again if it has died, at most once a second; cheap otherwise.
 *
 * Returns: (transfer none) (nullable): how it died, the first time that it did.
 */
const char *pd_own_server_check (PdOwnServer *self, gint64 now);

/**
 * pd_own_server_free:
 * @self: (nullable): the server, which ends
 */
void pd_own_server_free (PdOwnServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOwnServer, pd_own_server_free)

G_END_DECLS

#endif
