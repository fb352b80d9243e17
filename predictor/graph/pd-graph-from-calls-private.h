/* From programs to graphs: what each action becomes, collective operations apart.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_CALLS_PRIVATE_H
#define PD_GRAPH_FROM_CALLS_PRIVATE_H

#include "predictor/graph/pd-graph-from-private.h"

/* What @action becomes. FALSE with @error set if that cannot be. */
gboolean pd_graph_make_action (PdGraphMaker *self, const PdAction *action, GError **error);

/* The request @slot of the current rank. */
PdGraphSlot *pd_graph_maker_slot (PdGraphMaker *self, guint32 slot);

/* Waits for the end of @link from then on are waits for @slot. */
void pd_graph_slot_add (PdGraphSlot *slot, PdGraphLink link);

#endif
