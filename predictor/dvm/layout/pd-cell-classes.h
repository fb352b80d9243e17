/* Coordinates of a grid that are alike: where blocks have a few lengths only, most processors are
 * in the same position as many others, and what they do differs by their numbers alone.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CELL_CLASSES_H
#define PD_CELL_CLASSES_H

#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

typedef struct _PdCellClasses PdCellClasses;

/**
 * pd_cell_classes_new:
 * @grid: must outlive the result
 * @dims: (array length=n_dims): dimensions of @grid
 * @cells: (array length=n_dims): what each coordinate of that dimension has, @cell_size bytes
 *   each; bytes that are equal mean the same
 * @most: classes that are worth it
 *
 * A class of the grid has coordinates of one class in each dimension of @dims, any in the others.
 *
 * Returns: (transfer full) (nullable): %NULL if there were more classes than @most
 */
PdCellClasses *pd_cell_classes_new (const PdGrid *grid, const guint *dims, guint n_dims,
                                    const gconstpointer *cells, gsize cell_size, guint most);
/**
 * pd_cell_classes_free:
 * @self: (nullable): classes
 */
void pd_cell_classes_free (PdCellClasses *self);

/**
 * pd_cell_classes_get_n:
 * Returns: how many classes there are, at least 1.
 */
guint pd_cell_classes_get_n (const PdCellClasses *self);

/**
 * pd_cell_classes_find:
 * @linear: a number in the grid
 *
 * Returns: its class, less than pd_cell_classes_get_n().
 */
guint pd_cell_classes_find (const PdCellClasses *self, guint32 linear);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCellClasses, pd_cell_classes_free)

#endif
