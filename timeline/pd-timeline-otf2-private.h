/* The parts of the writer of OTF2 archives. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OTF2_PRIVATE_H
#define PD_TIMELINE_OTF2_PRIVATE_H

#include "timeline/pd-timeline.h"

#include <otf2/otf2.h>

G_BEGIN_DECLS

typedef struct
{
  gsize begin;
  gsize end;
} PdTlRange;

/* An end of a message. */
typedef struct
{
  PdTime at;
  guint32 rank;
  gboolean is_receive;
  gsize message; /* its number in the timeline */
} PdTlPoint;

/* What happens at a location, each in the order of time. */
typedef struct
{
  guint32 rank;
  guint32 cpu;
  PdTlRange slices; /* of the rank, those of its other CPUs included */
  PdTlRange marks;
  PdTlRange points;
} PdTlPlace;

/* Writes all events of @place; @points: of all ranks. */
void pd_tl_otf2_write_events (const PdTimeline *timeline, const PdTlPlace *place,
                              const PdTlPoint *points, OTF2_EvtWriter *out);
/* @n_events: (array): of each location. */
gboolean pd_tl_otf2_write_definitions (const PdTimeline *timeline, const guint64 *n_events,
                                       OTF2_GlobalDefWriter *out);

G_END_DECLS

#endif
