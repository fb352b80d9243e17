/* Collective operations of message-passing programs. How long each rank would have
 * waited at a barrier (Synchronization), and how much earlier than the last one it was
 * through (Time_variation), is known when all members have been there: until then each
 * operation that is under way remembers its members' moments.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_COLLECTIVE_H
#define PD_MP_COLLECTIVE_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_act_collective:
 * The rank does its action: a blocking collective operation.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_collective (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_icollective:
 * The rank does its action: a nonblocking collective operation.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_icollective (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_collective_called:
 * A collective operation that is no system call is about to be called.
 */
void pd_mp_collective_called (PdMp *self, guint32 rank, PdMpRank *r, guint32 comm);

/**
 * pd_mp_collective_waits:
 * After pd_mp_collective_called() and the call itself.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_collective_waits (PdMp *self, guint32 rank, PdMpRank *r, PdMpCategory category);

/**
 * pd_mp_collective_returned:
 * A blocking collective operation that @rank has called is over.
 */
void pd_mp_collective_returned (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_collective_is_complete:
 * @me: the number of the caller in the communicator; -1: none
 *
 * Returns: whether the program says all that the operation needs, such as its vectors
 *   of bytes.
 */
gboolean pd_mp_collective_is_complete (const PdMp *self, const PdAction *action, gint64 me);

/**
 * pd_mp_collective_arguments:
 * Returns: the operation of @action, as ComSys calls it.
 */
PdCollective pd_mp_collective_arguments (PdMp *self, const PdAction *action);

/**
 * pd_mp_collective_is_system:
 * Returns: whether it makes a communicator or a window: then it is a system call.
 */
gboolean pd_mp_collective_is_system (PdCollKind op);

/**
 * pd_mp_barriers_new:
 * Returns: (transfer full): what is known of the barriers of each communicator.
 */
PdMpBarriers *pd_mp_barriers_new (guint32 n_comms);

/**
 * pd_mp_barriers_free:
 * @self: (nullable): the barriers
 */
void pd_mp_barriers_free (PdMpBarriers *self);

#endif
