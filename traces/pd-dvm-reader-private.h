/* What the files of the reader share. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_READER_PRIVATE_H
#define PD_DVM_READER_PRIVATE_H

#include "traces/pd-input.h"
#include "traces/pd-dvm-calls-private.h"
#include "traces/pd-dvm-lexer.h"
#include "traces/pd-dvm-reader.h"

G_BEGIN_DECLS

/* A header line whose texts no longer depend on the window. */
typedef struct
{
  PdDvmLineKind kind;
  PdDvmFunction function;
  const char *name; /* interned: equal names are equal pointers */
  const char *file; /* interned */
  PdTime time;
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
  PdTimeSum task_time; /* of what @trailer.n_program_records counts */
  PdDvmPhase phase;
  GError *failure; /* what pd_dvm_reader_next() stopped with */

  /* the scanner; offsets into the window */
  gsize pos;        /* of the line to read next */
  gsize scanned;    /* no line end between @pos and here */
  guint64 n_lines;  /* line ends before @pos */
  PdDvmRecord next; /* the header line before @body or @pos */
  gboolean has_next;
  PdDvmSpan body;    /* of the record read last */
  gboolean body_cut; /* the file ends in the middle of it */
  gssize error_at;   /* "*** RTS err" in @body, from its begin; -1 = none */

  /* the level-0 call under way, and what is open inside it */
  PdDvmCall call;
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

/* ---- pd-dvm-scan.c */

/* Reads the body of @next, up to the following header line, which becomes
 * @next; without one @has_next becomes FALSE. Nothing before offset @keep is
 * needed any more; the offsets of @self are kept right. */
void pd_dvm_reader_scan_body (PdDvmReader *self, gsize keep);

/* Drops what is before @keep and adds bytes; FALSE at the end of the input. */
gboolean pd_dvm_reader_fill (PdDvmReader *self, gsize keep);

/* Adds a warning or note about @record. */
void pd_dvm_reader_report (PdDvmReader *self, PdSeverity severity, const char *id,
                           const PdDvmRecord *record, const char *text);

/* ---- pd-dvm-head.c */

/* Finds where the program begins, and reads the header block before it. */
gboolean pd_dvm_reader_read_head (PdDvmReader *self, GError **error);

/* Takes rc and the times from the lines of a record after the program. */
void pd_dvm_reader_read_trailer (PdDvmReader *self, PdDvmSpan body, PdDvmFunction function);

/* ---- pd-dvm-call.c */

/* Walks over the elements of one key, in order; elements after a hole and
 * repeated ones are left out. */
typedef struct
{
  const GArray *items;
  guint next;
  guint16 key;
  gint32 row;
  gint32 index; /* expected next */
} PdDvmWalk;

void pd_dvm_walk_init (PdDvmWalk *walk, const PdDvmItems *items, PdDvmKey key);

/* NULL: there are no more. */
const PdDvmItem *pd_dvm_walk_next (PdDvmWalk *walk);

/* FALSE if the text is none, or of another kind. */
gboolean pd_dvm_item_get_int (const PdDvmItem *item, gint64 *value);
gboolean pd_dvm_item_get_double (const PdDvmItem *item, gdouble *value);

/* Whether the text is what it should be by its kind. */
gboolean pd_dvm_item_is_readable (const PdDvmItem *item);

/* The beginning of the text, in UTF-8; the caller's. */
char *pd_dvm_item_describe (const PdDvmItem *item);

/* The beginning of the next value of the current call that cannot be read, NULL if there are
 * no more; @next begins with 0. @made is to be freed. */
const char *pd_dvm_reader_get_bad (PdDvmReader *self, guint *next, PdDvmKey *key, char **made);

/* Forgets the parameters of the previous call. */
void pd_dvm_reader_reset_call (PdDvmReader *self);

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

static inline const char *
pd_dvm_reader_at (const PdDvmReader *self, gsize offset)
{
  return pd_input_get_window (self->input)->data + offset;
}

G_END_DECLS

#endif
