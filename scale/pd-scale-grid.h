/* Grids that ranks may have been arranged in, what ranks with the same neighbours have in common,
 * and communicators that are parts of grids.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_GRID_H
#define PD_SCALE_GRID_H

#include "scale/rule/pd-rule.h"
#include "traces/program/pd-program.h"

/* How many kinds of grids and of classes are tried, the simplest first. */
#define PD_SCALE_N_GRIDS   18
#define PD_SCALE_N_CLASSES 14
/* The first ones; the others are tried on lines only. */
#define PD_SCALE_N_CLASSES_OF_GRIDS 6

#define PD_SCALE_MASKS (1u << PD_RULE_DIMS)

typedef struct
{
  guint dims;
  gint64 size[PD_RULE_DIMS];
} PdScaleGrid;

/**
 * pd_scale_grid_make:
 * @kind: less than %PD_SCALE_N_GRIDS: a line; a plane, the greater size first, as MPI_Dims_create
 *   has it, or last; a cuboid, likewise; planes and cuboids of which one size is fixed, the others
 *   as MPI_Dims_create has them
 * @n: ranks
 * @grid: (out caller-allocated): the grid
 *
 * Returns: %FALSE if @n is no multiple of the fixed size.
 */
gboolean pd_scale_grid_make (guint kind, guint32 n, PdScaleGrid *grid);

/**
 * pd_scale_grid_is_of:
 * Returns: whether @grid has the dimensions of @kind, and its fixed size.
 */
gboolean pd_scale_grid_is_of (guint kind, const PdScaleGrid *grid);

/**
 * pd_scale_grid_may_be:
 * @sizes: (element-type guint32): the recorded numbers of ranks, rising
 *
 * Sizes are fixed only if three numbers of ranks or more are multiples of them.
 *
 * Returns: whether grids of @kind are tried: some differ from those of the kinds before.
 */
gboolean pd_scale_grid_may_be (guint kind, const GArray *sizes);

/**
 * pd_scale_grid_find_other:
 * @sizes: (element-type guint32): the recorded numbers of ranks, rising
 * @n: ranks that are made
 *
 * Returns: a kind with the same grids in all recordings, and another one of @n ranks; @kind if
 * there is none.
 */
guint pd_scale_grid_find_other (guint kind, const GArray *sizes, guint32 n);

/**
 * pd_scale_grid_get_dims:
 * Returns: how many dimensions grids of @kind have.
 */
guint pd_scale_grid_get_dims (guint kind);

/**
 * pd_scale_grid_name:
 * Returns: "a line", "a plane of 8 x 4" of words for people: the kind; static.
 */
const char *pd_scale_grid_name (guint kind);

/**
 * pd_scale_class_of:
 * @kind: less than %PD_SCALE_N_CLASSES: the property by which ranks are divided
 * @place: of a rank of the world
 *
 * Returns: the class of that rank: a number that has a meaning with this @kind only.
 */
guint32 pd_scale_class_of (guint kind, const PdRulePlace *place);

/**
 * pd_scale_class_may_be:
 * @kind: less than %PD_SCALE_N_CLASSES
 * @grid: a kind of grid
 * @sizes: (element-type guint32): the recorded numbers of ranks, rising
 *
 * Classes that are tried on lines only need recordings on three numbers of ranks, four or more.
 * Groups of a fixed number of ranks divide all recordings, two or more in each. The recordings show
 * that they are no rows or planes of a balanced grid: these do not have as many ranks in all of
 * them.
 *
 * Returns: whether classes of @kind are tried on @grid.
 */
gboolean pd_scale_class_may_be (guint kind, guint grid, const GArray *sizes);

/**
 * pd_scale_class_name:
 * Returns: the property by which classes of @kind differ; static.
 */
const char *pd_scale_class_name (guint kind);

/**
 * pd_scale_find_masks:
 * @members: (nullable) (array length=n): world ranks of a communicator; %NULL: the world
 * @n: how many
 *
 * A mask has a bit for each dimension; its communicators have the ranks that differ in those
 * dimensions only, in their order.
 *
 * Returns: a bit for each mask that @members are one of; 0 = none.
 */
guint pd_scale_find_masks (const PdScaleGrid *grid, const guint32 *members, guint32 n);

/**
 * pd_scale_place_in:
 * @world: a rank's place in the world's grid
 * @mask: of a communicator
 * @place: (out caller-allocated): its place there
 */
void pd_scale_place_in (const PdRulePlace *world, guint mask, PdRulePlace *place);

/**
 * pd_scale_list_members:
 * @world: a rank's place in the world's grid
 * @members: (element-type guint32): gets the world ranks of its communicator of @mask
 */
void pd_scale_list_members (const PdRulePlace *world, guint mask, GArray *members);

#endif
