/* A section of an array as its processors hold it: per grid dimension a sorted list of
 * coordinates with disjoint intervals.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_SIDE_PRIVATE_H
#define PD_DVM_COPY_SIDE_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy-private.h"

/* The section coordinates of the indices @lo to @hi; empty: hi = lo - 1. */
PdIndexRange pd_copy_to_section (const PdLoopRange *range, gint64 lo, gint64 hi);

void pd_copy_side_init (PdCopySide *self, const PdSection *section);
void pd_copy_side_clear (PdCopySide *self);

/* FALSE if the processor holds nothing of the section; @place is then undefined. */
gboolean pd_copy_side_find (const PdCopySide *self, guint32 processor, PdCopyPlace *place);
/* Whether it is the first one of its class. */
gboolean pd_copy_side_is_first (const PdCopySide *self, const PdCopyPlace *place);
gboolean pd_copy_side_same_class (const PdCopySide *self, const PdCopyPlace *a,
                                  const PdCopyPlace *b);
/* Classes are numbered row-major in the dimensions that divide an axis. */
guint32 pd_copy_side_get_class (const PdCopySide *self, const PdCopyPlace *place);
guint32 pd_copy_side_count_classes (const PdCopySide *self);
/* The number of processors of each class. */
guint32 pd_copy_side_count_replicas (const PdCopySide *self);
/* The section coordinates a place holds, one range per varying axis. */
void pd_copy_side_get_box (const PdCopySide *self, const PdCopyPlace *place, PdIndexRange *box);

/* Elements of a box with @lengths along the varying axes that lie beside each
 * other in the memory of its owner. Nothing is beside the end of a divided axis:
 * there may be shadow edges. */
gint64 pd_copy_side_get_run (const PdCopySide *self, const gint64 *lengths);
/* The coordinates of each grid dimension that hold something of @box; the
 * holders are the product. Returns their number. */
guint64 pd_copy_side_meet (const PdCopySide *self, const PdIndexRange *box, PdCopySlice *slices);
/* The coordinates of one dimension that hold something of @range of its axis. */
PdCopySlice pd_copy_dim_meet (const PdCopyDim *self, PdIndexRange range);

gboolean pd_copy_slice_has (const PdCopySlice *self, guint32 index);

/* The index of a coordinate among those that hold something, or -1. */
gint64 pd_copy_dim_find (const PdCopyDim *self, guint32 coord);

/* Whether each processor of @inner belongs to @outer. */
gboolean pd_copy_grid_is_inside (const PdGrid *inner, const PdGrid *outer);

#endif
