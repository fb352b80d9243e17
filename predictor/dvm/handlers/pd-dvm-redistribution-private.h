/* Templates and arrays that get another layout while they hold data: which data move
 * where; and what the program remembers of layouts in
 * maps.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REDISTRIBUTION_PRIVATE_H
#define PD_DVM_REDISTRIBUTION_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_redis (PdDvm *self, GError **error);
gboolean pd_dvm_mdistr (PdDvm *self, GError **error);
gboolean pd_dvm_realn (PdDvm *self, GError **error);
gboolean pd_dvm_malign (PdDvm *self, GError **error);
gboolean pd_dvm_amvmap (PdDvm *self, GError **error);
gboolean pd_dvm_arrmap (PdDvm *self, GError **error);
gboolean pd_dvm_gettar (PdDvm *self, GError **error);

#endif
