/* Dependency graphs in memory: the builder.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-huge.h"
#include "traces/graph/pd-graph-private.h"

#include <string.h>

/* Of more than PD_GRAPH_RANKS_FOR_NOTHING ranks, */
#define RANKS_PER_OP 16

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
  guint32 *sorted; /* the dependent operations, in the order of those that they depend on */
  gsize size_sorted;
  guint32 *ends; /* of each operation: where its dependent operations end in @sorted */
  gsize size_ends;
  guint32 *waits; /* … and the number of its dependencies */
  gsize size_waits;
  gboolean is_linked; /* the current rank has its successors */
  gboolean begun;     /* some rank */
  GError *error;      /* the first */
};

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

/* Counts for each operation what depends on it. */
static gboolean
count_edges (PdGraphBuilder *self, guint32 n)
{
  self->ends = grow (self->ends, &self->size_ends, (gsize) n + 1, sizeof *self->ends);
  self->waits = grow (self->waits, &self->size_waits, (gsize) n + 1, sizeof *self->waits);
  memset (self->ends, 0, ((gsize) n + 1) * sizeof *self->ends);
  memset (self->waits, 0, ((gsize) n + 1) * sizeof *self->waits);
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
      self->ends[self->own[k].on + 1]++;
      self->waits[op]++;
    }
  for (guint32 i = 0; i < n; i++)
    self->ends[i + 1] += self->ends[i];
  return TRUE;
}

/* Sorts the dependencies by the operation depended on: first those on its start, then those on its
 * end. ends[i] moves from the begin of those of operation i to their end. */
static void
sort_edges (PdGraphBuilder *self)
{
  self->sorted = grow (self->sorted, &self->size_sorted, self->n_own, sizeof *self->sorted);
  for (guint pass = 0; pass < 2; pass++)
    for (gsize k = 0; k < self->n_own; k++)
      if (((self->own[k].op & PD_GRAPH_EDGE_START) != 0) == (pass == 0))
        self->sorted[self->ends[self->own[k].on]++] = self->own[k].op;
}

static gboolean
reserve_edges (PdGraphBuilder *self, gsize n)
{
  PdGraphCells *arrays = &self->graph->arrays;

  if (n > PD_GRAPH_MAX_EDGES - self->n_edges)
    {
      fail (self, PD_GRAPH_ERROR_LIMIT, "more than %u dependencies", PD_GRAPH_MAX_EDGES);
      return FALSE;
    }
  arrays->edges = grow (arrays->edges, &self->size_edges, self->n_edges + n, sizeof (guint32));
  return TRUE;
}

static PdGraphCell *
get_cells_of_rank (const PdGraphBuilder *self, guint32 *n)
{
  const PdGraphCells *arrays = &self->graph->arrays;
  gsize first = self->n_first > 0 ? arrays->first[self->n_first - 1] : 0;

  *n = (guint32) (self->n_cells - first);
  return arrays->cells + first;
}

/* Marks operations that wait for none, and for several. */
static void
mark_waits (PdGraphCell *cells, guint32 n, const guint32 *waits)
{
  for (guint32 i = 0; i < n; i++)
    if (waits[i] == 0)
      cells[i].flags |= PD_GRAPH_CELL_ROOT;
    else if (waits[i] > 1)
      cells[i].flags |= PD_GRAPH_CELL_JOIN;
}

/* Turns the @n_successors of @cell into edges; @cells are those of the rank. Returns: how many
 * edges that makes. */
static gsize
write_edges (const PdGraphCell *cells, PdGraphCell *cell, const guint32 *successors,
             guint32 n_successors, guint32 *edges)
{
  guint32 next = (guint32) (cell - cells) + 1;

  /* A single dependency that runs to the next operation costs nothing. */
  if (n_successors == 1 && successors[0] == next)
    {
      cell->flags |= PD_GRAPH_CELL_NEXT;
      return 0;
    }
  if (n_successors > 0 && successors[0] & PD_GRAPH_EDGE_START)
    cell->flags |= PD_GRAPH_CELL_START;
  for (guint32 k = 0; k < n_successors; k++)
    {
      guint16 flags = cells[successors[k] & PD_GRAPH_EDGE_OP].flags;
      edges[k] = successors[k] | (guint32) (flags & PD_GRAPH_CELL_KIND) << PD_GRAPH_EDGE_KIND
                 | (flags & PD_GRAPH_CELL_JOIN ? PD_GRAPH_EDGE_JOIN : 0);
    }
  return n_successors;
}

void
pd_graph_builder_set_successors (PdGraphBuilder *self, const guint32 *waits, const guint32 *ends,
                                 const guint32 *successors)
{
  guint32 n, from = 0;
  PdGraphCell *cells = get_cells_of_rank (self, &n);

  if (self->error != NULL || n == 0 || !reserve_edges (self, ends[n - 1]))
    return;
  mark_waits (cells, n, waits);
  for (guint32 i = 0; i < n; i++)
    {
      cells[i].edges = (guint32) self->n_edges;
      if (ends[i] > from)
        self->n_edges += write_edges (cells, &cells[i], successors + from, ends[i] - from,
                                      self->graph->arrays.edges + self->n_edges);
      self->graph->totals.starts |= (cells[i].flags & PD_GRAPH_CELL_START) != 0;
      from = ends[i];
    }
  self->is_linked = TRUE;
}

/* Turns the dependencies of the current rank into successors. */
static void
close_rank (PdGraphBuilder *self)
{
  guint32 n;

  get_cells_of_rank (self, &n);
  if (!self->is_linked && self->error == NULL && count_edges (self, n))
    {
      sort_edges (self);
      pd_graph_builder_set_successors (self, self->waits, self->ends, self->sorted);
      self->n_own = 0;
    }
  self->is_linked = FALSE;
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
pd_graph_builder_reserve (PdGraphBuilder *self, gsize n_ops, gsize n_dependencies)
{
  PdGraphCells *arrays = &self->graph->arrays;

  arrays->cells = grow (arrays->cells, &self->size_cells, MIN (n_ops, (gsize) PD_GRAPH_MAX_OPS) + 1,
                        sizeof (PdGraphCell));
  arrays->edges = grow (arrays->edges, &self->size_edges,
                        MIN (n_dependencies, (gsize) PD_GRAPH_MAX_EDGES) + 1, sizeof (guint32));
}

void
pd_graph_builder_free (PdGraphBuilder *self)
{
  if (self == NULL)
    return;
  pd_graph_free (self->graph);
  pd_huge_free (self->own);
  pd_huge_free (self->sorted);
  pd_huge_free (self->ends);
  pd_huge_free (self->waits);
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

/* Whether the number of added operations justifies that many ranks. */
static gboolean
check_ranks (PdGraphBuilder *self, guint32 n)
{
  if (n <= PD_GRAPH_RANKS_FOR_NOTHING
      || (n <= PD_GRAPH_MAX_RANKS && n / RANKS_PER_OP <= self->n_cells))
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

/* Moves what does not fit into @cell where there is more room. */
static void
widen (PdGraphBuilder *self, const PdGraphOp *op, PdGraphCell *cell)
{
  PdGraph *graph = self->graph;
  gboolean calc = op->kind == PD_GRAPH_CALC;

  graph->arrays.wide =
      grow (graph->arrays.wide, &self->size_wide, (gsize) graph->n_wide + 1, sizeof (PdGraphWide));
  graph->arrays.wide[graph->n_wide] =
      (PdGraphWide){ op->size, calc ? 0 : op->tag, op->cpu, (guint8) (calc ? 0 : op->nic) };
  cell->flags |= PD_GRAPH_CELL_WIDE;
  cell->size = graph->n_wide++;
}

static void
encode (PdGraphBuilder *self, const PdGraphOp *op, PdGraphCell *cell)
{
  guint32 size = (guint32) op->size, high = (guint32) (op->size >> 32);
  guint16 cpu = (guint16) (op->kind | (op->cpu & 15u) << PD_GRAPH_CELL_CPU);

  if (op->kind == PD_GRAPH_CALC)
    *cell = (PdGraphCell){ size, high, 0, cpu, 0 };
  else
    *cell = (PdGraphCell){ size, op->peer,
                           op->tag == PD_GRAPH_ANY ? PD_GRAPH_CELL_ANY_TAG : (guint16) op->tag,
                           (guint16) (cpu | (op->nic & 15u) << PD_GRAPH_CELL_NIC), 0 };
  if (op->cpu > 15
      || (op->kind != PD_GRAPH_CALC
          && (high != 0 || op->nic > 15
              || (op->tag >= PD_GRAPH_CELL_ANY_TAG && op->tag != PD_GRAPH_ANY))))
    widen (self, op, cell);
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

/* Ends the arrays, and adds up. */
static void
finish_arrays (PdGraphBuilder *self)
{
  PdGraph *graph = self->graph;
  PdGraphCells *arrays = &graph->arrays;

  arrays->cells = grow (arrays->cells, &self->size_cells, self->n_cells + 1, sizeof (PdGraphCell));
  arrays->cells[self->n_cells] = (PdGraphCell){ .edges = (guint32) self->n_edges };
  /* a loop may read the first edge of a cell before it looks whether the cell has any */
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
