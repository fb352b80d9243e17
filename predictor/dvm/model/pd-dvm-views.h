/* Templates and their versions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_VIEWS_H
#define PD_DVM_VIEWS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_view_new:
 * Returns: (transfer full): a template that is not distributed, with the next serial
 *   number.
 */
PdView *pd_dvm_view_new (PdDvm *self, guint rank, const gint64 *sizes);

/**
 * pd_dvm_view_copy:
 * Returns: (transfer full): a copy to be changed: the next version.
 */
PdView *pd_dvm_view_copy (const PdView *old);

/**
 * pd_dvm_need_view:
 * @id: (out): the reference of the template that the record names
 *
 * Returns: (transfer none) (nullable): its current version; %NULL with @error set if
 *   there is none.
 */
PdView *pd_dvm_need_view (PdDvm *self, gint64 *id, GError **error);

#endif
