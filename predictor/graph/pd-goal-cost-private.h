/* Simulation of dependency graphs: what work costs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_COST_PRIVATE_H
#define PD_GOAL_COST_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

void pd_goal_compute_costs (PdGoal *self, gint64 size);
gint64 pd_goal_get_calc_time (const PdGoal *self, guint32 rank, gint64 ns);

/* Finds (s-1) G and (s-1) O; most messages are as long as the one before. */
static inline void
pd_goal_set_costs (PdGoal *self, gint64 size)
{
  if (G_UNLIKELY (size != self->last_size))
    pd_goal_compute_costs (self, size);
}

#endif
