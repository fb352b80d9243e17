/* The kinds that are not hot.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_CALLS_H
#define PD_MP_CALLS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_act_other_send:
 * The rank does its action: a send in another mode than the standard one.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_other_send (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_other_isend:
 * The rank does its action: a nonblocking send in another mode than the standard one.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_other_isend (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_sendrecv:
 * The rank does its action: a send and a receive at once.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_sendrecv (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_local:
 * The rank does its action: a call that concerns no other rank.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_local (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_not_modelled:
 * The rank does its action: a call that is not modelled, with a warning.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_not_modelled (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_comm_free:
 * The rank does its action: a communicator is freed.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_comm_free (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_recorded_envelope:
 * Returns: of a receive or probe, what it got when it was recorded, if that is
 *   followed.
 */
PdEnvelope pd_mp_recorded_envelope (const PdMp *self, const PdAction *action);

/**
 * pd_mp_free_slot:
 * Returns: (transfer none): the slot that a new request of @request goes into; what it
 *   held is freed.
 */
PdRequest *pd_mp_free_slot (PdMp *self, PdMpRank *r, guint32 request);

#endif
