/* The steps of the simulated processors: the result of interpreting the records
 * of a DVM trace once. Steps are immutable; the objects that they refer to are
 * reference-counted and shared with later steps.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STEP_H
#define PD_STEP_H

#include "dataserver/pd-data-server.h"
#include "intervals/pd-interval.h"
#include "predictor/dvm/copy/pd-dvm-copy.h"

typedef enum
{
  PD_STEP_KIND_NONE,             /* only time passes */
  PD_STEP_KIND_LOOP,             /* iterations of a parallel loop, or copying in memory */
  PD_STEP_KIND_PIPELINE,         /* … in portions, with messages between them */
  PD_STEP_KIND_EXCHANGE_START,   /* shadow edges: receives and sends */
  PD_STEP_KIND_EXCHANGE_WAIT,    /* … until they are there */
  PD_STEP_KIND_COLLECTIVE,       /* one collective operation of MPI */
  PD_STEP_KIND_COLLECTIVE_START, /* … that is nonblocking */
  PD_STEP_KIND_COLLECTIVE_WAIT,  /* … until all that were started of the operation are over */
  PD_STEP_KIND_STAR_START,       /* reduction through the central processor */
  PD_STEP_KIND_STAR_WAIT,
  PD_STEP_KIND_COLLECT, /* a distributed array goes to the I/O processor */
  PD_STEP_KIND_DEAL,    /* … or comes from it */
  PD_STEP_KIND_FILE_IO, /* time of the I/O processor alone */
  PD_STEP_KIND_COMPUTE, /* ordinary time of each processor by itself */
  PD_STEP_KIND_TASK,    /* a task begins: who is not in it goes on behind it */
  PD_N_STEP_KINDS,
} PdStepKindDvm;

/* The part of an operation that one processor has executed. */
typedef struct
{
  PdTime entered; /* when it entered the (waiting) record */
  PdTime spent;   /* communication since then */
  PdTime started; /* return of the starting record; for overlap */
  PdTime left;    /* when it was through */
} PdParticipant;

/* The processors of a grid as they are charged: one set for each processor
 * speed. Made once per grid. */
typedef struct
{
  guint refs;
  PdGrid *grid;
  guint32 n; /* processors */
  guint32 n_speeds;
  guint32 *sets;        /* (array length=n_speeds): of the interval tree; G_MAXUINT32 = none */
  guint32 io;           /* global number of the I/O processor */
  gboolean has_comm;    /* the program has made its communicator; the interpreter's */
  PdParticipant *spare; /* (nullable) (array length=n): of an operation that is over */
} PdTeam;

/* A task: only its processors perform the steps from the one that refers to it
 * up to @end. The interpreter fills in where it ends before a processor that is
 * not in it can come to its first step. */
typedef struct
{
  guint refs;
  PdTeam *team;
  guint64 end;       /* number of the first step behind it */
  PdStepBlock *last; /* the block of step @end - 1 */
} PdTask;

/* The share of a loop's time that was spent in one interval. */
typedef struct
{
  guint32 node;
  PdTime time;         /* on one processor, all iterations */
  gint64 entries;      /* how often the interval was entered, all iterations */
  gboolean stays_open; /* it was entered, and what follows the loop is in it */
} PdLoopShare;

/* How a pipelined loop is cut: the iterations of one or two of its indices, all
 * of which every processor executes, into portions of equal size; the last one
 * takes the rest. */
typedef struct
{
  gint64 iterations[2]; /* of the indices that are cut; 1 = no second one */
  gint64 n[2];          /* portions along each; the last index varies fastest */
  gboolean is_row[2];   /* elements along it lie beside each other in memory */
} PdPortions;

/* One of them. */
typedef struct
{
  gint64 before; /* iterations of the indices in the portions before it */
  gint64 n;      /* … and in this one */
  gint64 runs;   /* into which these fall in memory */
} PdPortion;

/* How much the time of a parallel loop differs between processors with equal work. */
typedef struct
{
  gdouble sigma;  /* standard deviation of the logarithm of the time, >= 0; 0 = not at all */
  guint64 number; /* of the loop, among all that the program executes */
} PdScatter;

/* The distributed work: the iterations of a loop, or the copying of a section. */
typedef struct
{
  guint refs;
  PdLoop *loop;      /* (nullable) */
  PdSection section; /* without @loop; its layout is referenced */
  guint32 replication;
  gboolean is_even;     /* @loop: all processors of its grid have equal parts */
  GArray *shares;       /* PdLoopShare: of all iterations, to be divided by their number */
  GArray *own;          /* (nullable): PdLoopShare as they were recorded, of processor 0, 1, … */
  guint32 *ends;        /* (nullable) (array): of each processor in @own */
  PdInterior *interior; /* (nullable): the loop is executed in two parts */
  PdHalo *halo;         /* (nullable): … also on shadow elements */
  PdPortions portions;  /* of a pipeline */
  PdScatter scatter;
} PdLoopWork;

/* An exchange of so many messages that it is simulated as a whole. */
typedef struct
{
  PdComm *comm;  /* of those that have messages */
  PdTraffic all; /* their sum */
  PdExchangeCosts costs;
} PdAggregate;

/* Which iterations a step executes. */
typedef enum
{
  PD_LOOP_WHOLE,
  PD_LOOP_EDGES,
  PD_LOOP_INTERIOR,
} PdLoopPart;

/* An operation that several processors take part in: what its start, its
 * messages and its wait have in common. The arrays, indexed by linear number in
 * the team's grid, live from the first processor's arrival to the last one's
 * leaving: they are the only part that changes during the simulation. */
typedef struct
{
  guint refs;
  PdTeam *team;
  PdPlan *plan;           /* (nullable): of an exchange; its partners are who is waited for */
  PdAggregate *aggregate; /* (nullable): … and the exchange is simulated as a whole */
  PdOperationKind kind;   /* its row of the table of operations */
  gboolean overlaps;      /* it may overlap with computation */
  gint32 tag;
  gboolean is_collective; /* started by COLLECTIVE_START, not by a star */
  guint32 halves;         /* PD_STEP_RECVS, PD_STEP_SENDS: started separately; 0 = all at once */
  gint64 bytes;           /* STAR: of a block */
  guint32 central;        /* STAR, COLLECTIVE: rank of the root in its communicator */
  gint64 *counts;   /* (nullable): MPI_Alltoallv: g_rc_box, by rank, what each sends every other */
  PdLayout *layout; /* (nullable): COLLECT, DEAL: of the array */
  gint64 type_size;
  gint64 prefix;  /* COLLECT, DEAL: elements concerned, in linear order */
  guint32 n_left; /* processors that are through */
  PdParticipant *participants;
  PdBundle *bundles; /* requests under way */
  guint32 *nodes;    /* (nullable): where each has waited, if PARTLY; G_MAXUINT32 = not yet */
  PdBundle *sends;   /* PIPELINE: likewise, of sends; @bundles has receives */
} PdStepOperation;

/* Which communicator each processor uses. */
typedef struct
{
  guint refs;
  PdTeam *team;
  gboolean split[PD_MAX_GRID_RANK]; /* along these dimensions; all FALSE: one communicator */
  guint32 n;
  PdComm **comms; /* (array length=n) */
} PdCommFamily;

#define PD_STEP_ENTERS 1  /* the operation's record, or the loop, begins here */
#define PD_STEP_LEAVES 2  /* … and ends here */
#define PD_STEP_PARTLY 4  /* some of its processors wait for it in other steps, in tasks */
#define PD_STEP_RECVS  8  /* EXCHANGE_START, EXCHANGE_WAIT: only the receives */
#define PD_STEP_SENDS  16 /* … only the sends */

typedef struct
{
  guint32 kind; /* PdStepKindDvm */
  guint32 node; /* interval that is charged */
  guint32 flags;
  guint32 op;   /* COLLECTIVE: PdOp; LOOP: PdLoopPart */
  PdTime seq;   /* passes before, at speed class 0 */
  PdTime *seqs; /* (nullable): the same for every speed class */
  PdTime *own;  /* (nullable): COMPUTE: instead of time, of every speed class */
  PdLoopWork *work;
  PdStepOperation *operation;
  PdCommFamily *family;
  PdTask *task;     /* TASK */
  gint64 bytes;     /* COLLECTIVE; FILE_IO: what the machine's files take; -1: @time */
  PdTime time;      /* FILE_IO, COMPUTE: on the machine that recorded the trace */
  const char *name; /* of the record, for tables; borrowed from the reader */
  const char *file; /* of the program; borrowed from the reader */
  gint64 line;
  guint64 first_record; /* numbers of the records that it stands for */
  guint64 last_record;
} PdStepDvm;

G_STATIC_ASSERT (sizeof (PdStepDvm) % 8 == 0);

/**
 * pd_step_clear:
 * @step: a #PdStepDvm; releases what it refers to
 */
void pd_step_clear (gpointer step);

PdTeam *pd_team_ref (PdTeam *self);
void pd_team_unref (PdTeam *self);
PdTask *pd_task_ref (PdTask *self);
void pd_task_unref (PdTask *self);
/**
 * pd_loop_work_get_shares:
 * @processor: whose
 * @n: (out): their number
 *
 * Returns: (array length=n): what the processor spends: its own shares as they
 *   are if the work has such (@own), else its part of those of all iterations.
 */
const PdLoopShare *pd_loop_work_get_shares (const PdLoopWork *self, guint32 processor, guint *n);

/**
 * pd_loop_work_get_local:
 * @processor: a global processor number
 *
 * Returns: its iterations, or elements; -1 if it is outside the processor system.
 */
gint64 pd_loop_work_get_local (const PdLoopWork *self, guint32 processor);

/**
 * pd_loop_work_get_redundant:
 * @processor: a global processor number, of the processor system
 * @time: that it spends on its iterations
 *
 * Of an iteration that m processors execute (m - 1) / m are redundant on each.
 *
 * Returns: the redundant part of @time.
 */
PdTime pd_loop_work_get_redundant (const PdLoopWork *self, guint32 processor, PdTime time);

/**
 * pd_loop_work_get_total:
 * @local: iterations, or elements, of the processor
 *
 * Returns: the number of them, at least 1, that the shares which
 *   pd_loop_work_get_shares() gives for the processor are the time of.
 */
gint64 pd_loop_work_get_total (const PdLoopWork *self, gint64 local);

/**
 * pd_portions_get_count:
 * Returns: the number of portions.
 */
gint64 pd_portions_get_count (const PdPortions *self);

/**
 * pd_portions_get:
 * @i: from 0
 *
 * Returns: that portion.
 */
PdPortion pd_portions_get (const PdPortions *self, gint64 i);

/**
 * pd_operation_open:
 * @self: without @self->participants
 *
 * Makes the arrays that all need, zero: the first processor comes.
 */
void pd_operation_open (PdStepOperation *self);

/**
 * pd_operation_close:
 * @self: the last processor is through, or the simulation is given up
 *
 * Gives back the arrays.
 */
void pd_operation_close (PdStepOperation *self);

PdLoopWork *pd_loop_work_ref (PdLoopWork *self);
void pd_loop_work_unref (PdLoopWork *self);
PdStepOperation *pd_operation_ref (PdStepOperation *self);
void pd_operation_unref (PdStepOperation *self);
PdCommFamily *pd_comm_family_ref (PdCommFamily *self);
void pd_comm_family_unref (PdCommFamily *self);

/**
 * pd_comm_family_get:
 * @linear: a processor's linear number in the team's grid
 *
 * Returns: (transfer none): the communicator it uses.
 */
PdComm *pd_comm_family_get (const PdCommFamily *self, guint32 linear);

#endif
