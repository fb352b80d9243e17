/* Parameters of the current call.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_PARAMS_H
#define PD_DVM_PARAMS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_get:
 * Returns: the scalar @key; @fallback if the record has none.
 */
gint64 pd_dvm_get (PdDvm *self, PdDvmKey key, gint64 fallback);

/**
 * pd_dvm_need:
 * @value: (out): the scalar @key
 *
 * Returns: %FALSE, with an error that names @key, if the record has none.
 */
gboolean pd_dvm_need (PdDvm *self, PdDvmKey key, gint64 *value, GError **error);

/**
 * pd_dvm_need_array:
 * Returns: (transfer none) (nullable): the values of @key; %NULL with @error set if
 *   there are fewer than @n.
 */
const gint64 *pd_dvm_need_array (PdDvm *self, PdDvmKey key, guint n, GError **error);

/**
 * pd_dvm_need_rank:
 * @rank: (out): the parameter Rank, 1 to @maximum
 *
 * Returns: %FALSE with @error set if it is missing or out of range.
 */
gboolean pd_dvm_need_rank (PdDvm *self, guint maximum, guint *rank, GError **error);

/**
 * pd_dvm_layout_failed:
 * @cause: (transfer full): an error of the layout, which lacks a place
 *
 * Returns: %FALSE, with @error set to @cause and the place of the current call.
 */
gboolean pd_dvm_layout_failed (PdDvm *self, GError *cause, GError **error);

#endif
