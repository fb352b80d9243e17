/* Predictions of traces that are dependency graphs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_GRAPH_H
#define PD_MP_GRAPH_H

#include "predictor/pd-goal.h"
#include "predictor/pd-mp.h"
#include "traces/pd-graph.h"

G_BEGIN_DECLS

/**
 * pd_mp_predict_graph:
 * @options: what and how
 * @graph: what each rank does, and after what
 * @error: return location for a #PdMachineError: no machine for graphs; or a
 *   #PdSimulationError
 *
 * Returns: (transfer full) (nullable): the result, with one interval, its tree not
 *   folded yet.
 */
PdReportRun *pd_mp_predict_graph (const PdMpOptions *options, const PdGraph *graph, GError **error);

/**
 * pd_mp_graph_tell_circle:
 * @result: of a simulation that ended in a deadlock
 * @error: (inout) (nullable): the deadlock; a last line is added to its message, which
 *   names a circle of ranks that wait for each other, or one that waits for a rank that
 *   has ended
 */
void pd_mp_graph_tell_circle (const PdGoalResult *result, GError **error);

G_END_DECLS

#endif
