/* Models in reports.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALED_REPORT_H
#define PD_SCALED_REPORT_H

#include "reports/hints/pd-model-report.h"
#include "scale/pd-scale-model.h"

/**
 * pd_scaled_describe:
 * Returns: (transfer full): @model and what its recordings prove of it.
 */
PdModelReport *pd_scaled_describe (PdScaleModel *model);

#endif
