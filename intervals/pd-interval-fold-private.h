/* The results: inclusive values, and characteristics computed from them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_FOLD_PRIVATE_H
#define PD_INTERVAL_FOLD_PRIVATE_H

#include "intervals/pd-interval-private.h"

/**
 * pd_interval_preorder:
 * Returns: (transfer full) (element-type guint32): @top and its descendants,
 *   children in order of creation.
 */
GArray *pd_interval_preorder (const PdIntervalTree *self, guint32 top);

/**
 * pd_interval_walk:
 * @visit: called for every node, descendants before ancestors
 *
 * Holds the inclusive columns of one node per open level only.
 */
void pd_interval_walk (const PdIntervalTree *self, PdIntervalVisitFunc visit, gpointer data);

/**
 * pd_interval_get_exe_counts:
 * @counts: (array) (out caller-allocated): n_processors entry counts of @node;
 *   the root's are 1
 */
void pd_interval_get_exe_counts (const PdIntervalTree *self, guint32 node, gint64 *counts);

/**
 * pd_interval_get_values:
 * @self: the tree
 * @visit: a node with its inclusive columns
 * @processor: whose
 * @values: (array length=PD_N_CHARACTERISTICS) (out caller-allocated): picoseconds
 */
void pd_interval_get_values (const PdIntervalTree *self, const PdIntervalVisit *visit,
                             guint32 processor, PdTime *values);

#endif
