/* What pd-scale-fit.c finds, pd-scale-make.c carries out and pd-scale-describe.c says.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_MODEL_PRIVATE_H
#define PD_SCALE_MODEL_PRIVATE_H

#include "scale/fold/pd-column.h"
#include "scale/pd-scale-known.h"
#include "scale/pd-scale-model.h"
#include "scale/pd-scale-run.h"
#include "scale/pd-scale-times.h"

typedef enum
{
  PD_SCALE_BY_RULE,
  PD_SCALE_BY_TURN,   /* each repetition has a rule of its own */
  PD_SCALE_BY_LIST,   /* rule: of the length; entries: of its entries, k = place, m = length */
  PD_SCALE_LITERALLY, /* the same sequence in all ranks of the class, on all numbers of ranks */
} PdScaleHow;

/* A rule that explains what was recorded as well as the one that is taken. */
typedef struct
{
  gint64 turn; /* whose rule it is an alternative to; 0 without turns */
  PdRule rule;
} PdScaleOther;

/* How a number comes about. */
typedef struct
{
  PdScaleHow how;
  PdRule rule;
  PdRule entries;
  GArray *turns;     /* (nullable) (element-type PdRule) */
  GArray *others;    /* (element-type PdScaleOther) */
  gboolean has_list; /* FALSE: there is no list */
  gboolean has_period;
  PdRule period; /* after how many repetitions the rule begins again */
  PdColumn literal;
} PdScaleNumber;

/* First repetitions of a loop whose times may differ from those of the others. */
#define PD_SCALE_MOST_TURNS 16

typedef struct _PdScaleNode PdScaleNode;

struct _PdScaleNode
{
  guint id; /* in its class, from 0 */
  guint32 shape;
  gboolean
      once; /* wherever it was recorded: its numbers follow the repetitions of the loop around */
  PdScaleNumber counts;
  GPtrArray *children;    /* (nullable) (element-type PdScaleNode): of a loop */
  PdScaleNumber *numbers; /* (nullable) (array length=PD_SCALE_AMOUNT): of an element */
  PdScaleTimes times;     /* of an element: its amounts, but those of the first repetitions, if they
                           * have     times of their own: */
  GArray *turns;          /* (nullable) (element-type PdScaleTimes) */
  GPtrArray
      *scatter; /* (nullable) (element-type GArray): of some ranks of the largest recording,
                 * each time, the amount's ratio to what its times give (element-type gdouble) */
  const PdScaleNode *beat; /* (nullable): itself or its neighbour in the loop, which has a period */
  PdColumn amounts; /* if these are the same in all ranks of the class, on all numbers of ranks */
  gboolean has_amount;
};

/* Of the communicators that ranks of a class use, in the order of their shapes. */
typedef struct
{
  guint mask;
  guint32 duplicate; /* the first, second … of those with the same members */
} PdScaleComm;

typedef struct
{
  guint32 key;
  guint n_ranks; /* recorded, of all runs */
  guint n_sizes; /* numbers of ranks that they are of */
  guint n_nodes;
  GArray *comms;    /* PdScaleComm */
  GPtrArray *nodes; /* (element-type PdScaleNode) */
} PdScaleClass;

struct _PdScaleModel
{
  PdScaleWords *words;
  PdAmountUnit unit;
  guint grid; /* kinds */
  guint classes;
  GArray *known; /* PdScaleKnown: rules of all places */
  PdScalePhase phase;
  GArray *sizes;      /* guint32: numbers of ranks, rising */
  GPtrArray *members; /* (element-type PdScaleClass) */
  gdouble time_error;
  gdouble time_sum;
  PdScaleOrigin origin;
};

/**
 * pd_scale_model_new_empty:
 * Returns: (transfer full): a model of nothing, to be filled.
 */
PdScaleModel *pd_scale_model_new_empty (void);

/**
 * pd_scale_class_free:
 * Frees @data, a class.
 */
void pd_scale_class_free (gpointer data);

/**
 * pd_scale_nodes_new:
 * Returns: (transfer full) (element-type PdScaleNode): no nodes.
 */
GPtrArray *pd_scale_nodes_new (void);

/**
 * pd_scale_node_count_turns:
 * Returns: how many first repetitions have times of their own.
 */
static inline guint
pd_scale_node_count_turns (const PdScaleNode *node)
{
  return node->turns != NULL ? node->turns->len : 0;
}

/**
 * pd_scale_node_get_times:
 * @turn: a repetition, or how many have times of their own: of the others
 */
static inline const PdScaleTimes *
pd_scale_node_get_times (const PdScaleNode *node, guint turn)
{
  return turn < pd_scale_node_count_turns (node) ? &g_array_index (node->turns, PdScaleTimes, turn)
                                                 : &node->times;
}

/**
 * pd_scale_node_count_rows:
 * Returns: how many ranks its scatter is of.
 */
static inline guint
pd_scale_node_count_rows (const PdScaleNode *node)
{
  return node->scatter != NULL ? node->scatter->len / (pd_scale_node_count_turns (node) + 1) : 0;
}

/**
 * pd_scale_nodes_set_beat:
 * @nodes: all of a loop, or of a class: each gets its beat
 */
void pd_scale_nodes_set_beat (GPtrArray *nodes);

/**
 * pd_scale_node_get_period:
 * @beat: of a node
 * @place: of a rank, in the communicator of @beat
 *
 * Returns: after how many repetitions a loop begins that is in the loop around the node, where the
 *   recordings do not show two loops.
 */
gint64 pd_scale_node_get_period (const PdScaleNode *beat, const PdRulePlace *place);

/**
 * pd_scale_fit:
 * @self: with words, grid and kind of classes; its members are found
 * @runs: (element-type PdScaleRun): the recordings
 * @n_explained: (out): how many numbers rules were found for
 * @error: return location for %PD_SCALE_ERROR_REFUSED: the first number that no rule explains
 */
gboolean pd_scale_fit (PdScaleModel *self, GPtrArray *runs, guint *n_explained, GError **error);

#endif
