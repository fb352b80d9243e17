/* Times that networks take of processors; all 0 without has_costs. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COSTS_H
#define PD_COSTS_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_costs_before:
 * Returns: what the network asks of @rank before it sends to @peer, receives from it
 * (G_MAXUINT32 = anybody) or waits for that.
 */
PdTime pd_costs_before (const PdComsys *self, guint32 rank, guint32 peer);

/**
 * pd_costs_before_wait:
 * Of a Wait for the requests of the list.
 */
PdTime pd_costs_before_wait (PdComsys *self, guint32 first);

/**
 * pd_costs_of_send:
 * Returns: what the network asks of the sender, for a message.
 */
PdTime pd_costs_of_send (const PdComsys *self, const PdReq *send);

/**
 * pd_costs_of_recv:
 * Returns: what the network asks of the receiver, for a message.
 */
PdTime pd_costs_of_recv (const PdComsys *self, const PdReq *send);

#endif
