/* The intervals of a run: the tree, what their time is made of, all characteristics, operations.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_INTERVALS_PRIVATE_H
#define PD_PAGE_INTERVALS_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* Where time goes, in each interval. */
void pd_page_add_intervals (PdPage *self, const PdReportRun *run, const char *prefix);
void pd_page_add_characteristics (PdPage *self, const PdReportRun *run);

/* All there is of each interval of a DVM run. */
void pd_page_add_cards (PdPage *self, const PdReportRun *run, const char *prefix);
/* The table of operations of each interval of a DVM program, of which scripts show the chosen one.
 */
void pd_page_add_operations (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
