/* The observers of the simulation of a dependency graph, with the critical path: each requested one
 * is notified of operations (PdDeed.number).
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_WATCHERS_H
#define PD_GRAPH_WATCHERS_H

#include "predictor/common/pd-log.h"
#include "predictor/common/pd-watch-timeline.h"
#include "traces/graph/pd-graph.h"

/**
 * pd_graph_log_watch:
 * @log: (nullable): where lines go; borrowed
 * @trace: name of the trace, for the heading
 *
 * The protocol: what each rank did, and when, and at last what has been started and did not end.
 */
void pd_graph_log_watch (PdWatcher **watchers, PdLog *log, const PdGraph *graph, const char *trace);

/* A timeline: what has kept a CPU (PdKept.kind is a #PdGraphKind). */
extern const PdWatcherClass pd_graph_timeline;

#endif
