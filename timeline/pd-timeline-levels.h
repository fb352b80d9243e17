/* How many ranks do what, and how much is under way, over time: means over equal parts of
 * it. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_LEVELS_H
#define PD_TIMELINE_LEVELS_H

#include "timeline/pd-timeline.h"

#define PD_TIMELINE_MAX_LEVELS 1000

/* The quantities that are added up. */
typedef enum
{
  PD_LEVEL_COMPUTING,     /* ranks */
  PD_LEVEL_COMMUNICATING, /* … that neither compute, read or write, nor wait */
  PD_LEVEL_WAITING,
  PD_LEVEL_IO,
  PD_LEVEL_BYTES, /* that have been sent and were not received so far */
  PD_N_LEVELS,
} PdTimelineLevel;

typedef struct
{
  guint n;                      /* parts; 0 if the window has no length */
  PdTime width;                 /* of each; the last one may be shorter */
  PdTime begin;                 /* of the first, */
  PdTime end;                   /* and of the last */
  gdouble *values[PD_N_LEVELS]; /* (array length=n): means */
} PdTimelineLevels;

/**
 * pd_timeline_levels_new:
 * Returns: (transfer full): those of @timeline.
 */
PdTimelineLevels *pd_timeline_levels_new (const PdTimeline *timeline);

/**
 * pd_timeline_levels_free:
 * @self: (nullable): the levels
 */
void pd_timeline_levels_free (PdTimelineLevels *self);

/**
 * pd_timeline_level_of:
 * Returns: what ranks in @state are counted as.
 */
PdTimelineLevel pd_timeline_level_of (PdTimelineState state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineLevels, pd_timeline_levels_free)

#endif
