/* After the last event of graph simulation: clocks and sums, or who waits.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_RESULT_H
#define PD_GOAL_RESULT_H

#include "predictor/graph/pd-goal.h"

/**
 * pd_goal_set_deadlock:
 * @rows: (inout): of #PdGoalBlocked, in any order: operations that wait for another rank
 * @result: (inout): without blocked ones; n_ranks is set
 * @error: return location for %PD_SIMULATION_ERROR_DEADLOCK
 *
 * Tells who waits: adds the operations that wait for themselves, then the first of each
 * rank to @result, and those of the lowest ranks to the message.
 */
void pd_goal_set_deadlock (const PdGraph *graph, GArray *rows, PdGoalResult *result,
                           GError **error);

/**
 * pd_goal_result_clear:
 * Frees the contents of @result, which is empty then.
 */
void pd_goal_result_clear (PdGoalResult *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdGoalResult, pd_goal_result_clear)

#endif
