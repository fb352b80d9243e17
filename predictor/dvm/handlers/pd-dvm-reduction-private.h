/* Reductions: their MPI calls, the calling processors, and the sizes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REDUCTION_PRIVATE_H
#define PD_DVM_REDUCTION_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_crtred (PdDvm *self, GError **error);
gboolean pd_dvm_crtrg (PdDvm *self, GError **error);
gboolean pd_dvm_insred (PdDvm *self, GError **error);
gboolean pd_dvm_rstrg (PdDvm *self, GError **error);
gboolean pd_dvm_strtrd (PdDvm *self, GError **error);
gboolean pd_dvm_waitrd (PdDvm *self, GError **error);

/* Bytes of an element of a type that crtred_ knows by number; 0: unknown. */
gint64 pd_dvm_get_type_bytes (gint64 type);

#endif
