/* Whether the order in which ranks are simulated matters. Where every message is asked
 * for by its source and tag and nobody asks whether one has come, it does not on
 * networks without contention: what a rank does depends on when its messages are sent,
 * not on who was simulated first.
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
