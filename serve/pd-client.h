/* The side of a prediction: traces come from a data server, if one is there.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CLIENT_H
#define PD_CLIENT_H

#include "serve/pd-serve-message.h"

typedef struct _PdClient PdClient;

/* Told once when no server can be reached, or one that was there is gone. */
typedef void (*PdClientLostFunc) (const GError *error);

/**
 * pd_client_new:
 * @path: the socket of a server, which need not be there yet, nor for ever
 * @lost: (nullable): called when traces have to be parsed here
 *
 * Returns: (transfer full): a client, whose traces pd_trace_share_find() and
 *   pd_trace_share_get_calls() give from now on.
 */
PdClient *pd_client_new (const char *path, PdClientLostFunc lost);

/**
 * pd_client_set_patience:
 * @self: the client
 * @milliseconds: how long a server may be silent before traces are parsed here
 *
 * For tests; 30 seconds otherwise.
 */
void pd_client_set_patience (PdClient *self, guint milliseconds);

/**
 * pd_client_free:
 * @self: (nullable): the client; traces that were got from it stay as they are
 */
void pd_client_free (PdClient *self);

/**
 * pd_client_get_status:
 * @path: the socket of a server
 * @error: return location for a #PdServeError
 *
 * Returns: (transfer full) (nullable): what the server says of itself, a text.
 */
GBytes *pd_client_get_status (const char *path, GError **error);

/**
 * pd_client_stop_server:
 * @path: the socket of a server
 * @error: return location for a #PdServeError
 *
 * Returns: whether it ends now.
 */
gboolean pd_client_stop_server (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdClient, pd_client_free)

#endif
