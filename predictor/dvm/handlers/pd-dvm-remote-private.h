/* Buffers of remote access: elements that a loop, or the owner of an array, reads from other
 * processors are copied there beforehand. A buffer is an array, with the section that it is
 * filled from.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REMOTE_PRIVATE_H
#define PD_DVM_REMOTE_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* The buffer that @array (nullable) is, or NULL. */
PdBuffer *pd_dvm_find_buffer (PdDvm *self, const PdArray *array);
/* The elements of a buffer that are filled: all, or those of a loop's steps;
 * layout NULL if it lies nowhere. */
void pd_dvm_get_buffer_target (const PdBuffer *buffer, const PdArray *array, PdSection *target);
/* Starts to fill the buffer of @array, which lies somewhere. */
gboolean pd_dvm_load_buffer (PdDvm *self, const PdArray *array, const PdBuffer *old,
                             GError **error);

gboolean pd_dvm_crtrb (PdDvm *self, GError **error);
gboolean pd_dvm_rmkind (PdDvm *self, GError **error);
gboolean pd_dvm_loadrb (PdDvm *self, GError **error);
gboolean pd_dvm_waitrb (PdDvm *self, GError **error);

#endif
