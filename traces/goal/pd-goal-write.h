/* Writers of GOAL. The order of what waits for one operation is the order in which it
 * becomes ready, so both forms keep it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_WRITE_H
#define PD_GOAL_WRITE_H

#include "traces/goal/pd-goal.h"

/**
 * pd_goal_write_text:
 * @graph: what is written
 * @out: where to; it keeps errors
 *
 * Operation number i of a rank is labelled "l" and i. The same graph always
 * gives the same bytes; reading them gives the same graph.
 */
void pd_goal_write_text (const PdGraph *graph, PdOutput *out);

/**
 * pd_goal_write_binary:
 * @graph: what is written
 * @out: where to; it keeps errors
 */
void pd_goal_write_binary (const PdGraph *graph, PdOutput *out);

#endif
