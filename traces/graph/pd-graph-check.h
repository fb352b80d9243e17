/* Errors of a graph that can be found before it is simulated.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_CHECK_H
#define PD_GRAPH_CHECK_H

#include "base/pd-messages.h"
#include "traces/graph/pd-graph.h"

/**
 * pd_graph_check:
 * @graph: the graph
 * @name: its trace's, for messages
 * @messages: where findings go: of each kind the first one with rank and
 *   operation, and how many there are
 *
 * Warnings: graph-cycle (operations that wait for each other, one cycle named),
 * graph-unreachable (operations that wait for those), graph-unmatched (sends and
 * receives whose numbers differ), graph-truncated (a message larger than the
 * receive that gets it); notes: graph-size-differs (smaller), graph-self (a
 * message to oneself). Messages are counted by source, target and tag. Where
 * wildcards allow several matches, only errors of every possible match are reported.
 * Time and memory grow with operations and dependencies.
 *
 * Returns: the number of warnings, each repetition counted.
 */
guint64 pd_graph_check (const PdGraph *graph, const char *name, PdMessages *messages);

#endif
