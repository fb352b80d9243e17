/* Shadow groups and barriers: their MPI calls, the calling processors, and the sizes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_SHADOW_PRIVATE_H
#define PD_DVM_SHADOW_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* The group 'ShadowGroupRef' names, or an error. */
const PdShadowGroup *pd_dvm_need_shadow (PdDvm *self, gint64 *id, GError **error);
/* Starts the exchange of a group, to be waited for by its @id. */
void pd_dvm_shadow_start (PdDvm *self, const PdShadowGroup *group, gint64 id);

gboolean pd_dvm_crtshg (PdDvm *self, GError **error);
gboolean pd_dvm_rstshg (PdDvm *self, GError **error);
gboolean pd_dvm_inssh (PdDvm *self, GError **error);
gboolean pd_dvm_strtsh (PdDvm *self, GError **error);
gboolean pd_dvm_waitsh (PdDvm *self, GError **error);
gboolean pd_dvm_bsynch (PdDvm *self, GError **error);

#endif
