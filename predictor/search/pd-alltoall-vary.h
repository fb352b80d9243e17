/* What the order of shapes depends on: one assumption at a time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_VARY_H
#define PD_ALLTOALL_VARY_H

#include "predictor/search/pd-alltoall-search.h"

/**
 * pd_alltoall_vary:
 * @question: what was asked
 * @advice: (inout): with shapes; gets trials and ranges
 * @error: return location for a #PdMachineError
 *
 * Asks again under each other assumption, one at a time.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_alltoall_vary (const PdAlltoallQuestion *question, PdAlltoallAdvice *advice,
                           GError **error);

#endif
