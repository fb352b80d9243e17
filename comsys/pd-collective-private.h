/* Schedules of collective operations. A schedule is an iterator: called again
 * and again for one rank it yields the next step, so that no rank ever stores
 * more than a few words. An algorithm is one to three schedules played one after
 * the other; a set is a table that chooses among them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_PRIVATE_H
#define PD_COLLECTIVE_PRIVATE_H

#include "comsys/pd-comsys-private.h"

G_BEGIN_DECLS

typedef enum
{
  PD_STEP_SEND,     /* to, send_bytes */
  PD_STEP_RECV,     /* from, recv_bytes */
  PD_STEP_SENDRECV, /* both */
  PD_STEP_ISEND,
  PD_STEP_IRECV,
  PD_STEP_WAITALL, /* for all since the last one */
  PD_STEP_REDUCE,  /* local reduction of send_bytes, the last that were received */
  PD_STEP_COPY,    /* local copy of send_bytes */
  PD_STEP_DONE,
} PdStepKind;

/* What a message carries is told for those who check a schedule. Of operations
 * on a vector (bcast, reduce, allreduce, scan) send_at and recv_at are bytes from
 * its start; of those on blocks (gather, scatter, allgather, reduce-scatter) the
 * first block, where more follow in circular order; of alltoall see there. */
typedef struct
{
  PdStepKind kind;
  guint32 to; /* ranks in the communicator */
  guint32 from;
  gint64 send_bytes;
  gint64 recv_bytes;
  gint64 send_at;
  gint64 recv_at;
} PdStep;

typedef struct _PdAlgorithm PdAlgorithm;

/* What is waited for. */
typedef enum
{
  PD_AWAITED_STEP, /* the messages of the step */
  PD_AWAITED_ALL,  /* those of ISEND and IRECV */
  PD_N_AWAITED,
} PdAwaited;

/* What schedules use of a PdCollective. */
typedef struct
{
  PdOp op;
  guint32 root;
  gint64 bytes;
  const gint64 *send_counts;
  const gint64 *recv_counts;
  const guint32 *sources;
  const guint32 *targets;
  guint32 n_sources;
  guint32 n_targets;
} PdPlayArgs;

/* One rank's progress through one operation: two cache lines. */
struct _PdPlay
{
  union
  {
    PdTime *ret;        /* slot of the caller */
    PdPlayBeside *next; /* free ones */
  };
  PdTime slot; /* return of the step under way */
  PdComm *comm;
  const PdAlgorithm *algorithm;
  gint64 segment; /* bytes; 0 = the whole at once */
  gint64 total;   /* the schedule's own, as i, j, stage; -1 at its start */
  guint32 i;      /* all 0 at its start */
  guint32 j;
  guint stage;
  guint32 rank; /* in the communicator */
  guint32 n;    /* size of the communicator, >= 1 */
  guint8 part;  /* of the algorithm */
  guint8 op;    /* PdOp: what was called; args.op is what it is made of */
  guint8 component;
  guint8 is_ordered; /* see PdCollective */
  PdPlayArgs args;
};

G_STATIC_ASSERT (sizeof (PdPlay) == 128);

/* An operation that plays beside its rank, and how it waits. */
struct _PdPlayBeside
{
  PdPlay play;                    /* whose next frees it */
  guint32 index;                  /* in the pool */
  guint32 request;                /* whose completion is the end */
  guint32 tag;                    /* of its messages */
  guint32 world;                  /* its rank, in the world */
  guint32 pending[PD_N_AWAITED];  /* messages that have not completed */
  guint8 has_taken[PD_N_AWAITED]; /* there were messages since the last wait */
  guint8 waits[PD_N_AWAITED];
  PdTime latest[PD_N_AWAITED]; /* of the completions */
  PdTime overhead;             /* of the wait */
  PdTime before;               /* what the network asks for before it, for the receives so far */
  /* on machines with ends: */
  PdStep step; /* the next one, */
  gboolean has_step;
  guint32 send;                 /* its send, which waits for the processor, */
  guint64 number[PD_N_AWAITED]; /* see pd_req_number() */
};

/* Writes the next step and moves on; PD_STEP_DONE ends. */
typedef void (*PdScheduleFunc) (PdPlay *play, PdStep *step);

#define PD_MAX_PARTS 3

/* What an algorithm asks of a communicator. */
typedef enum
{
  PD_FIT_ANY,
  PD_FIT_TWO,   /* two ranks */
  PD_FIT_EVEN,  /* an even number */
  PD_FIT_POWER, /* a power of two */
} PdFit;

struct _PdAlgorithm
{
  PdOp op;
  const char *name;                   /* in machine descriptions */
  PdScheduleFunc parts[PD_MAX_PARTS]; /* up to a NULL */
  PdFit fit;
  const char *otherwise; /* the algorithm of the same operation where it does not fit */
};

/* pd-coll-algorithms.c: ends with one without a name. */
extern const PdAlgorithm pd_algorithms[];

/**
 * pd_algorithm_find:
 * Returns: (nullable): the algorithm of that name for @op.
 */
const PdAlgorithm *pd_algorithm_find (PdOp op, const char *name);

/* What the sizes of a table mean; the same for all members. */
typedef enum
{
  PD_MEASURE_BYTES, /* PdCollective.bytes */
  PD_MEASURE_TOTAL, /* of all ranks: bytes times ranks, or the sum of the counts */
  PD_MEASURE_MEAN,  /* of the counts; where there are none, the bytes */
  PD_MEASURE_NONE,  /* 0: no rank knows the sizes of the others */
} PdMeasure;

/* Other conditions of a row. */
#define PD_WHEN_ORDERED   1 /* the operation does not commute */
#define PD_WHEN_COMMUTES  2
#define PD_WHEN_POWER     4 /* a power of two ranks */
#define PD_WHEN_NOT_POWER 8
#define PD_WHEN_MANY      16 /* at least 8 bytes per rank */
#define PD_WHEN_EQUAL     32 /* blocks of one size */
#define PD_WHEN_PIECES    64 /* at least 8 bytes per rank of the power of two below */

/* A row of a selection table: the first that fits is taken. */
typedef struct
{
  guint32 min_ranks; /* 0 = any */
  guint32 max_ranks; /* 0 = any */
  gint64 up_to;      /* bytes, inclusive */
  guint when;        /* PD_WHEN_* */
  const char *algorithm;
  gint64 segment; /* bytes (of "scattered": requests); 0 = none */
} PdChoice;

/* The rows of an operation, the last of which fits always. */
typedef struct
{
  PdMeasure measure;
  const PdChoice *choices;
  guint n_choices;
} PdSelection;

typedef struct
{
  const char *name;
  PdSelection selections[PD_N_OPS]; /* without rows: that of mpich1 */
} PdCollectiveTable;

extern const PdCollectiveTable pd_collectives_mpich1;
extern const PdCollectiveTable pd_collectives_mpich4;
extern const PdCollectiveTable pd_collectives_openmpi4;
extern const PdCollectiveTable pd_collectives_smpi;

/* A row of the table in use. */
typedef struct
{
  PdChoice choice;
  PdMeasure measure; /* of choice.up_to */
  const PdAlgorithm *algorithm;
  const PdAlgorithm *otherwise; /* where that does not fit */
} PdChosen;

/* What a machine uses. */
struct _PdCollectiveSet
{
  gboolean is_simple;       /* nothing is played */
  GArray *chosen[PD_N_OPS]; /* (nullable): PdChosen */
  PdFan in[PD_N_OPS];       /* of "simple" */
  PdFan out[PD_N_OPS];
  gboolean levels_known;
  PdFanLevel network;
  PdFanLevel memory;
};

/* ---- pd-collective.c */

/* One of the operations that another is made of; n_bytes of each are fixed. */
typedef struct
{
  PdOp op;
  gint64 bytes;
} PdComponent;

#define PD_MAX_COMPONENTS 3

typedef struct
{
  const char *name;
  const char *function;
  gboolean rooted;
  gboolean send_counts;
  gboolean recv_counts;
  gboolean neighbors;
  PdMeasure measure; /* of sizes that a machine's own choices name */
  guint n_components;
  PdComponent components[PD_MAX_COMPONENTS];
} PdOpInfo;

extern const PdOpInfo pd_ops[PD_N_OPS];

/* Puts @play at its first step of @collective. */
void pd_play_init (PdComsys *self, PdPlay *play, guint32 rank, PdComm *comm,
                   const PdCollective *collective);
/* Whether steps are played for @op; else it takes a time. */
gboolean pd_play_is_for (const PdComsys *self, PdOp op);

/* ---- pd-coll-simple.c */

/* In all; of the root. */
typedef struct
{
  gint64 sent;
  gint64 received;
} PdFanBytes;

/* How long an operation of the set "simple" takes after the last arrival. */
PdTime pd_fans_get_time (PdComsys *self, PdComm *comm, PdOp op, const PdFanBytes *bytes);
/* What the caller sends and receives. */
PdFanBytes pd_fans_get_bytes (const PdCollective *args, const PdComm *comm);

/* ---- pd-coll-choice.c */

/* The algorithm for what @play has as arguments, and its segments. */
void pd_collective_choose (const PdCollectiveSet *set, PdPlay *play);

/* ---- pd-coll-play.c */

/* The play that blocks @rank; what was in it may be lost. */
PdPlay *pd_play_of_rank (PdComsys *self, guint32 rank);
PdPlayBeside *pd_play_new_beside (PdComsys *self);
/* Starts an operation beside its rank at @when. */
void pd_play_start (PdComsys *self, PdPlayBeside *beside, PdTime when);
/* The next step; FALSE: the operation is over. */
gboolean pd_play_next_step (PdComsys *self, PdPlay *play, PdStep *step);

/* What a schedule sends or receives. */
PdEnvelope pd_play_envelope (guint32 tag, guint32 peer, gint64 bytes);
void pd_play_drop_beside (PdComsys *self, PdPlayBeside *beside);
/* A step that needs nobody else: when it is over. */
PdTime pd_play_work (const PdComsys *self, PdTime when, const PdStep *step);
/* Beside its rank: @req counts until it completes. */
void pd_play_take (PdComsys *self, PdPlayBeside *beside, guint32 req, PdAwaited awaited);
/* All that was awaited has completed: when its wait is over. */
PdTime pd_play_end_wait (PdComsys *self, PdPlayBeside *beside, PdAwaited awaited);
/* On machines with ends: one of the requests has completed. */
void pd_cpu_play_completed (PdComsys *self, PdPlayBeside *beside, PdAwaited awaited);

G_END_DECLS

#endif
