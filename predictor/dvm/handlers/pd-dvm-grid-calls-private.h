/* Records that create processor systems.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_GRID_CALLS_PRIVATE_H
#define PD_DVM_GRID_CALLS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_getps (PdDvm *self, GError **error);
gboolean pd_dvm_crtps (PdDvm *self, GError **error);
gboolean pd_dvm_psview (PdDvm *self, GError **error);

#endif
