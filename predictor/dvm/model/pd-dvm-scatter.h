/* How much the time of a parallel loop scatters when it is repeated. On several processors each has
 * a time of its own for equal work, and they wait for the slowest.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_SCATTER_H
#define PD_DVM_SCATTER_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_scatters_new:
 * Returns: (transfer full): a program before its first loop.
 */
PdScatters *pd_dvm_scatters_new (void);

/**
 * pd_dvm_scatters_free:
 * @self: (nullable): the repetitions
 */
void pd_dvm_scatters_free (PdScatters *self);

/**
 * pd_dvm_scatter_add:
 * @records: of the loop
 * @work: of this repetition of it, as all processors together have it
 *
 * Compares the time of an iteration with that in the repetition before. The first one of a place is
 * not compared, since it touches its memory for the first time. With the mean x of an iteration and
 * the mean difference d of two successive repetitions, weighted by their times, the scatter is
 *
 *     sigma = (sqrt (pi) / 2) d / x,
 *
 * the standard deviation of a normal distribution with that mean difference: the slower one of two
 * processors takes d / 2 more than x, however the times are distributed.
 *
 * Source: H. A. David, Gini's mean difference rediscovered, Biometrika 55 (1968).
 *
 * Returns: the scatter, with sigma = 0 if it is not known, or not wanted.
 */
PdScatter pd_dvm_scatter_add (PdDvm *self, const PdRecords *records, const PdLoopWork *work);

#endif
