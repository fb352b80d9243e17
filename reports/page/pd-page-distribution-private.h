/* Efficiencies of a run, its distribution over samples, and the recorded run.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_DISTRIBUTION_PRIVATE_H
#define PD_PAGE_DISTRIBUTION_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_efficiencies (PdPage *self, const PdReport *report, const PdReportRun *run,
                               const char *prefix);
void pd_page_add_samples (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_recorded (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
