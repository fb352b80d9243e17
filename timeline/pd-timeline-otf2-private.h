/* The parts of the writer of OTF2 archives. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OTF2_PRIVATE_H
#define PD_TIMELINE_OTF2_PRIVATE_H

#include "timeline/pd-timeline.h"

#include <otf2/otf2.h>

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

/* The events of a location, of each kind in the order of time. */
typedef struct
{
  guint32 rank;
  guint32 cpu;
  PdTlRange slices; /* of the rank, those of its other CPUs included */
  PdTlRange marks;
  PdTlRange points;
} PdTlPlace;

#endif
