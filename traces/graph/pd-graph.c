/* Dependency graphs in memory: reading back.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-huge.h"
#include "traces/graph/pd-graph-private.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (PdGraphCell) == 16);
G_STATIC_ASSERT (sizeof (PdGraphWide) == 16);

G_DEFINE_QUARK (pd - graph - error - quark, pd_graph_error)

/* ---- totals */

void
pd_graph_totals_finish (PdGraph *graph, gsize n_cells, gsize n_edges)
{
  const PdGraphCells *arrays = &graph->arrays;
  PdGraphTotals *totals = &graph->totals;

  for (gsize i = 0; i < n_cells; i++)
    {
      totals->n_roots += (arrays->cells[i].flags & PD_GRAPH_CELL_ROOT) != 0;
      totals->joins |= (arrays->cells[i].flags & PD_GRAPH_CELL_JOIN) != 0;
    }
  pd_graph_totals_set_size (graph, n_cells, n_edges);
}

void
pd_graph_totals_set_size (PdGraph *graph, gsize n_cells, gsize n_edges)
{
  PdGraphTotals *totals = &graph->totals;

  totals->n_ops = n_cells;
  totals->n_edges = n_edges;
  totals->n_bytes = (n_cells + 1) * sizeof (PdGraphCell) + n_edges * sizeof (guint32)
                    + graph->n_wide * sizeof (PdGraphWide)
                    + ((gsize) graph->n_ranks + 1) * sizeof (guint32);
}

/* ---- reading back */

void
pd_graph_free (PdGraph *self)
{
  if (self == NULL)
    return;
  if (self->owner == NULL)
    {
      pd_huge_free (self->arrays.cells);
      pd_huge_free (self->arrays.first);
      pd_huge_free (self->arrays.edges);
      pd_huge_free (self->arrays.wide);
    }
  else
    g_bytes_unref (self->owner);
  g_free (self);
}

const PdGraphCells *
pd_graph_get_cells (const PdGraph *self)
{
  return &self->arrays;
}

guint32
pd_graph_get_n_ranks (const PdGraph *self)
{
  return self->n_ranks;
}

guint32
pd_graph_get_n_ops (const PdGraph *self, guint32 rank)
{
  g_return_val_if_fail (rank < self->n_ranks, 0);

  return self->arrays.first[rank + 1] - self->arrays.first[rank];
}

static const PdGraphCell *
get_cell (const PdGraph *self, guint32 rank, guint32 i)
{
  return &self->arrays.cells[self->arrays.first[rank] + i];
}

void
pd_graph_get_op (const PdGraph *self, guint32 rank, guint32 i, PdGraphOp *op)
{
  g_return_if_fail (i < pd_graph_get_n_ops (self, rank));

  *op = pd_graph_cell_decode (get_cell (self, rank, i), self->arrays.wide);
}

guint32
pd_graph_get_n_successors (const PdGraph *self, guint32 rank, guint32 i)
{
  const PdGraphCell *cell;

  g_return_val_if_fail (i < pd_graph_get_n_ops (self, rank), 0);
  cell = get_cell (self, rank, i);
  return cell->flags & PD_GRAPH_CELL_NEXT ? 1 : cell[1].edges - cell->edges;
}

guint32
pd_graph_get_successor (const PdGraph *self, guint32 rank, guint32 i, guint32 k, gboolean *on_start)
{
  const PdGraphCell *cell;
  guint32 edge;

  g_return_val_if_fail (k < pd_graph_get_n_successors (self, rank, i), 0);
  cell = get_cell (self, rank, i);
  edge = cell->flags & PD_GRAPH_CELL_NEXT ? i + 1 : self->arrays.edges[cell->edges + k];
  *on_start = (edge & PD_GRAPH_EDGE_START) != 0;
  return edge & PD_GRAPH_EDGE_OP;
}

void
pd_graph_count_dependencies (const PdGraph *self, guint32 rank, guint32 *counts)
{
  guint32 n = pd_graph_get_n_ops (self, rank);
  gboolean on_start;

  if (n == 0)
    return;
  memset (counts, 0, n * sizeof *counts);
  for (guint32 i = 0; i < n; i++)
    for (guint32 k = 0; k < pd_graph_get_n_successors (self, rank, i); k++)
      counts[pd_graph_get_successor (self, rank, i, k, &on_start)]++;
}

const PdGraphTotals *
pd_graph_get_totals (const PdGraph *self)
{
  return &self->totals;
}
