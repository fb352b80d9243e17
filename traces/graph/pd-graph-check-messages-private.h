/* Which messages can have no partner. Sends and receives are counted by source, target
 * and tag in one hash table; the operations are gone through in their order to tell what
 * was found, so that no order of the table is ever seen.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_CHECK_MESSAGES_PRIVATE_H
#define PD_GRAPH_CHECK_MESSAGES_PRIVATE_H

#include "traces/graph/pd-graph-check-private.h"

/* Unmatched messages and their sizes. */
void pd_graph_check_messages (PdGraphCheck *self);

#endif
