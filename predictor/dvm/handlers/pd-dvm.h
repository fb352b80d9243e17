/* The DVM model: interprets a DVM trace for any number of processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_H
#define PD_DVM_H

#include "predictor/dvm/model/pd-dvm-types.h"

/**
 * pd_dvm_pad_grid:
 * @header: of the trace
 * @rank: (inout): of the user's grid
 * @sizes: (array length=PD_MAX_GRID_RANK) (inout): its sizes
 * @messages: (nullable): takes the note "grid-padded"
 * @error: return location for %PD_DVM_MODEL_ERROR_GRID
 *
 * The rank rule: trailing sizes of 1 up to the rank of
 * the traced processor system; a virtual processor system must be matched.
 */
gboolean pd_dvm_pad_grid (const PdDvmHeader *header, guint *rank, gint64 *sizes,
                          PdMessages *messages, GError **error);

/**
 * pd_dvm_new:
 * @context: copied
 * @options: borrowed
 *
 * Returns: (transfer full): the interpreter, in front of the first record.
 */
PdDvm *pd_dvm_new (const PdDvmContext *context, const PdDvmOptions *options);

/**
 * pd_dvm_free:
 * @self: (nullable): the interpreter; its data server must have been freed
 */
void pd_dvm_free (PdDvm *self);

/**
 * pd_dvm_get_class:
 * Returns: (transfer none): the interpreter as a data server wants it; its
 *   steps are #PdStepDvm.
 */
const PdInterpreterClass *pd_dvm_get_class (void);

/**
 * pd_dvm_get_objects:
 * Returns: (transfer none): its versioned objects.
 */
PdObjects *pd_dvm_get_objects (PdDvm *self);

/**
 * pd_dvm_get_startup:
 * Returns: the time of the first record, which is no program time.
 */
PdTime pd_dvm_get_startup (const PdDvm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvm, pd_dvm_free)

#endif
