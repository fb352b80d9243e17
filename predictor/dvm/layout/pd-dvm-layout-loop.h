/* Parallel loops: iterations of each processor.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_LOOP_H
#define PD_DVM_LAYOUT_LOOP_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_loop_new:
 * @pattern: layout of the array or template the loop is mapped on
 * @rank: of the loop
 * @ranges: (array length=rank): its indices
 * @alignment: the rules, one entry per axis of the pattern
 * @error: return location for a #PdLayoutError
 *
 * mappl_ Immutable and reference-counted.
 *
 * Errors: as pd_layout_new_aligned(); VALUE also for a step of 0 and a space
 * of 2^63 points or more. The place of an empty loop is not checked.
 *
 * Returns: (transfer full) (nullable): the mapped loop.
 */
PdLoop *pd_loop_new (PdLayout *pattern, guint rank, const PdLoopRange *ranges,
                     const PdAlignment *alignment, GError **error);

PdLoop *pd_loop_ref (PdLoop *self);
void pd_loop_unref (PdLoop *self);

/**
 * pd_loop_get_total:
 * Returns: V, the number of iterations of the whole loop; 0 if it is empty.
 */
gint64 pd_loop_get_total (const PdLoop *self);

/**
 * pd_loop_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * O(rank of the grid): per-coordinate counts are kept.
 *
 * Returns: Ni, the number of iterations of that processor.
 */
gint64 pd_loop_get_local (const PdLoop *self, guint32 linear);

/**
 * pd_loop_get_local_range:
 * @linear: a linear processor number of the loop's grid
 * @ranges: (array) (out caller-allocated): the iterations of that processor,
 *   ascending (step > 0), one entry per loop index
 *
 * Returns: %FALSE if it has none.
 */
gboolean pd_loop_get_local_range (const PdLoop *self, guint32 linear, PdLoopRange *ranges);

/**
 * pd_loop_get_ranges:
 * Returns: (transfer none) (array): the iterations of each loop index, ascending
 *   (step > 0), up to the last one that is reached; undefined of an empty loop.
 */
const PdLoopRange *pd_loop_get_ranges (const PdLoop *self);

/**
 * pd_loop_get_layout:
 * Returns: (transfer none): the layout of the loop's index space, 0 to last -
 *   first, with bounds on iterations; all sizes are 0 if the loop is empty. Its
 *   replication is the rep.
 */
PdLayout *pd_loop_get_layout (const PdLoop *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLoop, pd_loop_unref)

#endif
