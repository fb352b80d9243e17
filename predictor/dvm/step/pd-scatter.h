/* How much the time of a parallel loop scatters when it is repeated. On several processors each has
 * a time of its own for equal work, and they wait for the slowest.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCATTER_H
#define PD_SCATTER_H

#include "predictor/dvm/step/pd-step.h"

typedef struct _PdScatters PdScatters;

/**
 * pd_scatters_new:
 * Returns: (transfer full): a program before its first loop.
 */
PdScatters *pd_scatters_new (void);

/**
 * pd_scatters_free:
 * @self: (nullable): the repetitions
 */
void pd_scatters_free (PdScatters *self);

/**
 * pd_scatters_add:
 * @self: (nullable): the repetitions so far; %NULL: no scatter is wanted
 * @file: place of the loop, interned
 * @line: likewise
 * @work: of this repetition of it, as all processors together have it
 *
 * Compares the time of an iteration with that in the repetition before. The first one of a place is
 * not compared, since it touches its memory for the first time. With the mean x of an iteration and
 * the mean difference d of two successive repetitions, weighted by their times, the slower one of
 * two processors takes x (1 + G), G = d / (2 x), however the times are distributed. The scatter is
 * that of the lognormal distribution with this G,
 *
 *     erf (sigma / 2) = G,
 *
 * G at most 0.9. A repetition that takes more than four times as long as the others is no scatter,
 * but an outlier: it is not compared, and has no scatter itself.
 *
 * Source: H. A. David, Gini's mean difference rediscovered, Biometrika 55 (1968); J. Aitchison,
 * J. Brown, The Lognormal Distribution, 1957.
 *
 * Returns: the scatter, with sigma = 0 if it is not known, or not wanted.
 */
PdScatter pd_scatters_add (PdScatters *self, const char *file, gint64 line, const PdLoopWork *work);

#endif
