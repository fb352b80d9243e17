/* The model: pd-scale-fit.c finds it, pd-scale-make.c makes programs of it, and
 * pd-scale-describe.c describes it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_MODEL_PRIVATE_H
#define PD_SCALE_MODEL_PRIVATE_H

#include "scale/fold/pd-column.h"
#include "scale/near/pd-scale-share.h"
#include "scale/pd-scale-known.h"
#include "scale/pd-scale-model.h"
#include "scale/pd-scale-run.h"
#include "scale/pd-scale-times.h"

typedef enum
{
  PD_SCALE_BY_RULE,
  PD_SCALE_BY_TURN,    /* each repetition has a rule of its own */
  PD_SCALE_BY_LIST,    /* rule: of the length; entries: of its entries, k = place, m = length; with
                        * turns each entry has a rule of its own */
  PD_SCALE_LITERALLY,  /* the same sequence in all ranks of the class, on all numbers of ranks */
  PD_SCALE_BY_AVERAGE, /* of the blocks that the call has for each member */
} PdScaleHow;

/* A rule that explains the recorded values as well as the one that is taken. */
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
  gboolean by_level; /* turns are those of the loop around the innermost one, again and again */
  GArray *others;    /* (element-type PdScaleOther) */
  gboolean has_list; /* FALSE: there is no list */
  gboolean has_period;
  PdRule period; /* after how many repetitions the rule begins again */
  PdColumn literal;
  PdScaleNear near;
  gint64 unit;       /* of drawn ones: all are multiples of it; */
  PdScaleTimes mean; /* of P ranks; literal: ratios to it, in millionths */
} PdScaleNumber;

/* Instead of a column: how often an element or a loop is repeated. */
#define PD_SCALE_REPETITIONS PD_SCALE_N_COLUMNS

/* First repetitions of a loop, and of the loop around it, whose times may differ from those of the
 * others. */
#define PD_SCALE_MOST_TURNS  8
#define PD_SCALE_MOST_LEVELS 16

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
  /* of an element: */
  guint n_turns;     /* first repetitions of the loop around it with times of their own */
  guint n_levels;    /* likewise, of the loop around that */
  GArray *times;     /* (nullable) (element-type PdScaleTimes): of each of both and of those behind:
                      * of each group, see pd_scale_node_get_group() */
  GPtrArray *points; /* (nullable) (element-type GArray): of each group what its times were found in
                      * (element-type PdScalePoint), until all classes are known */
  guint group;       /* the first one, among those of all elements of the class */
  GPtrArray *scatter; /* (nullable) (element-type GArray): of some ranks of the largest recording,
                       * of each group: each time, the amount's ratio to the median; negative: how
                       * much more than the median it is, which others do not have, divided by the
                       * square root of that (element-type gdouble) */
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
  guint n_groups;   /* of times, of all nodes */
  GArray *comms;    /* PdScaleComm */
  GPtrArray *nodes; /* (element-type PdScaleNode) */
} PdScaleClass;

struct _PdScaleModel
{
  PdScaleWords *words;
  PdAmountUnit unit;
  gboolean is_settled; /* completions of requests are */
  guint grid;          /* kinds */
  guint classes;
  GArray *known;     /* PdScaleKnown: rules of all places */
  GHashTable *pools; /* (nullable): sizes that depend on data; %NULL: no rule, no model */
  PdScaleShare share;
  PdScalePhase phase;
  struct _PdScaleShared *shared; /* (nullable): places of all classes, while they are found */
  GArray *sizes;                 /* guint32: numbers of ranks, rising */
  GPtrArray *members;            /* (element-type PdScaleClass) */
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
 * pd_scale_node_get_group:
 * Returns: where the times of the repetition @turn are, in the repetition @level of the loop
 * around.
 */
static inline guint
pd_scale_node_get_group (const PdScaleNode *node, gint64 level, gint64 turn)
{
  return (guint) (MIN (level, node->n_levels) * (node->n_turns + 1) + MIN (turn, node->n_turns));
}

/**
 * pd_scale_node_get_times:
 * @group: of @node, which has amounts
 */
static inline const PdScaleTimes *
pd_scale_node_get_times (const PdScaleNode *node, guint group)
{
  return &g_array_index (node->times, PdScaleTimes, group);
}

/**
 * pd_scale_node_count_rows:
 * Returns: how many ranks its scatter is of.
 */
static inline guint
pd_scale_node_count_rows (const PdScaleNode *node)
{
  return node->scatter != NULL ? node->scatter->len / node->times->len : 0;
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
