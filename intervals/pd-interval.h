/* The interval tree and its characteristics: one tree for the whole machine,
 * one value per (node, quantity, processor), for predicted and measured runs
 * alike. Times are PdTime; everything is exact to the picosecond.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_H
#define PD_INTERVAL_H

#include "base/pd-time.h"

typedef enum
{
  PD_INTERVAL_MAIN,
  PD_INTERVAL_SEQ,  /* a sequential loop */
  PD_INTERVAL_PAR,  /* a parallel loop */
  PD_INTERVAL_USER, /* marked by the programmer */
} PdIntervalType;

/* The kind of program: some quantities and characteristics exist for one kind
 * only. */
typedef enum
{
  PD_MODEL_DVM, /* a DVM program */
  PD_MODEL_MPI, /* a message-passing program */
  PD_N_MODELS,
} PdIntervalModel;

/* USER intervals without an expression. */
#define PD_INTERVAL_NO_INDEX G_GINT64_CONSTANT (2000000000)

/* The identity of an interval below its parent. */
typedef struct
{
  PdIntervalType type;
  const char *file; /* source file; copied */
  gint64 line;      /* of its first statement; 0 = unknown */
  gint64 index;     /* value of the user's expression; %PD_INTERVAL_NO_INDEX = none */
  const char *name; /* (nullable): what the program calls it; copied; read back never %NULL */
} PdIntervalKey;

/* The kinds of operations of DVM programs: rows of the table of operations. */
typedef enum
{
  PD_OPERATION_IO,
  PD_OPERATION_REDUCTION,
  PD_OPERATION_SHADOW, /* exchanges of shadow edges */
  PD_OPERATION_REMOTE_ACCESS,
  PD_OPERATION_REDISTRIBUTION,
  PD_OPERATION_PIPELINE, /* ordered (ACROSS) loops: edges that are passed on in their order */
  PD_OPERATION_TASK,
  PD_OPERATION_OTHER, /* barriers, messages of the program, communicators, measurements */
  PD_N_OPERATIONS,
} PdOperationKind;

/* The columns of that table that are times. */
typedef enum
{
  PD_OPERATION_COMMUNICATION,
  PD_OPERATION_REAL_SYNC,
  PD_OPERATION_SYNCHRONIZATION,
  PD_OPERATION_TIME_VARIATION,
  PD_OPERATION_OVERLAP,
  PD_N_OPERATION_TIMES,
} PdOperationTime;

/* The quantities that a simulation adds up, per processor and node ("own" values: while the
 * node is the innermost). Execution_time is CPU + I/O + communication. */
typedef enum
{
  PD_Q_CPU_SEQ,
  PD_Q_CPU_PAR,
  PD_Q_IO,
  /* of DVM programs: every PdOperationTime of every PdOperationKind, see pd_operation_quantity();
   * first those of Communication */
  PD_Q_OPERATION_TIMES,
  PD_Q_IO_COMM = PD_Q_OPERATION_TIMES,
  PD_Q_WAIT_REDUCTION,
  PD_Q_WAIT_SHADOW,
  PD_Q_REMOTE_ACCESS,
  PD_Q_REDISTRIBUTION,
  PD_Q_PIPELINE_COMM,
  PD_Q_TASK_COMM,
  PD_Q_OTHER_COMM,
  /* … then the other columns */
  PD_Q_SENDRECV = PD_Q_OPERATION_TIMES + PD_N_OPERATIONS * PD_N_OPERATION_TIMES,
  PD_Q_COLLECTIVE, /* of message-passing programs, SENDRECV, COLLECTIVE and SYSTEM are */
  PD_Q_SYSTEM,     /* the components of Communication */
  PD_Q_LIBRARY,    /* DVM: a share of Communication */
  PD_Q_INSUFF_SEQ, /* shares of CPU_SEQ, CPU_PAR */
  PD_Q_INSUFF_PAR,
  PD_Q_SYNCHRONIZATION, /* MPI: what barriers would cost */
  PD_Q_REAL_SYNC,       /* MPI: a share of SENDRECV */
  PD_Q_TIME_VARIATION,  /* MPI */
  PD_Q_OTHER_OVERLAP,   /* MPI: all */
  PD_N_TIMES,
  /* counters: a plain count in PdTime.ps; first those of PdOperationKind */
  PD_Q_N_IO = PD_N_TIMES,
  PD_Q_N_REDUCTION,
  PD_Q_N_SHADOW,
  PD_Q_N_REMOTE_ACCESS,
  PD_Q_N_REDISTRIBUTION,
  PD_Q_N_PIPELINES,
  PD_Q_N_TASKS,
  PD_Q_N_OTHER,
  PD_Q_N_SENDS,
  PD_Q_N_RECEIVES,
  PD_Q_N_WAITS,
  PD_Q_N_COLLECTIVES, /* each once: on rank 0 of its group */
  PD_Q_EXE_COUNT,
  PD_N_QUANTITIES,
} PdQuantity;

/**
 * pd_operation_quantity:
 * Returns: the quantity that @time of operations of @kind is added to.
 */
static inline PdQuantity
pd_operation_quantity (PdOperationKind kind, PdOperationTime time)
{
  return (PdQuantity) (PD_Q_OPERATION_TIMES + (guint) time * PD_N_OPERATIONS + kind);
}

/**
 * pd_operation_counter:
 * Returns: the counter of operations of @kind.
 */
static inline PdQuantity
pd_operation_counter (PdOperationKind kind)
{
  return (PdQuantity) (PD_Q_N_IO + (guint) kind);
}

typedef struct _PdIntervalTree PdIntervalTree;

#define PD_INTERVAL_ROOT 0u

/**
 * pd_interval_tree_new:
 * @n_processors: >= 1
 *
 * Returns: (transfer full): a tree that holds only the root, type MAIN. Nodes
 *   are numbered from 0 in order of creation.
 */
PdIntervalTree *pd_interval_tree_new (guint32 n_processors);

/**
 * pd_interval_tree_new_mpi:
 * @n_processors: >= 1
 *
 * Returns: (transfer full): as pd_interval_tree_new(), for a message-passing
 *   program.
 */
PdIntervalTree *pd_interval_tree_new_mpi (guint32 n_processors);

/**
 * pd_interval_tree_free:
 * @self: (nullable): the tree
 */
void pd_interval_tree_free (PdIntervalTree *self);

/**
 * pd_interval_tree_child:
 * @self: the tree
 * @parent: a node
 * @key: what identifies the child
 *
 * Returns: the child of @parent with that key, created if it is new.
 */
guint32 pd_interval_tree_child (PdIntervalTree *self, guint32 parent, const PdIntervalKey *key);

/**
 * pd_interval_tree_add:
 * @self: the tree
 * @node: a node
 * @quantity: what
 * @processor: whose
 * @value: how much more, >= 0
 *
 * Adds to one processor's own value. O(1), no allocation but the first time a
 * (node, quantity) is met: then one column of 8 bytes per processor.
 */
void pd_interval_tree_add (PdIntervalTree *self, guint32 node, PdQuantity quantity,
                           guint32 processor, PdTime value);

/**
 * pd_interval_tree_add_set:
 * @self: the tree
 * @processors: (array length=n): the members, distinct; copied
 * @n: how many; 0 stands for all processors of the tree
 *
 * Returns: a number for a set of processors that get equal values.
 */
guint32 pd_interval_tree_add_set (PdIntervalTree *self, const guint32 *processors, guint32 n);

/**
 * pd_interval_tree_add_shared:
 * @self: the tree
 * @node: a node
 * @quantity: what
 * @set: from pd_interval_tree_add_set()
 * @value: how much more, >= 0
 *
 * As pd_interval_tree_add() for every member of @set, in O(1): the value is
 * kept once.
 */
void pd_interval_tree_add_shared (PdIntervalTree *self, guint32 node, PdQuantity quantity,
                                  guint32 set, PdTime value);

/**
 * pd_interval_tree_count_operation:
 * @self: the tree
 * @node: a node
 * @kind: of the operation
 *
 * One more operation of the program. It is counted once here, whatever number of processors take
 * part: each of these counts it besides, by pd_operation_counter(). Where that is not known, as in
 * measured runs, no operation of @kind is counted here: results have the most of a processor then.
 */
void pd_interval_tree_count_operation (PdIntervalTree *self, guint32 node, PdOperationKind kind);

/* ---- results; the tree must not change any more */

/* The characteristics of the reports, in their order. */
typedef enum
{
  PD_C_EXECUTION_TIME,
  PD_C_CPU_TIME,
  PD_C_CPU_TIME_PAR,
  PD_C_CPU_TIME_SEQ,
  PD_C_IO_TIME,
  PD_C_COMMUNICATION,
  PD_C_WAIT_REDUCTION,
  PD_C_WAIT_SHADOW,
  PD_C_REMOTE_ACCESS,
  PD_C_REDISTRIBUTION,
  PD_C_IO_COMM,
  PD_C_OTHER_COMM,
  PD_C_SENDRECV_TIME,
  PD_C_COLLECTIVE_TIME,
  PD_C_SYSTEM_TIME,
  PD_C_INSUFFICIENT_PARALLELISM,
  PD_C_INSUFFICIENT_PARALLELISM_PAR,
  PD_C_INSUFFICIENT_PARALLELISM_SEQ,
  PD_C_LIBRARY_TIME,
  PD_C_SYNCHRONIZATION,
  PD_C_REAL_SYNC,
  PD_C_TIME_VARIATION,
  PD_C_IDLE,
  PD_C_LOAD_IMBALANCE,
  PD_C_OVERLAP,
  PD_C_REDUCTION_OVERLAP,
  PD_C_SHADOW_OVERLAP,
  PD_C_LOST_TIME,
  PD_C_PRODUCTIVE_TIME,
  PD_C_PRODUCTIVE_CPU_TIME,
  PD_N_CHARACTERISTICS,
} PdCharacteristic;

/* A characteristic over the processors that executed an interval. */
typedef struct
{
  PdTimeSum sum; /* for EXECUTION_TIME: the maximum, as the integral is */
  PdTime min;
  PdTime max;
  guint32 min_at; /* the first processor with that value */
  guint32 max_at;
} PdSummary;

/* One interval of the whole machine, inclusive of its descendants. */
typedef struct
{
  guint32 node;
  guint32 parent; /* the root's is the root */
  guint32 depth;  /* 0 for the root */
  PdIntervalType type;
  const char *file; /* borrowed from the tree */
  gint64 line;
  gint64 index;
  const char *name;     /* borrowed likewise; "" if it has none */
  guint32 n_processors; /* that executed it */
  PdSummary values[PD_N_CHARACTERISTICS];
  PdTimeSum total_time;                         /* n_processors * Execution_time */
  gdouble efficiency;                           /* Productive_time / Total_time; 1 if that is 0 */
  guint64 counts[PD_N_QUANTITIES - PD_N_TIMES]; /* sums; EXE_COUNT: the maximum over processors;
                                                 * of PdOperationKind: each operation once */
  PdTimeSum operations[PD_N_OPERATIONS][PD_N_OPERATION_TIMES]; /* sums over processors */
} PdIntervalResult;

/**
 * pd_interval_tree_get_n_nodes:
 * Returns: the number of nodes, the root included.
 */
guint32 pd_interval_tree_get_n_nodes (const PdIntervalTree *self);

/**
 * pd_interval_tree_get_key:
 * @node: a node
 *
 * Returns: what identifies it below its parent; its file is borrowed from the
 *   tree. Also while the tree still grows.
 */
PdIntervalKey pd_interval_tree_get_key (const PdIntervalTree *self, guint32 node);

/**
 * pd_interval_tree_get_parent:
 * Returns: the node around @node; the root's is the root. Also while the tree
 *   still grows.
 */
guint32 pd_interval_tree_get_parent (const PdIntervalTree *self, guint32 node);

/**
 * pd_interval_tree_get_model:
 * Returns: what kind of program it is the tree of.
 */
PdIntervalModel pd_interval_tree_get_model (const PdIntervalTree *self);

/**
 * pd_interval_tree_get_n_processors:
 * Returns: the number of processors.
 */
guint32 pd_interval_tree_get_n_processors (const PdIntervalTree *self);

#define PD_INTERVAL_ERROR (pd_interval_error_quark ())
typedef enum
{
  PD_INTERVAL_ERROR_IDENTITY, /* an identity does not hold */
} PdIntervalError;

/**
 * pd_interval_error_quark:
 * Returns: the domain of #PdIntervalError.
 */
GQuark pd_interval_error_quark (void);

/* One row per characteristic: it drives the text report, XML, SQLite, JSON
 * and the man page's list. */
typedef struct
{
  const char *name;    /* "I/O_time" */
  const char *id;      /* "io_time": XML attribute, SQLite column, JSON key */
  const char *meaning; /* one sentence */
  const char *mpi;     /* (nullable): what it means of message-passing programs instead */
} PdCharacteristicRow;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdIntervalTree, pd_interval_tree_free)

#endif
