/* Simulation of dependency graphs: what an event does.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_EVENTS_PRIVATE_H
#define PD_GOAL_EVENTS_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

void pd_goal_do_event (PdGoal *self, PdGoalEvent *event);

/* A send or calc begins; a message is received. */
void pd_goal_do_send (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource);
void pd_goal_do_calc (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource);
void pd_goal_do_arrival (PdGoal *self, const PdGoalEvent *event, PdGoalResource resource);

#endif
