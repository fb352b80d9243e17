/* The local work of a processor in a copy, which depends on the purpose of the copy:
 * redistribution and new buffers get fresh memory; and if the trace has the time of
 * the copying, this time includes the part that stays on a processor.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_MEMORY_H
#define PD_DVM_COPY_MEMORY_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_copy_memory_plan_new:
 * @inner: (transfer full): the messages
 * @fresh: (nullable): the part of the target that is fresh memory for its holders
 * @copies: whether the part that stays on a processor takes time, too
 *
 * Returns: (transfer full): the messages of @inner, with the local work.
 */
PdPlan *pd_dvm_copy_memory_plan_new (PdPlan *inner, const PdSection *fresh, gint64 type_size,
                                     gboolean copies);

#endif
