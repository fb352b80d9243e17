/* Which ranks of a dependency graph wait for each other.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_GRAPH_CYCLE_H
#define PD_MP_GRAPH_CYCLE_H

#include "predictor/mp/pd-mp-graph.h"

/**
 * pd_mp_graph_report_cycle:
 * @result: of a simulation that ended in a deadlock
 * @error: (inout) (nullable): the deadlock; a last line is added to its message, which
 *   names a circle of ranks that wait for each other, or one that waits for a rank that
 *   has ended
 */
void pd_mp_graph_report_cycle (const PdGoalResult *result, GError **error);

#endif
