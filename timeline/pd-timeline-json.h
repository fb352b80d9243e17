/* The trace events that Chrome and Perfetto show: a node is a process, a rank a thread.
 * * The events of each thread are in the order of time, an enclosing slice before the slices
 * inside. Viewers bind the ends of a message to the slice that began last before them in this
 * order, so an end is written behind its call, also if several calls take place at one
 * moment.
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
