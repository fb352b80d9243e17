/* The sensitivity of the run time: the tables of pd_sensitivity_get_table(); and the
 * what-ifs of a run.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_SENSITIVITY_PRIVATE_H
#define PD_PAGE_SENSITIVITY_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_sensitivity (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_what_ifs (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
