/* The parts of the time of intervals, as bars.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_PARTS_PRIVATE_H
#define PD_PAGE_PARTS_PRIVATE_H

#include "reports/page/pd-page-private.h"

/* With CPU_time less Insufficient_parallelism they make up Total_time; from the first,
 * productive computation, I/O_time is to be taken away. */
extern const PdPagePart pd_page_parts[PD_PAGE_N_PARTS];

/* Returns: that part of the total time of @r. */
PdTimeSum pd_page_get_part (const PdIntervalResult *r, guint part);

/* Returns: a cell with a bar of the parts of @r; @whole is what fills it. */
char *pd_page_make_bar (const PdIntervalResult *r, PdTimeSum whole);

/* Appends the key to their colours. */
void pd_page_append_key (GString *out);

#endif
