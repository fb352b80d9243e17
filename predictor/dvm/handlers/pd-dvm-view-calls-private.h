/* Records that create templates and distribute them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_VIEW_CALLS_PRIVATE_H
#define PD_DVM_VIEW_CALLS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* A copy of @old (transfer full), distributed over the processor system that the record
 * names: by the record's parameters, or by those of @map (nullable; of the same rank). */
PdView *pd_dvm_view_distribute (PdDvm *self, const PdView *old, const PdView *map, GError **error);

gboolean pd_dvm_crtamv (PdDvm *self, GError **error);
gboolean pd_dvm_blkdiv (PdDvm *self, GError **error);
gboolean pd_dvm_distr (PdDvm *self, GError **error);

#endif
