/* Timelines as Paraver traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARAVER_H
#define PD_PARAVER_H

#include "timeline/pd-timeline.h"

/**
 * pd_paraver_write:
 * @timeline: what to write
 * @path: NAME.prv, the records; their labels go to NAME.pcf, names of processors to
 *   NAME.row
 * @error: return location for %PD_TIMELINE_ERROR_FORMAT if @path ends in something
 *   else, or %PD_TRACE_ERROR_OPEN if a file cannot be written
 *
 * A rank is a task with a thread for each of its CPUs. States cover each thread from 0
 * to the end of the window: time outside the window is "Tracing Disabled", time between
 * slices "Idle".
 *
 * Paraver counts in nanoseconds: each moment is rounded to the nearest one, half up.
 * Rounding preserves the order of moments: nothing overlaps, no length is negative, and
 * the error of a moment is at most 0.5 ns for any length of the run. Slices whose rounded
 * length is 0 are left out of the states, but not of the events.
 *
 * The date in the header is that of SOURCE_DATE_EPOCH, where this is set.
 *
 * Returns: %FALSE if not all could be written; then none of the three files is there.
 */
gboolean pd_paraver_write (const PdTimeline *timeline, const char *path, GError **error);

#endif
