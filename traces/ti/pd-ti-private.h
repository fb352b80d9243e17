/* Inside of the reader of time-independent traces. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_PRIVATE_H
#define PD_TI_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"
#include "traces/io/pd-numbers.h"
#include "traces/program/pd-pending.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-repeats.h"

/* What SimGrid writes for the constants of its MPI. */
#define PD_TI_ANY_SOURCE_TRACED (-333) /* a rank that is none: what its tracer makes of it */
#define PD_TI_ANY_SOURCE        (-555)
#define PD_TI_PROC_NULL         (-666)
#define PD_TI_ANY_TAG           (-444)

/* The longest name of an action. */
#define PD_TI_MAX_NAME 24

/* Each test or wait for any has a list of all that are pending: that many in all. */
#define PD_TI_MAX_LISTED (G_GUINT64_CONSTANT (1) << 28)

typedef struct
{
  PdPending pending;
  guint32 n_any;        /* of the pending ones have completed in a Waitany; which is unknown */
  guint8 element_size;  /* bytes, where a line has no type; 0 = of a byte */
  guint8 seen : 1;      /* it has a line */
  guint8 has_begun : 1; /* it has an "init" */
  guint8 has_ended : 1; /* it has a "finalize" */
} PdTiRank;

typedef struct _PdTiAction PdTiAction;

/* A message or a computation as the program has it. */
typedef struct
{
  gint32 peer;
  gint32 tag;
  union
  {
    gint64 bytes;
    gdouble flops;
  };
} PdTiMessage;

/* A line that is known: most programs repeat the same ones. */
typedef struct
{
  guint64 text[4]; /* overlapping parts, which with @n determine the whole line */
  guint32 n;       /* bytes; 0 = none */
  guint32 rank;
  guint8 element_size; /* of the rank then */
  const PdTiAction *action;
  PdTiMessage message;
} PdTiLine;

/* Known lines: they and the data of the current line fit into the first-level cache. */
#define PD_TI_N_LINES 128

typedef struct
{
  const char *name; /* of the file, for messages */
  gint64 line;
  PdRepeats repeats;
  PdMessages *messages;
  PdProgramBuilder *builder;
  guint32 n_ranks;
  PdTiRank *ranks;
  guint32 rank; /* whose line it is, if @has_rank: it may not have been read yet */
  gboolean has_rank;
  gint64 claimed; /* the rank of the last line; -1 = none so far */
  PdTiRank *own;
  const PdTiAction *action;
  PdTiMessage message; /* of the last line that has one */
  guint64 n_warned;    /* warnings and notes so far */
  PdTiLine *lines;     /* (array length=PD_TI_N_LINES): by a hash of the text */
  GArray *counts;      /* gint64 */
  GArray *slots;       /* guint32 */
  guint64 n_listed;    /* requests in lists of actions so far */
  gboolean incomplete;
} PdTi;

/* The rest of a line. */
typedef struct
{
  const char *p;
  const char *end;
} PdTiFields;

struct _PdTiAction
{
  char name[PD_TI_MAX_NAME + 1]; /* in lower case */
  gboolean (*read) (PdTi *self, PdTiFields *fields, GError **error);
  PdActionKind kind;
  PdCollKind op;
  gboolean has_request; /* of collective operations */
};

#endif
