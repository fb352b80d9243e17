/* The formats of files with timelines, by suffix.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_FORMAT_H
#define PD_TIMELINE_FORMAT_H

#include "timeline/pd-timeline.h"

/* A format. */
typedef struct
{
  const char *suffix;        /* ".json" */
  const char *name;          /* for people */
  const char *companions[2]; /* (nullable): suffixes of files written beside it */
  gboolean is_of_programs;   /* message-passing programs are written by pd_otf2_write() instead,
                              * if all of them is wanted */
  /* Writes @timeline to @path, and what else belongs to it beside it, each file as a
   * whole; returns FALSE, with @error set, if it cannot be written. */
  gboolean (*write) (const PdTimeline *timeline, const char *path, GError **error);
} PdTimelineFormat;

/**
 * pd_timeline_format_find:
 * @path: of a file
 * @error: return location for %PD_TIMELINE_ERROR_FORMAT
 *
 * Returns: (transfer none) (nullable): the format that its suffix is of.
 */
const PdTimelineFormat *pd_timeline_format_find (const char *path, GError **error);

#endif
