/* Operations that a program asks for by themselves: scalars carried along an ordered
 * loop, reductions to one processor, check sums.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MESSAGES_PRIVATE_H
#define PD_DVM_MESSAGES_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/* Halves of shifts that wait for the other half. */
GArray *pd_dvm_shifts_new (void);
/* Completes those of a loop that ends; of 0: all. */
void pd_dvm_shifts_settle (PdDvm *self, gint64 loop);
/* acsend_ and acrecv_ */
gboolean pd_dvm_acsend (PdDvm *self, GError **error);
gboolean pd_dvm_dvmreduce (PdDvm *self, GError **error);
gboolean pd_dvm_dacsum (PdDvm *self, GError **error);

#endif
