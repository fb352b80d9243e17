/* The blocks of one distributed axis, exactly as Lib-DVM computes them. The order of the
 * floating-point operations is part of the result: a version in integers gives other
 * bounds in 0.03 % of cases.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_BLOCKS_H
#define PD_DVM_LAYOUT_BLOCKS_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_layout_weights_from_loads:
 * @loads: (array length=n): of the elements of an axis, each >= 0 and finite
 * @n: the size of the axis, at least @n_weights
 * @n_weights: the size of the grid dimension, >= 1
 * @error: return location for %PD_LAYOUT_ERROR_VALUE
 *
 * setelw_: the least W, to 0.001, such that groups of
 * consecutive elements with sums <= W, filled greedily, number at most @n_weights.
 *
 * Returns: (transfer full) (nullable): the number of elements of each group, as
 *   gdouble: PdBlockHints.weights of that dimension.
 */
GArray *pd_layout_weights_from_loads (const gdouble *loads, gsize n, guint n_weights,
                                      GError **error);

#endif
