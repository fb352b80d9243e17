/* The current call: its reading, its times, its handler.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CURRENT_H
#define PD_DVM_CURRENT_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_charge_call:
 * Charges the ordinary time before the current call begins, of its call_ record.
 */
void pd_dvm_charge_call (PdDvm *self);

/**
 * pd_dvm_charge_ret:
 * Charges the ordinary time of the current call, of its ret_ record.
 */
void pd_dvm_charge_ret (PdDvm *self);

/**
 * pd_dvm_interpret_call:
 * Lets the handler of the current call emit steps, and charges its times.
 *
 * Returns: %FALSE with @error set if the call is wrong.
 */
gboolean pd_dvm_interpret_call (PdDvm *self, GError **error);

/**
 * pd_dvm_apply_quietly:
 * Inside of loops: lets the current call, if it is an object function, change the
 * objects; charges nothing.
 *
 * Returns: %FALSE with @error set if the call is wrong.
 */
gboolean pd_dvm_apply_quietly (PdDvm *self, GError **error);

/**
 * pd_dvm_read:
 * The next call of the trace becomes current.
 *
 * Returns: %FALSE at the end of the trace, or with @error set.
 */
gboolean pd_dvm_read (PdDvm *self, GError **error);

#endif
