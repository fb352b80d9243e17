/* Processor grids and the weights of their coordinates.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_GRID_H
#define PD_DVM_LAYOUT_GRID_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_grid_new:
 * @rank: 1 to %PD_MAX_GRID_RANK
 * @sizes: (array length=rank): each >= 1; the product below 2^31
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the initial grid: processor = linear number.
 */
PdGrid *pd_grid_new (guint rank, const gint64 *sizes, GError **error);

/**
 * pd_grid_new_part:
 * @parent: a grid
 * @first: (array): inclusive lower bounds, rank of @parent
 * @last: (array): inclusive upper bounds
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the sub-grid of crtps_.
 */
PdGrid *pd_grid_new_part (PdGrid *parent, const gint64 *first, const gint64 *last, GError **error);

/**
 * pd_grid_new_view:
 * @parent: a grid
 * @rank: of the new grid
 * @sizes: (array length=rank): their product equals the size of @parent
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the same processors in another shape (psview_).
 */
PdGrid *pd_grid_new_view (PdGrid *parent, guint rank, const gint64 *sizes, GError **error);

PdGrid *pd_grid_ref (PdGrid *self);
void pd_grid_unref (PdGrid *self);

/**
 * pd_grid_get_rank:
 * Returns: the number of dimensions.
 */
guint pd_grid_get_rank (const PdGrid *self);

/**
 * pd_grid_get_sizes:
 * Returns: (transfer none) (array): the size of each dimension.
 */
const guint32 *pd_grid_get_sizes (const PdGrid *self);

/**
 * pd_grid_get_n:
 * Returns: the number of processors.
 */
guint32 pd_grid_get_n (const PdGrid *self);

/**
 * pd_grid_get_processor:
 * @linear: less than pd_grid_get_n()
 *
 * Returns: the global number of the processor at @linear.
 */
guint32 pd_grid_get_processor (const PdGrid *self, guint32 linear);

/**
 * pd_grid_find:
 * @processor: a global processor number
 *
 * Returns: its linear number in this grid, or -1 if it is outside.
 */
gint64 pd_grid_find (const PdGrid *self, guint32 processor);

/**
 * pd_grid_get_coords:
 * @linear: less than pd_grid_get_n()
 * @coords: (array) (out caller-allocated): one per dimension
 */
void pd_grid_get_coords (const PdGrid *self, guint32 linear, guint32 *coords);

/**
 * pd_grid_get_linear:
 * Returns: the linear number of @coords, each within its dimension.
 */
guint32 pd_grid_get_linear (const PdGrid *self, const guint32 *coords);

/**
 * pd_grid_get_central:
 * Returns: the linear number of the central processor: coordinate size / 2 in
 *   every dimension.
 */
guint32 pd_grid_get_central (const PdGrid *self);

/**
 * pd_grid_equal:
 * Returns: whether both are the same processors in the same order and shape.
 */
gboolean pd_grid_equal (const PdGrid *a, const PdGrid *b);

/**
 * pd_grid_normalise_weights:
 * @values: (array length=n) (nullable): CoordWeight of setpsw_: one weight, >= 0,
 *   per coordinate of dimension 0, then of dimension 1, and so on
 * @n: the sum of the sizes
 * @weights: (array) (out caller-allocated): %PD_MAX_GRID_RANK entries; on
 *   success new arrays of gdouble (transfer full), or all %NULL: unit weights
 * @error: return location for %PD_LAYOUT_ERROR_VALUE
 *
 * The smallest positive weight of every dimension becomes 1. %NULL, a first
 * value of 0 (the default) and of -1 mean unit weights, whatever follows and
 * whatever @n. The result may be given as
 * PdBlockHints.weights: normalising again changes nothing.
 *
 * Returns: %FALSE if @n is not the sum of the sizes (so in every trace of one
 *   processor; unit weights are then to be used), a weight is negative or not
 *   finite, or a dimension has no positive one; all @weights are then %NULL.
 */
gboolean pd_grid_normalise_weights (const PdGrid *self, const gdouble *values, gsize n,
                                    GArray **weights, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGrid, pd_grid_unref)

#endif
