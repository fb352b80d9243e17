/* The blocks of one distributed axis, exactly as Lib-DVM computes them. The order of the
 * floating-point operations is part of the result: a version in integers gives other
 * bounds in 0.03 % of cases.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_BLOCKS_PRIVATE_H
#define PD_DVM_LAYOUT_BLOCKS_PRIVATE_H

#include "predictor/dvm/layout/pd-dvm-layout-inside.h"

/* Both return a g_rc_box of n_coords ranges. */
PdIndexRange *pd_blocks_new (const PdBlockSpec *spec, gboolean *clipped, GError **error);
PdIndexRange *pd_blocks_new_from_list (gint64 n, const GArray *sizes, GError **error);

#endif
