/* Predictions of traces that are dependency graphs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_GRAPH_H
#define PD_MP_GRAPH_H

#include "predictor/graph/pd-goal.h"
#include "predictor/mp/pd-mp.h"
#include "traces/graph/pd-graph.h"

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

#endif
