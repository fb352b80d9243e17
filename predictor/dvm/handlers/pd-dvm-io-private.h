/* Input and output: the I/O processor works, the others learn the result by broadcasts.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_IO_PRIVATE_H
#define PD_DVM_IO_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_io (PdDvm *self, GError **error);
gboolean pd_dvm_biof (PdDvm *self, GError **error);
gboolean pd_dvm_eiof (PdDvm *self, GError **error);
gboolean pd_dvm_srmem (PdDvm *self, GError **error);

/* An I/O statement, if one is open, reads or writes so many bytes more. */
void pd_dvm_count_file_bytes (PdDvm *self, gint64 bytes);

#endif
