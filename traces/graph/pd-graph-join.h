/* Dependency graphs whose ranks were built apart, by several threads. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_JOIN_H
#define PD_GRAPH_JOIN_H

#include "traces/graph/pd-graph.h"

/**
 * pd_graph_join:
 * @parts: (array length=n) (element-type PdGraph): graphs of the same number of ranks, of which
 *   each has operations of some, of higher ones than the part before; they are freed here, in any
 *   case
 * @n: how many, 1 at least
 * @n_threads: that copy
 *
 * Returns: (transfer full) (nullable): the graph that one builder would have made of all; %NULL if
 *   it has too many operations or dependencies.
 */
PdGraph *pd_graph_join (PdGraph **parts, guint n, guint n_threads);

#endif
