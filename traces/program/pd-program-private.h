/* How a program lies in memory. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_PRIVATE_H
#define PD_PROGRAM_PRIVATE_H

#include "base/memory/pd-vector.h"
#include "traces/program/pd-loops.h"

/* The cells after the first one of an action that needs more. */
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
  PD_EXT_CALLED,     /* a = called */
  PD_EXT_FILE,       /* op = file_op, all = file_collective, a = file, wide = file_bytes */
  PD_EXT_PROCESSOR,  /* wide = processor */
  PD_EXT_SLOTS,      /* from here on lists: a = n_slots; they follow, four in a cell */
  PD_EXT_DONE,       /* a = n_done; likewise */
  PD_N_EXTS,
} PdExtensionKind;

typedef struct
{
  guint8 kind; /* PdExtensionKind, and PD_CELL_MORE */
  guint8 op;   /* these two of a file */
  guint8 all;
  guint8 spare;
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

G_STATIC_ASSERT (sizeof (PdExtension) == sizeof (PdProgramCell));

/* Cells that a list of @n indexes takes. */
#define PD_LIST_CELLS(n) (((gsize) (n) + 3) / 4)

/* The bit behind those of kinds: work on a file. */
#define PD_KIND_OF_FILES 63

G_STATIC_ASSERT (PD_N_ACTS <= PD_KIND_OF_FILES);

/* The bits of @action. */
static inline guint64
pd_kinds_of (const PdAction *action)
{
  return G_GUINT64_CONSTANT (1) << action->kind
         | (guint64) (action->file != PD_PROGRAM_NONE) << PD_KIND_OF_FILES;
}

/* The most cells of an action besides its lists. */
#define PD_ACTION_MAX_CELLS (1 + PD_N_EXTS)

/* Values one behind the other, and where each run of them begins. */
typedef struct
{
  GArray *values;
  GArray *first; /* guint64: one more than there are runs */
} PdRuns;

static inline void
pd_runs_clear (PdRuns *self)
{
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->first, g_array_unref);
}

/* Recorded times of a rank. */
typedef struct
{
  PdTime begin;
  PdTime end;      /* from the beginning */
  PdTime init;     /* how long it was in MPI_Init before the beginning, */
  PdTime finalize; /* and in MPI_Finalize after the end */
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

/* Packed actions of all ranks, one rank behind the other: see pd-packed-private.h. */
typedef struct
{
  guint8 *bytes;    /* (nullable) */
  gboolean in_file; /* these are, see pd_large_new() */
  guint64 *first;   /* (array length=n_ranks + 1): of each rank */
} PdPacked;

struct _PdProgram
{
  guint32 n_ranks;
  PdAmountUnit unit;
  PdProgramCell *cells;    /* of all ranks, one rank behind the other: see pd_cells_new() */
  gboolean has_loops;      /* some of these are no actions, see pd-loops.h */
  PdVector samples;        /* guint8: samples, and %PD_SAMPLES_SPARE; empty: there are none */
  guint64 *first_sample;   /* (nullable) (array length=n_ranks): of each rank, in bytes */
  gboolean in_file;        /* these are, see pd_large_new() */
  guint64 *first;          /* (array length=n_ranks + 1): of each rank; %NULL: see @packed */
  PdPacked packed;         /* the same actions; cells are made of them when they are asked for */
  guint64 *n_actions;      /* (array length=n_ranks) */
  guint32 *n_slots;        /* (array length=n_ranks) */
  guint64 kinds;           /* a bit for each kind of action that occurs, see pd_kinds_of() */
  PdRecordedSpan *spans;   /* (array length=n_ranks) (nullable) */
  PdRecordedUsage *usages; /* (array length=n_ranks) (nullable) */
  gdouble recorded_share;  /* 0 to 1 */
  PdRecordedClock recorded_clock;
  PdTime call_costs[PD_N_CALL_COSTS];
  PdRuns comms;           /* guint32; run 0, the world, is empty */
  PdRuns counts;          /* gint64 */
  PdRuns strings;         /* char, each with its '\0' */
  GArray *intervals;      /* PdProgramInterval; their texts are of @strings */
  GArray *sites;          /* PdBuiltSite */
  GDestroyNotify release; /* (nullable): of @owner, which then holds cells to usages */
  gpointer owner;
};

/* ---- a program under construction */

/* Cells of one rank, one behind the other, or packed actions: whole ones. */
typedef struct _PdChunk PdChunk;

struct _PdChunk
{
  PdChunk *next;
  gsize n; /* cells, or bytes that are packed */
  gsize room;
  gsize folded;     /* cells that have been looked at for loops */
  gboolean in_file; /* see pd_large_new() */
  PdProgramCell cells[];
};

/* A rank on its way through a loop at the end of its cells, once more; see pd-folder.c. */
typedef struct _PdFollower PdFollower;

typedef struct
{
  PdChunk *first;
  PdChunk *last;
  PdFollower *follower; /* (nullable): actions are compared with a loop at the end of its cells */
  union
  {
    PdVector shapes;  /* guint8 *: packed: where they are defined in chunks */
    PdVector samples; /* guint8: of a builder that makes them, see pd_program_builder_sample() */
  };
  guint64 n_actions;
  guint64 n_samples; /* actions whose amounts are samples */
  guint32 n_slots;
  guint32 n_moves; /* how often cells that were there already have changed */
} PdProgramRank;

/* A loop whose body is being added: what there was before it. */
typedef struct
{
  PdChunk *chunk; /* (nullable): the last one, */
  gsize n;        /* and its cells */
  guint64 n_actions;
  guint64 n_samples;
  guint8 level; /* above those of the loops in it so far */
} PdOpenLoop;

struct _PdProgramBuilder
{
  guint32 n_ranks;
  PdAmountUnit unit;
  guint64 kinds; /* as of a program */
  PdProgramRank *ranks;
  gint *owners;            /* (nullable) (array length=n_ranks): 1 + the part that adds actions */
  gint n_parts;            /* of this builder so far */
  PdProgramBuilder *whole; /* (nullable): it is a part of that one, whose @ranks these are */
  gint part;               /* 1 + which */
  PdVector claimed;        /* guint32: ranks that it has actions of */
  PdRecordedSpan *spans;   /* (nullable) (array length=n_ranks) */
  PdRecordedUsage *usages; /* (nullable) (array length=n_ranks) */
  gdouble recorded_share;
  PdRecordedClock recorded_clock;
  PdTime call_costs[PD_N_CALL_COSTS];
  gboolean is_outline;      /* actions are not kept */
  struct _PdPacker *packer; /* (nullable): they are packed */
  struct _PdFolder *folder; /* (nullable): converts repetitions to loops */
  gboolean has_loops;
  gboolean is_sampled;   /* amounts become samples of ranks */
  PdVector samples;      /* guint8: of all ranks that share them */
  guint64 *first_sample; /* (nullable) (array length=n_ranks) */
  guint32 loop_rank;     /* whose loops are open: */
  guint n_loops;
  PdOpenLoop loops[PD_LOOPS_DEPTH];
  PdRuns comms;
  PdRuns counts;
  PdRuns strings;
  GArray *intervals; /* PdBuiltInterval */
  GArray *sites;     /* PdBuiltSite */
  GHashTable *known; /* GBytes: shared data, with their kind -> index */
};

/* Memory for the cells of @self, so many. */
void pd_cells_new (PdProgram *self, guint64 n);

/* Makes the cells of a packed program; which one of several threads makes them does not matter. */
void pd_program_unpack (const PdProgram *self);

/* Keeps an action in chunks, as cells, of which it returns the first one; or packed, one that was
 * looked for. */
PdProgramCell *pd_chunks_add (PdProgramRank *rank, const PdAction *action);
/* Room for @n cells in one piece, and @n cells, some of which are loops. */
void pd_chunks_reserve (PdProgramRank *rank, gsize n);
void pd_chunks_add_cells (PdProgramRank *rank, const PdProgramCell *cells, gsize n);
/* The cells behind the first @n of @chunk become one piece, which has room for one more, at the end
 * of the last chunk. */
void pd_chunks_gather (PdProgramRank *rank, PdChunk *chunk, gsize n);
/* Whether @action goes on with the loop that the rank follows, so that it need not be written; if
 * not, the rank follows none. @is_sampled: its amount is a sample */
gboolean pd_chunks_follow (PdProgramRank *rank, const PdAction *action, gboolean is_sampled);
/* The rank has all its cells from now on. */
void pd_chunks_stop_following (PdProgramRank *rank);
/* Finds loops in the last chunk where it has no room for @action, and follows the last one if it
 * can; whether there are any. */
gboolean pd_chunks_fold (PdProgramRank *rank, struct _PdFolder *folder, const PdAction *action);
/* Keeps one cell that is no action. */
void pd_chunks_add_cell (PdProgramRank *rank, PdProgramCell cell);
void pd_chunks_pack (PdProgramRank *rank, struct _PdPacker *packer, const PdAction *action,
                     gboolean is_new);
/* Likewise computation, see pd_packer_write_compute(). */
void pd_chunks_pack_compute (PdProgramRank *rank, const struct _PdPacker *packer, PdTime amount,
                             gint64 processor);
/* All chunks of ranks become the cells of @program, which all processors move if it is long and
 * @by_threads; or its packed actions. */
void pd_chunks_move (PdProgramRank *ranks, PdProgram *program, gboolean by_threads);
void pd_chunks_move_packed (PdProgramRank *ranks, PdProgram *program);
void pd_chunks_free (PdProgramRank *rank);

/* Of pd-program-loops.c: @program gets loops and samples. */
void pd_program_builder_give_loops (PdProgramBuilder *self, PdProgram *program);
/* Whether a sample may be of @amount. */
gboolean pd_program_builder_is_sample (const PdProgramBuilder *self, PdAmount amount);
/* Appends @amount to @samples. */
void pd_samples_add (PdVector *samples, PdAmount amount);

/* Loops of the added actions, see pd-folder.c. pd_folder_fold() finds those of @chunk, of cells,
 * which gets shorter; it returns whether there are any. Its time is linear in the cells that were
 * added since the last time. */
struct _PdFolder *pd_folder_new (void);
void pd_folder_free (struct _PdFolder *self); /* (nullable) */
/* Of the cells of @rank that have been added last, which follows nothing then; whether there are
 * any. */
gboolean pd_chunks_fold_rest (PdProgramRank *rank, struct _PdFolder *folder);
gboolean pd_folder_fold (struct _PdFolder *self, PdChunk *chunk);
/* Cells that it has seen may have moved. */
void pd_folder_forget (struct _PdFolder *self);
/* (transfer full) (nullable): follows a loop of @chunk, which has just been folded, if what is
 * behind it is the beginning of one more repetition, which is removed. */
PdFollower *pd_folder_follow (struct _PdFolder *self, PdChunk *chunk);
/* Whether the next action is the one of @n @cells, which has been done then. */
gboolean pd_follower_take (PdFollower *self, const PdProgramCell *cells, gsize n);
/* (transfer full) @self: what has been done of the body is written behind the loop. */
void pd_follower_end (PdFollower *self, PdProgramRank *rank);

/* (transfer full) @chunk */
void pd_chunk_free (PdChunk *chunk);

/* An interval: texts as indexes, until all are known. */
typedef struct
{
  guint32 name;
  guint32 file;
  gint64 line;
  gint64 index;
} PdBuiltInterval;

#endif
