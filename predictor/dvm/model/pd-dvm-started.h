/* Operations that are started and waited for later.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_STARTED_H
#define PD_DVM_STARTED_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_started_new:
 * Returns: (transfer full): a table of operations that are not waited for yet.
 */
GHashTable *pd_dvm_started_new (void);

/**
 * pd_dvm_started_get:
 * Returns: (transfer none) (nullable): the operation of a group.
 */
PdStepOperation *pd_dvm_started_get (PdDvm *self, PdObjectKind kind, gint64 id);

/**
 * pd_dvm_started_add:
 * @family: (nullable): of a star; %NULL: an exchange
 *
 * Notes the operation that the group @id has started.
 */
void pd_dvm_started_add (PdDvm *self, PdObjectKind kind, gint64 id, PdStepOperation *operation,
                         PdCommFamily *family);

/**
 * pd_dvm_started_wait:
 * Waits for the operation of a group.
 *
 * Returns: %FALSE if there is none.
 */
gboolean pd_dvm_started_wait (PdDvm *self, PdObjectKind kind, gint64 id);

/**
 * pd_dvm_started_settle:
 * No record will wait for the operation any more. A star is finished now, as half of
 * its messages are sent by the waiting.
 */
void pd_dvm_started_settle (PdDvm *self, PdObjectKind kind, gint64 id);

/**
 * pd_dvm_started_finish:
 * The trace is over: finishes all stars.
 */
void pd_dvm_started_finish (PdDvm *self);

#endif
