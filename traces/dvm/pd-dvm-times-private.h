/* The times of calls, as the reader gives them out. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_TIMES_PRIVATE_H
#define PD_DVM_TIMES_PRIVATE_H

#include "traces/dvm/pd-dvm-reader.h"

/* All zero: nothing is corrected. */
typedef struct
{
  const GArray *corrections; /* (nullable) (element-type PdDvmCorrection): ascending; borrowed */
  guint next_correction;     /* of @corrections */
} PdDvmTimes;

/**
 * pd_dvm_times_correct:
 * @call: (inout): complete, and after all calls that were given before
 *
 * Replaces its times that have a correction.
 */
void pd_dvm_times_correct (PdDvmTimes *self, PdDvmCall *call);

#endif
