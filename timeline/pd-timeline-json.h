/* The trace events that Chrome and Perfetto show: a node is a process, a rank a thread.
 * * Of each thread everything comes in the order of time, and what is around something
 * before it. The ends of a message are bound to the slice that was begun last before
 * them in this order, so they come behind the call that they belong to: also where
 * several take place at the same moment.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_JSON_H
#define PD_TIMELINE_JSON_H

#include "timeline/pd-timeline-format.h"

/**
 * pd_timeline_write_json:
 * @path: ends in .json; or in .gz, then it is compressed
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * The trace events of Chrome and Perfetto: see predictor-timeline(5).
 */
gboolean pd_timeline_write_json (const PdTimeline *timeline, const char *path, GError **error);

#endif
