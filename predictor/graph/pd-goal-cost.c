/* Simulation of dependency graphs: what work costs.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-private.h"
#include "predictor/graph/pd-goal-cost-private.h"
#include "predictor/graph/pd-goal-cost.h"

#include <math.h>

static gint64
cost_of (gint64 n_bytes, gdouble ps_per_byte)
{
  if (n_bytes < 0)
    return (gint64) floor ((gdouble) n_bytes * ps_per_byte + 0.5);
  return pd_time_for_bytes (n_bytes, ps_per_byte).ps;
}

void
pd_goal_compute_costs (PdGoal *self, gint64 size)
{
  gint64 n = size > 0 || self->params->compat ? size - 1 : 0;

  self->last_size = size;
  self->last_gap = cost_of (n, self->params->gap_per_byte);
  self->last_overhead = cost_of (n, self->params->overhead_per_byte);
}

gint64
pd_goal_get_calc_time (const PdGoal *self, guint32 rank, gint64 ns)
{
  PdTime time = PD_TIME (ns > G_MAXINT64 / PD_PS_PER_NS ? G_MAXINT64 : ns * PD_PS_PER_NS);

  return self->params->speeds != NULL ? pd_time_divide (time, self->params->speeds[rank]).ps
                                      : time.ps;
}

void
pd_goal_sum_calcs (const PdGraph *graph, const PdGoalParams *params, PdTime *calcs)
{
  const PdGraphCells *arrays = pd_graph_get_cells (graph);
  const PdGoal self = { .params = params };

  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (graph); rank++)
    {
      calcs[rank] = PD_TIME_ZERO;
      for (guint32 i = arrays->first[rank]; i < arrays->first[rank + 1]; i++)
        if ((arrays->cells[i].flags & PD_GRAPH_CELL_KIND) == PD_GRAPH_CALC)
          {
            gint64 ns = pd_graph_cell_decode (&arrays->cells[i], arrays->wide).size;
            calcs[rank].ps = pd_goal_add (calcs[rank].ps, pd_goal_get_calc_time (&self, rank, ns));
          }
    }
}
