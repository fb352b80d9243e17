/* The report as a page: its sections, in their order.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_REPORT_H
#define PD_PAGE_REPORT_H

#include "reports/run/pd-report.h"

/**
 * pd_report_write_html:
 * @self: the report
 * @out: a self-contained page is appended
 */
void pd_report_write_html (const PdReport *self, GString *out);

#endif
