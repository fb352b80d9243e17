/* The table of nodes of dependency graphs, which grows.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-huge.h"
#include "predictor/graph/pd-goal-private.h"

void
pd_goal_enlarge_nodes (PdGoal *self)
{
  gsize used = self->n_nodes * sizeof *self->nodes;

  if (self->size_nodes == PD_GOAL_MAX_NODES)
    g_error ("out of memory");
  self->size_nodes = CLAMP (self->size_nodes + self->size_nodes / 2, 1024, PD_GOAL_MAX_NODES);
  self->nodes = pd_huge_grow (self->nodes, used, self->size_nodes * sizeof *self->nodes);
  /* None is free now. */
  pd_huge_free (self->free_nodes);
  self->free_nodes = pd_huge_new (self->size_nodes * sizeof *self->free_nodes);
}
