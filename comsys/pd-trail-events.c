/* What happens to messages and to those who wait for them, as the trail sees it. Nothing
 * here decides when something happens: moments come from ComSys. Where one has no node,
 * because what leads to it is not followed, it gets one of the kind OTHER.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

static PdTrailNode
node_of (PdTime when, PdTrailKind kind, guint32 rank, guint32 peer)
{
  return (
      PdTrailNode){ .when = when.ps, .kind = kind & 0xff, .rank = rank, .peer = peer & 0xffffff };
}

void
pd_trail_reach (PdTrail *self, guint32 *slot, PdTime when, guint32 rank)
{
  if (*slot != 0 && pd_trail_when (self, *slot).ps == when.ps)
    return;
  PdTrailNode node = node_of (when, PD_TRAIL_OTHER, rank, rank);
  guint32 pred = *slot;
  if (pred == 0 || pd_trail_when (self, pred).ps > when.ps)
    pred = self->ranks[rank].at;
  if (pd_trail_when (self, pred).ps > when.ps)
    pred = 1; /* the start */
  pd_trail_put (self, slot, pd_trail_add (self, pred, &node));
}

/* ---- calls */

void
pd_trail_calls (PdComsys *self, guint32 rank, PdTime when)
{
  PdTrailActor *actor = pd_trail_actor (self->trail, rank);

  pd_trail_come_untold (self->trail, actor, when);
  actor->in_function = self->overheads != NULL;
}

void
pd_trail_loses (PdComsys *self, guint32 rank)
{
  pd_trail_come (self->trail, pd_trail_actor (self->trail, rank), self->now, PD_TRAIL_OTHER, 0);
}

void
pd_trail_act (PdTrail *self, PdTrailActor *actor, PdTime when)
{
  if (actor->in_function)
    pd_trail_come (self, actor, when, PD_TRAIL_FUNCTION, 0);
  else
    pd_trail_come_untold (self, actor, when);
  actor->in_function = FALSE;
}

void
pd_trail_asked (PdComsys *self, const PdCall *call, PdTime when)
{
  PdTrailActor *actor = pd_trail_actor (self->trail, call->rank);

  pd_trail_act (self->trail, actor, call->when);
  pd_trail_come (self->trail, actor, when, PD_TRAIL_ASKED, 0);
}

void
pd_trail_step (PdComsys *self, guint32 rank, PdTime when, const PdStep *step)
{
  PdTrailSoftware what =
      step->kind == PD_STEP_REDUCE ? PD_TRAIL_REDUCTION_PER_BYTE : PD_TRAIL_COPY_PER_BYTE;

  pd_trail_spend (self->trail, pd_trail_actor (self->trail, rank), when, what, step->send_bytes);
}

/* ---- messages */

void
pd_trail_sends (PdComsys *self, guint32 send, PdTime when, PdTime ready, gboolean copies)
{
  PdTrail *trail = self->trail;
  const PdReq *s = pd_req (self, send);
  PdTrailActor *actor = pd_trail_actor (trail, s->rank);
  PdTrailReq *r = pd_trail_req (trail, send);
  gboolean ends = s->rank != s->peer && pd_p2p_level (self, s->rank, s->peer)->class->ends != NULL;
  PdTime overhead = self->machine->software.send_overhead;

  pd_trail_act (trail, actor, when);
  if (!ends) /* else the processor may not be free yet */
    {
      pd_trail_spend (trail, actor, pd_time_add (when, overhead), PD_TRAIL_SEND_OVERHEAD, 1);
      pd_trail_come (trail, actor, ready, PD_TRAIL_ASKED, 0);
    }
  trail->copied = copies ? s->bytes : -1;
  pd_trail_put (trail, &r->path, pd_trail_ref (trail, actor->at));
  pd_trail_put (trail, &r->done, ends ? 0 : pd_trail_ref (trail, actor->at));
}

void
pd_trail_posts (PdComsys *self, guint32 recv, PdTime when)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = pd_trail_actor (trail, pd_req (self, recv)->rank);
  PdTrailReq *r = pd_trail_req (trail, recv);

  pd_trail_act (trail, actor, when);
  pd_trail_spend (trail, actor, pd_time_add (when, self->machine->software.recv_overhead),
                  PD_TRAIL_RECV_OVERHEAD, 1);
  pd_trail_put (trail, &r->path, pd_trail_ref (trail, actor->at));
  pd_trail_put (trail, &r->done, 0);
  trail->copied = -1;
}

void
pd_trail_copied (PdComsys *self, guint32 send, PdTime until)
{
  PdTrail *trail = self->trail;
  const PdReq *s = pd_req (self, send);
  PdTrailReq *r = pd_trail_req (trail, send);
  PdTrailNode node = node_of (until, PD_TRAIL_SOFTWARE, s->rank, s->rank);

  node.arg = PD_TRAIL_COPY_PER_BYTE;
  node.amount = s->bytes;
  if (r->path == 0)
    pd_trail_reach (trail, &r->path, until, s->rank);
  pd_trail_put (trail, &r->path, pd_trail_add (trail, r->path, &node));
}

/* Another transfer of the same network instance that has ended when this one begins: what
 * has kept it waiting. Recent ones are found by that moment. */
static guint32 *
recent_of (PdTrail *self, guint32 level, gint64 when)
{
  guint64 hash = ((guint64) when ^ level) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->recent[hash >> 54];
}

G_STATIC_ASSERT (PD_TRAIL_RECENT == 1 << 10);

static guint32
find_holder (PdTrail *self, guint32 level, PdTime begin)
{
  guint32 recent = *recent_of (self, level, begin.ps);

  return recent != 0 && self->nodes[recent].when == begin.ps && self->nodes[recent].arg == level
             ? recent
             : 0;
}

void
pd_trail_arrives (PdComsys *self, guint32 send, gboolean control, PdTime when)
{
  PdTrail *trail = self->trail;
  const PdReq *s = pd_req (self, send);
  PdTrailReq *r = pd_trail_req (trail, send);

  if (s->kind == PD_REQ_ONE_SIDED)
    {
      pd_trail_put (trail, &r->path, 0);
      pd_trail_reach (trail, &r->path, when, s->rank);
      return;
    }
  gboolean is_answer = s->step == PD_AT_ANSWERED;
  guint32 source = is_answer ? s->peer : s->rank, target = is_answer ? s->rank : s->peer;
  PdRoute route = pd_p2p_route (self, source, target);
  const PdLevel *level = &self->levels[route.instance];
  PdTransfer transfer = { .source = route.source,
                          .target = route.target,
                          .bytes =
                              pd_protocol_wire_bytes (&level->protocol, control ? 0 : s->bytes),
                          .control = control };
  PdTrailNode node = node_of (when, control ? PD_TRAIL_CONTROL : PD_TRAIL_DATA, source, target);
  guint32 pred = r->path;

  node.arg = route.instance;
  node.amount = transfer.bytes;
  if (level->class->get_alone != NULL && pred != 0)
    {
      PdTime alone = level->class->get_alone (level->network, &transfer, NULL);
      PdTime begin = PD_TIME (when.ps - alone.ps);
      guint32 holder =
          begin.ps > pd_trail_when (trail, pred).ps ? find_holder (trail, node.arg, begin) : 0;
      pred = holder != 0 ? holder : pred;
    }
  pd_trail_put (trail, &r->path, pd_trail_add (trail, pred, &node));
  pd_trail_put (trail, recent_of (trail, node.arg, when.ps), pd_trail_ref (trail, r->path));
}

void
pd_trail_delivered (PdComsys *self, guint32 send, PdTime when)
{
  PdReqStage step = pd_req (self, send)->step;

  pd_trail_arrives (self, send, step == PD_AT_REQUESTED || step == PD_AT_ANSWERED, when);
}

void
pd_trail_answers (PdComsys *self, guint32 send)
{
  PdTrail *trail = self->trail;
  guint32 posted = pd_trail_req (trail, pd_req (self, send)->partner)->path;

  pd_trail_gather (trail, &pd_trail_req (trail, send)->path, posted);
}

/* ---- completion */

void
pd_trail_tell_owner (PdComsys *self, guint32 req, PdTime when)
{
  PdTrail *trail = self->trail;
  const PdReq *r = pd_req (self, req);
  PdTrailReq *t = pd_trail_req (trail, req);

  pd_trail_reach (trail, &t->done, when, r->rank);
  if (r->notify)
    pd_trail_notes (self, req, r->link);
  if (r->waited && !r->beside)
    pd_trail_gather (trail, &trail->ranks[r->rank].latest, t->done);
}

void
pd_trail_matched (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received)
{
  PdTrail *trail = self->trail;
  guint32 s = (guint32) (send - self->reqs), r = (guint32) (recv - self->reqs);
  PdTime both = pd_time_max (recv->ready, send->arrival);

  if (send->ends)
    {
      pd_trail_matched_ends (self, send, recv, received);
      return;
    }
  PdTrailReq *of_send = pd_trail_req (trail, s), *of_recv = pd_trail_req (trail, r);
  pd_trail_put (trail, &of_recv->done, pd_trail_later (trail, of_recv->path, of_send->path));
  if (received.ps > both.ps)
    {
      PdTrailNode node = node_of (received, PD_TRAIL_ASKED, recv->rank, recv->rank);
      pd_trail_reach (trail, &of_recv->done, both, recv->rank);
      pd_trail_put (trail, &of_recv->done, pd_trail_add (trail, of_recv->done, &node));
    }
  pd_trail_tell_owner (self, r, received);
  if (!pd_time_is_pending (send->done) || !send->rendezvous || send->detached)
    return;
  pd_trail_put (trail, &of_send->done, pd_trail_ref (trail, of_send->path));
  pd_trail_tell_owner (self, s, send->arrival);
}

void
pd_trail_completes (PdComsys *self, guint32 req)
{
  PdTrail *trail = self->trail;
  PdTrailReq *r = pd_trail_req (trail, req);

  pd_trail_put (trail, &r->done, pd_trail_ref (trail, r->path));
  pd_trail_tell_owner (self, req, self->now);
}

/* ---- waiting */

void
pd_trail_reach_done (PdComsys *self, guint32 req)
{
  const PdReq *r = pd_req (self, req);

  pd_trail_reach (self->trail, &pd_trail_req (self->trail, req)->done, r->done, r->rank);
}

void
pd_trail_awaits (PdComsys *self, guint32 req)
{
  PdTrail *trail = self->trail;
  const PdReq *r = pd_req (self, req);

  pd_trail_reach_done (self, req);
  pd_trail_gather (trail, &trail->ranks[r->rank].got, pd_trail_req (trail, req)->done);
}

/* What follows the wait of @actor. */
static void
set_end (PdComsys *self, PdTrailActor *actor, PdTime overhead)
{
  PdTime plain = self->machine->software.wait_overhead;
  gboolean is_wait = self->trail->is_wait;
  gint64 copied = self->trail->copied;

  self->trail->is_wait = FALSE;
  self->trail->copied = -1;
  actor->overhead = is_wait ? MIN (plain.ps, overhead.ps) : overhead.ps;
  actor->extra = overhead.ps - actor->overhead;
  actor->begun = PD_TRAIL_START;
  if (!is_wait && copied < 0)
    return;
  actor->begun = PD_TRAIL_SOFTWARE;
  actor->arg = is_wait ? PD_TRAIL_WAIT_OVERHEAD : PD_TRAIL_COPY_PER_BYTE;
  actor->amount = is_wait ? 1 : copied;
}

void
pd_trail_waits (PdComsys *self, const PdCall *call, PdTime overhead, gboolean is_any)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = &trail->ranks[call->rank];
  guint32 *latest = &actor->latest;
  guint32 got = actor->got;

  actor->got = 0;
  if (!is_any)
    {
      trail->is_wait = FALSE;
      trail->copied = -1;
    }
  pd_trail_act (trail, actor, call->when);
  pd_trail_put (trail, latest, pd_trail_later (trail, actor->at, got));
  pd_trail_unref (trail, got);
  set_end (self, actor, overhead);
}

void
pd_trail_wait_begins (PdComsys *self)
{
  self->trail->is_wait = TRUE;
}

void
pd_trail_chooses (PdComsys *self, guint32 req)
{
  PdTrail *trail = self->trail;
  const PdReq *r = pd_req (self, req);

  pd_trail_reach_done (self, req);
  pd_trail_put (trail, &trail->ranks[r->rank].chosen,
                pd_trail_ref (trail, pd_trail_req (trail, req)->done));
}

/* @rank, which was blocked, goes on with @node. */
static void
go_on (PdComsys *self, guint32 rank, guint32 node, PdTime overhead)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = &trail->ranks[rank];

  pd_trail_put (trail, &actor->latest, pd_trail_later (trail, actor->at, node));
  trail->is_wait = TRUE;
  set_end (self, actor, overhead);
}

void
pd_trail_goes_on (PdComsys *self, guint32 rank, PdTime overhead)
{
  PdTrailActor *actor = &self->trail->ranks[rank];
  guint32 chosen = actor->chosen;

  actor->chosen = 0;
  go_on (self, rank, chosen, overhead);
  pd_trail_unref (self->trail, chosen);
}

void
pd_trail_finds (PdComsys *self, guint32 rank, guint32 send, PdTime overhead)
{
  PdTrailReq *t = pd_trail_req (self->trail, send);

  go_on (self, rank, t->path, overhead);
}

void
pd_trail_tests (PdComsys *self, const PdCall *call)
{
  PdTrail *trail = self->trail;
  PdTrailActor *actor = pd_trail_actor (trail, call->rank);
  PdTime plain = self->machine->software.wait_overhead;

  pd_trail_act (trail, actor, call->when);
  pd_trail_spend (trail, actor, pd_time_add (call->when, plain), PD_TRAIL_WAIT_OVERHEAD, 1);
  pd_trail_come (trail, actor, *call->ret, PD_TRAIL_FUNCTION, 0);
}
