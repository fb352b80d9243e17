/* The machine as boxes in boxes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_MACHINE_PRIVATE_H
#define PD_PAGE_MACHINE_PRIVATE_H

#include "reports/page/pd-page-private.h"

void pd_page_add_machine (PdPage *self, const PdReport *report);

#endif
