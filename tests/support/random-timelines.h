/* Random timelines, for the writers of files.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_RANDOM_TIMELINES_H
#define TEST_RANDOM_TIMELINES_H

#include "timeline/pd-timeline.h"

typedef struct
{
  guint32 n_ranks;
  guint32 n_cpus;
  guint32 n_nodes; /* 0: each rank is on its own one */
  guint n_slices;  /* of each rank, about */
  gint64 longest;  /* ps, of a slice */
  guint n_messages;
  PdTimelineSelection selection;
} TestRandomTimeline;

/* Returns: (transfer full): a timeline of slices of all states with gaps, nested
 * intervals, and messages; what one seed gives is always the same. */
PdTimeline *test_random_timeline_new (const TestRandomTimeline *what, guint32 seed);

#endif
