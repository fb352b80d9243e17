/* Which ranks and which part of the time, from text.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_SELECT_PRIVATE_H
#define PD_TIMELINE_SELECT_PRIVATE_H

#include "timeline/pd-timeline-private.h"

/* Returns: (transfer full) (element-type PdTimelineRange): those of "0,4-7". */
GArray *pd_timeline_parse_ranks (const char *text, GError **error);

#endif
