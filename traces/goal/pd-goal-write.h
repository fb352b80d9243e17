/* Writers of GOAL. The successors of an operation become ready in their order, so both
 * forms keep that order.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_WRITE_H
#define PD_GOAL_WRITE_H

#include "traces/goal/pd-goal.h"

/**
 * pd_goal_write_text:
 * @graph: the graph
 * @out: where to; it keeps errors
 *
 * Operation number i of a rank is labelled "l" and i. The same graph always
 * gives the same bytes; reading them gives the same graph.
 */
void pd_goal_write_text (const PdGraph *graph, PdOutput *out);

/**
 * pd_goal_write_binary:
 * @graph: the graph
 * @out: where to; it keeps errors
 */
void pd_goal_write_binary (const PdGraph *graph, PdOutput *out);

#endif
