/* Traces of message-passing programs, of whatever format: one table of formats,
 * each of which recognises, reads and perhaps writes its kind.
 *
 * A trace becomes a sequence of actions per rank (#PdProgram) or, of formats
 * that describe dependencies, a graph per rank (#PdGraph).
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_TRACE_H
#define PD_MP_TRACE_H

#include "base/pd-messages.h"
#include "traces/pd-input.h"
#include "traces/pd-program.h"
#include "traces/pd-trace-error.h"

#include <signal.h>

G_BEGIN_DECLS

typedef struct _PdGraph PdGraph;
typedef struct _PdTraceFormat PdTraceFormat;

/* Where a trace comes from: a file, or bytes that were read from one. */
typedef struct
{
  const char *path; /* for messages, too; "-" = standard input (with @bytes) */
  GBytes *bytes;    /* (nullable): the contents; NULL: @path is read */
} PdTraceSource;

typedef struct
{
  gboolean recorded; /* keep how long the calls took in the recorded run */
  const char *cache; /* (nullable): folder of parsed programs; NULL: $PREDICTOR_CACHE, if set */
} PdTraceReadOptions;

typedef struct
{
  gdouble flops; /* of the processor that computation is given for, per second, > 0 */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: it may be given up, without a rest */
} PdTraceWriteOptions;

/* A trace in memory. One of @program and @graph is set. */
typedef struct
{
  const PdTraceFormat *format;
  PdProgram *program;
  PdGraph *graph;
  gboolean incomplete; /* it ends too early; what there is, is here */
  GPtrArray *parts;    /* (nullable) (element-type filename): further files it was read from */
} PdMpTrace;

/* The beginning of a trace, decompressed. */
typedef struct
{
  const char *path;
  const char *data; /* (array length=size) */
  gsize size;
  gboolean whole; /* the trace is no longer than that */
} PdTraceProbe;

struct _PdTraceFormat
{
  const char *name;            /* "ti": of --to and of messages */
  const char *meaning;         /* "SimGrid time-independent trace" */
  const char *const *suffixes; /* (nullable): ".ti", ended by NULL: what `convert` writes so */

  /* Whether this is such a trace. Rows are asked in their order; a matcher of
   * text formats must be sure, for what it takes no later row can get. */
  gboolean (*matches) (const PdTraceProbe *probe);

  /* (nullable): fills @trace->program or @trace->graph, and ->incomplete; on an
   * error what it has put there is freed by the caller. NULL: another part of
   * the program reads it (DVM). */
  gboolean (*read) (const PdTraceSource *source, const PdTraceReadOptions *options,
                    PdMpTrace *trace, PdMessages *messages, GError **error);

  /* (nullable): writes @trace to @path, "-" = standard output where the format is
   * one file; what it cannot express is said in @messages, with counts. */
  gboolean (*write) (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                     PdMessages *messages, GError **error);
};

/**
 * pd_trace_format_get_all:
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): the formats.
 */
const PdTraceFormat *pd_trace_format_get_all (guint *n);

/**
 * pd_trace_format_find:
 * @name: a name of the table
 *
 * Returns: (transfer none) (nullable): the format of that name.
 */
const PdTraceFormat *pd_trace_format_find (const char *name);

/**
 * pd_trace_format_find_by_suffix:
 * @path: a file name
 *
 * Returns: (transfer none) (nullable): the format whose files are called so.
 */
const PdTraceFormat *pd_trace_format_find_by_suffix (const char *path);

/**
 * pd_trace_format_detect:
 * @source: the trace
 * @error: return location for %PD_TRACE_ERROR_OPEN or _FORMAT
 *
 * Looks at the first 64 KiB, decompressed.
 *
 * Returns: (transfer none) (nullable): its format.
 */
const PdTraceFormat *pd_trace_format_detect (const PdTraceSource *source, GError **error);

/**
 * pd_trace_source_open:
 * @source: the trace
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): its bytes, decompressed.
 */
PdInput *pd_trace_source_open (const PdTraceSource *source, GError **error);

/**
 * pd_trace_source_get_name:
 * Returns: (transfer none): what messages call @source.
 */
const char *pd_trace_source_get_name (const PdTraceSource *source);

/**
 * pd_mp_trace_read:
 * @source: the trace
 * @options: what to keep of it
 * @messages: (nullable): where warnings go
 * @error: return location for a #PdTraceError; _FORMAT also for DVM traces,
 *   which are none of message passing
 *
 * Returns: (transfer full) (nullable): the trace.
 */
PdMpTrace *pd_mp_trace_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMessages *messages, GError **error);

/**
 * pd_mp_trace_get_n_ranks:
 * Returns: of how many ranks @self is.
 */
guint32 pd_mp_trace_get_n_ranks (const PdMpTrace *self);

/**
 * pd_program_to_text:
 * @program: a program
 *
 * Returns: (transfer full): what the text form of it is, less than 4 GB; of
 *   equal programs it is equal.
 */
GBytes *pd_program_to_text (const PdProgram *program);

/**
 * pd_mp_trace_free:
 * @self: (nullable): the trace, its program or graph with it
 */
void pd_mp_trace_free (PdMpTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMpTrace, pd_mp_trace_free)

G_END_DECLS

#endif
