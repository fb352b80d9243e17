/* The data of the charts of a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_DATA_PRIVATE_H
#define PD_PAGE_DATA_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* Appends the element with the data of the charts. */
void pd_page_write_data (const PdPage *self, GString *out);

#endif
