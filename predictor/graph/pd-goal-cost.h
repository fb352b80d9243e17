/* Simulation of dependency graphs: what work costs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_COST_H
#define PD_GOAL_COST_H

#include "predictor/graph/pd-goal.h"

/**
 * pd_goal_sum_work:
 * @calcs: (array length=n_ranks) (out caller-allocated): time in calc
 * @overheads: (array length=n_ranks) (out caller-allocated): time in sending
 *   and receiving
 *
 * The work of all CPUs of each rank in a simulation that ends;
 * with one CPU the rest of its time until the end of the rank is waiting.
 */
void pd_goal_sum_work (const PdGraph *graph, const PdGoalParams *params, PdTime *calcs,
                       PdTime *overheads);

#endif
