/* Timelines as OTF2 archives.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_OTF2_H
#define PD_TIMELINE_OTF2_H

#include "timeline/pd-timeline.h"

/**
 * pd_timeline_otf2_write:
 * @timeline: what to write
 * @path: the anchor file, NAME.otf2; NAME.def and the folder NAME lie beside it
 * @error: return location for a #PdTraceError: FORMAT if @path is not NAME.otf2, OPEN
 *   if it cannot be written, or the folder exists
 *
 * Each CPU of each rank is a location, in a process of its rank, on its node; functions
 * and intervals are regions, and messages pairs of MPI sends and receives between ranks
 * of all, whatever their communicator. Time is in picoseconds, so that nothing is
 * rounded. Regions nest: an interval that begins or ends within a function divides it.
 *
 * It is a picture of the run, not a program: the archive of a message-passing program
 * that is to be predicted again comes from pd_otf2_write().
 *
 * Returns: %FALSE if not all could be written; then there is nothing.
 */
gboolean pd_timeline_otf2_write (const PdTimeline *timeline, const char *path, GError **error);

#endif
