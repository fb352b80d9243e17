/* How predictions tell a timeline what their ranks do.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_SOURCES_H
#define PD_TIMELINE_SOURCES_H

#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-delivery.h"
#include "timeline/pd-timeline-source.h"

/* What a prediction is of. Everything is borrowed. */
typedef struct
{
  const char *trace;
  const PdMachine *machine;
  const guint32 *placement; /* (array length=n_ranks): the processor of each rank */
  guint32 n_ranks;
  guint32 n_cpus; /* of a rank */
} PdTimelineRun;

/**
 * pd_timeline_source_of_run:
 * @feed: (nullable): %NULL: nobody wants to know
 * @tree: (nullable): intervals
 * @comsys: gets it to tell of messages; all but those of collective operations
 *
 * The run begins for @feed.
 *
 * Returns: (transfer full) (nullable): who tells it; %NULL without @feed.
 */
PdTimelineSource *pd_timeline_source_of_run (PdTimelineFeed *feed, const PdTimelineRun *run,
                                             const PdIntervalTree *tree, PdComsys *comsys);

#endif
