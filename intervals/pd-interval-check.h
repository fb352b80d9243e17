/* The identities that every tree must fulfil, checked exactly.
 * SPDX-License-Identifier: MIT */
#ifndef PD_INTERVAL_CHECK_H
#define PD_INTERVAL_CHECK_H

#include "intervals/pd-interval.h"

/**
 * pd_interval_tree_check:
 * @self: the tree
 * @end_times: (nullable) (array): the clock of each processor at the end; its
 *   Execution_time in the root must equal it
 * @is_single: whether this is a DVM prediction for one processor, for which
 *   Communication, Idle and Insufficient_parallelism are 0 and Efficiency is 1
 * @error: return location for a #PdIntervalError, which names the identity,
 *   the interval, the processor and both sides
 *
 * Verifies the identities of the characteristics on every node, exact to 1 ps per
 * processor and charge.
 *
 * Returns: %TRUE if all hold.
 */
gboolean pd_interval_tree_check (const PdIntervalTree *self, const PdTime *end_times,
                                 gboolean is_single, GError **error);

#endif
