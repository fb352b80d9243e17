/* The critical path through networks whose messages keep processors and adapters.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-endpoints.h"

#include "comsys/critical/pd-critical-path-events.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

static PdCriticalNode
node_at (PdTime when, PdCriticalKind kind, guint32 rank)
{
  return (PdCriticalNode){
    .when = when.ps, .kind = kind & 0xff, .rank = rank, .peer = rank & 0xffffff
  };
}

void
pd_critical_init_endpoints (PdComsys *self)
{
  PdCriticalPath *critical = self->critical;
  const GArray *instances = self->topology->instances;

  g_free (critical->cpus); /* of the time before there were lanes */
  g_free (critical->first_side);
  g_free (critical->sides);
  critical->n_sides = 0;
  critical->cpus = g_new0 (guint32, (gsize) self->n_ranks * self->n_cpus);
  critical->first_side = g_new0 (guint32, instances->len);
  for (guint32 i = 0; i < instances->len; i++)
    {
      critical->first_side[i] = critical->n_sides;
      if (self->levels[i].class->endpoints != NULL)
        critical->n_sides +=
            2 * self->n_nics * g_array_index (instances, PdNetworkInstance, i).n_endpoints;
    }
  critical->sides = g_new0 (guint32, MAX (critical->n_sides, 1));
}

guint32 *
pd_critical_side (PdCriticalPath *self, guint32 level, guint32 endpoint, gboolean receives)
{
  return &self->sides[self->first_side[level] + 2 * endpoint + (receives ? 1 : 0)];
}

guint32 *
pd_critical_cpu (PdComsys *self, guint32 rank)
{
  return &self->critical->cpus[pd_cpu_index (self, rank, self->lane)];
}

/* That of an end of @send. */
static guint32
cpu_of (const PdComsys *self, const PdReq *send, gboolean receives)
{
  return pd_cpu_index (self, receives ? send->peer : send->rank, pd_req_lane (self, send));
}

/* The predecessors of an end of a message that begins: the processor, the adapter, the message. */
static guint32
begin_end (PdComsys *self, guint32 send, gboolean receives, guint32 side)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  guint32 begin = pd_critical_later (critical, critical->cpus[cpu_of (self, s, receives)], side);

  pd_critical_gather (critical, &begin, pd_critical_req (critical, send)->path);
  pd_critical_advance_to (critical, &begin, self->now, receives ? s->peer : s->rank);
  return begin;
}

/* *@slot becomes a node after @begin. */
static void
follow (PdCriticalPath *self, guint32 *slot, guint32 begin, const PdCriticalNode *like,
        PdCriticalKind kind, PdTime when)
{
  PdCriticalNode node = *like;

  node.kind = kind & 0xff;
  node.when = when.ps;
  pd_critical_put (self, slot, pd_critical_add (self, begin, &node));
}

/* The node of a message's end, but for what it is. */
static PdCriticalNode
message_node (const PdReq *s, const PdNetworkLevel *level, const PdTransfer *transfer)
{
  return (PdCriticalNode){
    .rank = s->rank, .peer = s->peer & 0xffffff, .arg = level->index, .amount = transfer->bytes
  };
}

void
pd_critical_launch (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  const PdNetworkLevel *level = pd_p2p_level (self, s->rank, s->peer);
  if (s->kind == PD_REQ_ONE_SIDED) /* what leads to it is not followed */
    pd_critical_put (critical, &pd_critical_req (critical, send)->path, 0);
  guint32 *side = pd_critical_side (critical, level->index, transfer->source, FALSE);
  guint32 begin = begin_end (self, send, FALSE, *side), cpu = cpu_of (self, s, FALSE);
  PdCriticalNode node = message_node (s, level, transfer);
  PdCriticalReq *r = pd_critical_req (critical, send);

  follow (critical, &critical->cpus[cpu], begin, &node, PD_CRITICAL_LAUNCH, self->cpus[cpu].free);
  follow (critical, side, begin, &node, PD_CRITICAL_GAP_SENT,
          level->class->endpoints->get_free (level->network, transfer->source, FALSE));
  follow (critical, &r->path, begin, &node, PD_CRITICAL_FLIGHT, arrival);
  pd_critical_unref (critical, begin);
  pd_critical_put (critical, &r->done, pd_critical_ref (critical, critical->cpus[cpu]));
  if (self->n_cpus > 1)
    pd_critical_put (critical, &r->sent, pd_critical_ref (critical, critical->cpus[cpu]));
  if (!s->rendezvous || s->detached)
    pd_critical_notify_owner (self, send, self->cpus[cpu].free);
}

void
pd_critical_receive (PdComsys *self, guint32 send, const PdTransfer *transfer)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  const PdNetworkLevel *level = pd_p2p_level (self, s->rank, s->peer);
  guint32 *side = pd_critical_side (critical, level->index, transfer->target, TRUE);
  guint32 begin = begin_end (self, send, TRUE, *side), cpu = cpu_of (self, s, TRUE);
  PdCriticalNode node = message_node (s, level, transfer);

  follow (critical, &critical->cpus[cpu], begin, &node, PD_CRITICAL_RECEIVE, self->cpus[cpu].free);
  follow (critical, side, begin, &node, PD_CRITICAL_GAP_RECEIVED,
          level->class->endpoints->get_free (level->network, transfer->target, TRUE));
  pd_critical_put (critical, &pd_critical_req (critical, send)->path, begin);
  if (self->operations != NULL) /* a receive that comes later ends with this */
    pd_critical_put (critical, &pd_critical_req (critical, send)->done,
                     pd_critical_ref (critical, critical->cpus[cpu]));
}

void
pd_critical_match_endpoints (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received)
{
  PdCriticalPath *critical = self->critical;
  guint32 s = (guint32) (send - self->reqs), r = (guint32) (recv - self->reqs);
  guint32 posted = pd_critical_req (critical, r)->path,
          arrived = pd_critical_req (critical, s)->path;
  guint32 got =
      self->operations != NULL ? pd_critical_req (critical, s)->done : critical->cpus[recv->rank];

  pd_critical_put (critical, &pd_critical_req (critical, r)->done,
                   pd_critical_later (critical, posted, got));
  pd_critical_notify_owner (self, r, received);
  if (!pd_time_is_pending (send->done) || !send->rendezvous || send->detached)
    return;
  guint32 now = pd_critical_later (critical, arrived, recv->ready.ps <= self->now.ps ? posted : 0);
  pd_critical_advance_to (critical, &now, self->now, send->rank);
  guint32 *cpu = &critical->cpus[cpu_of (self, send, FALSE)];
  pd_critical_gather (critical, cpu, now);
  guint32 sent = self->n_cpus > 1
                     ? pd_critical_later (critical, now, pd_critical_req (critical, s)->sent)
                     : pd_critical_ref (critical, *cpu);
  pd_critical_unref (critical, now);
  pd_critical_put (critical, &pd_critical_req (critical, s)->done, sent);
  pd_critical_notify_owner (self, s, pd_critical_when (critical, sent));
}

void
pd_critical_post_after_send (PdComsys *self, guint32 recv)
{
  PdCriticalPath *critical = self->critical;
  guint32 rank = pd_req (self, recv)->rank;
  PdCriticalReq *r = pd_critical_req (critical, recv);
  guint32 *latest = &critical->ranks[rank].latest,
          now = pd_critical_ref (critical, critical->cpus[rank]);
  PdCriticalNode node = node_at (pd_time_add (self->now, self->machine->software.recv_overhead),
                                 PD_CRITICAL_SOFTWARE, rank);

  node.arg = PD_CRITICAL_RECV_OVERHEAD;
  node.amount = 1;
  pd_critical_advance_to (critical, &now, self->now, rank);
  pd_critical_put (critical, &r->path, pd_critical_add (critical, now, &node));
  pd_critical_put (critical, &r->done, 0);
  pd_critical_unref (critical, now);
  pd_critical_gather (critical, latest, r->path);
  pd_critical_gather (critical, latest, critical->cpus[rank]);
}

void
pd_critical_hold_cpu (PdComsys *self, guint32 rank, PdTime when, gboolean computes)
{
  PdCriticalActor *actor = pd_critical_actor (self->critical, rank);

  pd_critical_act (self->critical, actor, when);
  if (computes)
    pd_critical_put (self->critical, pd_critical_cpu (self, rank),
                     pd_critical_ref (self->critical, actor->at));
  else
    pd_critical_gather (self->critical, pd_critical_cpu (self, rank), actor->at);
}

void
pd_critical_follow_cpu (PdComsys *self, guint32 rank)
{
  PdCriticalPath *critical = self->critical;

  pd_critical_gather (critical, &pd_critical_actor (critical, rank)->at,
                      *pd_critical_cpu (self, rank));
}

void
pd_critical_return_by_cpu (PdComsys *self, guint32 rank)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[rank];

  pd_critical_put (critical, &actor->latest,
                   pd_critical_later (critical, actor->at, critical->cpus[rank]));
  actor->begun = PD_CRITICAL_START;
}

void
pd_critical_defer_compute (PdComsys *self, guint32 rank, PdTime begin, PdTime when)
{
  PdCriticalActor *actor = &self->critical->ranks[rank];

  pd_critical_act (self->critical, actor, when);
  actor->begin = begin.ps;
}

/* The chain behind @node down to @begin, on top of *@base and so much later. */
static void
shift (PdCriticalPath *self, guint32 node, gint64 begin, guint32 *base, gint64 later)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  const PdCriticalNode *n = &self->nodes[node];

  for (; n->when > begin && n->pred != 0 && n->kind != PD_CRITICAL_TIE; n = &self->nodes[node])
    {
      g_array_append_val (chain, node);
      node = n->pred;
    }
  pd_critical_gather (self, base, node);
  for (guint i = chain->len; i-- > 0;)
    {
      PdCriticalNode copy = self->nodes[g_array_index (chain, guint32, i)];
      copy.when += later;
      pd_critical_put (self, base, pd_critical_add (self, *base, &copy));
    }
}

void
pd_critical_compute (PdComsys *self, guint32 rank)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[rank];
  guint32 base = pd_critical_ref (critical, critical->cpus[rank]);
  gint64 later = self->cpus[rank].free.ps - pd_critical_when (critical, actor->at).ps;

  pd_critical_advance_to (critical, &base, self->now, rank);
  shift (critical, actor->at, actor->begin, &base, later);
  pd_critical_put (critical, &actor->at, base);
  pd_critical_put (critical, &critical->cpus[rank], pd_critical_ref (critical, actor->at));
}
