/* Arrays of all parts, one behind the other, with the indexes that they have there.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-join.h"

#include "base/memory/pd-huge.h"
#include "base/pd-parallel.h"
#include "traces/graph/pd-graph-private.h"

#include <string.h>

/* Where the entries of a part begin in the arrays of all. */
typedef struct
{
  guint32 cells, edges, wide;
} Place;

typedef struct
{
  PdGraph *all;
  PdGraph **parts;
  const Place *places; /* (array length=n + 1) */
} Job;

static void
copy_part (guint i, gpointer data)
{
  const Job *self = data;
  PdGraph *part = self->parts[i];
  const Place *at = &self->places[i];
  PdGraphCells *to = &self->all->arrays;
  const PdGraphCells *from = &part->arrays;
  gsize n_cells = part->totals.n_ops;

  for (gsize k = 0; k < n_cells; k++)
    {
      PdGraphCell cell = from->cells[k];
      cell.edges += at->edges;
      if (cell.flags & PD_GRAPH_CELL_WIDE)
        cell.size += at->wide;
      to->cells[at->cells + k] = cell;
    }
  memcpy (to->edges + at->edges, from->edges, part->totals.n_edges * sizeof *to->edges);
  if (part->n_wide > 0)
    memcpy (to->wide + at->wide, from->wide, part->n_wide * sizeof *to->wide);
  g_clear_pointer (&self->parts[i], pd_graph_free);
}

/* FALSE: there are too many. */
static gboolean
set_places (PdGraph *const *parts, guint n, Place *places)
{
  guint64 cells = 0, edges = 0;

  for (guint i = 0; i < n; i++)
    {
      places[i].cells = (guint32) cells;
      places[i].edges = (guint32) edges;
      places[i + 1].wide = places[i].wide + parts[i]->n_wide;
      cells += parts[i]->totals.n_ops;
      edges += parts[i]->totals.n_edges;
      if (cells > PD_GRAPH_MAX_OPS || edges > PD_GRAPH_MAX_EDGES)
        return FALSE;
    }
  places[n].cells = (guint32) cells;
  places[n].edges = (guint32) edges;
  return TRUE;
}

/* A rank has its cells in one part: in all others, none. */
static void
set_ranks (PdGraph *all, PdGraph *const *parts, guint n)
{
  memset (all->arrays.first, 0, ((gsize) all->n_ranks + 1) * sizeof *all->arrays.first);
  for (guint i = 0; i < n; i++)
    for (gsize rank = 0; rank <= all->n_ranks; rank++)
      all->arrays.first[rank] += parts[i]->arrays.first[rank];
}

static void
add_totals (PdGraphTotals *all, const PdGraphTotals *part)
{
  for (guint kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    all->n_of[kind] += part->n_of[kind];
  all->n_roots += part->n_roots;
  all->joins |= part->joins;
  all->n_sent.ps += part->n_sent.ps;
  all->max_cpu = MAX (all->max_cpu, part->max_cpu);
  all->max_nic = MAX (all->max_nic, part->max_nic);
  all->starts |= part->starts;
  all->any_source |= part->any_source;
  all->any_tag |= part->any_tag;
  all->sends_any |= part->sends_any;
}

static PdGraph *
make_graph (PdGraph *const *parts, guint n, const Place *end)
{
  PdGraph *self = g_new0 (PdGraph, 1);

  self->n_ranks = parts[0]->n_ranks;
  self->n_wide = end->wide;
  self->arrays.first = pd_huge_new (((gsize) self->n_ranks + 1) * sizeof *self->arrays.first);
  self->arrays.cells = pd_huge_new (((gsize) end->cells + 1) * sizeof *self->arrays.cells);
  self->arrays.edges = pd_huge_new (((gsize) end->edges + 1) * sizeof *self->arrays.edges);
  self->arrays.wide = end->wide > 0 ? pd_huge_new (end->wide * sizeof *self->arrays.wide) : NULL;
  self->arrays.cells[end->cells] = (PdGraphCell){ .edges = end->edges };
  self->arrays.edges[end->edges] = 0;
  set_ranks (self, parts, n);
  for (guint i = 0; i < n; i++)
    add_totals (&self->totals, &parts[i]->totals);
  return self;
}

PdGraph *
pd_graph_join (PdGraph **parts, guint n, guint n_threads)
{
  g_autofree Place *places = g_new0 (Place, n + 1);
  Job job = { NULL, parts, places };

  if (set_places (parts, n, places))
    {
      job.all = make_graph (parts, n, &places[n]);
      pd_parallel_run (n, n_threads, copy_part, &job);
      pd_graph_totals_set_size (job.all, places[n].cells, places[n].edges);
    }
  for (guint i = 0; i < n; i++)
    pd_graph_free (parts[i]);
  return job.all;
}
