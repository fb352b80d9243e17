/* Point to point: how sends and receives are started. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_P2P_H
#define PD_P2P_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

/**
 * pd_p2p_send:
 * Starts a send or a receive of the communicator's context (+1: collective); sets
 * @call->ret to the moment at which the rank has started it.
 */
guint32 pd_p2p_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                     PdSendMode mode, gboolean collective);

/**
 * pd_p2p_recv:
 * Starts a receive, likewise.
 */
guint32 pd_p2p_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                     gboolean collective);

/**
 * pd_p2p_make_recv:
 * A receive that is made, but can match only when it has been posted.
 */
guint32 pd_p2p_make_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                          gboolean collective);

/**
 * pd_p2p_begin_recv:
 * The caller posts a receive that has been made; as pd_p2p_recv().
 */
void pd_p2p_begin_recv (PdComsys *self, const PdCall *call, guint32 recv);

/**
 * pd_p2p_post:
 * The receive is posted at @when.
 */
void pd_p2p_post (PdComsys *self, guint32 recv, PdTime when);

/**
 * pd_p2p_post_event:
 * The event: a Sendrecv posts its receive.
 */
void pd_p2p_post_event (PdComsys *self, guint32 rank, guint32 recv);

#endif
