/* Processor grids and the weights of their coordinates.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_GRID_PRIVATE_H
#define PD_DVM_LAYOUT_GRID_PRIVATE_H

#include "predictor/dvm/layout/pd-dvm-layout-inside.h"

/* Normalises all dimensions together, in the run-time system's order of
 * operations; dimensions without weights take part with ones. */
gboolean pd_weights_normalise (const PdGrid *grid, PdWeights *weights, GError **error);
void pd_weights_clear (PdWeights *weights);

#endif
