/* The protocol of a dependency graph: what each rank did, and when.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_LOG_H
#define PD_GRAPH_LOG_H

#include "predictor/common/pd-log.h"
#include "traces/graph/pd-graph.h"

typedef struct _PdGraphLog PdGraphLog;

/**
 * pd_graph_log_new:
 * @log: where lines go; borrowed
 * @graph: borrowed
 * @trace: name of the trace, for the heading
 *
 * Returns: (transfer full): a protocol of one simulation.
 */
PdGraphLog *pd_graph_log_new (PdLog *log, const PdGraph *graph, const char *trace);

/**
 * pd_graph_log_free:
 * @self: (nullable): the protocol
 */
void pd_graph_log_free (PdGraphLog *self);

/**
 * pd_graph_log_start:
 * @op: of @rank, which starts it at @when
 */
void pd_graph_log_start (PdGraphLog *self, guint32 rank, guint32 op, PdTime when);

/**
 * pd_graph_log_end:
 * @op: of @rank, which has been started; at @when it is over
 */
void pd_graph_log_end (PdGraphLog *self, guint32 rank, guint32 op, PdTime when);

/**
 * pd_graph_log_close:
 * @ok: whether the simulation came to its end
 * @error: return location for a %G_FILE_ERROR; only if @ok
 *
 * What has been started and did not end is told of, and all is written.
 *
 * Returns: %FALSE if it cannot be, or not @ok.
 */
gboolean pd_graph_log_close (PdGraphLog *self, gboolean ok, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGraphLog, pd_graph_log_free)

#endif
