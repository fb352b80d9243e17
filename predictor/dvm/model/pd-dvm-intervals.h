/* Intervals of the program, as the records open and close them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_INTERVALS_H
#define PD_DVM_INTERVALS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_interval_move:
 * Follows an interval record without charging anything; the current interval is
 * self->node.
 *
 * Returns: whether an interval was entered.
 */
gboolean pd_dvm_interval_move (PdDvm *self);

/**
 * pd_dvm_interval_is_open:
 * Returns: whether the interval of @node, which is not the root, is open.
 */
gboolean pd_dvm_interval_is_open (const PdDvm *self, guint32 node);

/**
 * pd_dvm_interval:
 * The handler of interval records.
 */
gboolean pd_dvm_interval (PdDvm *self, GError **error);

/**
 * pd_dvm_interval_leave_task:
 * Closes the intervals that were opened in the current task, with warnings.
 */
void pd_dvm_interval_leave_task (PdDvm *self, gboolean at_end);

/**
 * pd_dvm_interval_finish:
 * The trace is over: closes all intervals, with warnings.
 */
void pd_dvm_interval_finish (PdDvm *self);

/**
 * pd_dvm_interval_stack_new:
 * Returns: (transfer full): the stack of open intervals.
 */
GArray *pd_dvm_interval_stack_new (void);

#endif
