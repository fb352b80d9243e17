/* Reductions, for changes of programs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REDUCTION_H
#define PD_DVM_REDUCTION_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_need_reduction:
 * @id: (out): 'RedGroupRef' of the current call
 * @error: return location for %PD_DVM_MODEL_ERROR_OBJECT
 *
 * Returns: (transfer none) (nullable): the group of that name.
 */
const PdRedGroup *pd_dvm_need_reduction (PdDvm *self, gint64 *id, GError **error);

/**
 * pd_dvm_reduction_start:
 * @id: by which it is waited for
 * @group: with at least one variable
 *
 * Emits the steps of strtrd_. It counts no operation.
 */
void pd_dvm_reduction_start (PdDvm *self, gint64 id, const PdRedGroup *group);

/**
 * pd_dvm_reduction_joins:
 * Returns: whether both are reduced over the same processors, so that they can be one.
 */
gboolean pd_dvm_reduction_joins (const PdRedGroup *a, const PdRedGroup *b);

/**
 * pd_dvm_reduction_join:
 * Returns: (transfer full): a group of the variables of both.
 */
PdRedGroup *pd_dvm_reduction_join (const PdRedGroup *a, const PdRedGroup *b);

#endif
