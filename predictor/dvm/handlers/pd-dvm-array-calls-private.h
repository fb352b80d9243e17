/* Records that create arrays, align them and name them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_ARRAY_CALLS_PRIVATE_H
#define PD_DVM_ARRAY_CALLS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_crtda (PdDvm *self, GError **error);
gboolean pd_dvm_align (PdDvm *self, GError **error);
gboolean pd_dvm_addhdr (PdDvm *self, GError **error);
gboolean pd_dvm_crtbuffer (PdDvm *self, GError **error);

#endif
