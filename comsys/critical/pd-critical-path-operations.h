/* Operations that ranks submit, on networks with endpoint resources. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_OPERATIONS_H
#define PD_CRITICAL_PATH_OPERATIONS_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_critical_operation_follow:
 * @rank: which acts
 *
 * The current node of @rank is one more condition for operation @token to become ready.
 */
void pd_critical_operation_follow (PdCriticalPath *self, guint32 rank, guint32 token);

/**
 * pd_critical_operation_enter:
 * It is ready; it is not tried before the processor is free as far as known now.
 */
void pd_critical_operation_enter (PdComsys *self, guint32 rank, guint32 token);

/**
 * pd_critical_operation_begin:
 * @peer: (nullable): target of a send, which also waits for its adapter
 *
 * It begins now.
 */
void pd_critical_operation_begin (PdComsys *self, guint32 rank, guint32 token, const guint32 *peer);

/**
 * pd_critical_operation_start:
 * The next notifications follow from the start of the operation that has begun last.
 */
void pd_critical_operation_start (PdComsys *self, guint32 rank);

/**
 * pd_critical_operation_compute:
 * It keeps the processor until @until.
 */
void pd_critical_operation_compute (PdComsys *self, guint32 rank, guint32 token, PdTime until);

/**
 * pd_critical_operation_end:
 * The operation has ended: the next notifications follow from its end.
 */
void pd_critical_operation_end (PdComsys *self, guint32 rank, guint32 token);

#endif
