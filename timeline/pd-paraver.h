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
 * to the end of the window: what is not in the window is "Tracing Disabled", what is
 * between slices, "Idle".
 *
 * Paraver counts in nanoseconds: each moment is rounded to the nearest one, half up.
 * So what follows each other still does, nothing overlaps, no length is negative, and
 * no moment is off by more than 0.5 ns, however long the run; what then has no length
 * is left out of the states, but not of the events.
 *
 * The date in the header is that of SOURCE_DATE_EPOCH, where this is set.
 *
 * Returns: %FALSE if not all could be written; then none of the three files is there.
 */
gboolean pd_paraver_write (const PdTimeline *timeline, const char *path, GError **error);

#endif
