/* Events of operations. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATIONS_EVENTS_H
#define PD_OPERATIONS_EVENTS_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_operations_completed:
 * Of PdHandlers: the operation of request @req has ended.
 */
void pd_operations_completed (PdComsys *self, guint32 req, PdTime when);

/**
 * pd_operations_receive:
 * Of PdHandlers: the processor of @rank receives the message of @send from now on.
 */
void pd_operations_receive (PdComsys *self, guint32 rank, guint32 send);

/**
 * pd_operations_free:
 * @self: (nullable): the operations of a communication system
 */
void pd_operations_free (PdOperations *self);

#endif
