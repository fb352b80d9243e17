/* A message-passing program in memory: for each rank the sequence of its
 * actions, in 16 bytes per typical action. All readers of sequential traces (TI,
 * DIM, OTF2, …) produce it; it is immutable once built.
 *
 * A rank's actions are consecutive cells: pd_action_read() decodes
 * one and gives the next. The first cell has the data of a typical action;
 * wide values and rare ones follow in extension cells. Repeated actions may be a
 * loop, see pd-loops.h.
 *
 * Requests are numbered by slots, per rank: an action that starts a request
 * names a slot that is free, an action that completes it frees the slot.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_H
#define PD_PROGRAM_H

#include "base/pd-time.h"
#include "traces/io/pd-trace-error.h"

/* The most ranks of a program: what the simulation takes. */
#define PD_PROGRAM_MAX_RANKS 16777214

#define PD_PROGRAM_ANY       (-1) /* peer or tag: any */
#define PD_PROGRAM_PROC_NULL (-2) /* peer: none */
#define PD_PROGRAM_NONE      G_MAXUINT32

/* The kind of an action, and the fields of #PdAction that it uses. "p2p" stands for
 * comm, peer, tag, bytes. */
typedef enum
{
  PD_ACT_COMPUTE,    /* amount: computation, scaled by the processor's speed */
  PD_ACT_DELAY,      /* amount.time: passes whatever the processor; recorded: a pause of the
                      * recording, which is no part of the run, see pd_action_is_pause() */
  PD_ACT_SEND,       /* p2p: MPI_Send */
  PD_ACT_BSEND,      /* p2p */
  PD_ACT_SSEND,      /* p2p */
  PD_ACT_RSEND,      /* p2p */
  PD_ACT_ISEND,      /* p2p, request */
  PD_ACT_IBSEND,     /* p2p, request */
  PD_ACT_ISSEND,     /* p2p, request */
  PD_ACT_IRSEND,     /* p2p, request */
  PD_ACT_RECV,       /* p2p; matched */
  PD_ACT_IRECV,      /* p2p, request; matched */
  PD_ACT_SENDRECV,   /* p2p of the send; recv_peer, recv_tag, recv_bytes */
  PD_ACT_SEND_INIT,  /* p2p, request: persistent */
  PD_ACT_BSEND_INIT, /* likewise */
  PD_ACT_SSEND_INIT,
  PD_ACT_RSEND_INIT,
  PD_ACT_RECV_INIT,
  PD_ACT_START,        /* slots: MPI_Start, MPI_Startall */
  PD_ACT_REQUEST_FREE, /* request */
  PD_ACT_CANCEL,       /* request */
  PD_ACT_WAIT,         /* request */
  PD_ACT_WAITALL,      /* slots, or all that are pending */
  PD_ACT_WAITANY,      /* slots; done: the one that completed, if recorded */
  PD_ACT_WAITSOME,     /* slots; done */
  PD_ACT_TEST,         /* request; done: it, if the test was successful */
  PD_ACT_TESTALL,      /* slots; done */
  PD_ACT_TESTANY,
  PD_ACT_TESTSOME,
  PD_ACT_PROBE,       /* p2p without bytes; matched */
  PD_ACT_IPROBE,      /* likewise; done: any entry, if it was successful */
  PD_ACT_COLLECTIVE,  /* op, comm, peer = root, bytes, counts, amount after it; sent_bytes,
                       * recv_bytes */
  PD_ACT_ICOLLECTIVE, /* likewise, request */
  PD_ACT_COMM_FREE,   /* comm */
  PD_ACT_PUT,         /* comm = the window's, peer = the target, bytes */
  PD_ACT_GET,         /* likewise */
  PD_ACT_ACCUMULATE,
  PD_ACT_GET_ACCUMULATE, /* likewise; recv_bytes: what comes back */
  PD_ACT_RPUT,           /* as those without R, and a request */
  PD_ACT_RGET,
  PD_ACT_RACCUMULATE,
  PD_ACT_RGET_ACCUMULATE,
  PD_ACT_WIN_FENCE,    /* comm = the window's */
  PD_ACT_WIN_LOCK,     /* comm = the window's, peer = the target (-1: all); tag != 0: exclusive */
  PD_ACT_WIN_UNLOCK,   /* comm = the window's, peer = the target (-1: all) */
  PD_ACT_WIN_FLUSH,    /* likewise; tag != 0: only local completion */
  PD_ACT_WIN_POST,     /* comm = the window's, sources = those who may access it */
  PD_ACT_WIN_START,    /* comm = the window's, targets = those that are accessed */
  PD_ACT_WIN_COMPLETE, /* comm = the window's: ends the access that was started first */
  PD_ACT_WIN_WAIT,     /* comm = the window's: ends the exposure that was posted first */
  PD_ACT_OTHER,        /* a call outside the model: name, amount.time = how long it took */
  PD_ACT_LOCAL,        /* a call that concerns no other rank: name, amount.time likewise */
  PD_ACT_ENTER,        /* interval: begins */
  PD_ACT_LEAVE,        /* interval: ends */
  PD_ACT_LOCATION,     /* name = source file, line: of the following actions */
  PD_ACT_ALIKE_BEGIN,  /* tag: the number of a stretch that all who mark it compute alike */
  PD_ACT_ALIKE_END,    /* likewise */
  PD_N_ACTS,
} PdActionKind;

/* Collective operations. */
typedef enum
{
  PD_COLL_BARRIER,
  PD_COLL_BCAST,
  PD_COLL_REDUCE,
  PD_COLL_ALLREDUCE,
  PD_COLL_GATHER,
  PD_COLL_GATHERV, /* recv_counts at the root */
  PD_COLL_SCATTER,
  PD_COLL_SCATTERV, /* send_counts at the root */
  PD_COLL_ALLGATHER,
  PD_COLL_ALLGATHERV, /* recv_counts */
  PD_COLL_ALLTOALL,
  PD_COLL_ALLTOALLV, /* send_counts, recv_counts */
  PD_COLL_ALLTOALLW, /* likewise */
  PD_COLL_SCAN,
  PD_COLL_EXSCAN,
  PD_COLL_REDUCE_SCATTER, /* recv_counts */
  PD_COLL_REDUCE_SCATTER_BLOCK,
  PD_COLL_NEIGHBOR_ALLGATHER, /* sources, targets */
  PD_COLL_NEIGHBOR_ALLGATHERV,
  PD_COLL_NEIGHBOR_ALLTOALL,
  PD_COLL_NEIGHBOR_ALLTOALLV,
  PD_COLL_NEIGHBOR_ALLTOALLW,
  PD_COLL_COMM_DUP, /* comm = the parent: what making a communicator costs */
  PD_COLL_COMM_CREATE,
  PD_COLL_COMM_SPLIT,
  PD_COLL_COMM_SPLIT_TYPE,
  PD_COLL_CART_CREATE,
  PD_COLL_CART_SUB,
  PD_COLL_GRAPH_CREATE,
  PD_COLL_DIST_GRAPH_CREATE,
  PD_COLL_INTERCOMM_CREATE,
  PD_COLL_INTERCOMM_MERGE,
  PD_COLL_WIN_CREATE,
  PD_COLL_WIN_FREE,
  PD_N_COLLS,
} PdCollKind;

/* The file access of a call. */
typedef enum
{
  PD_FILE_OPEN,
  PD_FILE_CLOSE,
  PD_FILE_READ,  /* file_bytes */
  PD_FILE_WRITE, /* file_bytes */
  PD_FILE_WAIT,  /* for an access begun before, whose bytes are recorded there */
  PD_FILE_SEEK,
  PD_FILE_SYNC,
  PD_FILE_OTHER, /* such as to set the view */
  PD_N_FILE_OPS,
} PdFileOp;

/* The unit of an amount of computation, the same in a whole program. */
typedef enum
{
  PD_AMOUNT_TIME,  /* picoseconds on the recording machine */
  PD_AMOUNT_FLOPS, /* floating-point operations */
} PdAmountUnit;

typedef union
{
  PdTime time;
  gdouble flops;
} PdAmount;

/* An action, decoded. Unused fields of a kind have the values of pd_action_init(). The fields up to
 * @request are mostly the same in each execution of a place: its shape, see pd-packed. */
typedef struct
{
  gint64 bytes; /* >= 0; of a collective: the caller's block or vector, as its PdOp says */
  gint64 recv_bytes;
  gint64 sent_bytes; /* of a collective: with recv_bytes what the caller sends and receives in
                      * all, as recorded; both 0: nothing, or unknown */
  gint64 line;
  PdActionKind kind;
  PdCollKind op;
  guint32 comm; /* index of a communicator; 0 = world */
  gint32 peer;  /* rank in comm, %PD_PROGRAM_ANY or _PROC_NULL; root */
  gint32 tag;   /* >= 0 or %PD_PROGRAM_ANY */
  gint32 recv_peer;
  gint32 recv_tag;
  guint32 send_counts; /* index of a vector of bytes, one per member; %PD_PROGRAM_NONE */
  guint32 recv_counts;
  guint32 sources; /* index of a vector of neighbours; %PD_PROGRAM_NONE */
  guint32 targets;
  gint32 matched_peer; /* what a receive with a wildcard got in the recorded run */
  gint32 matched_tag;  /* %PD_PROGRAM_ANY = not recorded */
  guint32 name;        /* index of a string */
  guint32 interval;    /* index */
  guint32 site;        /* index of the place that called; %PD_PROGRAM_NONE = unknown */
  guint32 called;      /* string: the function that was called; %PD_PROGRAM_NONE = as the action */
  guint32 file; /* string: the file that the call was about; %PD_PROGRAM_NONE = none; then: */
  PdFileOp file_op;
  gboolean file_collective;
  gboolean has_done; /* the outcome was recorded; with n_done 0: nothing had completed */
  guint32 request;   /* slot */
  guint32 n_slots;   /* WAITALL: 0 = all that are pending */
  guint32 n_done;
  const guint32 *slots; /* (nullable) (array length=n_slots) */
  const guint32 *done;  /* (nullable) (array length=n_done): positions in @slots */
  PdAmount amount;      /* also after collectives: what its reduction computes; 0 = nothing */
  gint64 recorded;      /* ps that the call took in the recorded run; -1 = unknown */
  gint64 file_bytes;    /* that it read or wrote, or began to */
  gint64 processor;     /* ps of processor time that all threads of the rank spent in a recorded
                         * computation; -1 = unknown */
} PdAction;

/* An interval that a program marks: a region of the source, a phase. */
typedef struct
{
  const char *name; /* "" if none */
  const char *file; /* source file; "" if unknown */
  gint64 line;      /* 0 = unknown */
  gint64 index;     /* the user's number; -1 = none */
} PdProgramInterval;

/* A place in the source that calls something, and who called the function it is
 * in: a stack of calls. */
typedef struct
{
  const char *file;     /* "" if unknown */
  const char *function; /* that it is in; "" if unknown */
  gint64 line;          /* 0 = unknown */
  guint32 parent;       /* an earlier site; %PD_PROGRAM_NONE = unknown */
} PdProgramSite;

/* Parallel regions of threads that a rank had in the recorded run, the outermost ones. */
typedef struct
{
  gint64 n;         /* 0 = none, or unknown */
  gint64 n_threads; /* the most that one had */
  PdTime time;      /* that they took */
  PdTime busy;      /* that threads worked in them, of all threads together */
  PdTime longest;   /* that the thread that worked longest did, of all regions together */
  PdTime capacity;  /* each region's time multiplied by its threads */
} PdRecordedRegions;

/* The resources of its host that a rank had, and used, in the recorded run. */
typedef struct
{
  guint32 host;       /* string; %PD_PROGRAM_NONE = unknown; likewise: */
  guint32 processors; /* string: those that it might use, "0-3,8" */
  guint32 quota;      /* thousandths of a processor that its control group left it; 0 = all */
  guint32 n_threads;  /* the most it had at once, without those of MPI; 0 = unknown */
  gint64 n_switches;  /* how often another process took its processor; -1 = unknown */
  gint64 memory;      /* the most that was resident, bytes; -1 = unknown */
  PdTime waited; /* how long its first thread was ready but had no processor; -1 ps = unknown */
  PdTime reading_cost; /* of the processor time of a thread; 0 = unknown */
  PdRecordedRegions regions;
} PdRecordedUsage;

/* 16 bytes of a rank's actions; the fields are those of the first cell of an
 * action. Without %PD_CELL_MORE there is nothing but that cell, so that who is
 * in a hurry need not decode it. */
typedef struct
{
  guint8 kind;     /* PdActionKind, and PD_CELL_MORE */
  guint8 comm;     /* PD_CELL_WIDE_COMM: in an extension */
  guint16 request; /* PD_CELL_WIDE_REQUEST: in an extension */
  gint32 peer;     /* or the index of a name or interval */
  union
  {
    struct
    {
      guint32 bytes; /* its lower half */
      gint32 tag;    /* of a collective: PdCollKind */
    };
    PdAmount amount;
    gint64 line;
  };
} PdProgramCell;

G_STATIC_ASSERT (sizeof (PdProgramCell) == 16);

/* Kinds of cells that are no actions, see pd-loops.h. */
enum
{
  PD_CELL_LOOP = PD_N_ACTS, /* comm = its level, above those of loops in it; peer = cells of its
                             * body; bytes = how often that is repeated */
  PD_CELL_SAMPLE,           /* request = PdActionKind, of an action whose amount is a sample */
  PD_N_CELL_KINDS,
};

#define PD_CELL_MORE         0x80 /* an extension follows */
#define PD_CELL_WIDE_COMM    0xff
#define PD_CELL_WIDE_REQUEST 0xffff

/* The kinds of calls by the cost of recording them. */
typedef enum
{
  PD_CALL_COST_BLOCKING,     /* sends or receives */
  PD_CALL_COST_NON_BLOCKING, /* begins something, or waits for it */
  PD_CALL_COST_COLLECTIVE,
  PD_CALL_COST_TEST, /* asks in vain */
  PD_CALL_COST_OTHER,
  PD_N_CALL_COSTS,
} PdCallCost;

/* The clock of recorded computation. */
typedef enum
{
  PD_CLOCK_UNKNOWN, /* or it was not recorded */
  PD_CLOCK_WALL,    /* the time that passed */
  PD_CLOCK_CPU,     /* the processor time of the rank's first thread */
  PD_N_CLOCKS,
} PdRecordedClock;

/* Name of an action of kind LOCAL that takes no time: between calls the rank had no processor, or
 * was recorded, as long as its recorded time says. */
#define PD_PROGRAM_LOST "(no processor)"

typedef struct _PdProgram PdProgram;
typedef struct _PdProgramBuilder PdProgramBuilder;

/* ---- reading */

/**
 * pd_program_free:
 * @self: (nullable): the program
 */
void pd_program_free (PdProgram *self);

/**
 * pd_program_get_n_ranks:
 * Returns: the number of ranks.
 */
guint32 pd_program_get_n_ranks (const PdProgram *self);

/**
 * pd_program_get_unit:
 * Returns: what its amounts of computation are measured in.
 */
PdAmountUnit pd_program_get_unit (const PdProgram *self);

/**
 * pd_program_get_cells:
 * @rank: a rank
 * @end: (out): behind its last cell
 *
 * Cells of a program with loops have to be read as pd-loops.h describes, as a #PdActionReader does.
 *
 * Returns: (transfer none): the rank's first cell; @end if it does nothing.
 */
const PdProgramCell *pd_program_get_cells (const PdProgram *self, guint32 rank,
                                           const PdProgramCell **end);

/**
 * pd_program_is_packed:
 * Returns: whether its actions have been packed: a #PdActionReader goes through them without cells.
 */
gboolean pd_program_is_packed (const PdProgram *self);

/**
 * pd_program_has_loops:
 * Returns: whether there are cells that are no actions.
 */
gboolean pd_program_has_loops (const PdProgram *self);

/**
 * pd_program_get_samples:
 * Returns: (transfer none) (nullable): the first sample of @rank, see pd-loops.h; %NULL if it has
 *   none.
 */
const guint8 *pd_program_get_samples (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_n_actions:
 * Returns: how many actions @rank has, repetitions included.
 */
guint64 pd_program_get_n_actions (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_n_slots:
 * Returns: 1 + the greatest slot that @rank uses.
 */
guint32 pd_program_get_n_slots (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_n_comms:
 * Returns: the number of communicators, the world included.
 */
guint32 pd_program_get_n_comms (const PdProgram *self);

/**
 * pd_program_get_comm:
 * @comm: index
 * @n: (out): its size
 *
 * Returns: (transfer none) (nullable): the world rank of each member; %NULL:
 *   the world itself.
 */
const guint32 *pd_program_get_comm (const PdProgram *self, guint32 comm, guint32 *n);

/**
 * pd_program_get_counts:
 * @counts: index of a vector
 * @n: (out) (optional): its length
 *
 * Returns: (transfer none): the vector.
 */
const gint64 *pd_program_get_counts (const PdProgram *self, guint32 counts, guint32 *n);

/**
 * pd_program_get_n_counts:
 * Returns: the number of vectors.
 */
guint32 pd_program_get_n_counts (const PdProgram *self);

/**
 * pd_program_get_n_strings:
 * Returns: the number of strings.
 */
guint32 pd_program_get_n_strings (const PdProgram *self);

/**
 * pd_program_has_counts:
 * Returns: whether there are vectors. Without any, operations with a vector have
 *   blocks of one size.
 */
gboolean pd_program_has_counts (const PdProgram *self);

/**
 * pd_program_get_string:
 * Returns: (transfer none): the string of that index.
 */
const char *pd_program_get_string (const PdProgram *self, guint32 string);

/**
 * pd_program_get_n_intervals:
 * Returns: the number of different intervals.
 */
guint32 pd_program_get_n_intervals (const PdProgram *self);

/**
 * pd_program_get_interval:
 * Returns: (transfer none): the interval of that index.
 */
const PdProgramInterval *pd_program_get_interval (const PdProgram *self, guint32 interval);

/**
 * pd_program_get_n_sites:
 * Returns: the number of different call sites.
 */
guint32 pd_program_get_n_sites (const PdProgram *self);

/**
 * pd_program_get_site:
 * Returns: the site of that index; its texts are borrowed from the program.
 */
PdProgramSite pd_program_get_site (const PdProgram *self, guint32 site);

/**
 * pd_program_has:
 * Returns: whether any rank has an action of @kind. Passes over the actions that look for one kind
 *   are spared where there is none.
 */
gboolean pd_program_has (const PdProgram *self, PdActionKind kind);

/**
 * pd_program_has_files:
 * Returns: whether any action is about a file.
 */
gboolean pd_program_has_files (const PdProgram *self);

/**
 * pd_program_count_alike:
 * @self: the program
 *
 * Returns: (transfer full) (element-type gint guint): of each number of a
 *   stretch that is computed alike, how many ranks mark it.
 */
GHashTable *pd_program_count_alike (const PdProgram *self);

/**
 * pd_program_get_recorded_begin:
 * Returns: when @rank's first action began, on the clock of all ranks.
 */
PdTime pd_program_get_recorded_begin (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_recorded_end:
 * Returns: when @rank ended in the recorded run, from its beginning, without its pauses;
 *   %PD_TIME_PENDING if unknown.
 */
PdTime pd_program_get_recorded_end (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_recorded_init:
 * Returns: how long @rank was in MPI_Init in the recorded run, before it began; 0 if unknown.
 */
PdTime pd_program_get_recorded_init (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_recorded_finalize:
 * Returns: how long @rank was in MPI_Finalize in the recorded run, after it ended; 0 if
 *   unknown.
 */
PdTime pd_program_get_recorded_finalize (const PdProgram *self, guint32 rank);

/**
 * pd_program_get_recorded_usage:
 * Returns: (transfer none) (nullable): what @rank had of its host; %NULL: nothing is known of any
 *   rank.
 */
const PdRecordedUsage *pd_program_get_recorded_usage (const PdProgram *self, guint32 rank);

/**
 * pd_call_cost_name:
 * Returns: "blocking", "non-blocking", "collective", "test" or "other".
 */
const char *pd_call_cost_name (PdCallCost kind);

/**
 * pd_program_get_call_cost:
 * Returns: what recording a call of @kind cost the rank; 0 = unknown.
 */
PdTime pd_program_get_call_cost (const PdProgram *self, PdCallCost kind);

/**
 * pd_recorded_clock_name:
 * Returns: "wall" or "cpu"; "unknown"
 */
const char *pd_recorded_clock_name (PdRecordedClock clock);

/**
 * pd_program_get_recorded_clock:
 * Returns: what its computation was measured in.
 */
PdRecordedClock pd_program_get_recorded_clock (const PdProgram *self);

/**
 * pd_program_get_recorded_share:
 * Returns: how much of the recorded run the program is, as a share of its time: 1 = all
 *   of it, or nothing says otherwise; 0 = its beginning, and how much that is is unknown.
 */
gdouble pd_program_get_recorded_share (const PdProgram *self);

/**
 * pd_program_get_size:
 * Returns: the bytes that the program takes in memory.
 */
gsize pd_program_get_size (const PdProgram *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdProgram, pd_program_free)

#endif
