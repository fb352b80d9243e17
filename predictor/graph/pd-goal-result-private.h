/* After the last event of graph simulation: clocks and sums, or who waits.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_RESULT_PRIVATE_H
#define PD_GOAL_RESULT_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

/* Fills the result. Returns FALSE in a deadlock, or if a clock overflowed. */
gboolean pd_goal_check_end (PdGoal *self, GError **error);

#endif
