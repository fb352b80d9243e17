/* Matching in the order in which processors receive messages, as in LogGOPSim: where ranks have
 * several CPUs or adapters messages overtake each other, and those sent with any tag match all.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ARRIVAL_MATCH_H
#define PD_ARRIVAL_MATCH_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_arrival_match_new:
 * Nothing waits.
 */
PdArrivalMatch *pd_arrival_match_new (void);

/**
 * pd_arrival_match_free:
 * @self: (nullable): of a communication system
 */
void pd_arrival_match_free (PdArrivalMatch *self);

/**
 * pd_arrival_match_message:
 * A processor receives the message of @send now.
 *
 * Returns: the first receive that it matches, which is taken out; 0: there is none, it waits.
 */
guint32 pd_arrival_match_message (PdComsys *self, guint32 send);

/**
 * pd_arrival_match_receive:
 * @recv is posted now.
 *
 * Returns: likewise the first message.
 */
guint32 pd_arrival_match_receive (PdComsys *self, guint32 recv);

#endif
