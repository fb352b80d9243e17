/* Efficiencies of a run, how it is distributed over samples, and what was recorded.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_DISTRIBUTION_PRIVATE_H
#define PD_PAGE_DISTRIBUTION_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_efficiencies (PdPage *self, const PdReport *report, const PdReportRun *run,
                               const char *prefix);
void pd_page_add_samples (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_recorded (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
