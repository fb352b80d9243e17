/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-timeline-sources.h"

#include "comsys/machine/pd-topology.h"
#include "timeline/pd-timeline-feed.h"

/* What collective operations send is not what the program sends. */
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

PdTimelineSource *
pd_timeline_source_of_run (PdTimelineFeed *feed, const PdTimelineRun *run,
                           const PdIntervalTree *tree, PdComsys *comsys)
{
  if (feed == NULL)
    return NULL;
  g_autofree guint32 *nodes = find_nodes (run);
  const PdTimelineHead head = { .n_ranks = run->n_ranks,
                                .n_cpus = run->n_cpus,
                                .node_of = nodes,
                                .title = run->trace,
                                .machine = run->machine->name };

  pd_comsys_set_delivery_func (comsys, notify_message, feed);
  return pd_timeline_source_new (feed, &head, tree);
}
