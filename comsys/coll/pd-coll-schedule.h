/* Schedules of collective operations. A schedule is an iterator: called again
 * and again for one rank it yields the next step, so that no rank ever stores
 * more than a few words. An algorithm is one to three schedules played one after
 * the other; a set is a table that chooses among them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_SCHEDULE_H
#define PD_COLL_SCHEDULE_H

#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"

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

/* The contents of a message, for checks of a schedule. Of operations
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

/* The fields of a PdCollective that schedules use. */
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
} PdScheduleArgs;

/* One rank's progress through one operation: two cache lines. */
typedef struct _PdExecution
{
  union
  {
    PdTime *ret;                 /* slot of the caller */
    struct _PdNonblocking *next; /* free ones */
  };
  PdTime slot; /* return of the step under way */
  struct _PdComm *comm;
  const PdAlgorithm *algorithm;
  gint64 segment; /* bytes; 0 = the whole at once */
  gint64 total;   /* the schedule's own, as i, j, stage; -1 at its start */
  guint32 i;      /* all 0 at its start */
  guint32 j;
  guint stage;
  guint32 rank; /* in the communicator */
  guint32 n;    /* size of the communicator, >= 1 */
  guint8 part;  /* of the algorithm */
  guint8 op;    /* PdOp: the called operation; args.op is the one it is made of */
  guint8 component;
  guint8 is_ordered; /* see PdCollective */
  PdScheduleArgs args;
} PdExecution;

G_STATIC_ASSERT (sizeof (PdExecution) == 128);

/* Writes the next step and moves on; PD_STEP_DONE ends. */
typedef void (*PdScheduleFunc) (PdExecution *exec, PdStep *step);

#define PD_MAX_PARTS 3

/* The requirements of an algorithm on a communicator. */
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
} PdAlgorithmRow;

/* The rows of an operation, the last of which fits always. */
typedef struct
{
  PdMeasure measure;
  const PdAlgorithmRow *choices;
  guint n_choices;
} PdSelection;

typedef struct
{
  const char *name;
  PdSelection selections[PD_N_OPS]; /* without rows: that of mpich1 */
} PdCollectiveTable;

#endif
