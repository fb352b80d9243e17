/* Rules as rows of tables: pd-rule-peers.c has those of partners, pd-rule-numbers.c those of
 * numbers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RULE_PRIVATE_H
#define PD_RULE_PRIVATE_H

#include "scale/rule/pd-rule.h"

#define PD_RULE_NO_VALUE G_MININT64 /* a rule that has no sense there */

typedef struct
{
  const char *words; /* %lld: the constants, in their order; "": pd_rule_describe_number() */
  gint64 (*get) (const PdRulePlace *at, const gint64 *c);
  /* (nullable): finds the constants; NULL: there are none. Where the first one is a row of a table
   * of quantities, it tries them from the given one on */
  gboolean (*solve) (const PdRuleSample *samples, gsize n, gint64 *c);
} PdRuleRow;

/* The rows of a purpose, the first ones first. */
typedef struct
{
  const PdRuleRow *rows;
  guint n;
} PdRuleTable;

extern const PdRuleTable pd_rule_peers;
extern const PdRuleTable pd_rule_numbers;
extern const PdRuleTable pd_rule_times;

/* 2 to the power of @exponent. An exponent out of range gives a number beyond all ranks, or 1. */
static inline gint64
pd_rule_power (gint64 exponent)
{
  return (gint64) 1 << CLAMP (exponent, 0, 61);
}

/* The exponent of the greatest power of two up to @n > 0. */
static inline gint64
pd_rule_log2 (gint64 n)
{
  return 63 - __builtin_clzll ((guint64) n);
}

/**
 * pd_rule_get_constant: @c[0].
 */
gint64 pd_rule_get_constant (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_constant: @c[0] is the first number.
 */
gboolean pd_rule_solve_constant (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_row_fits:
 * Returns: whether @get with the constants @c gives every number.
 */
gboolean pd_rule_row_fits (gint64 (*get) (const PdRulePlace *at, const gint64 *c),
                           const PdRuleSample *samples, gsize n, const gint64 *c);

/**
 * pd_rule_row_count_quantities:
 * Returns: how many quantities the first constant of @row may stand for; 0: it is none.
 */
gint64 pd_rule_row_count_quantities (const PdRuleRow *row);

/**
 * pd_rule_row_is_steady:
 * @row: of numbers, or of times
 *
 * Returns: whether it is known not to depend on k.
 */
gboolean pd_rule_row_is_steady (const PdRuleRow *row, const gint64 *c);

/**
 * pd_rule_row_uses_level:
 * @row: of numbers, or of times
 *
 * Returns: whether the number depends on l.
 */
gboolean pd_rule_row_uses_level (const PdRuleRow *row, const gint64 *c);

#define PD_RULE_NOBODY (-2) /* a partner beyond the border of a grid */

/**
 * pd_rule_find_largest:
 * Returns: (nullable): the sample of the largest communicator that has a partner.
 */
const PdRuleSample *pd_rule_find_largest (const PdRuleSample *samples, gsize n);

/**
 * pd_rule_rank_at:
 * Returns: the rank in the grid of @at that has these @coordinates.
 */
gint64 pd_rule_rank_at (const PdRulePlace *at, const gint64 *coordinates);

/**
 * pd_rule_modulo:
 * Returns: @value, around @n, from 0 on.
 */
gint64 pd_rule_modulo (gint64 value, gint64 n);

/**
 * pd_rule_get_each_along: in dimension @c[0], at @c[1] in the first repetition, then at the next
 * place.
 */
gint64 pd_rule_get_each_along (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_each_along: finds these.
 */
gboolean pd_rule_solve_each_along (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_get_leader_along: in dimension @c[0], always at @c[1].
 */
gint64 pd_rule_get_leader_along (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_leader_along: finds these.
 */
gboolean pd_rule_solve_leader_along (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_get_other_along: in dimension @c[0], each other rank in turn.
 */
gint64 pd_rule_get_other_along (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_other_along: finds it.
 */
gboolean pd_rule_solve_other_along (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_get_skewed: in dimension @c[0], around, as far away as the coordinate in dimension @c[1]
 * says; @c[2] is 1 or -1.
 */
gint64 pd_rule_get_skewed (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_skewed: finds these.
 */
gboolean pd_rule_solve_skewed (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_peers_row_is_steady:
 * Returns: likewise, of partners.
 */
gboolean pd_rule_peers_row_is_steady (const PdRuleRow *row);

/**
 * pd_rule_peers_row_uses_level:
 * Returns: whether the partner depends on l.
 */
gboolean pd_rule_peers_row_uses_level (const PdRuleRow *row);

/**
 * pd_rule_add_other_blocks:
 * @rule: of numbers
 * @row: its row
 * @others: (element-type PdRule): gets other blocks that explain as much, if @rule is of blocks or
 *   of parts
 */
void pd_rule_add_other_blocks (const PdRule *rule, const PdRuleRow *row,
                               const PdRuleSample *samples, gsize n, GArray *others);

/**
 * pd_rule_row_is_block:
 * Returns: whether the constants are deal, unit and number of things of a block.
 */
gboolean pd_rule_row_is_block (const PdRuleRow *row);

/**
 * pd_rule_row_is_exhausted:
 * Returns: see pd_rule_is_exhausted().
 */
gboolean pd_rule_row_is_exhausted (const PdRuleRow *row, const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_row_get_dimension:
 * Returns: see pd_rule_get_dimension().
 */
gint pd_rule_row_get_dimension (const PdRuleRow *row, const gint64 *c);

/* Quantities over which things are dealt out, in a constant of a rule: size 1, then 2 and 3. */
#define PD_RULE_N_USUAL_DEALS 7
#define PD_RULE_N_DEALS       48
#define PD_RULE_DEAL_SIZE_1   2

/**
 * pd_rule_n: the ranks of the communicator.
 */
gint64 pd_rule_n (const PdRulePlace *at);

/**
 * pd_rule_size_1: the first size of the grid; likewise, 1 where there is none:
 */
gint64 pd_rule_size_1 (const PdRulePlace *at);

/**
 * pd_rule_size_2: the second one.
 */
gint64 pd_rule_size_2 (const PdRulePlace *at);

/**
 * pd_rule_size_3: the third one.
 */
gint64 pd_rule_size_3 (const PdRulePlace *at);

/**
 * pd_rule_get_block: @c[1] times the block of @c[2] things that a member has; @c[0]: the deal.
 */
gint64 pd_rule_get_block (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_block: finds these, from @c[0] on: blocks of which the first ones have one more.
 */
gboolean pd_rule_solve_block (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_solve_unusual_block: finds these, from @c[0] on: blocks in other styles, and of
 * neighbours.
 */
gboolean pd_rule_solve_unusual_block (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_add_blocks:
 * @rule: what explains the numbers
 * @deal: what things may be dealt out over
 * @others: (element-type PdRule): gets other units, and other numbers of things, that explain as
 *   much: first those of elements of 8 and 4 bytes, which are usual
 */
void pd_rule_add_blocks (const PdRule *rule, gint64 deal, const PdRuleSample *samples, gsize n,
                         GArray *others);

/**
 * pd_rule_block_is_over:
 * Returns: whether things are dealt out over as many members as @get gives.
 */
gboolean pd_rule_block_is_over (gint64 deal, gint64 (*get) (const PdRulePlace *at));

/**
 * pd_rule_block_is_exhausted:
 * Returns: see pd_rule_is_exhausted().
 */
gboolean pd_rule_block_is_exhausted (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_block_is_steady:
 * Returns: whether the block does not depend on k.
 */
gboolean pd_rule_block_is_steady (const gint64 *c);

/**
 * pd_rule_describe_block:
 * Returns: (transfer full): the block in words of algebra.
 */
char *pd_rule_describe_block (const gint64 *c);

/**
 * pd_rule_varies:
 * @other: (out): a sample where @get gives another number than for the first one
 *
 * Returns: whether there is one.
 */
gboolean pd_rule_varies (const PdRuleSample *samples, gsize n,
                         gint64 (*get) (const PdRulePlace *at), gsize *other);

/**
 * pd_rule_get_unit:
 * Returns: the greatest common divisor of all numbers.
 */
gint64 pd_rule_get_unit (const PdRuleSample *samples, gsize n);

/**
 * pd_rule_find_things:
 * @c: [0] says over what blocks are dealt out; [1] gets @unit, [2] how many things there may be, a
 *   round number
 *
 * Returns: whether the numbers may be blocks of things of @unit.
 */
gboolean pd_rule_find_things (const PdRuleSample *samples, gsize n, gint64 unit, gint64 *c);

/**
 * pd_rule_groups: how many communicators of that size there are: where it is a row, the columns.
 */
gint64 pd_rule_groups (const PdRulePlace *at);

/**
 * pd_rule_get_product: a number times two quantities, or divided by them.
 */
gint64 pd_rule_get_product (const PdRulePlace *at, const gint64 *c);

/* How many products there are, and pairs of dimensions that a block has a face in. */
#define PD_RULE_N_PRODUCTS 243
#define PD_RULE_N_FACES    3

/**
 * pd_rule_solve_product: finds these, from @c[0] on.
 */
gboolean pd_rule_solve_product (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_product_is_steady:
 * Returns: whether the product does not depend on k.
 */
gboolean pd_rule_product_is_steady (const gint64 *c);

/**
 * pd_rule_product_uses_level:
 * Returns: whether the product depends on l.
 */
gboolean pd_rule_product_uses_level (const gint64 *c);

/**
 * pd_rule_describe_product:
 * Returns: (transfer full): the product in words of algebra.
 */
char *pd_rule_describe_product (const gint64 *c);

/**
 * pd_rule_get_face: the points in a face of a block, in two dimensions of the grid.
 */
gint64 pd_rule_get_face (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_face: finds how many points there are, from @c[0] on.
 */
gboolean pd_rule_solve_face (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_describe_face:
 * Returns: (transfer full): the face in words of algebra.
 */
char *pd_rule_describe_face (const gint64 *c);

/**
 * pd_rule_get_rim: the points along a block of a grid, with those around it.
 */
gint64 pd_rule_get_rim (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_rim: finds how many points there are, from @c[0] on.
 */
gboolean pd_rule_solve_rim (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_describe_rim:
 * Returns: (transfer full): the block in words of algebra.
 */
char *pd_rule_describe_rim (const gint64 *c);

/* How many forms faces of cells, and places of cells, have. */
#define PD_RULE_N_CELLS  252
#define PD_RULE_N_PLACES 48

/**
 * pd_rule_get_cells: points of faces of cells that a rank has along a diagonal of a cube.
 */
gint64 pd_rule_get_cells (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_cells: finds the form, a unit and how many points the cube has, from @c[0] on.
 */
gboolean pd_rule_solve_cells (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_add_other_cells:
 * @others: (element-type PdRule): gets those of the form of @rule, with other numbers of points,
 * that explain as much
 */
void pd_rule_add_other_cells (const PdRule *rule, const PdRuleSample *samples, gsize n,
                              GArray *others);

/**
 * pd_rule_cells_are_steady:
 * Returns: whether the points do not depend on k.
 */
gboolean pd_rule_cells_are_steady (const gint64 *c);

/**
 * pd_rule_describe_cells:
 * Returns: (transfer full): the faces in words of algebra.
 */
char *pd_rule_describe_cells (const gint64 *c);

/**
 * pd_rule_get_place: a number for where the cell at a place of a sweep is in the plane across it.
 */
gint64 pd_rule_get_place (const PdRulePlace *at, const gint64 *c);

/**
 * pd_rule_solve_place: finds the sweep and the first number, from @c[0] on.
 */
gboolean pd_rule_solve_place (const PdRuleSample *samples, gsize n, gint64 *c);

/**
 * pd_rule_describe_place:
 * Returns: (transfer full): the number in words of algebra.
 */
char *pd_rule_describe_place (const gint64 *c);

/**
 * pd_rule_describe_number:
 * Returns: (transfer full): a rule whose row has no words.
 */
char *pd_rule_describe_number (const PdRuleRow *row, const gint64 *c);

#endif
