/* The parts of the time of each processor; of many processors, of groups of them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_PROCESSORS_PRIVATE_H
#define PD_PAGE_PROCESSORS_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_processors (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
