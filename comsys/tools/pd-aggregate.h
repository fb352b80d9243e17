/* Exchanges of so many messages that simulating each would cost more than it is worth. How
 * long they take is learned from small exchanges of all with all among the first ranks
 * on the same machine, which tell what a message costs the two that exchange it and what
 * it costs everybody, and is scaled up.
 * SPDX-License-Identifier: MIT */
#ifndef PD_AGGREGATE_H
#define PD_AGGREGATE_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_learn_exchange:
 * @mean_bytes: of a message, >= 0
 * @costs: (out): what exchanges of such messages cost
 *
 * Tries exchanges of all with all of the first 16, 32 and 48 ranks, on another
 * simulation of the same machine: T (n) = once + own (n - 1) + all n (n - 1), with
 * and without bytes. Changes nothing.
 */
void pd_comsys_learn_exchange (const PdComsys *self, gint64 mean_bytes, PdExchangeCosts *costs);

/**
 * pd_comsys_get_exchange_time:
 * @costs: from pd_comsys_learn_exchange()
 * @own: messages of one rank
 * @all: of all ranks
 *
 * Returns: how long the rank's part of the exchange takes once all have come,
 *   the software's overheads included.
 */
PdTime pd_comsys_get_exchange_time (const PdExchangeCosts *costs, const PdTraffic *own,
                                    const PdTraffic *all);

G_END_DECLS

#endif
