/* Pages: a model of predictor scale.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_MODEL_PRIVATE_H
#define PD_PAGE_MODEL_PRIVATE_H

#include "reports/page/pd-page.h"
#include "reports/run/pd-report.h"

/**
 * pd_page_add_model:
 * The section of the model that made the runs of @self, if one did.
 */
void pd_page_add_model (PdPage *page, const PdReport *self);

#endif
