/* What becomes of operations. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATIONS_PRIVATE_H
#define PD_OPERATIONS_PRIVATE_H

#include "comsys/state/pd-comsys-data.h"

/* Of PdHandlers. */
void pd_operations_completed (PdComsys *self, guint32 req, PdTime when);
void pd_operations_receive (PdComsys *self, guint32 rank, guint32 send);

void pd_operations_free (PdOperations *self);

#endif
