/* Definitions of an archive of a timeline.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OTF2_DEFS_PRIVATE_H
#define PD_TIMELINE_OTF2_DEFS_PRIVATE_H

#include "timeline/pd-timeline-otf2-private.h"

/* @n_events: (array): of each location. */
gboolean pd_tl_otf2_write_definitions (const PdTimeline *timeline, const guint64 *n_events,
                                       OTF2_GlobalDefWriter *out);

#endif
