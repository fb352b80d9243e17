/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-watch-timeline.h"

#include "comsys/machine/pd-topology.h"
#include "timeline/pd-timeline-feed.h"

/* Messages of collective operations are not messages of the program. */
static void
notify_message (gpointer data, const PdDelivery *delivery)
{
  const PdTimelineMessage message = { .sent = delivery->sent,
                                      .received = delivery->received,
                                      .bytes = delivery->bytes,
                                      .from = delivery->source,
                                      .to = delivery->target,
                                      .tag = delivery->tag,
                                      .comm = delivery->comm };

  if (!delivery->collective)
    pd_timeline_feed_message (data, &message);
}

static guint32 *
find_nodes (const PdTimelineRun *run)
{
  PdTopology *topology = pd_topology_new (run->machine);
  guint32 *nodes = g_new (guint32, MAX (run->n_ranks, 1));

  for (guint32 rank = 0; rank < run->n_ranks; rank++)
    nodes[rank] = pd_topology_get_node (topology, run->placement[rank]);
  pd_topology_free (topology);
  return nodes;
}

void
pd_timeline_watch (PdWatcher **watchers, const PdWatcherClass *class, const PdTimelineRun *run)
{
  if (run->feed == NULL)
    return;
  g_autofree guint32 *nodes = find_nodes (run);
  const PdTimelineHead head = { .n_ranks = run->n_ranks,
                                .n_cpus = run->n_cpus,
                                .node_of = nodes,
                                .title = run->trace,
                                .machine = run->machine->name };
  PdTimelineWatcher *self = g_new (PdTimelineWatcher, 1);

  pd_comsys_set_delivery_func (run->comsys, notify_message, run->feed);
  *self = (PdTimelineWatcher){ pd_timeline_source_new (run->feed, &head, run->tree), *run };
  pd_watch (watchers, class, self);
}

void
pd_timeline_watcher_fill (const PdTimelineWatcher *self, guint32 rank, PdTime until)
{
  pd_timeline_source_fill (self->source, rank, self->run.rest, self->run.rest_state, until);
}

gboolean
pd_timeline_watcher_finish (gpointer data, const PdTime *ends, GError **error G_GNUC_UNUSED)
{
  const PdTimelineWatcher *self = data;

  for (guint32 rank = 0; ends != NULL && rank < self->run.n_ranks; rank++)
    {
      pd_timeline_watcher_fill (self, rank, ends[rank]);
      pd_timeline_source_end (self->source, rank, ends[rank]);
    }
  return TRUE;
}

void
pd_timeline_watcher_free (gpointer data)
{
  pd_timeline_source_free (((PdTimelineWatcher *) data)->source);
  g_free (data);
}
