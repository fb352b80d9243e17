/* The store of a program's objects, and the contexts they die with: program blocks and
 * parallel loops.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CONTEXT_H
#define PD_DVM_CONTEXT_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_find:
 * Returns: (transfer none) (nullable): the current version of an object.
 */
gpointer pd_dvm_find (PdDvm *self, PdObjectKind kind, gint64 id);

/**
 * pd_dvm_store:
 * @object: (transfer full): the new version
 * @is_new: the innermost context owns it, if it is not static
 */
void pd_dvm_store (PdDvm *self, PdObjectKind kind, gint64 id, gpointer object, gboolean is_new);

/**
 * pd_dvm_delete:
 * Deletes an object, if it exists, with its dependent objects.
 */
void pd_dvm_delete (PdDvm *self, PdObjectKind kind, gint64 id);

/**
 * pd_dvm_contexts_init:
 * Makes the stack of contexts.
 */
void pd_dvm_contexts_init (PdDvm *self);

/**
 * pd_dvm_contexts_clear:
 * Releases the stack of contexts, without deleting objects.
 */
void pd_dvm_contexts_clear (PdDvm *self);

/**
 * pd_dvm_context_open:
 * @loop: reference of the loop; 0: a program block
 *
 * A context begins inside the innermost one.
 */
void pd_dvm_context_open (PdDvm *self, gint64 loop);

/**
 * pd_dvm_context_close:
 * The innermost context ends, and its objects with it.
 */
void pd_dvm_context_close (PdDvm *self);

/**
 * pd_dvm_context_fold:
 * The innermost context ends; its objects go over to the one around it.
 */
void pd_dvm_context_fold (PdDvm *self);

/**
 * pd_dvm_context_get_loop:
 * Returns: the loop of the innermost context, or 0.
 */
gint64 pd_dvm_context_get_loop (const PdDvm *self);

#endif
