/* The contents of a graph. Internal to traces/.
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
static inline void
pd_graph_totals_count (PdGraphTotals *totals, const PdGraphOp *op)
{
  totals->n_of[op->kind]++;
  totals->max_cpu = MAX (totals->max_cpu, op->cpu);
  if (op->kind == PD_GRAPH_CALC)
    return;
  totals->max_nic = MAX (totals->max_nic, op->nic);
  if (op->kind == PD_GRAPH_SEND)
    {
      totals->sends_any |= op->tag == PD_GRAPH_ANY;
      totals->n_sent.ps += op->size;
    }
  else
    {
      totals->any_source |= op->peer == PD_GRAPH_ANY;
      totals->any_tag |= op->tag == PD_GRAPH_ANY;
    }
}

/* Of a graph whose arrays and other totals are complete. */
void pd_graph_totals_finish (PdGraph *graph, gsize n_cells, gsize n_edges);

/* The part of it that needs no look at the operations. */
void pd_graph_totals_set_size (PdGraph *graph, gsize n_cells, gsize n_edges);

#endif
