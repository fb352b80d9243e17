/* The results: inclusive values, and characteristics computed from them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_FOLD_H
#define PD_INTERVAL_FOLD_H

#include "intervals/pd-interval.h"

/**
 * pd_interval_tree_fold:
 * @self: the tree
 *
 * Folds the processors' values into one tree for the machine: inclusive sums
 * first, then quantities that are not additive. Takes O(nodes * processors) time.
 *
 * Returns: (transfer full) (element-type PdIntervalResult): one entry per
 *   node in preorder, children in order of creation; unref with
 *   g_array_unref() before the tree is freed.
 */
GArray *pd_interval_tree_fold (const PdIntervalTree *self);

/**
 * pd_interval_tree_get_processor:
 * @self: the tree
 * @node: a node
 * @processor: whose
 * @values: (array length=PD_N_CHARACTERISTICS) (out caller-allocated): the
 *   inclusive characteristics of that processor in that interval
 *
 * Costs O(descendants * processors) because of Idle and Load_Imbalance; for
 * all processors of a node use pd_interval_tree_get_all_processors().
 *
 * Returns: whether @processor executed @node.
 */
gboolean pd_interval_tree_get_processor (const PdIntervalTree *self, guint32 node,
                                         guint32 processor, PdTime *values);

/**
 * pd_interval_tree_get_all_processors:
 * @self: the tree
 * @node: a node
 * @values: (array) (out caller-allocated): n_processors * PD_N_CHARACTERISTICS
 *   values, processor by processor
 * @present: (array) (out caller-allocated) (nullable): n_processors flags:
 *   whether it executed @node
 */
void pd_interval_tree_get_all_processors (const PdIntervalTree *self, guint32 node, PdTime *values,
                                          gboolean *present);

/**
 * pd_interval_tree_get_counts:
 * @self: the tree
 * @node: a node
 * @counts: (array) (out caller-allocated): n_processors *
 *   (%PD_N_QUANTITIES - %PD_N_TIMES) counts, inclusive but for EXE_COUNT, which
 *   is that of @node; processor by processor
 */
void pd_interval_tree_get_counts (const PdIntervalTree *self, guint32 node, guint64 *counts);

/* The operations of one processor in one interval, by kind. */
typedef struct
{
  guint64 counts[PD_N_OPERATIONS]; /* in which it took part */
  PdTime times[PD_N_OPERATIONS][PD_N_OPERATION_TIMES];
} PdProcessorOperations;

/**
 * pd_interval_tree_get_operations:
 * @self: the tree
 * @node: a node
 * @values: (array) (out caller-allocated): of each processor, inclusive of the intervals inside
 *   @node
 */
void pd_interval_tree_get_operations (const PdIntervalTree *self, guint32 node,
                                      PdProcessorOperations *values);

#endif
