/* Loops that are executed on shadow elements, too (addbnd_, addshd_): iterations at the
 * borders of blocks have several executors. Along each grid dimension these are counted
 * per coordinate; what all dimensions make is a product.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_HALO_H
#define PD_DVM_LAYOUT_HALO_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_halo_new:
 * @loop: a mapped loop
 * @pattern: what it is mapped on
 * @alignment: the rules it was mapped by
 * @widths: so many elements beside its block a processor executes, too
 *
 * addbnd_, addshd_: along each distributed axis the block
 * is extended, as far as there are elements and iterations. A processor without
 * a block has no shadow elements. O(s log s) for grid dimensions of size s.
 *
 * Returns: (transfer full): the iterations so executed.
 */
PdHalo *pd_halo_new (const PdLoop *loop, const PdLayout *pattern, const PdAlignment *alignment,
                     const PdHaloWidths *widths);

PdHalo *pd_halo_ref (PdHalo *self);
/**
 * pd_halo_unref:
 * @self: (nullable): a halo
 */
void pd_halo_unref (PdHalo *self);

/**
 * pd_halo_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * Returns: the number of iterations that processor executes; saturates at
 *   G_MAXINT64. O(rank of the grid).
 */
gint64 pd_halo_get_local (const PdHalo *self, guint32 linear);

/**
 * pd_halo_get_share:
 * @linear: a linear processor number of the loop's grid
 *
 * An iteration that m processors execute because of the extension is 1/m each
 * one's. Replicas (pd_layout_get_replication()) are not counted.
 *
 * Returns: the mean of 1/m over the iterations of that processor; 1 if it has
 *   none. Summed over all iterations and processors it is the iterations of the
 *   loop, times the replication.
 */
gdouble pd_halo_get_share (const PdHalo *self, guint32 linear);

/**
 * pd_halo_get_executions:
 * Returns: how often an iteration is executed on the average, at least 1;
 *   replicas are not counted.
 */
gdouble pd_halo_get_executions (const PdHalo *self);

#endif
