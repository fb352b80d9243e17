/* The actions of ranks. Both engines include pd-mp-actions-template.h for them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_ACTIONS_H
#define PD_MP_ACTIONS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_act:
 * The rank does the action at its cell.
 *
 * Returns: %FALSE if it waits, in the call or for its turn.
 */
gboolean pd_mp_act (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_on:
 * The rank does what its program says, as long as it need not wait.
 *
 * Returns: whether it is through.
 */
gboolean pd_mp_act_on (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_not_modelled:
 * The rank does its action, as one that is not modelled, with a warning.
 *
 * Returns: %TRUE.
 */
gboolean pd_mp_act_not_modelled (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_conclude_call:
 * The call at the rank's cell, in which it has waited, is over: completes the call.
 */
void pd_mp_conclude_call (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_recorded_envelope:
 * Returns: of a receive or probe, what it got when it was recorded, if that is
 *   followed.
 */
PdEnvelope pd_mp_recorded_envelope (const PdMp *self, const PdAction *action);

/**
 * pd_mp_actions_barriers_new:
 * Returns: (transfer full): the collective operations under way, none.
 */
PdMpBarriers *pd_mp_actions_barriers_new (guint32 n_comms);

#endif
