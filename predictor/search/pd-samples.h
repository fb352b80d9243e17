/* The same prediction many times, with the noise and the uncertain values of its machine
 * drawn anew.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SAMPLES_H
#define PD_SAMPLES_H

#include "comsys/machine/pd-machine.h"
#include "predictor/search/pd-many.h"

/* The most samples of one run. */
#define PD_SAMPLES_MAX 1000000

/* Everything is borrowed. */
typedef struct
{
  const PdMachine *machine;    /* its spreads are drawn from */
  const char *const *settings; /* (nullable) (array zero-terminated=1): those of the user */
  guint64 seed;                /* of sample 0; the next one has the next number */
  guint n;                     /* from 1 to %PD_SAMPLES_MAX */
  guint n_threads;             /* >= 1; the result does not depend on it */
  PdSampleFunc predict;        /* returns how long the program runs */
  gpointer data;
  PdSamplesFunc predict_batch; /* (nullable): used instead, for … */
  guint max_batch;             /* … at most so many, in the order of samples */
} PdSampleOptions;

/**
 * pd_samples_predict:
 * @error: return location for the error of the first sample that has one
 *
 * Sample i is the prediction with seed + i, in which each value of a "spread" is multiplied
 * by a factor drawn with that seed: so each can be repeated alone.
 *
 * Returns: (transfer full) (nullable) (element-type PdTime): how long each takes.
 */
GArray *pd_samples_predict (const PdSampleOptions *options, GError **error);

/**
 * pd_samples_settings:
 * @seed: of the sample
 *
 * Returns: (transfer full) (array zero-terminated=1): the settings of one sample.
 */
char **pd_samples_settings (const PdMachine *machine, const char *const *settings, guint64 seed);

#endif
