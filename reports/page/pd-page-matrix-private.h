/* The communication matrix. * The entry of the chart: ranks, groups, size (ranks of a
 * group), and columns from, to, messages, bytes of all pairs of groups that have
 * messages, by from and to.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_MATRIX_PRIVATE_H
#define PD_PAGE_MATRIX_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_matrix (PdPage *self, const PdReportRun *run, const char *prefix);

#endif
