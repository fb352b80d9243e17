/* Properties of a machine that callers can query without sending.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ESTIMATE_H
#define PD_ESTIMATE_H

#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_get_software:
 * Returns: (transfer none): what calls cost besides the network.
 */
const PdSoftware *pd_comsys_get_software (const PdComsys *self);

/**
 * pd_comsys_get_transfer_time:
 * @source: a rank
 * @target: another rank
 * @bytes: >= 0
 *
 * How long the network between two ranks carries @bytes when nothing else is
 * under way on it: for programs that choose their messages by the network, as
 * the DVM run-time does. Asks a copy of the network: nothing changes, and
 * nothing that happens changes the answer. Costs a network's creation.
 *
 * Returns: the time from the request to the delivery.
 */
PdTime pd_comsys_get_transfer_time (const PdComsys *self, guint32 source, guint32 target,
                                    gint64 bytes);

G_END_DECLS

#endif
