/* Events of a location: its intervals, the functions in them, and its ends of messages,
 * merged in an order in which regions nest and messages are in the calls that send or
 * receive them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OTF2_EVENTS_PRIVATE_H
#define PD_TIMELINE_OTF2_EVENTS_PRIVATE_H

#include "timeline/pd-timeline-otf2-private.h"

/* Writes all events of @place; @points: of all ranks. */
void pd_tl_otf2_write_events (const PdTimeline *timeline, const PdTlPlace *place,
                              const PdTlPoint *points, OTF2_EvtWriter *out);

#endif
