/* How intervals scale, and the time of a model against ranks, as parts of a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_SCALING_PRIVATE_H
#define PD_PAGE_SCALING_PRIVATE_H

#include "reports/page/pd-page-private.h"
#include "reports/run/pd-report.h"

/* A sentence, curves and a table; nothing unless there are runs on several numbers of processors.
 */
void pd_page_add_scaling (PdPage *page, const PdReport *self);

/**
 * pd_page_add_model:
 * The section of the model of 'predictor scale' that made the runs of @self, if one did.
 */
void pd_page_add_model (PdPage *page, const PdReport *self);

#endif
