/* Collective operations as the messages of their schedules.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_COLLECTIVE_PRIVATE_H
#define PD_GRAPH_FROM_COLLECTIVE_PRIVATE_H

#include "predictor/graph/pd-graph-from-private.h"

/* A collective operation, blocking or not. FALSE with @error set if the set has
 * no messages for it. */
gboolean pd_graph_make_collective (PdGraphMaker *self, const PdAction *action, GError **error);

#endif
