/* Dependency graphs on machines of any kind: before the first turn.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_RUN_INIT_PRIVATE_H
#define PD_GRAPH_RUN_INIT_PRIVATE_H

#include "predictor/graph/pd-graph-run-private.h"

/**
 * pd_graph_run_init:
 * @params: borrowed
 *
 * Everything before the first turn; every rank that has operations is in the queue.
 */
void pd_graph_run_init (PdGraphRun *self, const PdGraphRunParams *params);

/**
 * pd_graph_run_clear:
 * Frees what pd_graph_run_init() has made.
 */
void pd_graph_run_clear (PdGraphRun *self);

#endif
