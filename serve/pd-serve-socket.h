/* Packets with file descriptors on Unix sockets, the identity of the peer, and memory
 * that no process can change any more.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SERVE_SOCKET_H
#define PD_SERVE_SOCKET_H

#include "serve/pd-serve-message.h"

/**
 * pd_serve_connect:
 * @path: a server's socket
 * @error: return location for %PD_SERVE_ERROR_SOCKET, _NOBODY or _PEER
 *
 * Returns: a connection to a server of the own user or root; -1 on an error.
 */
int pd_serve_connect (const char *path, GError **error);

/**
 * pd_serve_listen:
 * @path: name of a socket to make, for its owner only
 * @error: return location for %PD_SERVE_ERROR_SOCKET
 *
 * Returns: a socket that listens there, and does not block; -1 on an error.
 */
int pd_serve_listen (const char *path, GError **error);

/**
 * pd_serve_check_peer:
 * @fd: a connection
 * @error: return location for %PD_SERVE_ERROR_PEER
 *
 * Returns: whether the process that made the other end is of the own user, or of root.
 */
gboolean pd_serve_check_peer (int fd, GError **error);

/**
 * pd_serve_send:
 * @fd: a connection
 * @message: what to send
 * @passed: a file descriptor that goes with it; -1 = none
 *
 * Returns: %FALSE if the other side is gone, or does not take it at once.
 */
gboolean pd_serve_send (int fd, const PdServeMessage *message, int passed);

/**
 * pd_serve_receive:
 * @fd: a connection that has something to read
 * @packet: (array length=PD_SERVE_MAX_PACKET): room, which @message then refers to
 * @message: (out): what has come
 * @passed: (out): the file descriptor that came with it, the caller's; -1 = none
 * @error: return location for %PD_SERVE_ERROR_MESSAGE or _SOCKET
 *
 * Returns: %FALSE at the end, and on an error.
 */
gboolean pd_serve_receive (int fd, guint8 *packet, PdServeMessage *message, int *passed,
                           GError **error);

/**
 * pd_serve_memory_new:
 * @name: for who looks at the process
 *
 * Returns: a file in memory, empty, without a name; -1 if there is none to be had.
 */
int pd_serve_memory_new (const char *name);

/**
 * pd_serve_memory_seal:
 * @fd: of pd_serve_memory_new()
 * @size: (out): its bytes
 *
 * Returns: whether no process can change it from now on.
 */
gboolean pd_serve_memory_seal (int fd, gint64 *size);

/**
 * pd_serve_memory_map:
 * @fd: (transfer full): a file
 * @size: the bytes that it must have
 * @release: called with @data when the bytes are no longer mapped
 * @error: return location for %PD_SERVE_ERROR_CONTENT
 *
 * Returns: (transfer full) (nullable): its contents; %NULL, and nothing to release, if
 *   a process can change it.
 */
GBytes *pd_serve_memory_map (int fd, guint64 size, GDestroyNotify release, gpointer data,
                             GError **error);

#endif
