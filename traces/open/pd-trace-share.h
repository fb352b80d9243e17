/* Traces that another process of this machine has parsed, and shares: the one way by
 * which all readers get at them. How such a process is reached, others know (serve/),
 * who set the class below; without one nothing is shared.
 *
 * Traces of message passing are shared as the program or the graph that they are read into
 * (pd-program-file.h, pd-graph-file.h), DVM traces as their calls (pd-dvm-calls.h). A trace
 * that is neither, that cannot be read to its end, or that the form does not keep, is not
 * shared: who reads it says why.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_SHARE_H
#define PD_TRACE_SHARE_H

#include "traces/graph/pd-mp-trace.h"

typedef enum
{
  PD_SHARED_PROGRAM, /* or a graph */
  PD_SHARED_CALLS,
  PD_N_SHARED_FORMS,
} PdSharedForm;

/* Properties of a file that change when its contents do. */
typedef struct
{
  guint64 device;
  guint64 inode;
  gint64 size;     /* bytes */
  gint64 modified; /* nanoseconds */
  gint64 changed;  /* likewise */
} PdFileStamp;

/* A request for a shared trace. */
typedef struct
{
  const char *path; /* as the reader was given it: a program's messages may name it */
  PdFileStamp stamp;
  PdSharedForm form;
  gboolean recorded; /* of a program: with how long calls took */
  gboolean again;    /* the last answer is out of date */
} PdSharedQuery;

typedef struct
{
  /* Returns: (transfer full) (nullable): the bytes of that form; they do not change, and
   * pd_trace_share_check() has been asked about them. Is called by several threads. */
  GBytes *(*get) (gpointer self, const PdSharedQuery *query);
} PdTraceShareClass;

/**
 * pd_trace_share_set:
 * @class: (nullable): where shared traces come from; %NULL: nowhere
 * @self: for its functions
 *
 * To be called while no thread reads a trace.
 */
void pd_trace_share_set (const PdTraceShareClass *class, gpointer self);

/**
 * pd_file_stamp_get:
 * @path: a file or folder
 * @stamp: (out): what it is now
 *
 * Returns: %FALSE if it is not there, or neither of both.
 */
gboolean pd_file_stamp_get (const char *path, PdFileStamp *stamp);

/**
 * pd_trace_share_find:
 * @source: a trace of message passing
 * @options: how it is to be read
 * @messages: (nullable): gets the messages of when it was parsed
 *
 * Returns: (transfer full) (nullable): the trace, as reading it would give it;
 *   %NULL if it is not shared.
 */
PdMpTrace *pd_trace_share_find (const PdTraceSource *source, const PdTraceReadOptions *options,
                                PdMessages *messages);

/**
 * pd_trace_share_get_calls:
 * @path: a DVM trace
 *
 * Returns: (transfer full) (nullable): its calls, for pd_dvm_reader_new_from_calls(); %NULL
 *   if it is not shared.
 */
GBytes *pd_trace_share_get_calls (const char *path);

/**
 * pd_trace_share_check:
 * @query: the request
 * @bytes: the answer of another process
 *
 * Reads all calls once; programs and graphs are checked when they are restored.
 *
 * Returns: %FALSE if @bytes are damaged, or were made from something else.
 */
gboolean pd_trace_share_check (const PdSharedQuery *query, GBytes *bytes);

#endif
