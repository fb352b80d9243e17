/* How intervals scale, as a part of a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_SCALING_PRIVATE_H
#define PD_PAGE_SCALING_PRIVATE_H

#include "reports/page/pd-page-private.h"
#include "reports/run/pd-report.h"

/* A sentence, curves and a table; nothing unless there are runs on several numbers of processors.
 */
void pd_page_add_scaling (PdPage *page, const PdReport *self);

#endif
