/* The scan of a machine's parameters, with sliders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_SCAN_PRIVATE_H
#define PD_PAGE_SCAN_PRIVATE_H

#include "reports/page/pd-page.h"
#include "reports/run/pd-report.h"

/* Adds what a run would take on other machines, if it was scanned. */
void pd_page_add_scan (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
