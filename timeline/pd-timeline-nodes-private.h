/* Which nodes a run is on. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_NODES_PRIVATE_H
#define PD_TIMELINE_NODES_PRIVATE_H

#include "timeline/pd-timeline.h"

/* Nodes that have ranks, counted from 0 in the order of their numbers. */
typedef struct
{
  guint32 n;
  guint32 *numbers; /* (array length=n): what the run calls them, ascending */
  guint32 *of_rank; /* (array): the node of each rank */
} PdTimelineNodes;

PdTimelineNodes *pd_timeline_nodes_new (const PdTimeline *timeline);
void pd_timeline_nodes_free (PdTimelineNodes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineNodes, pd_timeline_nodes_free)

#endif
