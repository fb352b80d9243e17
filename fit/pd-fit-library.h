/* Work of a run-time library on memory around the messages of an exchange: packing, in runs
 * of contiguous elements, and the first touch of fresh memory. Fitted to the group
 * "memory" of predictor-measure exchange.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_LIBRARY_H
#define PD_FIT_LIBRARY_H

#include "fit/pd-fit-data.h"

/* Seconds, nothing negative; NaN: not measured. */
typedef struct
{
  gdouble pack_per_byte;
  gdouble pack_per_run;
  gdouble touch_per_byte;
  gdouble
      r2; /* of the logarithms of times, the lesser one of packing and touching; 1 without them */
} PdFitLibrary;

/**
 * pd_fit_library_find:
 * @out: (out caller-allocated): by least squares of relative residuals
 *
 *     t(copy) = pack_per_byte n + pack_per_run runs,   t(touch) = constant + touch_per_byte n
 *
 * Packing needs copies of one run and of many, at one size each; touching two sizes.
 */
void pd_fit_library_find (const PdFitData *data, PdFitLibrary *out);

#endif
