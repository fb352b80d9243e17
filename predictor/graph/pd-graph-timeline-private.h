/* Where there is one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_TIMELINE_PRIVATE_H
#define PD_GRAPH_TIMELINE_PRIVATE_H

#include "predictor/graph/pd-graph-run-private.h"

/**
 * pd_graph_timeline_begin_op:
 * @cpu: does @op from now on until the rank's call returns
 */
void pd_graph_timeline_begin_op (PdGraphRun *self, guint32 rank, const PdGraphCpu *cpu, guint32 op);

/**
 * pd_graph_timeline_keep:
 * @kind: of an operation, or PD_GRAPH_RECV of a message that is received
 *
 * Of a rank with one CPU, which is kept in this time.
 */
void pd_graph_timeline_keep (PdGraphRun *self, guint32 rank, PdGraphKind kind, PdTime since,
                             PdTime until);

/**
 * pd_graph_timeline_end:
 * All ranks are at their ends.
 */
void pd_graph_timeline_end (PdGraphRun *self);

#endif
