/* The sensitivity of the order of shapes: one assumption at a time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_VARY_H
#define PD_ALLTOALL_VARY_H

#include "predictor/search/pd-alltoall-search.h"

/**
 * pd_alltoall_vary:
 * @question: the parameters of the search
 * @advice: (inout): with shapes; gets trials and ranges
 * @error: return location for a #PdMachineError
 *
 * Repeats the search under each other assumption, one at a time.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_alltoall_vary (const PdAlltoallQuestion *question, PdAlltoallAdvice *advice,
                           GError **error);

#endif
