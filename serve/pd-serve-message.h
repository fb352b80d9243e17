/* The messages of the data server and its clients: one packet of a Unix socket per
 * message, in the byte order of the machine that both run on. Data from the socket is
 * outside data.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SERVE_MESSAGE_H
#define PD_SERVE_MESSAGE_H

#include "traces/open/pd-trace-share.h"

typedef enum
{
  /* of a client */
  PD_SERVE_GET,     /* folder, query: a trace */
  PD_SERVE_RELEASE, /* id: it no longer needs one of those it has got */
  PD_SERVE_STATUS,  /* what the server has */
  PD_SERVE_STOP,    /* it is to end */
  /* of the server */
  PD_SERVE_FOUND,  /* id, size; with a file descriptor: the trace */
  PD_SERVE_NONE,   /* the trace is not shared */
  PD_SERVE_WAIT,   /* it is being parsed; said again and again */
  PD_SERVE_REPORT, /* size; with a file descriptor: the status, a text */
  PD_SERVE_DONE,   /* the server ends */
  PD_N_SERVE_KINDS,
} PdServeKind;

typedef struct
{
  PdServeKind kind;
  guint64 id;          /* 0 = none */
  guint64 size;        /* bytes of the file of the descriptor */
  const char *folder;  /* where the path of the query begins; absolute */
  PdSharedQuery query; /* its texts are those of the packet */
} PdServeMessage;

/* No path has more bytes, with the 0 at its end; no packet has more. */
#define PD_SERVE_MAX_PATH   4096
#define PD_SERVE_MAX_PACKET (128 + 2 * PD_SERVE_MAX_PATH)

#define PD_SERVE_ERROR (pd_serve_error_quark ())
typedef enum
{
  PD_SERVE_ERROR_MESSAGE, /* a packet that is none */
  PD_SERVE_ERROR_SOCKET,  /* no socket of that name can be made, or reached */
  PD_SERVE_ERROR_NOBODY,  /* a socket without a listener */
  PD_SERVE_ERROR_RUNNING, /* another server is there */
  PD_SERVE_ERROR_PEER,    /* the other side is another user's */
  PD_SERVE_ERROR_CONTENT, /* what it sent can still change */
  PD_SERVE_ERROR_SILENT,  /* it is there, but does not answer */
} PdServeError;

/**
 * pd_serve_error_quark:
 * Returns: the domain of #PdServeError.
 */
GQuark pd_serve_error_quark (void);

/**
 * pd_serve_message_write:
 * @message: its paths have fewer than %PD_SERVE_MAX_PATH bytes
 * @packet: (array length=PD_SERVE_MAX_PACKET) (out caller-allocated): gets it
 *
 * Returns: how many bytes it has; 0 if a path is too long.
 */
gsize pd_serve_message_write (const PdServeMessage *message, guint8 *packet);

/**
 * pd_serve_message_read:
 * @data: (array length=size): a packet, which @message then refers to
 * @message: (out): what it says; changed in any case
 * @error: return location for %PD_SERVE_ERROR_MESSAGE
 *
 * Returns: %FALSE if it is not exactly one message.
 */
gboolean pd_serve_message_read (const guint8 *data, gsize size, PdServeMessage *message,
                                GError **error);

#endif
