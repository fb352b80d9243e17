/* Loops that are cut into edges and interior, so that an exchange of edges goes on while
 * the interior is computed: iterations of each processor, counted per coordinate,
 * without lists of portions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_INTERIOR_H
#define PD_DVM_LAYOUT_INTERIOR_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_interior_new:
 * @loop: a mapped loop
 * @pattern: what it is mapped on
 * @alignment: the rules it was mapped by
 * @low: (array): widths of the low edges of the pattern's axes, >= 0
 * @high: (array): likewise of the high edges
 *
 * exfrst_, imlast_: an iteration is interior if its
 * element is, in every axis of the pattern that the loop runs along, at least
 * @high from the first and @low from the last element of its processor. Whether
 * the axis is distributed does not matter. O(sum of grid dimensions).
 *
 * Returns: (transfer full): the interior.
 */
PdInterior *pd_interior_new (const PdLoop *loop, const PdLayout *pattern,
                             const PdAlignment *alignment, const gint64 *low, const gint64 *high);

PdInterior *pd_interior_ref (PdInterior *self);
/**
 * pd_interior_unref:
 * @self: (nullable): an interior
 */
void pd_interior_unref (PdInterior *self);

/**
 * pd_interior_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * Returns: the number of interior iterations of that processor; at most
 *   pd_loop_get_local(). O(rank of the grid).
 */
gint64 pd_interior_get_local (const PdInterior *self, guint32 linear);

#endif
