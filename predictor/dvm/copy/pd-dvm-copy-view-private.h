/* Common parts of all kinds of copy plans.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_VIEW_PRIVATE_H
#define PD_DVM_COPY_VIEW_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

void pd_copy_plan_init (PdCopyPlan *self, const PdSection *from, const PdSection *to,
                        gint64 type_size);
void pd_copy_plan_clear (PdCopyPlan *self);

/* Where a processor is on either side; FALSE unless it is on both. */
gboolean pd_copy_plan_find_both (const PdCopyPlan *self, guint32 processor, PdCopyPlace *from,
                                 PdCopyPlace *to);

/* FALSE if the processor holds nothing on its side, or takes no part. */
gboolean pd_copy_view_init (PdCopyView *self, const PdCopyPlan *plan, guint32 processor,
                            gboolean send, PdPlanMessage *out);
/* Adds the peer at @linear of its grid, unless nothing is sent between the two;
 * @runs as in #PdPlanMessage. */
void pd_copy_view_add (PdCopyView *self, guint32 linear, gint64 n_elements, gint64 runs);

/* A plan without messages. */
PdPlan *pd_copy_plan_new_nothing (void);

#endif
