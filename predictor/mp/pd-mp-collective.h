/* Collective operations of message-passing programs, as ComSys takes them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_COLLECTIVE_H
#define PD_MP_COLLECTIVE_H

#include "predictor/mp/pd-mp-state.h"

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

#endif
