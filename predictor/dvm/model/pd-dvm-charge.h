/* Ordinary time, which is summed up until a step or another interval ends the sum, and
 * the steps that carry it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CHARGE_H
#define PD_DVM_CHARGE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_charge:
 * Charges ordinary time to every processor of the current team.
 */
void pd_dvm_charge (PdDvm *self, PdTime time);

/**
 * pd_dvm_charge_own:
 * @times: by speed class
 *
 * As pd_dvm_charge(), to each speed class its own; where the grid is the recorded one.
 */
void pd_dvm_charge_own (PdDvm *self, const PdTime *times);

/**
 * pd_dvm_charge_par:
 * As pd_dvm_charge(), for computation that counts as parallel, though all do all of
 * it.
 */
void pd_dvm_charge_par (PdDvm *self, PdTime time);

/**
 * pd_dvm_get_records:
 * Returns: the records of the current call.
 */
PdRecords pd_dvm_get_records (const PdDvm *self);

/**
 * pd_dvm_set_records:
 * @step: gets the place and the numbers of @records
 */
void pd_dvm_set_records (PdStepDvm *step, const PdRecords *records);

/**
 * pd_dvm_flush:
 * Ordinary time that was charged becomes a step, before another team becomes current.
 */
void pd_dvm_flush (PdDvm *self);

/**
 * pd_dvm_emit:
 * Returns: (transfer none): a new step of the current call, with the ordinary time
 *   that came before it.
 */
PdStepDvm *pd_dvm_emit (PdDvm *self, PdStepKindDvm kind);

/**
 * pd_dvm_new_tag:
 * Returns: a tag for the messages of one operation.
 */
gint32 pd_dvm_new_tag (PdDvm *self);

/**
 * pd_dvm_operation_new:
 * @kind: what it is
 *
 * Returns: (transfer full): a new operation of the current team.
 */
PdStepOperation *pd_dvm_operation_new (PdDvm *self, PdOperationKind kind);

/**
 * pd_dvm_emit_collective:
 * Returns: (transfer none): the step of a collective operation of the whole team.
 */
PdStepDvm *pd_dvm_emit_collective (PdDvm *self, PdStepOperation *operation, PdOp op, gint64 bytes);

/**
 * pd_dvm_count:
 * Counts one more of @counter on every processor of the current team.
 */
void pd_dvm_count (PdDvm *self, PdQuantity counter);

/**
 * pd_dvm_count_operation:
 * Counts an operation of the program, in which every processor of the current team takes part.
 */
void pd_dvm_count_operation (PdDvm *self, PdOperationKind kind);

#endif
