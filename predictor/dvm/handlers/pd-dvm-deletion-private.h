/* Deletion of an object with its dependent objects; records of deletion and of blocks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_DELETION_PRIVATE_H
#define PD_DVM_DELETION_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* What PdDvmHandlers.forget has for kinds of objects. */
void pd_dvm_forget_grid (PdDvm *self, gint64 id);
void pd_dvm_forget_view (PdDvm *self, gint64 id);
void pd_dvm_forget_array (PdDvm *self, gint64 handle);
void pd_dvm_forget_buffer_group (PdDvm *self, gint64 id);

gboolean pd_dvm_delete_object (PdDvm *self, GError **error);
gboolean pd_dvm_begbl (PdDvm *self, GError **error);
gboolean pd_dvm_endbl (PdDvm *self, GError **error);

#endif
