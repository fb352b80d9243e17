/* How many messages a copy takes in all, without listing them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_TOTAL_PRIVATE_H
#define PD_DVM_COPY_TOTAL_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

/* How many processors send the same part of the source. */
guint32 pd_copy_plan_count_senders (const PdCopyPlan *self);

/* The messages of all, as pd_plan_get_total(), of a product. */
guint64 pd_copy_plan_count_messages (const PdCopyPlan *self, const PdCopyVector *vector);

#endif
