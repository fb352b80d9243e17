/* Shared declarations of the files of the reader. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_READER_PRIVATE_H
#define PD_DVM_READER_PRIVATE_H

#include "traces/io/pd-input.h"
#include "traces/dvm/pd-dvm-calls-private.h"
#include "traces/dvm/pd-dvm-lexer.h"
#include "traces/dvm/pd-dvm-reader.h"
#include "traces/dvm/pd-dvm-times-private.h"

/* A header line whose texts no longer depend on the window. */
typedef struct
{
  PdDvmLineKind kind;
  PdDvmFunction function;
  const char *name; /* interned: equal names are equal pointers */
  const char *file; /* interned */
  PdTime time;
  PdTime decoded; /* the same, as it should have been printed */
  gint64 line;
  guint64 number;
  guint64 physical_line;
} PdDvmRecord;

/* Offsets into the window. */
typedef struct
{
  gsize begin;
  gsize end;
} PdDvmSpan;

typedef enum
{
  PD_DVM_PHASE_PROGRAM,
  PD_DVM_PHASE_TRAILER, /* after Event_dvm_exit */
  PD_DVM_PHASE_END,
} PdDvmPhase;

/* Arrays asked of the current call; their elements lie in a pool that has
 * room for every item once, so it never moves between two calls. */
typedef struct
{
  guint32 at[PD_DVM_N_KEYS]; /* place in the pool + 1; 0 = not asked yet */
  guint32 n[PD_DVM_N_KEYS];
  guint32 used;
  gboolean asked; /* some @at is not 0 */
} PdDvmArrays;

struct _PdDvmReader
{
  char *name; /* of the trace, for messages */
  PdMessages *messages;
  PdDvmCalls *calls; /* (nullable): another process has parsed it; of the rest only @header,
                      * @trailer, @phase and @call are used then */
  PdInput *input;
  GHashTable *strings; /* interned names and files, owned */
  const char *last_file;
  gsize last_file_length;
  PdDvmHeader header;
  char *host, *mps; /* owned; what @header shows */
  PdDvmTrailer trailer;
  PdTimeSum task_time; /* of the records that @trailer.n_program_records counts */
  PdDvmPhase phase;
  gboolean has_8_digits;   /* TIME */
  gboolean has_normalised; /* functions were met whose times merging sets to one value, */
  gboolean normalised;     /* … and all had it */
  GError *failure;         /* what pd_dvm_reader_next() stopped with */

  /* the scanner; offsets into the window */
  gsize pos;        /* of the line to read next */
  gsize scanned;    /* no line end between @pos and here */
  guint64 n_lines;  /* line ends before @pos */
  PdDvmRecord next; /* the header line before @body or @pos */
  gboolean has_next;
  PdDvmSpan body;    /* of the record read last */
  gboolean body_cut; /* the file ends in the middle of it */
  gssize error_at;   /* "*** RTS err" in @body, from its begin; -1 = none */

  /* the level-0 call under way, and the calls open inside it */
  PdDvmCall call;
  PdDvmTimes times;
  GPtrArray *stack; /* interned names, [0] is the call's */
  PdDvmSpan call_body;
  gboolean call_saved; /* the call's body is in @saved, not in the window */
  GByteArray *saved;
  PdDvmSpan ret_body; /* empty for a single record */

  /* parameters of the current call, lexed when first asked for */
  gboolean lexed;
  PdDvmItems items;
  PdDvmArrays ints, doubles;
  gint64 *int_pool;
  gdouble *double_pool;
  guint pool_size;
};

/* ---- pd-dvm-reader.c */

/**
 * pd_dvm_reader_new_from_input:
 * @input: (transfer full): an input nothing was read from
 * @name: what messages call it
 *
 * As pd_dvm_reader_new().
 */
PdDvmReader *pd_dvm_reader_new_from_input (PdInput *input, const char *name, PdMessages *messages,
                                           GError **error);

/* The text of an error that the run-time system wrote at @begin, on one line. */
char *pd_dvm_reader_describe_error (PdDvmReader *self, gsize begin, gsize end);

/* The times of the current call, by form. */
static inline const PdDvmCallTimes *
pd_dvm_reader_get_times (const PdDvmReader *self)
{
  return self->times.of;
}

static inline const char *
pd_dvm_reader_at (const PdDvmReader *self, gsize offset)
{
  return pd_input_get_window (self->input)->data + offset;
}

#endif
