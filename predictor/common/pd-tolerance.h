/* How much latency a run tolerates: what the derivative promises, simulated.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TOLERANCE_H
#define PD_TOLERANCE_H

#include "predictor/common/pd-sensitize.h"

/* Everything is borrowed. */
typedef struct
{
  const PdCriticalResult *critical; /* of the run as it is */
  const char *const *settings;      /* (nullable) (array zero-terminated=1): its --set */
  PdSensitizeRun again;
  gconstpointer data;
} PdTolerance;

/**
 * pd_tolerance_find:
 * @rows: (element-type PdSensitivityTolerance): of each slowdown one is added; none
 *   where the outermost network has no latency
 * @n_lost: (out): slowdowns that have none, since the program does not end at a latency that is
 *   tried for them
 * @error: return location for an error of @self->again, such as an interruption
 *
 * The derivative promises a growth of the latency for each slowdown; that is simulated.
 * Where the run is slower than promised, because another path has become the critical
 * one, the growth that gives the slowdown is looked for with the derivatives of the runs
 * there.
 */
gboolean pd_tolerance_find (const PdTolerance *self, GArray *rows, guint *n_lost, GError **error);

#endif
