/* Many predictions of one program, which differ in settings of the machine and in the seed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MANY_H
#define PD_MANY_H

#include "base/pd-time.h"

/* One prediction, called by several threads at once. */
typedef PdTime (*PdSampleFunc) (gpointer data, guint64 seed, const char *const *settings,
                                GError **error);

/* One of those that are predicted together. */
typedef struct
{
  guint64 seed;
  const char *const *settings;
  PdTime time;   /* (out): how long the program runs, */
  GError *error; /* (out): or why that is not known */
} PdRunSample;

/* Several predictions at once, called by several threads at once. */
typedef void (*PdSamplesFunc) (gpointer data, PdRunSample *samples, guint n);

/* Everything is borrowed. */
typedef struct
{
  guint n;              /* predictions, >= 1 */
  guint n_threads;      /* >= 1; the result does not depend on it */
  PdSampleFunc predict; /* returns how long the program runs */
  gpointer data;
  PdSamplesFunc predict_batch; /* (nullable): used instead, for … */
  guint max_batch;             /* … at most so many, in their order */
  /* The settings of prediction @i, to be freed by g_strfreev(); @seed: (out): its seed; called by
   * several threads at once */
  char **(*describe) (gconstpointer what, guint i, guint64 *seed);
  gconstpointer what;
  /* (nullable): whether to go on in spite of an error; else all stop at the first one */
  gboolean (*forgive) (const GError *error);
} PdMany;

/**
 * pd_many_predict:
 * @error: return location for the error of the first prediction that has one which is not forgiven;
 *   the text does not say which one
 * @failed: (out): its number
 *
 * Returns: (transfer full) (nullable) (element-type PdTime): how long each takes;
 *   %PD_TIME_PENDING of one whose error is forgiven.
 */
GArray *pd_many_predict (const PdMany *self, guint *failed, GError **error);

#endif
