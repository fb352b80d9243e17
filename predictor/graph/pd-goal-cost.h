/* Simulation of dependency graphs: what work costs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_COST_H
#define PD_GOAL_COST_H

#include "predictor/graph/pd-goal.h"

/**
 * pd_goal_sum_calcs:
 * @calcs: (array length=n_ranks) (out caller-allocated): time in calc
 *
 * The computation of all CPUs of each rank in a simulation that ends.
 */
void pd_goal_sum_calcs (const PdGraph *graph, const PdGoalParams *params, PdTime *calcs);

#endif
