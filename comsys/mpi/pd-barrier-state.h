/* Data that is known only when the last member of a communicator has arrived: the moment when all
 * continue, and the communicators created from it (see pd-comm-create.c).
 * SPDX-License-Identifier: MIT */
#ifndef PD_BARRIER_STATE_H
#define PD_BARRIER_STATE_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_exchange:
 * @call: who calls, and when; the calling convention above
 * @comm: those that have messages; all call
 * @own: the caller's messages
 * @duration: of the caller's part, from pd_comsys_get_exchange_time()
 *
 * An exchange as a whole: the call returns @duration after the last member has
 * come. No single message is simulated, or seen by an observer.
 */
void pd_comsys_exchange (PdComsys *self, const PdCall *call, PdComm *comm, const PdTraffic *own,
                         PdTime duration);

G_END_DECLS

#endif
