/* From programs to graphs: ranks, communicators and tags. pd-graph-from-calls.c converts
 * each action.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_PROGRAM_PRIVATE_H
#define PD_GRAPH_FROM_PROGRAM_PRIVATE_H

#include "predictor/graph/pd-graph-from-private.h"

/* Says that a graph cannot express what the current action does. */
void pd_graph_maker_lose (PdGraphMaker *self, const char *text);

/* Says that it does not tell what has no effect. */
void pd_graph_maker_drop (PdGraphMaker *self);

/* The number in the graph of a tag. */
guint32 pd_graph_maker_tag (PdGraphMaker *self, PdTagUse use, guint32 comm, guint32 number);

#endif
