/* Simulation of dependency graphs: operations become ready, and get their numbers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_READY_PRIVATE_H
#define PD_GOAL_READY_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

/* Operations that depend on nothing become ready. */
void pd_goal_enter_roots (PdGoal *self);

/* Operation @op of @rank starts or ends at @time: what waits for it is gathered, */
void pd_goal_op_started (PdGoal *self, guint32 rank, guint32 op, gint64 time);
void pd_goal_op_done (PdGoal *self, guint32 rank, guint32 op, gint64 time);

/* and enters, with all that is ready at @rank by now. */
void pd_goal_flush (PdGoal *self, guint32 rank);

/* The two for what ends while nothing is gathered, if nothing waits for starts. */
void pd_goal_end_op (PdGoal *self, guint32 rank, guint32 op);

#endif
