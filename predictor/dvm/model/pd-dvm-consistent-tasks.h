/* Consistent arrays of which tasks compute the parts (consda_, inclcg_). The record says
 * along which axis the tasks of a representation share the array, not which task has
 * which indices: that is assumed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CONSISTENT_TASKS_H
#define PD_DVM_CONSISTENT_TASKS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_count_task_parts:
 * Returns: (transfer full) (nullable): what consda_ or inclcg_ makes each processor of
 *   the current system send, a g_rc_box; %NULL: nothing, or with @error set.
 */
gint64 *pd_dvm_count_task_parts (PdDvm *self, GError **error);

#endif
