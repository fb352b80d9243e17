/* The operations of a DVM program, by kind, of the interval that is chosen.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_OPERATIONS_PRIVATE_H
#define PD_PAGE_OPERATIONS_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* The table of operations of each interval, of which scripts show the chosen one. */
void pd_page_add_operations (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
