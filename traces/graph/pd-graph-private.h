/* What a graph is made of. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_PRIVATE_H
#define PD_GRAPH_PRIVATE_H

#include "traces/graph/pd-graph-cells.h"

#define PD_GRAPH_MAX_EDGES (G_MAXUINT32 - 1)

struct _PdGraph
{
  PdGraphCells arrays;
  GBytes *owner; /* (nullable): has the arrays, which are read only then */
  guint32 n_ranks;
  guint32 n_wide;
  PdGraphTotals totals;
};

/* Adds an operation to @totals, but not to their sums over the graph. */
void pd_graph_totals_count (PdGraphTotals *totals, const PdGraphOp *op);

/* Of a graph whose arrays and other totals are complete. */
void pd_graph_totals_finish (PdGraph *graph, gsize n_cells, gsize n_edges);

/* The part of it that needs no look at the operations. */
void pd_graph_totals_set_size (PdGraph *graph, gsize n_cells, gsize n_edges);

#endif
