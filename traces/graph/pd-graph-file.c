/* SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-file.h"

#include "traces/graph/pd-graph-private.h"
#include "traces/program/pd-sections.h"
#include "traces/io/pd-trace-error.h"

#include <string.h>

typedef enum
{
  CELLS, /* and the one behind the last */
  FIRST,
  EDGES, /* and one behind the last */
  WIDE,
  NOTES,
  N_SECTIONS,
} Section;

static const guint16 sizes[N_SECTIONS] = {
  [CELLS] = sizeof (PdGraphCell), [FIRST] = 4, [EDGES] = 4,
  [WIDE] = sizeof (PdGraphWide),  [NOTES] = 1,
};

static const PdSectionsKind kind = {
  "PDGRAPH\n", 2, { PD_GRAPH_N_KINDS, 0, 0, 0 }, N_SECTIONS, sizes
};

#define KNOWN_FLAGS                                                                                \
  (PD_GRAPH_CELL_KIND | PD_GRAPH_CELL_WIDE | PD_GRAPH_CELL_JOIN | PD_GRAPH_CELL_ROOT               \
   | PD_GRAPH_CELL_NEXT | PD_GRAPH_CELL_START | 15u << PD_GRAPH_CELL_CPU                           \
   | 15u << PD_GRAPH_CELL_NIC)

/* ---- writing */

gboolean
pd_graph_save_to_fd (const PdGraph *self, const guint8 *key, GVariant *notes, int fd,
                     GError **error)
{
  g_autoptr (PdOutput) out = pd_output_new_to_fd (fd, "a parsed graph");
  g_autoptr (GVariant) boxed = notes != NULL ? g_variant_new_variant (notes) : NULL;
  const PdGraphCells *arrays = &self->arrays;
  PdSections all = { { [CELLS] = arrays->cells,
                       [FIRST] = arrays->first,
                       [EDGES] = arrays->edges,
                       [WIDE] = arrays->wide },
                     { [CELLS] = self->totals.n_ops + 1,
                       [FIRST] = (guint64) self->n_ranks + 1,
                       [EDGES] = self->totals.n_edges + 1,
                       [WIDE] = self->n_wide } };

  if (boxed != NULL)
    {
      g_variant_ref_sink (boxed);
      all.data[NOTES] = g_variant_get_data (boxed);
      all.n[NOTES] = g_variant_get_size (boxed);
    }
  return pd_sections_write (&all, &kind, key, out, error);
}

gboolean
pd_graph_is_file (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  return size >= sizeof kind.magic && memcmp (data, kind.magic, sizeof kind.magic) == 0;
}

/* ---- checks */

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "%s", why);
  return FALSE;
}

static gboolean
check_sizes (const PdSections *all)
{
  return all->n[CELLS] >= 1 && all->n[CELLS] <= (guint64) PD_GRAPH_MAX_OPS + 1 && all->n[FIRST] >= 1
         && all->n[FIRST] <= (guint64) PD_GRAPH_MAX_RANKS + 1 && all->n[EDGES] >= 1
         && all->n[EDGES] <= G_MAXUINT32 && all->n[WIDE] <= G_MAXUINT32;
}

static gboolean
check_ranks (const PdGraph *self, guint32 n_cells)
{
  const guint32 *first = self->arrays.first;

  if (first[0] != 0 || first[self->n_ranks] != n_cells)
    return FALSE;
  for (guint32 i = 0; i < self->n_ranks; i++)
    if (first[i + 1] < first[i] || first[i + 1] - first[i] > PD_GRAPH_MAX_RANK_OPS)
      return FALSE;
  return TRUE;
}

static gboolean
check_op (PdGraph *self, const PdGraphCell *cell)
{
  if ((cell->flags & PD_GRAPH_CELL_KIND) >= PD_GRAPH_N_KINDS || (cell->flags & ~KNOWN_FLAGS) != 0
      || (cell->flags & PD_GRAPH_CELL_WIDE && cell->size >= self->n_wide))
    return FALSE;
  PdGraphOp op = pd_graph_cell_decode (cell, self->arrays.wide);
  gboolean any = op.kind == PD_GRAPH_RECV && op.peer == PD_GRAPH_ANY;
  pd_graph_totals_count (&self->totals, &op);
  return op.size >= 0 && (op.kind == PD_GRAPH_CALC || op.peer < self->n_ranks || any);
}

/* Up to 2. */
static inline void
count (guint8 *waits)
{
  if (*waits < 2)
    ++*waits;
}

/* The edges of cell @i of the @n ones of a rank. Counts in @waits, up to 2, for what each
 * waits. */
static gboolean
check_edges (PdGraph *self, const PdGraphCell *cells, guint32 i, guint32 n, guint8 *waits)
{
  const guint32 *edges = self->arrays.edges;
  guint32 from = cells[i].edges, to = cells[i + 1].edges;
  gboolean is_first_start = from < to && (edges[from] & PD_GRAPH_EDGE_START) != 0;

  if (is_first_start != ((cells[i].flags & PD_GRAPH_CELL_START) != 0))
    return FALSE;
  self->totals.starts |= is_first_start;
  if (cells[i].flags & PD_GRAPH_CELL_NEXT)
    {
      if (from != to || i + 1 >= n)
        return FALSE;
      count (&waits[i + 1]);
    }
  for (guint32 k = from; k < to; k++)
    {
      guint32 op = edges[k] & PD_GRAPH_EDGE_OP;
      if (op >= n
          || (edges[k] >> PD_GRAPH_EDGE_KIND & PD_GRAPH_CELL_KIND)
                 != (cells[op].flags & PD_GRAPH_CELL_KIND)
          || ((edges[k] & PD_GRAPH_EDGE_JOIN) != 0) != ((cells[op].flags & PD_GRAPH_CELL_JOIN) != 0)
          || (k > from && edges[k] & PD_GRAPH_EDGE_START && !(edges[k - 1] & PD_GRAPH_EDGE_START)))
        return FALSE;
      count (&waits[op]);
    }
  return TRUE;
}

/* @waits has room for the operations of the largest rank. */
static gboolean
check_rank (PdGraph *self, guint32 rank, guint8 *waits)
{
  const PdGraphCell *cells = self->arrays.cells + self->arrays.first[rank];
  guint32 n = self->arrays.first[rank + 1] - self->arrays.first[rank];

  memset (waits, 0, n);
  for (guint32 i = 0; i < n; i++)
    if (!check_op (self, &cells[i]) || !check_edges (self, cells, i, n, waits))
      return FALSE;
  for (guint32 i = 0; i < n; i++)
    if ((waits[i] == 0) != ((cells[i].flags & PD_GRAPH_CELL_ROOT) != 0)
        || (waits[i] == 2) != ((cells[i].flags & PD_GRAPH_CELL_JOIN) != 0))
      return FALSE;
  return TRUE;
}

/* The edges of all cells follow each other. */
static gboolean
check_places (const PdGraph *self, guint32 n_cells, guint32 n_edges)
{
  const PdGraphCell *cells = self->arrays.cells;

  for (guint32 i = 0; i < n_cells; i++)
    if (cells[i + 1].edges < cells[i].edges)
      return FALSE;
  return cells[n_cells].edges == n_edges;
}

static gboolean
check_all (PdGraph *self, guint32 n_cells, guint32 n_edges)
{
  guint32 largest = 0;

  if (!check_ranks (self, n_cells) || !check_places (self, n_cells, n_edges))
    return FALSE;
  for (guint32 i = 0; i < self->n_ranks; i++)
    largest = MAX (largest, self->arrays.first[i + 1] - self->arrays.first[i]);
  g_autofree guint8 *waits = g_malloc ((gsize) largest + 1);
  for (guint32 i = 0; i < self->n_ranks; i++)
    if (!check_rank (self, i, waits))
      return FALSE;
  return TRUE;
}

/* ---- mapping */

static PdGraph *
make_graph (GBytes *bytes, const PdSections *all, GError **error)
{
  g_autoptr (PdGraph) self = g_new0 (PdGraph, 1);

  self->owner = g_bytes_ref (bytes);
  self->arrays = (PdGraphCells){ (PdGraphCell *) all->data[CELLS], (guint32 *) all->data[FIRST],
                                 (guint32 *) all->data[EDGES], (PdGraphWide *) all->data[WIDE] };
  self->n_ranks = (guint32) (all->n[FIRST] - 1);
  self->n_wide = (guint32) all->n[WIDE];
  if (!check_all (self, (guint32) (all->n[CELLS] - 1), (guint32) (all->n[EDGES] - 1)))
    {
      refuse ("not a graph that can be", error);
      return NULL;
    }
  pd_graph_totals_finish (self, all->n[CELLS] - 1, all->n[EDGES] - 1);
  return g_steal_pointer (&self);
}

PdGraph *
pd_graph_map_bytes (GBytes *bytes, const guint8 *key, GVariant **notes, GError **error)
{
  g_autoptr (GBytes) aligned = pd_sections_align (bytes);
  gsize size;
  const guint8 *data = g_bytes_get_data (aligned, &size);
  PdSections all;

  *notes = NULL;
  if (!pd_sections_find (data, size, &kind, key, &all, error)
      || !pd_sections_are_whole (&all, &kind, data, error))
    return NULL;
  if (!check_sizes (&all))
    {
      refuse ("the numbers of operations and ranks cannot be", error);
      return NULL;
    }
  PdGraph *self = make_graph (aligned, &all, error);
  if (self == NULL || all.n[NOTES] == 0)
    return self;
  g_autoptr (GBytes) text = g_bytes_new (all.data[NOTES], all.n[NOTES]);
  g_autoptr (GVariant) boxed =
      g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, text, FALSE));
  if (g_variant_is_normal_form (boxed))
    *notes = g_variant_get_variant (boxed);
  return self;
}

void
pd_graph_file_seal (guint8 *data, gsize size)
{
  pd_sections_seal (data, size, &kind);
}
