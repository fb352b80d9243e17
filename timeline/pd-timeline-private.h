/* What the files of timeline/ share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_PRIVATE_H
#define PD_TIMELINE_PRIVATE_H

#include "timeline/pd-timeline.h"

G_BEGIN_DECLS

/* Ranks from the first to the last. */
typedef struct
{
  guint32 first;
  guint32 last;
} PdTimelineRange;

/* Returns: (transfer full) (element-type PdTimelineRange): those of "0,4-7". */
GArray *pd_timeline_parse_ranks (const char *text, GError **error);

G_END_DECLS

#endif
