/* How a program lies in memory. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_PRIVATE_H
#define PD_PROGRAM_PRIVATE_H

#include "traces/pd-program.h"

G_BEGIN_DECLS

/* What follows the first cell of an action that needs more. */
typedef enum
{
  PD_EXT_WIDE,       /* a = comm, b = request, c = upper half of bytes */
  PD_EXT_FROM,       /* a = recv_peer, b = recv_tag */
  PD_EXT_RECEIVED,   /* wide = recv_bytes */
  PD_EXT_SENT,       /* wide = sent_bytes */
  PD_EXT_COUNTS,     /* a = send_counts, b = recv_counts */
  PD_EXT_NEIGHBOURS, /* a = sources, b = targets */
  PD_EXT_MATCHED,    /* a = matched_peer, b = matched_tag */
  PD_EXT_AMOUNT,     /* amount, where the first cell has no place for it */
  PD_EXT_RECORDED,   /* a = site, wide = ps */
  PD_EXT_SLOTS,      /* a = n_slots; they follow, four in a cell */
  PD_EXT_DONE,       /* a = n_done; likewise */
  PD_N_EXTS,
} PdExtensionKind;

typedef struct
{
  guint8 kind; /* PdExtensionKind, and PD_CELL_MORE */
  guint8 spare[3];
  guint32 a;
  union
  {
    struct
    {
      guint32 b;
      guint32 c;
    };
    gint64 wide;
    PdAmount amount;
  };
} PdExtension;

G_STATIC_ASSERT (sizeof (PdExtension) == sizeof (PdCell));

/* Cells that a list of @n indexes takes. */
#define PD_LIST_CELLS(n) (((gsize) (n) + 3) / 4)

/* The most cells of an action besides its lists. */
#define PD_ACTION_MAX_CELLS (1 + PD_N_EXTS)

/* Values one behind the other, and where each run of them begins. */
typedef struct
{
  GArray *values;
  GArray *first; /* guint64: one more than there are runs */
} PdRuns;

/* Recorded times of a rank. */
typedef struct
{
  PdTime begin;
  PdTime end; /* from the beginning */
} PdRecordedSpan;

/* A site: texts as indexes. */
typedef struct
{
  guint32 file;
  guint32 function;
  gint64 line;
  guint32 parent;
  guint32 spare; /* 0 */
} PdBuiltSite;

struct _PdProgram
{
  guint32 n_ranks;
  PdAmountUnit unit;
  PdCell *cells;          /* of all ranks, one rank behind the other */
  guint64 *first;         /* (array length=n_ranks + 1): of each rank */
  guint64 *n_actions;     /* (array length=n_ranks) */
  guint32 *n_slots;       /* (array length=n_ranks) */
  PdRecordedSpan *spans;  /* (array length=n_ranks) (nullable) */
  PdRuns comms;           /* guint32; run 0, the world, is empty */
  PdRuns counts;          /* gint64 */
  PdRuns strings;         /* char, each with its '\0' */
  GArray *intervals;      /* PdProgramInterval; their texts are of @strings */
  GArray *sites;          /* PdBuiltSite */
  GDestroyNotify release; /* (nullable): of @owner, which then holds cells to n_slots and spans */
  gpointer owner;
};

/* ---- a program under construction */

/* Cells of one rank, one behind the other. */
typedef struct _PdChunk PdChunk;

struct _PdChunk
{
  PdChunk *next;
  gsize n;
  gsize room;
  PdCell cells[];
};

typedef struct
{
  PdChunk *first;
  PdChunk *last;
  guint64 n_actions;
  guint32 n_slots;
} PdProgramRank;

struct _PdProgramBuilder
{
  guint32 n_ranks;
  guint32 ranks_room;
  PdAmountUnit unit;
  PdProgramRank *ranks;
  PdRecordedSpan *spans; /* (nullable) (array length=ranks_room) */
  PdRuns comms;
  PdRuns counts;
  PdRuns strings;
  GArray *intervals; /* PdBuiltInterval */
  GArray *sites;     /* PdBuiltSite */
  GHashTable *known; /* GBytes: what is kept once, with its kind -> index */
};

/* An interval: texts as indexes, until all are known. */
typedef struct
{
  guint32 name;
  guint32 file;
  gint64 line;
  gint64 index;
} PdBuiltInterval;

/* ---- pd-program-check.c */

/* FALSE, with %PD_TRACE_ERROR_VALUE set, if @rank cannot do @action. */
gboolean pd_program_builder_check (const PdProgramBuilder *self, guint32 rank,
                                   const PdAction *action, GError **error);

/* ---- pd-program-verify.c */

/* Fills self->intervals, and checks the tables of a program from a file. */
gboolean pd_program_check_tables (PdProgram *self, gconstpointer intervals, guint32 n,
                                  GError **error);
/* Checks its actions; the tables are fine. */
gboolean pd_program_check_actions (const PdProgram *self, GError **error);

/* ---- pd-program-file.c */

/* Makes the sum right of what was a file and has been changed, so that tests get
 * at the checks behind it. */
void pd_program_file_seal (guint8 *data, gsize size);

/* ---- pd-action.c */

/* Writes @action, lists included; returns the number of cells, at most
 * %PD_ACTION_MAX_CELLS and those of its lists. */
gsize pd_action_write (const PdAction *action, PdCell *cells);
/* Whether the kind has a field: see the table there. */
gboolean pd_action_has_envelope (PdActionKind kind);
gboolean pd_action_may_have_any (PdActionKind kind);
gboolean pd_action_has_request (PdActionKind kind);

G_END_DECLS

#endif
