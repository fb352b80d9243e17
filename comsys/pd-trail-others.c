/* What the trail sees of those who meet, of operations beside their ranks, and of networks
 * whose messages keep processors and adapters.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

static PdTrailNode
node_at (PdTime when, PdTrailKind kind, guint32 rank)
{
  return (
      PdTrailNode){ .when = when.ps, .kind = kind & 0xff, .rank = rank, .peer = rank & 0xffffff };
}

/* ---- who meets */

void
pd_trail_meets (PdComsys *self, const PdCall *call, guint32 *latest)
{
  PdTrailActor *actor = pd_trail_actor (self->trail, call->rank);

  pd_trail_act (self->trail, actor, call->when);
  pd_trail_gather (self->trail, latest, actor->at);
}

void
pd_trail_met (PdComsys *self, guint32 rank, guint32 req, guint32 latest, PdTime when)
{
  PdTrail *trail = self->trail;
  PdTrailNode node = node_at (when, PD_TRAIL_OPERATION, rank);
  guint32 end = pd_trail_add (trail, latest, &node);

  if (req == 0)
    {
      pd_trail_put (trail, &trail->ranks[rank].at, end);
      return;
    }
  pd_trail_put (trail, &pd_trail_req (trail, req)->done, end);
  pd_trail_tell_owner (self, req, when);
}

/* ---- operations beside their ranks */

void
pd_trail_starts_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when)
{
  PdTrail *trail = self->trail;
  PdTrailActor *rank = &trail->ranks[beside->world];
  PdTrailActor *b = pd_trail_beside (trail, beside->index);

  pd_trail_act (trail, rank, when);
  pd_trail_put (trail, &b->at, pd_trail_ref (trail, rank->at));
  b->rank = beside->world;
  b->in_function = FALSE;
}

void
pd_trail_got_beside (PdComsys *self, const PdPlayBeside *beside, guint32 req, PdAwaited awaited)
{
  PdTrailActor *b = pd_trail_beside (self->trail, beside->index);

  pd_trail_reach_done (self, req);
  pd_trail_gather (self->trail, &b->awaited[awaited], pd_trail_req (self->trail, req)->done);
}

void
pd_trail_step_beside (PdComsys *self, gboolean waits)
{
  self->trail->is_wait = waits;
}

void
pd_trail_work_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when, const PdStep *step)
{
  pd_trail_switch (self, beside);
  pd_trail_step (self, beside->world, when, step);
  pd_trail_switch (self, NULL);
}

void
pd_trail_waits_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when, PdAwaited awaited)
{
  PdTrailActor *b = pd_trail_beside (self->trail, beside->index);

  b->begun = self->trail->is_wait ? PD_TRAIL_SOFTWARE : PD_TRAIL_START;
  self->trail->is_wait = FALSE;
  if (awaited == PD_AWAITED_ALL) /* what a network asks for before is told nowhere else */
    pd_trail_come (self->trail, b, when, PD_TRAIL_ASKED, 0);
  pd_trail_gather (self->trail, &b->awaited[awaited], b->at);
}

void
pd_trail_ends_wait_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when,
                           PdAwaited awaited)
{
  PdTrailActor *b = pd_trail_beside (self->trail, beside->index);
  guint32 node = b->awaited[awaited];

  b->awaited[awaited] = 0;
  pd_trail_put (self->trail, &b->at, node);
  if (b->begun == PD_TRAIL_SOFTWARE)
    pd_trail_spend (self->trail, b, when, PD_TRAIL_WAIT_OVERHEAD, 1);
}

void
pd_trail_ends_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when)
{
  PdTrail *trail = self->trail;
  PdTrailActor *b = pd_trail_beside (trail, beside->index);

  pd_trail_put (trail, &pd_trail_req (trail, beside->request)->done, pd_trail_ref (trail, b->at));
  pd_trail_tell_owner (self, beside->request, when);
}

/* ---- networks with ends */

void
pd_trail_init_ends (PdComsys *self)
{
  PdTrail *trail = self->trail;
  const GArray *instances = self->topology->instances;

  trail->cpus = g_new0 (guint32, self->n_ranks);
  trail->first_side = g_new0 (guint32, instances->len);
  for (guint32 i = 0; i < instances->len; i++)
    {
      trail->first_side[i] = trail->n_sides;
      if (self->levels[i].class->ends != NULL)
        trail->n_sides += 2 * g_array_index (instances, PdNetworkInstance, i).n_endpoints;
    }
  trail->sides = g_new0 (guint32, MAX (trail->n_sides, 1));
}

static guint32 *
side_of (PdTrail *self, guint32 level, guint32 endpoint, gboolean receives)
{
  return &self->sides[self->first_side[level] + 2 * endpoint + (receives ? 1 : 0)];
}

/* What an end of a message begins now after: the processor, the adapter, the message. */
static guint32
begin_end (PdComsys *self, guint32 send, guint32 rank, guint32 side)
{
  PdTrail *trail = self->trail;
  guint32 begin = pd_trail_later (trail, trail->cpus[rank], side);

  pd_trail_gather (trail, &begin, pd_trail_req (trail, send)->path);
  pd_trail_reach (trail, &begin, self->now, rank);
  return begin;
}

/* *@slot becomes a node after @begin. */
static void
follow (PdTrail *self, guint32 *slot, guint32 begin, const PdTrailNode *like, PdTrailKind kind,
        PdTime when)
{
  PdTrailNode node = *like;

  node.kind = kind & 0xff;
  node.when = when.ps;
  pd_trail_put (self, slot, pd_trail_add (self, begin, &node));
}

/* The node of a message's end, but for what it is. */
static PdTrailNode
message_node (const PdReq *s, const PdLevel *level, const PdTransfer *transfer)
{
  return (PdTrailNode){
    .rank = s->rank, .peer = s->peer & 0xffffff, .arg = level->index, .amount = transfer->bytes
  };
}

void
pd_trail_launches (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival)
{
  PdTrail *trail = self->trail;
  const PdReq *s = pd_req (self, send);
  const PdLevel *level = pd_p2p_level (self, s->rank, s->peer);
  if (s->kind == PD_REQ_ONE_SIDED) /* what leads to it is not followed */
    pd_trail_put (trail, &pd_trail_req (trail, send)->path, 0);
  guint32 *side = side_of (trail, level->index, transfer->source, FALSE);
  guint32 begin = begin_end (self, send, s->rank, *side);
  PdTrailNode node = message_node (s, level, transfer);
  PdTrailReq *r = pd_trail_req (trail, send);

  follow (trail, &trail->cpus[s->rank], begin, &node, PD_TRAIL_LAUNCH, self->cpus[s->rank].free);
  follow (trail, side, begin, &node, PD_TRAIL_GAP_SENT,
          level->class->ends->get_free (level->network, transfer->source, FALSE));
  follow (trail, &r->path, begin, &node, PD_TRAIL_FLIGHT, arrival);
  pd_trail_unref (trail, begin);
  pd_trail_put (trail, &r->done, pd_trail_ref (trail, trail->cpus[s->rank]));
  if (!s->rendezvous || s->detached)
    pd_trail_tell_owner (self, send, self->cpus[s->rank].free);
}

void
pd_trail_receives (PdComsys *self, guint32 send, const PdTransfer *transfer)
{
  PdTrail *trail = self->trail;
  const PdReq *s = pd_req (self, send);
  const PdLevel *level = pd_p2p_level (self, s->rank, s->peer);
  guint32 *side = side_of (trail, level->index, transfer->target, TRUE);
  guint32 begin = begin_end (self, send, s->peer, *side);
  PdTrailNode node = message_node (s, level, transfer);

  follow (trail, &trail->cpus[s->peer], begin, &node, PD_TRAIL_RECEIVE, self->cpus[s->peer].free);
  follow (trail, side, begin, &node, PD_TRAIL_GAP_RECEIVED,
          level->class->ends->get_free (level->network, transfer->target, TRUE));
  pd_trail_put (trail, &pd_trail_req (trail, send)->path, begin);
}

void
pd_trail_matched_ends (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received)
{
  PdTrail *trail = self->trail;
  guint32 s = (guint32) (send - self->reqs), r = (guint32) (recv - self->reqs);
  guint32 posted = pd_trail_req (trail, r)->path, arrived = pd_trail_req (trail, s)->path;

  pd_trail_put (trail, &pd_trail_req (trail, r)->done,
                pd_trail_later (trail, posted, trail->cpus[recv->rank]));
  pd_trail_tell_owner (self, r, received);
  if (!pd_time_is_pending (send->done) || !send->rendezvous || send->detached)
    return;
  guint32 now = pd_trail_later (trail, arrived, recv->ready.ps <= self->now.ps ? posted : 0);
  pd_trail_reach (trail, &now, self->now, send->rank);
  pd_trail_gather (trail, &trail->cpus[send->rank], now);
  pd_trail_unref (trail, now);
  guint32 cpu = trail->cpus[send->rank];
  pd_trail_put (trail, &pd_trail_req (trail, s)->done, pd_trail_ref (trail, cpu));
  pd_trail_tell_owner (self, s, pd_trail_when (trail, cpu));
}

void
pd_trail_posts_behind (PdComsys *self, guint32 recv)
{
  PdTrail *trail = self->trail;
  guint32 rank = pd_req (self, recv)->rank;
  PdTrailReq *r = pd_trail_req (trail, recv);
  guint32 *latest = &trail->ranks[rank].latest, now = pd_trail_ref (trail, trail->cpus[rank]);
  PdTrailNode node = node_at (pd_time_add (self->now, self->machine->software.recv_overhead),
                              PD_TRAIL_SOFTWARE, rank);

  node.arg = PD_TRAIL_RECV_OVERHEAD;
  node.amount = 1;
  pd_trail_reach (trail, &now, self->now, rank);
  pd_trail_put (trail, &r->path, pd_trail_add (trail, now, &node));
  pd_trail_put (trail, &r->done, 0);
  pd_trail_unref (trail, now);
  pd_trail_gather (trail, latest, r->path);
  pd_trail_gather (trail, latest, trail->cpus[rank]);
}

void
pd_trail_keeps_cpu (PdComsys *self, guint32 rank, PdTime when, gboolean computes)
{
  PdTrailActor *actor = pd_trail_actor (self->trail, rank);

  pd_trail_act (self->trail, actor, when);
  if (computes)
    pd_trail_put (self->trail, &self->trail->cpus[rank], pd_trail_ref (self->trail, actor->at));
  else
    pd_trail_gather (self->trail, &self->trail->cpus[rank], actor->at);
}

void
pd_trail_follows_cpu (PdComsys *self, guint32 rank)
{
  PdTrail *trail = self->trail;

  pd_trail_gather (trail, &pd_trail_actor (trail, rank)->at, trail->cpus[rank]);
}

void
pd_trail_returns_by_cpu (PdComsys *self, guint32 rank)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = &trail->ranks[rank];

  pd_trail_put (trail, &actor->latest, pd_trail_later (trail, actor->at, trail->cpus[rank]));
  actor->begun = PD_TRAIL_START;
}

void
pd_trail_puts_off (PdComsys *self, guint32 rank, PdTime begin, PdTime when)
{
  PdTrailActor *actor = &self->trail->ranks[rank];

  pd_trail_act (self->trail, actor, when);
  actor->begin = begin.ps;
}

/* The chain behind @node down to @begin, on top of *@base and so much later. */
static void
shift (PdTrail *self, guint32 node, gint64 begin, guint32 *base, gint64 later)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint32));
  const PdTrailNode *n = &self->nodes[node];

  for (; n->when > begin && n->pred != 0 && n->kind != PD_TRAIL_TIE; n = &self->nodes[node])
    {
      g_array_append_val (chain, node);
      node = n->pred;
    }
  pd_trail_gather (self, base, node);
  for (guint i = chain->len; i-- > 0;)
    {
      PdTrailNode copy = self->nodes[g_array_index (chain, guint32, i)];
      copy.when += later;
      pd_trail_put (self, base, pd_trail_add (self, *base, &copy));
    }
}

void
pd_trail_computes (PdComsys *self, guint32 rank)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = &trail->ranks[rank];
  guint32 base = pd_trail_ref (trail, trail->cpus[rank]);
  gint64 later = self->cpus[rank].free.ps - pd_trail_when (trail, actor->at).ps;

  pd_trail_reach (trail, &base, self->now, rank);
  shift (trail, actor->at, actor->begin, &base, later);
  pd_trail_put (trail, &actor->at, base);
  pd_trail_put (trail, &trail->cpus[rank], pd_trail_ref (trail, actor->at));
}

/* ---- programs that use tokens */

static gpointer
key_of (guint32 rank, guint32 token)
{
  return GSIZE_TO_POINTER ((gsize) rank << 32 | token);
}

G_STATIC_ASSERT (sizeof (gsize) == 8);

/* @rank has @node (transfer full) when @token comes. */
static void
note (PdTrail *self, guint32 rank, guint32 token, guint32 node)
{
  if (self->tokens == NULL)
    self->tokens = g_hash_table_new (NULL, NULL);
  guint32 old = GPOINTER_TO_UINT (g_hash_table_lookup (self->tokens, key_of (rank, token)));
  g_hash_table_insert (self->tokens, key_of (rank, token), GUINT_TO_POINTER (node));
  pd_trail_unref (self, old);
}

void
pd_trail_notes (PdComsys *self, guint32 req, guint32 token)
{
  PdTrail *trail = self->trail;

  note (trail, pd_req (self, req)->rank, token,
        pd_trail_ref (trail, pd_trail_req (trail, req)->done));
}

void
pd_trail_keep (PdTrail *self, guint32 rank, guint32 token)
{
  note (self, rank, token, pd_trail_ref (self, self->ranks[rank].at));
}

/* Returns: (transfer full): what has been noted; 0 = nothing. */
static guint32
take_token (PdTrail *self, guint32 rank, guint32 token)
{
  gpointer node = NULL;

  if (self->tokens != NULL)
    g_hash_table_steal_extended (self->tokens, key_of (rank, token), NULL, &node);
  return GPOINTER_TO_UINT (node);
}

void
pd_trail_join (PdTrail *self, guint32 rank, guint32 token)
{
  guint32 node = take_token (self, rank, token);

  pd_trail_gather (self, &self->ranks[rank].at, node);
  pd_trail_unref (self, node);
}

void
pd_trail_go_on (PdTrail *self, guint32 rank)
{
  pd_trail_gather (self, &self->ranks[rank].last, self->ranks[rank].at);
}

void
pd_trail_begin_turn (PdTrail *self, const PdTurn *turn, gboolean is_free)
{
  PdTrailActor *actor = &self->ranks[turn->rank];
  guint32 node = turn->token == PD_TOKEN_NONE
                     ? pd_trail_ref (self, pd_trail_come_untold (self, actor, turn->when))
                     : take_token (self, turn->rank, turn->token);

  if (node == 0)
    return;
  pd_trail_gather (self, &actor->last, node);
  if (is_free)
    pd_trail_put (self, &actor->at, node);
  else
    pd_trail_unref (self, node);
}
