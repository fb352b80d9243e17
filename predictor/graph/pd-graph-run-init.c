/* Dependency graphs on machines of any kind: before the first turn.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-run-private.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/p2p/pd-operations.h"
#include "predictor/graph/pd-graph-run-init-private.h"

#include <string.h>

/* Which CPUs the operations of rank @rank name. */
static guint32
collect_cpus (const PdGraphRun *self, const guint32 *first, guint32 rank, gboolean *named)
{
  guint32 n = 0;

  memset (named, 0, 256 * sizeof *named);
  for (guint32 i = first[rank]; i < first[rank + 1]; i++)
    {
      guint8 cpu = pd_graph_cell_decode (&self->cells[i], self->wide).cpu;
      n += named[cpu] ? 0 : 1;
      named[cpu] = TRUE;
    }
  return n;
}

static void
create_cpus (PdGraphRun *self, const guint32 *first, guint32 n_ranks)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->params->graph);
  gboolean is_one = self->ready != NULL || totals->max_cpu == 0;
  GArray *cpus = g_array_sized_new (FALSE, FALSE, sizeof (PdGraphCpu), n_ranks);
  gboolean named[256];

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      PdGraphRank *r = &self->ranks[rank];
      PdGraphCpu cpu = { .waiting = PD_GRAPH_EMPTY, .op = PD_GRAPH_NONE };
      r->cpus = cpus->len;
      r->n_cpus = is_one ? 0 : collect_cpus (self, first, rank, named);
      if (r->n_cpus == 0)
        {
          r->n_cpus = 1;
          g_array_append_val (cpus, cpu);
          continue;
        }
      for (guint i = 0; i < 256; i++)
        if (named[i])
          {
            cpu.number = (guint8) i;
            g_array_append_val (cpus, cpu);
          }
    }
  self->cpus = (PdGraphCpu *) (gpointer) g_array_free (cpus, FALSE);
}

static void
count_dependencies (PdGraphRun *self, guint32 n_ranks, guint64 n_ops)
{
  self->left = g_new (guint32, n_ops);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    if (pd_graph_get_n_ops (self->params->graph, rank) > 0)
      pd_graph_count_dependencies (self->params->graph, rank, self->left + self->ranks[rank].first);
}

void
pd_graph_run_init (PdGraphRun *self, const PdGraphRunParams *params)
{
  const PdGraphCells *arrays = pd_graph_get_cells (params->graph);
  const PdGraphTotals *totals = pd_graph_get_totals (params->graph);
  guint32 n = pd_graph_get_n_ranks (params->graph);

  *self = (PdGraphRun){ .params = params,
                        .cells = arrays->cells,
                        .edges = arrays->edges,
                        .wide = arrays->wide,
                        .comsys = params->comsys,
                        .world = pd_comsys_get_world (params->comsys),
                        .batch = { PD_GRAPH_EMPTY, PD_GRAPH_EMPTY, PD_GRAPH_EMPTY },
                        .n_ranks = n };
  self->ranks = g_new0 (PdGraphRank, (gsize) n + 1);
  self->links = g_new (guint32, MAX (totals->n_ops, 1));
  memset (self->links, 0xff, totals->n_ops * sizeof *self->links);
  for (guint32 rank = 0; rank <= n; rank++)
    {
      self->ranks[rank].first = arrays->first[rank];
      self->ranks[rank].ready = PD_GRAPH_EMPTY;
    }
  if (pd_comsys_needs_operations (params->comsys))
    pd_graph_operations_init (self);
  create_cpus (self, arrays->first, n);
  if (totals->joins)
    count_dependencies (self, n, totals->n_ops);
  /* two CPUs of a rank act at one moment, though one of them has sent for a later one */
  self->own_clock = !params->one_step && self->ready == NULL && totals->max_cpu == 0;
  pd_comsys_set_run_ahead (params->comsys, self->own_clock);
  for (guint32 rank = 0; rank < n; rank++)
    if (arrays->first[rank] < arrays->first[rank + 1])
      {
        self->ranks[rank].n_flying = 1;
        pd_comsys_ready_token (self->comsys, rank, PD_TIME_ZERO, PD_GRAPH_TOKEN_BEGIN);
      }
}

void
pd_graph_run_clear (PdGraphRun *self)
{
  g_free (self->ranks);
  g_free (self->cpus);
  g_free (self->links);
  g_free (self->left);
  g_free (self->ready);
}
