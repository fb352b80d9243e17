/* The tree's storage, shared by the files of this folder only.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_PRIVATE_H
#define PD_INTERVAL_PRIVATE_H

#include "intervals/pd-interval.h"

#define PD_INTERVAL_NONE G_MAXUINT32

/* The set of all processors is always the first. */
#define PD_INTERVAL_ALL 0u

typedef struct
{
  PdIntervalKey key; /* its file and name are owned */
  guint32 number;
  guint32 parent; /* the root's is PD_INTERVAL_NONE */
  guint32 depth;
  guint32 first_child; /* children are linked in order of creation */
  guint32 last_child;
  guint32 next_sibling;
  guint32 n_shared; /* length of shared */
  gint64 **shared;  /* by set: NULL, or PD_N_QUANTITIES values that every member has */
  guint64 n_operations[PD_N_OPERATIONS]; /* of the program: each counted once */
} PdIntervalNode;

typedef struct
{
  guint32 n;
  guint32 *members; /* ascending; NULL stands for all processors */
} PdIntervalSet;

struct _PdIntervalTree
{
  guint32 n_processors;
  PdIntervalModel model;
  GPtrArray *nodes;      /* PdIntervalNode*, owned; by number */
  GHashTable *index;     /* PdIntervalNode* -> itself; equal by parent and key */
  gint64 **columns;      /* [node * PD_N_QUANTITIES + quantity]: NULL or n_processors values */
  gsize n_columns;       /* allocated length of columns, also the rows of nodes to come */
  GArray *sets;          /* PdIntervalSet */
  GHashTable *set_index; /* GBytes of the members -> number */
};

/* The formula of a characteristic of one processor by inclusive quantities:
 * base + the sum of plus - the sum of minus, as masks of PdQuantity. */
typedef enum
{
  PD_BASE_ZERO,
  PD_BASE_MAX_EXECUTION, /* the largest Execution_time of the interval */
  PD_BASE_MAX_WORK,      /* the largest CPU_time_Par; of MPI programs Productive_time */
  PD_N_BASES,
} PdBase;

typedef struct
{
  guint64 plus;
  guint64 minus;
  PdBase base;
} PdFormula;

G_STATIC_ASSERT (PD_N_TIMES <= 64);

/* One node during the walk. */
typedef struct
{
  guint32 node;
  guint32 position;                   /* in preorder */
  gint64 *inclusive[PD_N_QUANTITIES]; /* n_processors values each; NULL = all are 0 */
  gint64 *exe_count;                  /* its own, n_processors values */
  gint64 bases[PD_N_BASES];
} PdIntervalVisit;

typedef void (*PdIntervalVisitFunc) (const PdIntervalTree *self, const PdIntervalVisit *visit,
                                     gpointer data);

/* Returns: (transfer none): the node numbered @node. */
static inline const PdIntervalNode *
pd_interval_node (const PdIntervalTree *self, guint32 node)
{
  return g_ptr_array_index (self->nodes, node);
}

/* Saturating at both ends: values that hit the end are found by the check. */
static inline gint64
pd_interval_plus (gint64 a, gint64 b)
{
  gint64 sum;
  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static inline gint64
pd_interval_minus (gint64 a, gint64 b)
{
  gint64 difference;
  return __builtin_sub_overflow (a, b, &difference) ? G_MININT64 : difference;
}

#endif
