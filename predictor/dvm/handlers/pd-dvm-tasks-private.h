/* Abstract machines, and the tasks that run on them: who takes part, on which processor
 * system, and what ends with the task.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_TASKS_PRIVATE_H
#define PD_DVM_TASKS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

GArray *pd_dvm_tasks_new (void);
void pd_dvm_tasks_clear (PdDvm *self);
/* The trace is over: so are the tasks. */
void pd_dvm_tasks_finish (PdDvm *self);
gboolean pd_dvm_getam (PdDvm *self, GError **error);
gboolean pd_dvm_getamr (PdDvm *self, GError **error);
gboolean pd_dvm_mapam (PdDvm *self, GError **error);
gboolean pd_dvm_runam (PdDvm *self, GError **error);
gboolean pd_dvm_stopam (PdDvm *self, GError **error);

#endif
