/* The activity of the ranks of a dependency graph, for its timeline: operations that keep a CPU.
 * The rest of the time of a rank with one CPU is waiting; a rank with several works and waits
 * concurrently.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-watchers.h"
#include "traces/graph/pd-graph.h"

static const struct
{
  const char *name;
  PdTimelineState state;
} kinds[PD_GRAPH_N_KINDS] = {
  [PD_GRAPH_CALC] = { "calc", PD_TL_COMPUTE },
  [PD_GRAPH_SEND] = { "send", PD_TL_SEND },
  [PD_GRAPH_RECV] = { "recv", PD_TL_RECEIVE },
};

static void
notify (gpointer data, const PdKept *kept)
{
  const PdTimelineWatcher *self = data;

  if (kept->is_only)
    pd_timeline_watcher_fill (self, kept->rank, kept->since);
  PdTimelineWhat what =
      pd_timeline_source_name (self->source, kinds[kept->kind].name, kinds[kept->kind].state);
  if (kept->is_only)
    pd_timeline_source_call (self->source, kept->rank, what, kept->until);
  else
    pd_timeline_source_slice (self->source, &(PdTimelineSlice){ .begin = kept->since,
                                                                .end = kept->until,
                                                                .rank = kept->rank,
                                                                .region = what.region,
                                                                .state = (guint8) what.state,
                                                                .cpu = kept->cpu });
}

const PdWatcherClass pd_graph_timeline = {
  .kept = notify,
  .finish = pd_timeline_watcher_finish,
  .free = pd_timeline_watcher_free,
};
