/* Shared declarations of the files of timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_PRIVATE_H
#define PD_TIMELINE_PRIVATE_H

#include "timeline/pd-timeline.h"

/* Ranks from the first to the last. */
typedef struct
{
  guint32 first;
  guint32 last;
} PdTimelineRange;

#endif
