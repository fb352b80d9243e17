/* Exchanges among processors: one by one, or as a whole where they are large.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COMM_H
#define PD_DVM_COMM_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_is_large:
 * Returns: whether an exchange by @plan is simulated as a whole.
 */
gboolean pd_dvm_is_large (const PdDvm *self, const PdTeam *team, const PdPlan *plan);

/**
 * pd_dvm_emit_exchange:
 * @plan: (transfer full): the messages
 * @kind: of operation
 * @overlaps: whether it may overlap with computation
 *
 * Emits the step that starts an exchange among @team.
 *
 * Returns: (transfer full): the operation, to be waited for.
 */
PdStepOperation *pd_dvm_emit_exchange (PdDvm *self, PdTeam *team, PdPlan *plan,
                                       PdOperationKind kind, gboolean overlaps);

/**
 * pd_dvm_emit_exchange_wait:
 * @flags: %PD_STEP_ENTERS if the wait is a record of its own, not if the record
 *   started the exchange, too; %PD_STEP_PARTLY
 *
 * Emits the step that waits for an exchange.
 */
void pd_dvm_emit_exchange_wait (PdDvm *self, PdStepOperation *operation, guint32 flags);

#endif
