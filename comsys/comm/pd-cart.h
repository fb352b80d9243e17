/* Grids of ranks, and who is whose neighbour.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CART_H
#define PD_CART_H

#include "comsys/comm/pd-comm.h"

G_BEGIN_DECLS

/**
 * pd_dims_create:
 * @n: >= 1, a number of ranks
 * @n_dims: at most %PD_MAX_DIMS
 * @dims: (array length=n_dims) (inout): zeros become factors of @n divided by
 *   the others, as close to each other as possible, in non-increasing order
 *
 * MPI_Dims_create.
 *
 * Returns: %FALSE, and @dims unchanged, if @n is no multiple of the given ones,
 *   or if all are given and their product is not @n.
 */
gboolean pd_dims_create (guint32 n, guint n_dims, guint32 *dims);

/**
 * pd_cart_get_size:
 * Returns: the product of the dimensions; 1 without any; saturates.
 */
guint64 pd_cart_get_size (const PdCart *cart);

/**
 * pd_cart_get_coords:
 * @rank: less than the size
 * @coords: (array length=n_dims) (out caller-allocated)
 *
 * MPI_Cart_coords.
 */
void pd_cart_get_coords (const PdCart *cart, guint32 rank, guint32 *coords);

/**
 * pd_cart_get_rank:
 * @coords: (array length=n_dims): any in periodic dimensions
 *
 * Returns: MPI_Cart_rank; %PD_NO_NEIGHBOR outside the grid.
 */
guint32 pd_cart_get_rank (const PdCart *cart, const gint64 *coords);

/**
 * pd_cart_shift:
 * @rank: less than the size
 * @dim: less than n_dims
 * @by: distance
 * @source: (out): who is @by before @rank, or %PD_NO_NEIGHBOR
 * @target: (out): who is @by after it, or %PD_NO_NEIGHBOR
 *
 * MPI_Cart_shift.
 */
void pd_cart_shift (const PdCart *cart, guint32 rank, guint dim, gint32 by, guint32 *source,
                    guint32 *target);

/**
 * pd_comm_get_cart:
 * Returns: (transfer none) (nullable): the grid of a communicator that has one.
 */
const PdCart *pd_comm_get_cart (const PdComm *self);

/**
 * pd_comm_get_neighbors:
 * @rank: a rank of @self
 * @neighbors: (out): of a grid, for each dimension the ranks before and after;
 *   valid as long as @self; none where @self has neither grid nor graph
 *
 * For pd_comsys_collective() with neighbourhood operations.
 */
void pd_comm_get_neighbors (const PdComm *self, guint32 rank, PdNeighbors *neighbors);

G_END_DECLS

#endif
