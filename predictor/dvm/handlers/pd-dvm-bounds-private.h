/* Loops that are executed on shadow elements, too (addbnd_, addshd_) The records come before mappl_
 * and name no loop: they are about the next one that is mapped.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_BOUNDS_PRIVATE_H
#define PD_DVM_BOUNDS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"

PdShadowBounds *pd_dvm_bounds_new (void);
/* Another loop begins. */
void pd_dvm_bounds_forget (PdDvm *self);
/* A loop is just mapped: it may be executed on shadow elements, too. */
void pd_dvm_bounds_extend (PdDvm *self, PdLoopObject *loop, const PdPattern *pattern,
                           const PdAlignment *alignment);
gboolean pd_dvm_addbnd (PdDvm *self, GError **error);
gboolean pd_dvm_addshd (PdDvm *self, GError **error);
gboolean pd_dvm_setba (PdDvm *self, GError **error);

#endif
