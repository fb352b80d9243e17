/* Consistent arrays: replicated ones of which every processor computes a part, which it
 * then sends to all others by MPI_Alltoallv.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CONSISTENT_PRIVATE_H
#define PD_DVM_CONSISTENT_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_strtac (PdDvm *self, GError **error);
gboolean pd_dvm_crtcg (PdDvm *self, GError **error);
gboolean pd_dvm_inscg (PdDvm *self, GError **error);
gboolean pd_dvm_strtcg (PdDvm *self, GError **error);
gboolean pd_dvm_rstcg (PdDvm *self, GError **error);
gboolean pd_dvm_delcg (PdDvm *self, GError **error);

#endif
