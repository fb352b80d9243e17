/* Whether the order in which ranks are simulated affects results. It does not on networks
 * without contention if every receive names its source and tag, and there are no tests
 * and probes: a rank then depends on the send times of its messages, not on the order of
 * simulation.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_ORDER_PRIVATE_H
#define PD_MP_ORDER_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

/* Whether messages may be called for in any order of time. */
gboolean pd_mp_is_unordered (const PdMp *self);

/* Does the action at the rank's cell, or goes on with it. Returns FALSE when the
 * rank waits for its turn or its call. */
typedef gboolean (*PdMpAct) (PdMp *self, guint32 rank, PdMpRank *r);

#endif
