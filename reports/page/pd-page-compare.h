/* Two runs compared, as a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_COMPARE_H
#define PD_PAGE_COMPARE_H

#include "reports/compare/pd-compare.h"

/**
 * pd_compare_write_html:
 * @self: the comparison
 * @out: a self-contained page is appended: what explains the difference, then its parts, call
 *   sites, wait states and intervals, what differs most first
 */
void pd_compare_write_html (const PdCompare *self, GString *out);

#endif
