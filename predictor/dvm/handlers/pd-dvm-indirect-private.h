/* Indirect access, A(B(i)): who fetches what depends on the contents of the matrix of
 * indices, which no trace has. They are taken to be spread evenly over the remote array.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_INDIRECT_PRIVATE_H
#define PD_DVM_INDIRECT_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_crtib (PdDvm *self, GError **error);
gboolean pd_dvm_loadib (PdDvm *self, GError **error);
gboolean pd_dvm_waitib (PdDvm *self, GError **error);
gboolean pd_dvm_crtig (PdDvm *self, GError **error);
gboolean pd_dvm_insib (PdDvm *self, GError **error);
gboolean pd_dvm_delig (PdDvm *self, GError **error);

#endif
