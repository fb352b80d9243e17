/* Dependency graphs in memory: the builder, and reading back.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-huge.h"
#include "traces/graph/pd-graph-private.h"

#include <string.h>

#define MAX_EDGES (G_MAXUINT32 - 1)
/* Ranks may be empty, but a claim of many ranks must be backed by input. */
#define RANKS_FOR_NOTHING (1u << 20)
#define RANKS_PER_OP      16

G_STATIC_ASSERT (sizeof (PdGraphCell) == 16);
G_STATIC_ASSERT (sizeof (PdGraphWide) == 16);

/* A dependency of the current rank, as it was given. */
typedef struct
{
  guint32 on;
  guint32 op; /* with PD_GRAPH_EDGE_START */
} Edge;

struct _PdGraphBuilder
{
  PdGraph *graph;
  gsize n_cells, size_cells; /* used and allocated entries of the graph's arrays */
  gsize n_edges, size_edges;
  gsize size_wide;
  gsize n_first, size_first; /* ranks begun, and empty ones before them */
  Edge *own;                 /* dependencies of the current rank */
  gsize n_own, size_own;
  guint32 *starts; /* scratch: where the successors of an operation begin */
  gsize size_starts;
  gboolean begun; /* some rank */
  GError *error;  /* the first */
};

G_DEFINE_QUARK (pd - graph - error - quark, pd_graph_error)

static void fail (PdGraphBuilder *self, PdGraphError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
fail (PdGraphBuilder *self, PdGraphError code, const char *format, ...)
{
  va_list list;

  if (self->error != NULL)
    return;
  va_start (list, format);
  self->error = g_error_new_valist (PD_GRAPH_ERROR, (gint) code, format, list);
  va_end (list);
}

/* Returns @array with room for at least @n entries of @width bytes. */
static void *
grow (void *array, gsize *size, gsize n, gsize width)
{
  gsize old = *size;

  if (n <= old)
    return array;
  *size = MAX (MAX (n, 16), old + old / 2);
  return pd_huge_grow (array, old * width, *size * width);
}

/* ---- the dependencies of a rank that is complete */

/* Counts for each operation what depends on it, and marks joins and roots. */
static gboolean
count_edges (PdGraphBuilder *self, PdGraphCell *cells, guint32 n)
{
  self->starts = grow (self->starts, &self->size_starts, (gsize) n + 1, sizeof *self->starts);
  memset (self->starts, 0, ((gsize) n + 1) * sizeof *self->starts);
  for (gsize k = 0; k < self->n_own; k++)
    {
      guint32 op = self->own[k].op & PD_GRAPH_EDGE_OP;
      if (op >= n || self->own[k].on >= n)
        {
          fail (self, PD_GRAPH_ERROR_DEPENDENCY,
                "rank %" G_GSIZE_FORMAT ": dependency of operation %u on %u, but there are %u",
                self->n_first - 1, op, self->own[k].on, n);
          return FALSE;
        }
      self->starts[self->own[k].on + 1]++;
      if (cells[op].flags & PD_GRAPH_CELL_ROOT)
        cells[op].flags &= (guint16) ~PD_GRAPH_CELL_ROOT;
      else
        cells[op].flags |= PD_GRAPH_CELL_JOIN;
    }
  for (guint32 i = 0; i < n; i++)
    self->starts[i + 1] += self->starts[i];
  return TRUE;
}

/* Writes the successors of each operation behind those of the ranks before:
 * those of its start, then those of its end. Moves starts[i] to where those of
 * operation i end. */
static void
place_edges (PdGraphBuilder *self, const PdGraphCell *cells, guint32 *edges)
{
  for (guint pass = 0; pass < 2; pass++)
    for (gsize k = 0; k < self->n_own; k++)
      if (((self->own[k].op & PD_GRAPH_EDGE_START) != 0) == (pass == 0))
        {
          guint32 edge = self->own[k].op;
          guint16 flags = cells[edge & PD_GRAPH_EDGE_OP].flags;
          edge |= (guint32) (flags & PD_GRAPH_CELL_KIND) << PD_GRAPH_EDGE_KIND;
          edge |= flags & PD_GRAPH_CELL_JOIN ? PD_GRAPH_EDGE_JOIN : 0;
          edges[self->starts[self->own[k].on]++] = edge;
        }
}

static gboolean
reserve_edges (PdGraphBuilder *self)
{
  PdGraphCells *arrays = &self->graph->arrays;

  if (self->n_own > MAX_EDGES - self->n_edges)
    {
      fail (self, PD_GRAPH_ERROR_LIMIT, "more than %u dependencies", MAX_EDGES);
      return FALSE;
    }
  arrays->edges =
      grow (arrays->edges, &self->size_edges, self->n_edges + self->n_own, sizeof (guint32));
  return TRUE;
}

/* Turns the dependencies of the current rank into successors. */
static void
close_rank (PdGraphBuilder *self)
{
  PdGraphCells *arrays = &self->graph->arrays;
  gsize first = self->n_first > 0 ? arrays->first[self->n_first - 1] : 0;
  guint32 n = (guint32) (self->n_cells - first);
  PdGraphCell *cells = arrays->cells + first;
  guint32 *edges, from = 0, kept = 0;

  if (self->error != NULL || !count_edges (self, cells, n) || !reserve_edges (self))
    return;
  edges = arrays->edges + self->n_edges;
  place_edges (self, cells, edges);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 to = self->starts[i];
      cells[i].edges = (guint32) self->n_edges + kept;
      /* A single dependency that runs to the next operation costs nothing. */
      if (to - from == 1 && (edges[from] & (PD_GRAPH_EDGE_START | PD_GRAPH_EDGE_OP)) == i + 1)
        cells[i].flags |= PD_GRAPH_CELL_NEXT;
      else
        {
          if (to > from && edges[from] & PD_GRAPH_EDGE_START)
            {
              cells[i].flags |= PD_GRAPH_CELL_START;
              self->graph->totals.starts = TRUE;
            }
          memmove (edges + kept, edges + from, (to - from) * sizeof *edges);
          kept += to - from;
        }
      from = to;
    }
  self->n_edges += kept;
  self->n_own = 0;
}

/* ---- the builder */

PdGraphBuilder *
pd_graph_builder_new (guint32 n_ranks)
{
  PdGraphBuilder *self = g_new0 (PdGraphBuilder, 1);

  self->graph = g_new0 (PdGraph, 1);
  self->graph->n_ranks = n_ranks;
  self->graph->arrays.cells = grow (NULL, &self->size_cells, 1, sizeof (PdGraphCell));
  self->graph->arrays.edges = grow (NULL, &self->size_edges, 1, sizeof (guint32));
  return self;
}

void
pd_graph_builder_free (PdGraphBuilder *self)
{
  if (self == NULL)
    return;
  pd_graph_free (self->graph);
  pd_huge_free (self->own);
  pd_huge_free (self->starts);
  g_clear_error (&self->error);
  g_free (self);
}

/* Ranks up to @n begin where the operations end now. */
static void
begin_ranks (PdGraphBuilder *self, gsize n)
{
  PdGraphCells *arrays = &self->graph->arrays;

  arrays->first = grow (arrays->first, &self->size_first, n, sizeof *arrays->first);
  while (self->n_first < n)
    arrays->first[self->n_first++] = (guint32) self->n_cells;
}

/* Whether that many ranks are backed by what was added. */
static gboolean
check_ranks (PdGraphBuilder *self, guint32 n)
{
  if (n <= RANKS_FOR_NOTHING || (n <= PD_GRAPH_MAX_RANKS && n / RANKS_PER_OP <= self->n_cells))
    return TRUE;
  if (n > PD_GRAPH_MAX_RANKS)
    {
      fail (self, PD_GRAPH_ERROR_LIMIT, "%u ranks, more than %u", n, PD_GRAPH_MAX_RANKS);
      return FALSE;
    }
  fail (self, PD_GRAPH_ERROR_LIMIT, "%u ranks, but only %" G_GSIZE_FORMAT " operations", n,
        self->n_cells);
  return FALSE;
}

void
pd_graph_builder_begin_rank (PdGraphBuilder *self, guint32 rank)
{
  g_return_if_fail (rank < self->graph->n_ranks && rank >= self->n_first);

  close_rank (self);
  self->begun = TRUE;
  if (self->error == NULL && check_ranks (self, rank))
    begin_ranks (self, (gsize) rank + 1);
}

static void
check_op (PdGraphBuilder *self, const PdGraphOp *op)
{
  gsize rank = self->n_first - 1;

  if (op->size < 0)
    fail (self, PD_GRAPH_ERROR_VALUE, "rank %" G_GSIZE_FORMAT ": size below zero", rank);
  if (op->kind == PD_GRAPH_CALC || op->peer < self->graph->n_ranks
      || (op->kind == PD_GRAPH_RECV && op->peer == PD_GRAPH_ANY))
    return;
  fail (self, PD_GRAPH_ERROR_PEER, "rank %" G_GSIZE_FORMAT ": peer %u, but there are %u ranks",
        rank, op->peer, self->graph->n_ranks);
}

void
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

/* Moves what does not fit into @cell where there is more room. */
static void
widen (PdGraphBuilder *self, const PdGraphOp *op, PdGraphCell *cell)
{
  PdGraph *graph = self->graph;

  graph->arrays.wide =
      grow (graph->arrays.wide, &self->size_wide, (gsize) graph->n_wide + 1, sizeof (PdGraphWide));
  graph->arrays.wide[graph->n_wide] = (PdGraphWide){ op->size, op->tag, op->cpu, op->nic };
  cell->flags |= PD_GRAPH_CELL_WIDE;
  cell->size = graph->n_wide++;
}

static void
encode (PdGraphBuilder *self, const PdGraphOp *given, PdGraphCell *cell)
{
  PdGraphOp op = *given;
  gboolean calc = op.kind == PD_GRAPH_CALC;

  if (calc)
    op.peer = op.tag = op.nic = 0;
  *cell =
      (PdGraphCell){ (guint32) op.size, calc ? (guint32) (op.size >> 32) : op.peer,
                     op.tag == PD_GRAPH_ANY ? PD_GRAPH_CELL_ANY_TAG : (guint16) op.tag,
                     (guint16) (op.kind | PD_GRAPH_CELL_ROOT | (op.cpu & 15u) << PD_GRAPH_CELL_CPU
                                | (op.nic & 15u) << PD_GRAPH_CELL_NIC),
                     0 };
  if ((!calc && op.size > G_MAXUINT32)
      || (op.tag >= PD_GRAPH_CELL_ANY_TAG && op.tag != PD_GRAPH_ANY) || op.cpu > 15 || op.nic > 15)
    widen (self, &op, cell);
}

guint32
pd_graph_builder_add (PdGraphBuilder *self, const PdGraphOp *op)
{
  PdGraphCells *arrays = &self->graph->arrays;
  guint32 index;

  g_return_val_if_fail (self->begun && op->kind < PD_GRAPH_N_KINDS, 0);

  if (self->n_cells >= PD_GRAPH_MAX_OPS)
    fail (self, PD_GRAPH_ERROR_LIMIT, "more than %d operations", PD_GRAPH_MAX_OPS);
  if (self->error == NULL)
    check_op (self, op);
  if (self->error != NULL)
    return 0;
  index = (guint32) (self->n_cells - arrays->first[self->n_first - 1]);
  if (index >= PD_GRAPH_MAX_RANK_OPS)
    fail (self, PD_GRAPH_ERROR_LIMIT, "rank %" G_GSIZE_FORMAT ": more than %d operations",
          self->n_first - 1, PD_GRAPH_MAX_RANK_OPS);
  arrays->cells = grow (arrays->cells, &self->size_cells, self->n_cells + 1, sizeof (PdGraphCell));
  encode (self, op, &arrays->cells[self->n_cells++]);
  pd_graph_totals_count (&self->graph->totals, op);
  return index;
}

void
pd_graph_builder_depend (PdGraphBuilder *self, guint32 op, guint32 on, gboolean on_start)
{
  g_return_if_fail (self->begun);

  if (op > PD_GRAPH_EDGE_OP)
    fail (self, PD_GRAPH_ERROR_DEPENDENCY, "dependency of operation %u, which cannot be", op);
  if (self->error != NULL)
    return;
  self->own = grow (self->own, &self->size_own, self->n_own + 1, sizeof *self->own);
  self->own[self->n_own++] = (Edge){ on, op | (on_start ? PD_GRAPH_EDGE_START : 0) };
}

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
  totals->n_ops = n_cells;
  totals->n_edges = n_edges;
  totals->n_bytes = (n_cells + 1) * sizeof (PdGraphCell) + n_edges * sizeof (guint32)
                    + graph->n_wide * sizeof (PdGraphWide)
                    + ((gsize) graph->n_ranks + 1) * sizeof (guint32);
}

/* Ends the arrays, and adds up. */
static void
finish_arrays (PdGraphBuilder *self)
{
  PdGraph *graph = self->graph;
  PdGraphCells *arrays = &graph->arrays;

  arrays->cells = grow (arrays->cells, &self->size_cells, self->n_cells + 1, sizeof (PdGraphCell));
  arrays->cells[self->n_cells] = (PdGraphCell){ .edges = (guint32) self->n_edges };
  /* Whoever follows the edges of a cell without looking whether it has any
   * finds one. */
  arrays->edges = grow (arrays->edges, &self->size_edges, self->n_edges + 1, sizeof (guint32));
  arrays->edges[self->n_edges] = 0;
  pd_graph_totals_finish (graph, self->n_cells, self->n_edges);
}

PdGraph *
pd_graph_builder_finish (PdGraphBuilder *self, GError **error)
{
  PdGraph *graph = NULL;

  close_rank (self);
  if (self->error == NULL && check_ranks (self, self->graph->n_ranks))
    {
      begin_ranks (self, (gsize) self->graph->n_ranks + 1);
      finish_arrays (self);
      graph = g_steal_pointer (&self->graph);
    }
  else
    g_propagate_error (error, g_steal_pointer (&self->error));
  pd_graph_builder_free (self);
  return graph;
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
