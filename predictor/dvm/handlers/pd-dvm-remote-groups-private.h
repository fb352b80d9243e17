/* Groups of buffers of remote access, which are loaded and waited for together.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_REMOTE_GROUPS_PRIVATE_H
#define PD_DVM_REMOTE_GROUPS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_crtbg (PdDvm *self, GError **error);
gboolean pd_dvm_insrb (PdDvm *self, GError **error);
gboolean pd_dvm_loadbg (PdDvm *self, GError **error);
gboolean pd_dvm_waitbg (PdDvm *self, GError **error);
gboolean pd_dvm_rstbg (PdDvm *self, GError **error);
/* A group is about to be deleted; @deletes: its buffers with it. */
void pd_dvm_empty_buffer_group (PdDvm *self, gint64 id, gboolean deletes);

#endif
