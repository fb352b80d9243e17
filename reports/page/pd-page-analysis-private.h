/* The analysis of a run: diagnosis, wait states, call sites.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_ANALYSIS_PRIVATE_H
#define PD_PAGE_ANALYSIS_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* The analysis of @run for the whole program, and the places to look at first. */
void pd_page_add_diagnosis (PdPage *self, const PdReportRun *run);
/* Wait states and call sites of each interval. */
void pd_page_add_analysis (PdPage *self, const PdReportRun *run, const char *prefix,
                           gboolean ranks);

#endif
