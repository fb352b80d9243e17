/* Copies between distributed arrays, and between them and memory: sections and single
 * elements, at once or started and waited for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPIES_PRIVATE_H
#define PD_DVM_COPIES_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* An exchange by @plan (transfer full; nullable) between processors of two
 * systems: emits the step that starts it. Returns the operation (transfer full)
 * to be waited for, or NULL if the plan has no messages. */
PdStepOperation *pd_dvm_emit_copy (PdDvm *self, PdTeam *from, PdTeam *to, PdPlan *plan,
                                   PdOperationKind kind, gboolean overlaps);
/* Waits for it within the same record; @operation (transfer full; nullable). */
void pd_dvm_finish_copy (PdDvm *self, PdStepOperation *operation);
/* The cost of copying itself: each processor copies its part of @target
 * (layout NULL: memory, which all have). */
void pd_dvm_charge_copy (PdDvm *self, const PdSection *target, PdTime time);
/* The kind of operation that a copy is: inside an I/O statement it is a part of that. */
PdOperationKind pd_dvm_copy_kind (const PdDvm *self);

gboolean pd_dvm_copy (PdDvm *self, GError **error);
gboolean pd_dvm_waitcp (PdDvm *self, GError **error);

#endif
