/* Predictions of traces that are dependency graphs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_GRAPH_H
#define PD_MP_GRAPH_H

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

G_END_DECLS

#endif
