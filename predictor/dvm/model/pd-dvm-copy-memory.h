/* What a processor does for a copy besides its messages, which depends on what the copy
 * is for: redistribution and new buffers get fresh memory; and where the trace says how
 * long the copying took, the part that stays with a processor is in that time already.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_MEMORY_H
#define PD_DVM_COPY_MEMORY_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_copy_memory_plan_new:
 * @inner: (transfer full): the messages
 * @fresh: (nullable): what of the target is fresh memory for its holders
 * @copies: whether what stays with a processor takes time, too
 *
 * Returns: (transfer full): the messages of @inner, with what is done beside them.
 */
PdPlan *pd_dvm_copy_memory_plan_new (PdPlan *inner, const PdSection *fresh, gint64 type_size,
                                     gboolean copies);

#endif
