/* Weights of coordinates that follow the speeds of processors, in the order of
 * operations of the run-time system.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_SPEED_H
#define PD_DVM_LAYOUT_SPEED_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_grid_scale_weights:
 * @powers: (array): speed of each processor, by linear number; finite, > 0
 * @weights: (array) (inout): %PD_MAX_GRID_RANK entries; the weights of each
 *   dimension, as of pd_grid_normalise_weights(); %NULL: all 1. New arrays of
 *   gdouble on return (transfer full), for every dimension of the grid
 *
 * Lets the weights of coordinates follow the speeds of processors, as the
 * run-time system does. A dimension is uneven if along it
 * the speed of some processor and the mean of those before it on its line are
 * in a ratio of 0.85 or less; the weights of uneven dimensions are multiplied
 * by the mean over the processors of the coordinate of speed^(1/j), where j is
 * the number of such dimensions. The least positive weight of all becomes 1.
 */
void pd_grid_scale_weights (const PdGrid *self, const gdouble *powers, GArray **weights);

#endif
