/* A timeline watches: what the watchers of all interpreters have in common.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WATCH_TIMELINE_H
#define PD_WATCH_TIMELINE_H

#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-delivery.h"
#include "predictor/common/pd-watcher.h"
#include "timeline/pd-timeline-source.h"

/* The inputs of a prediction. Everything is borrowed. */
typedef struct
{
  PdTimelineFeed *feed; /* (nullable): %NULL: no timeline */
  const char *trace;
  gconstpointer what; /* (nullable): the interpreter's, for its class of watchers */
  const PdMachine *machine;
  const guint32 *placement;   /* (array length=n_ranks): the processor of each rank */
  const PdIntervalTree *tree; /* (nullable): intervals */
  PdComsys *comsys;           /* notifies of messages; all but those of collective operations */
  guint32 n_ranks;
  guint32 n_cpus;   /* of a rank */
  const char *rest; /* the activity of ranks without notifications; */
  PdTimelineState rest_state;
} PdTimelineRun;

/* The data of such a watcher. */
typedef struct
{
  PdTimelineSource *source;
  PdTimelineRun run;
} PdTimelineWatcher;

/**
 * pd_timeline_watch:
 * @watchers: (inout): get one more, and the run begins, if there is a feed
 * @class: of an interpreter, with a #PdTimelineWatcher
 */
void pd_timeline_watch (PdWatcher **watchers, const PdWatcherClass *class,
                        const PdTimelineRun *run);

/**
 * pd_timeline_watcher_fill:
 * The time until @until without notifications is the rest.
 */
void pd_timeline_watcher_fill (const PdTimelineWatcher *self, guint32 rank, PdTime until);

/**
 * pd_timeline_watcher_finish:
 * Of PdWatcherClass: all ranks are at their ends.
 */
gboolean pd_timeline_watcher_finish (gpointer self, const PdTime *ends, GError **error);

/**
 * pd_timeline_watcher_free:
 * Of PdWatcherClass.
 */
void pd_timeline_watcher_free (gpointer self);

#endif
