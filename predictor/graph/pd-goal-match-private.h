/* Matching messages with receives, each side in order, in a list; what gets long moves
 * into one hash table of all ranks for good, with a list for each form in which it may
 * be asked for: by source, by a wildcard in its place, or whatever its source; likewise
 * for the tag.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_MATCH_PRIVATE_H
#define PD_GOAL_MATCH_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"

/* Posts operation @posted->op of @rank behind all others. */
void pd_goal_post_recv (PdGoal *self, guint32 rank, const PdGoalPosted *posted);

/* Takes out the first posted receive that a message matches. */
gboolean pd_goal_take_recv (PdGoal *self, guint32 rank, guint32 source, guint32 tag,
                            PdGoalPosted *posted);

/* Keeps a message that matches no receive: number and next are set here. */
void pd_goal_keep_message (PdGoal *self, guint32 rank, const PdGoalNode *message);

/* Takes out the first message that receive @op of @rank matches. */
gboolean pd_goal_take_message (PdGoal *self, guint32 rank, guint32 op, PdGoalNode *message);

void pd_goal_foreach_left (PdGoal *self, PdGoalLeftFunc found, gpointer data);

#endif
