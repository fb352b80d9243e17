/* What would help: the what-ifs of a run.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_WHAT_IFS_PRIVATE_H
#define PD_PAGE_WHAT_IFS_PRIVATE_H

#include "reports/page/pd-page.h"
#include "reports/run/pd-report.h"

void pd_page_add_what_ifs (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
