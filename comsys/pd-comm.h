/* Groups and communicators beyond the plainest ones: sets of ranks, grids,
 * graphs, nodes. They follow the calling convention of pd-comsys.h.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_H
#define PD_COMM_H

#include "comsys/pd-comsys.h"

G_BEGIN_DECLS

/* ---- groups */

/**
 * pd_group_get_rank:
 * @world_rank: a world rank
 *
 * Returns: its rank in @self, -1 if it is no member. O(members).
 */
gint64 pd_group_get_rank (const PdGroup *self, guint32 world_rank);

/**
 * pd_group_union:
 * Returns: (transfer full): MPI_Group_union: the members of @a, then those of @b
 *   that are not in @a.
 */
PdGroup *pd_group_union (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_intersection:
 * Returns: (transfer full): MPI_Group_intersection: the members of @a that are in @b.
 */
PdGroup *pd_group_intersection (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_difference:
 * Returns: (transfer full): MPI_Group_difference: the members of @a that are not in @b.
 */
PdGroup *pd_group_difference (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_excl:
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_excl: the others, in order;
 *   %NULL if a rank is out of range.
 */
PdGroup *pd_group_excl (const PdGroup *self, const guint32 *ranks, guint32 n);

/* first, first + stride, … up to last. */
typedef struct
{
  gint32 first;
  gint32 last;
  gint32 stride;
} PdRange;

/**
 * pd_group_range_incl:
 * @ranges: (array length=n): of ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_range_incl; %NULL if a stride is 0,
 *   or a rank is out of range or named twice.
 */
PdGroup *pd_group_range_incl (const PdGroup *self, const PdRange *ranges, guint32 n);

/**
 * pd_group_range_excl:
 * @ranges: (array length=n): of ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_range_excl; %NULL as for
 *   pd_group_range_incl().
 */
PdGroup *pd_group_range_excl (const PdGroup *self, const PdRange *ranges, guint32 n);

/**
 * pd_group_translate_ranks:
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 * @other: another group
 * @result: (array length=n) (out caller-allocated): their ranks within @other;
 *   -1 (MPI_UNDEFINED) for those that are not in it, or out of range
 *
 * MPI_Group_translate_ranks.
 */
void pd_group_translate_ranks (const PdGroup *self, const guint32 *ranks, guint32 n,
                               const PdGroup *other, gint64 *result);

typedef enum
{
  PD_COMPARE_IDENT,     /* the same communicator; of groups, the same members in order */
  PD_COMPARE_CONGRUENT, /* the same members in order */
  PD_COMPARE_SIMILAR,   /* the same members */
  PD_COMPARE_UNEQUAL,
} PdComparison;

/**
 * pd_group_compare:
 * Returns: MPI_Group_compare; never CONGRUENT.
 */
PdComparison pd_group_compare (const PdGroup *a, const PdGroup *b);

/**
 * pd_comm_compare:
 * Returns: MPI_Comm_compare.
 */
PdComparison pd_comm_compare (const PdComm *a, const PdComm *b);

/* ---- communicators */

/**
 * pd_comsys_comm_split_type:
 * @split: color < 0: MPI_UNDEFINED; else MPI_COMM_TYPE_SHARED; and the key
 * @result: (out): as for pd_comsys_comm_dup(): the members of the caller's node
 *
 * MPI_Comm_split_type; costs what pd_comsys_comm_split() does.
 */
void pd_comsys_comm_split_type (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                                PdComm **result);

/**
 * pd_comsys_comm_create_group:
 * @comm: a communicator the caller belongs to
 * @group: the members, the caller among them; only they call
 * @tag: tells several calls with one group apart
 * @result: (out): not before the call returns may it be used
 *
 * MPI_Comm_create_group; costs an Allreduce of 4 bytes among the members.
 */
void pd_comsys_comm_create_group (PdComsys *self, const PdCall *call, PdComm *comm,
                                  const PdGroup *group, gint32 tag, PdComm **result);

/* ---- grids */

#define PD_MAX_DIMS 32

/* A grid of ranks, the last dimension varying fastest. */
typedef struct
{
  guint n_dims; /* at most %PD_MAX_DIMS */
  guint32 dims[PD_MAX_DIMS];
  gboolean periods[PD_MAX_DIMS];
} PdCart;

/**
 * pd_dims_create:
 * @n: >= 1, a number of ranks
 * @n_dims: at most %PD_MAX_DIMS
 * @dims: (array length=n_dims) (inout): those that are 0 become factors of what
 *   the others leave of @n, as close to each other as can be, not increasing
 *
 * MPI_Dims_create.
 *
 * Returns: %FALSE, and @dims as they were, if @n is no multiple of what is given,
 *   or all are and their product is another.
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
 * pd_comsys_cart_create:
 * @cart: the grid, of at most as many ranks as @comm has; the same in every call
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks beyond the grid
 *
 * MPI_Cart_create; ranks keep their order. Costs an Allreduce of 4 bytes.
 */
void pd_comsys_cart_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdCart *cart,
                            PdComm **result);

/**
 * pd_comsys_cart_sub:
 * @comm: one with a grid
 * @remain: (array): of each dimension, whether it stays; the same in every call
 * @result: (out): as for pd_comsys_comm_dup()
 *
 * MPI_Cart_sub; costs what pd_comsys_comm_split() does.
 */
void pd_comsys_cart_sub (PdComsys *self, const PdCall *call, PdComm *comm, const gboolean *remain,
                         PdComm **result);

/**
 * pd_comm_get_cart:
 * Returns: (transfer none) (nullable): the grid of a communicator that has one.
 */
const PdCart *pd_comm_get_cart (const PdComm *self);

/* ---- graphs */

/* Whom a rank receives from and sends to. */
typedef struct
{
  const guint32 *sources; /* (array length=n_sources): ranks, or %PD_NO_NEIGHBOR */
  const guint32 *targets; /* (array length=n_targets): likewise */
  guint32 n_sources;
  guint32 n_targets;
} PdNeighbors;

/**
 * pd_comsys_graph_create:
 * @n: number of ranks in the graph, at most as many as @comm has
 * @ends: (array length=n): where the neighbours of each rank end in @edges
 * @edges: (array): neighbours, ranks less than @n
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks from @n on
 *
 * MPI_Graph_create; the same arguments in every call; ranks keep their order.
 * Costs an Allreduce of 4 bytes.
 */
void pd_comsys_graph_create (PdComsys *self, const PdCall *call, PdComm *comm, guint32 n,
                             const guint32 *ends, const guint32 *edges, PdComm **result);

/**
 * pd_comsys_dist_graph_create_adjacent:
 * @neighbors: of the caller, ranks less than the size of @comm; copied
 * @result: (out): as for pd_comsys_comm_dup()
 *
 * MPI_Dist_graph_create_adjacent; ranks keep their order. Costs an Allreduce of 4
 * bytes.
 */
void pd_comsys_dist_graph_create_adjacent (PdComsys *self, const PdCall *call, PdComm *comm,
                                           const PdNeighbors *neighbors, PdComm **result);

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
