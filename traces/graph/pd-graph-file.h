/* Graphs as bytes that are mapped into memory: as they are there, for this kind of machine.
 * They are checked from end to end when they are mapped, so that damaged ones are an error
 * and nothing worse.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FILE_H
#define PD_GRAPH_FILE_H

#include "traces/graph/pd-graph.h"

/**
 * pd_graph_save_to_fd:
 * @self: the graph
 * @key: (array length=32): what it was made from, as the caller knows it
 * @notes: (nullable): any further value, given back by pd_graph_map_bytes()
 * @fd: an open file, empty; stays open
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: whether it is there.
 */
gboolean pd_graph_save_to_fd (const PdGraph *self, const guint8 *key, GVariant *notes, int fd,
                              GError **error);

/**
 * pd_graph_is_file:
 * Returns: whether @bytes begin as what pd_graph_save_to_fd() writes.
 */
gboolean pd_graph_is_file (GBytes *bytes);

/**
 * pd_graph_map_bytes:
 * @bytes: outside data, which the graph then keeps
 * @key: (array length=32) (nullable): what it must have been made from
 * @notes: (out) (nullable) (transfer full): the notes, of any type
 * @error: return location for %PD_TRACE_ERROR_FORMAT: it is no graph, of another version or
 *   machine, has another key, or is damaged
 *
 * Returns: (transfer full) (nullable): the graph.
 */
PdGraph *pd_graph_map_bytes (GBytes *bytes, const guint8 *key, GVariant **notes, GError **error);

/**
 * pd_graph_file_seal:
 * @data: (array length=size): a graph that was changed
 *
 * Makes its sum right, so that tests get beyond it.
 */
void pd_graph_file_seal (guint8 *data, gsize size);

#endif
