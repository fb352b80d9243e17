/* Where there is one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_TIMELINE_PRIVATE_H
#define PD_GRAPH_TIMELINE_PRIVATE_H

#include "predictor/graph/pd-graph-run-private.h"

/**
 * pd_graph_timeline_begin_op:
 * @cpu: does @op from now on until the rank's call returns; that may not be known yet
 */
void pd_graph_timeline_begin_op (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op);

/**
 * pd_graph_timeline_end_op:
 * @cpu: is free now; it has done @op
 */
void pd_graph_timeline_end_op (PdGraphRun *self, guint32 rank, const PdGraphCpu *cpu, guint32 op);

/**
 * pd_graph_timeline_end:
 * All ranks are at their ends.
 */
void pd_graph_timeline_end (PdGraphRun *self);

#endif
