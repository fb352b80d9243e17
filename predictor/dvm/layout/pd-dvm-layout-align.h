/* Alignment: composition of the rules, and local parts of arrays.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_ALIGN_H
#define PD_DVM_LAYOUT_ALIGN_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_layout_new_aligned:
 * @pattern: a template's or an array's layout
 * @rank: of the array
 * @sizes: (array length=rank): of the array
 * @alignment: the rules
 * @error: return location for a #PdLayoutError
 *
 * align_: composition and local parts.
 *
 * Errors: RANK: @rank, an axis, or the number of rules (not the rank of the
 * pattern); an axis named twice; VALUE: a size, a product of sizes or of
 * coefficients out of range, a place outside the pattern.
 *
 * Returns: (transfer full) (nullable): the layout of the array.
 */
PdLayout *pd_layout_new_aligned (PdLayout *pattern, guint rank, const gint64 *sizes,
                                 const PdAlignment *alignment, GError **error);

/**
 * pd_layout_new_redistributed:
 * @self: an aligned array's layout
 * @template_layout: the new layout of the template it is aligned on
 *
 * Returns: (transfer full): the layout of the same array, by its unchanged
 *   alignment, on @template_layout (redis_).
 */
PdLayout *pd_layout_new_redistributed (const PdLayout *self, PdLayout *template_layout);

/**
 * pd_layout_new_on:
 * @grid: another grid
 * @error: return location for a #PdLayoutError, where a constant coordinate
 *   lies outside of @grid
 *
 * Returns: (transfer full): what the same directives make on @grid, in even
 *   blocks: block sizes, divisors and weights do not count.
 */
PdLayout *pd_layout_new_on (const PdLayout *self, PdGrid *grid, GError **error);

/**
 * pd_layout_new_placed:
 * As pd_layout_new_aligned(), but sizes of 0 are allowed: nothing is placed then, and no
 * place is checked.
 */
PdLayout *pd_layout_new_placed (PdLayout *pattern, guint rank, const gint64 *sizes,
                                const PdAlignment *alignment, GError **error);

/**
 * pd_ceil_div:
 * @d: not 0
 *
 * Returns: @x / @d, rounded up.
 */
gint64 pd_ceil_div (gint64 x, gint64 d);

/**
 * pd_floor_div:
 * @d: not 0
 *
 * Returns: @x / @d, rounded down.
 */
gint64 pd_floor_div (gint64 x, gint64 d);

#endif
