/* The traces of a data server: which there are, which are being parsed, and who holds
 * them. Parsing happens in processes of its own, one per trace, which a damaged trace
 * may end without harm, and whose memory goes with them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SERVE_TRACES_H
#define PD_SERVE_TRACES_H

#include "serve/pd-serve-message.h"

#include <poll.h>

typedef enum
{
  PD_SERVED_WAITING, /* will be parsed */
  PD_SERVED_PARSING,
  PD_SERVED_READY,
  PD_SERVED_REFUSED, /* cannot be shared */
} PdServedState;

/* A trace in one form. */
typedef struct
{
  guint64 id;
  char *folder; /* where @path begins */
  char *path;
  PdSharedQuery query; /* with @path */
  PdServedState state;
  int fd;      /* the memory; -1 = none */
  gint64 size; /* of it, in bytes */
  gboolean names_files;
  gboolean is_old; /* not handed out any more: the trace has changed */
  guint n_holders;
  pid_t parser; /* 0 = none */
  int done;     /* becomes readable when @parser ends; -1 = none */
} PdServedTrace;

typedef struct _PdServeTraces PdServeTraces;

/* Called in a process that parses, to close the descriptors of the server. */
typedef void (*PdServeCloseFunc) (gpointer data);

/**
 * pd_serve_traces_new:
 * @max_parsers: how many traces are parsed at the same time
 * @close_others: see there
 * @data: for it
 *
 * Returns: (transfer full): no traces.
 */
PdServeTraces *pd_serve_traces_new (guint max_parsers, PdServeCloseFunc close_others,
                                    gpointer data);

/**
 * pd_serve_traces_free:
 * @self: (nullable): the traces; processes that parse are killed
 */
void pd_serve_traces_free (PdServeTraces *self);

/**
 * pd_serve_traces_keep:
 * @path: absolute: a trace, or a folder with traces, which are kept without
 *   holders
 */
void pd_serve_traces_keep (PdServeTraces *self, const char *path);

/**
 * pd_serve_traces_find:
 * @folder: where the query's path begins
 * @query: the query
 *
 * Returns: (transfer none): the trace, in any state; parsing begins if it is new, or has
 *   changed.
 */
PdServedTrace *pd_serve_traces_find (PdServeTraces *self, const char *folder,
                                     const PdSharedQuery *query);

/**
 * pd_serve_traces_hold:
 * @trace: gets one holder more
 */
void pd_serve_traces_hold (PdServedTrace *trace);

/**
 * pd_serve_traces_release:
 * @id: of a trace, which gets one holder less, and is forgotten if it was the last one
 */
void pd_serve_traces_release (PdServeTraces *self, guint64 id);

/**
 * pd_serve_traces_get:
 * Returns: (transfer none) (element-type PdServedTrace): all.
 */
const GPtrArray *pd_serve_traces_get (const PdServeTraces *self);

/**
 * pd_serve_traces_add_polls:
 * @polls: (element-type struct pollfd): gets what becomes readable when a trace has been
 *   parsed
 */
void pd_serve_traces_add_polls (const PdServeTraces *self, GArray *polls);

/**
 * pd_serve_traces_update:
 * @self: after something has become readable
 *
 * Takes what has been parsed, and begins to parse what waits.
 *
 * Returns: whether a trace has become ready, or refused.
 */
gboolean pd_serve_traces_update (PdServeTraces *self);

#endif
