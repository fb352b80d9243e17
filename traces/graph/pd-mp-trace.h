/* A trace of a message-passing program in memory, and what a format of such traces is:
 * how it is recognised, read and perhaps written. The table of formats is in
 * traces/open/pd-trace-formats.h.
 *
 * A trace becomes a sequence of actions per rank (#PdProgram) or, of formats
 * that describe dependencies, a graph per rank (#PdGraph).
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_TRACE_H
#define PD_MP_TRACE_H

#include "base/pd-messages.h"
#include "traces/io/pd-trace-error.h"
#include "traces/io/pd-trace-source.h"
#include "traces/program/pd-program.h"

#include <signal.h>

typedef struct _PdGraph PdGraph;
typedef struct _PdTraceFormat PdTraceFormat;

/* The part of pd_program_audit() that is done when a program has been read. */
typedef enum
{
  PD_AUDIT_NONE,
  PD_AUDIT_SIMULATED, /* errors that a simulation does not find; nothing if it ends early */
  PD_AUDIT_ALL,
} PdTraceAudit;

typedef struct
{
  gboolean recorded; /* keep how long the calls took in the recorded run */
  const char *cache; /* (nullable): folder of parsed programs; NULL: $PREDICTOR_CACHE, if set */
  PdTraceAudit audit;
  guint n_threads; /* that read, where the format allows it, with the same results; 0: as many as
                    * there are processors, and one for short traces */
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
   * the program reads it (DVM, its statistics). */
  gboolean (*read) (const PdTraceSource *source, const PdTraceReadOptions *options,
                    PdMpTrace *trace, PdMessages *messages, GError **error);

  /* (nullable): writes @trace to @path, "-" = standard output where the format is
   * one file; what it cannot express is said in @messages, with counts. */
  gboolean (*write) (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                     PdMessages *messages, GError **error);
};

/**
 * pd_mp_trace_get_n_ranks:
 * Returns: of how many ranks @self is.
 */
guint32 pd_mp_trace_get_n_ranks (const PdMpTrace *self);

/**
 * pd_mp_trace_get_share:
 * Returns: how much of the recorded run @self has, as a share of its time: 1 = all of it;
 *   0 = it ends early, and how much it has is not known.
 */
gdouble pd_mp_trace_get_share (const PdMpTrace *self);

/**
 * pd_mp_trace_free:
 * @self: (nullable): the trace, its program or graph with it
 */
void pd_mp_trace_free (PdMpTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMpTrace, pd_mp_trace_free)

#endif
