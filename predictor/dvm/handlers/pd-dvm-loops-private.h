/* Parallel loops. All records from the first dopl_ to the one that says that nothing is
 * left are one step: how long the portions took on one processor is known only at the
 * end, and only their sum is useful.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LOOPS_PRIVATE_H
#define PD_DVM_LOOPS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_crtpl (PdDvm *self, GError **error);
gboolean pd_dvm_mappl (PdDvm *self, GError **error);
gboolean pd_dvm_dopl (PdDvm *self, GError **error);
gboolean pd_dvm_endpl (PdDvm *self, GError **error);
/* The loop 'LoopRef' names, or an error. */
const PdLoopObject *pd_dvm_need_loop (PdDvm *self, gint64 *id, GError **error);
void pd_dvm_loop_free (gpointer loop);

#endif
