/* Events of messages and of ranks that wait for them, in the critical path. Moments come from
 * ComSys; no function here decides one. A moment without a node, because its causes are not
 * followed, gets a node of the kind OTHER.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-events.h"

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path-endpoints.h"
#include "comsys/critical/pd-critical-path-nonblocking.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-lookup.h"

static PdCriticalNode
node_of (PdTime when, PdCriticalKind kind, guint32 rank, guint32 peer)
{
  return (PdCriticalNode){
    .when = when.ps, .kind = kind & 0xff, .rank = rank, .peer = peer & 0xffffff
  };
}

void
pd_critical_advance_to (PdCriticalPath *self, guint32 *slot, PdTime when, guint32 rank)
{
  if (*slot != 0 && pd_critical_when (self, *slot).ps == when.ps)
    return;
  PdCriticalNode node = node_of (when, PD_CRITICAL_UNTRACKED, rank, rank);
  guint32 pred = *slot;
  if (pred == 0 || pd_critical_when (self, pred).ps > when.ps)
    pred = self->ranks[rank].at;
  if (pd_critical_when (self, pred).ps > when.ps)
    pred = 1; /* the start */
  pd_critical_put (self, slot, pd_critical_add (self, pred, &node));
}

/* ---- calls */

void
pd_critical_call (PdComsys *self, guint32 rank, PdTime when)
{
  PdCriticalActor *actor = pd_critical_actor (self->critical, rank);

  pd_critical_advance_implicit (self->critical, actor, when);
  actor->in_function = self->overheads != NULL;
}

void
pd_critical_untracked (PdComsys *self, guint32 rank)
{
  pd_critical_advance (self->critical, pd_critical_actor (self->critical, rank), self->now,
                       PD_CRITICAL_UNTRACKED, 0);
}

void
pd_critical_act (PdCriticalPath *self, PdCriticalActor *actor, PdTime when)
{
  if (actor->in_function)
    pd_critical_advance (self, actor, when, PD_CRITICAL_FUNCTION, 0);
  else
    pd_critical_advance_implicit (self, actor, when);
  actor->in_function = FALSE;
}

void
pd_critical_network_cpu (PdComsys *self, const PdCall *call, PdTime when)
{
  PdCriticalActor *actor = pd_critical_actor (self->critical, call->rank);

  pd_critical_act (self->critical, actor, call->when);
  pd_critical_advance (self->critical, actor, when, PD_CRITICAL_NETWORK_CPU, 0);
}

void
pd_critical_step (PdComsys *self, guint32 rank, PdTime when, const PdStep *step)
{
  PdCriticalSoftware what =
      step->kind == PD_STEP_REDUCE ? PD_CRITICAL_REDUCTION_PER_BYTE : PD_CRITICAL_COPY_PER_BYTE;

  pd_critical_spend (self->critical, pd_critical_actor (self->critical, rank), when, what,
                     step->send_bytes);
}

/* ---- messages */

void
pd_critical_send (PdComsys *self, guint32 send, PdTime when, PdTime ready, gboolean copies)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  PdCriticalActor *actor = pd_critical_actor (critical, s->rank);
  PdCriticalReq *r = pd_critical_req (critical, send);
  gboolean endpoints = !pd_p2p_is_copied (self, s->rank, s->peer)
                       && pd_p2p_level (self, s->rank, s->peer)->class->endpoints != NULL;
  PdTime overhead = self->machine->software.send_overhead;

  pd_critical_act (critical, actor, when);
  if (!endpoints) /* else the processor may not be free yet */
    {
      pd_critical_spend (critical, actor, pd_time_add (when, overhead), PD_CRITICAL_SEND_OVERHEAD,
                         1);
      pd_critical_advance (critical, actor, ready, PD_CRITICAL_NETWORK_CPU, 0);
    }
  critical->copied = copies ? s->bytes : -1;
  pd_critical_put (critical, &r->path, pd_critical_ref (critical, actor->at));
  pd_critical_put (critical, &r->done, endpoints ? 0 : pd_critical_ref (critical, actor->at));
}

void
pd_critical_post (PdComsys *self, guint32 recv, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = pd_critical_actor (critical, pd_req (self, recv)->rank);
  PdCriticalReq *r = pd_critical_req (critical, recv);

  pd_critical_act (critical, actor, when);
  pd_critical_spend (critical, actor, pd_time_add (when, self->machine->software.recv_overhead),
                     PD_CRITICAL_RECV_OVERHEAD, 1);
  pd_critical_put (critical, &r->path, pd_critical_ref (critical, actor->at));
  pd_critical_put (critical, &r->done, 0);
  critical->copied = -1;
}

void
pd_critical_copy (PdComsys *self, guint32 send, PdTime until)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  PdCriticalReq *r = pd_critical_req (critical, send);
  PdCriticalNode node = node_of (until, PD_CRITICAL_SOFTWARE, s->rank, s->rank);

  node.arg = PD_CRITICAL_COPY_PER_BYTE;
  node.amount = s->bytes;
  if (r->path == 0)
    pd_critical_advance_to (critical, &r->path, until, s->rank);
  pd_critical_put (critical, &r->path, pd_critical_add (critical, r->path, &node));
}

/* Another transfer of the same network instance that has ended when this one begins: what
 * has kept it waiting. Recent ones are found by that moment. */
static guint32 *
recent_of (PdCriticalPath *self, guint32 level, gint64 when)
{
  guint64 hash = ((guint64) when ^ level) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->recent[hash >> 54];
}

G_STATIC_ASSERT (PD_CRITICAL_RECENT == 1 << 10);

static guint32
find_holder (PdCriticalPath *self, guint32 level, PdTime begin)
{
  guint32 recent = *recent_of (self, level, begin.ps);

  return recent != 0 && self->nodes[recent].when == begin.ps && self->nodes[recent].arg == level
             ? recent
             : 0;
}

void
pd_critical_arrive (PdComsys *self, guint32 send, gboolean control, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *s = pd_req (self, send);
  PdCriticalReq *r = pd_critical_req (critical, send);

  if (s->kind == PD_REQ_ONE_SIDED)
    {
      pd_critical_put (critical, &r->path, 0);
      pd_critical_advance_to (critical, &r->path, when, s->rank);
      return;
    }
  gboolean is_answer = s->step == PD_AT_ANSWERED;
  guint32 source = is_answer ? s->peer : s->rank, target = is_answer ? s->rank : s->peer;
  PdRoute route = pd_p2p_route (self, source, target);
  const PdNetworkLevel *level = &self->levels[route.instance];
  PdTransfer transfer = { .source = route.source,
                          .target = route.target,
                          .bytes =
                              pd_protocol_wire_bytes (&level->protocol, control ? 0 : s->bytes),
                          .control = control };
  PdCriticalNode node =
      node_of (when, control ? PD_CRITICAL_CONTROL : PD_CRITICAL_DATA, source, target);
  guint32 pred = r->path;

  node.arg = route.instance;
  node.amount = transfer.bytes;
  if (level->class->get_alone != NULL && pred != 0)
    {
      PdTime alone = level->class->get_alone (level->network, &transfer, NULL);
      PdTime begin = PD_TIME (when.ps - alone.ps);
      guint32 holder = begin.ps > pd_critical_when (critical, pred).ps
                           ? find_holder (critical, node.arg, begin)
                           : 0;
      pred = holder != 0 ? holder : pred;
    }
  pd_critical_put (critical, &r->path, pd_critical_add (critical, pred, &node));
  pd_critical_put (critical, recent_of (critical, node.arg, when.ps),
                   pd_critical_ref (critical, r->path));
}

void
pd_critical_deliver (PdComsys *self, guint32 send, PdTime when)
{
  PdReqStage step = pd_req (self, send)->step;

  pd_critical_arrive (self, send, step == PD_AT_REQUESTED || step == PD_AT_ANSWERED, when);
}

void
pd_critical_answer (PdComsys *self, guint32 send)
{
  PdCriticalPath *critical = self->critical;
  guint32 posted = pd_critical_req (critical, pd_req (self, send)->partner)->path;

  pd_critical_gather (critical, &pd_critical_req (critical, send)->path, posted);
}

/* ---- completion */

void
pd_critical_notify_owner (PdComsys *self, guint32 req, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *r = pd_req (self, req);
  PdCriticalReq *t = pd_critical_req (critical, req);

  pd_critical_advance_to (critical, &t->done, when, r->rank);
  if (r->notify)
    pd_critical_note_token (self, req, r->link);
  if (r->waited && !r->nonblocking)
    pd_critical_gather (critical, &critical->ranks[r->rank].latest, t->done);
}

void
pd_critical_match (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received)
{
  PdCriticalPath *critical = self->critical;
  guint32 s = (guint32) (send - self->reqs), r = (guint32) (recv - self->reqs);
  PdTime both = pd_time_max (recv->ready, send->arrival);

  if (send->endpoints)
    {
      pd_critical_match_endpoints (self, send, recv, received);
      return;
    }
  PdCriticalReq *of_send = pd_critical_req (critical, s), *of_recv = pd_critical_req (critical, r);
  pd_critical_put (critical, &of_recv->done,
                   pd_critical_later (critical, of_recv->path, of_send->path));
  if (received.ps > both.ps)
    {
      PdCriticalNode node = node_of (received, PD_CRITICAL_NETWORK_CPU, recv->rank, recv->rank);
      pd_critical_advance_to (critical, &of_recv->done, both, recv->rank);
      pd_critical_put (critical, &of_recv->done, pd_critical_add (critical, of_recv->done, &node));
    }
  pd_critical_notify_owner (self, r, received);
  if (!pd_time_is_pending (send->done) || !send->rendezvous || send->detached)
    return;
  pd_critical_put (critical, &of_send->done, pd_critical_ref (critical, of_send->path));
  pd_critical_notify_owner (self, s, send->arrival);
}

void
pd_critical_complete (PdComsys *self, guint32 req)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalReq *r = pd_critical_req (critical, req);

  pd_critical_put (critical, &r->done, pd_critical_ref (critical, r->path));
  pd_critical_notify_owner (self, req, self->now);
}

/* ---- waiting */

void
pd_critical_advance_to_done (PdComsys *self, guint32 req)
{
  const PdReq *r = pd_req (self, req);

  pd_critical_advance_to (self->critical, &pd_critical_req (self->critical, req)->done, r->done,
                          r->rank);
}

void
pd_critical_await (PdComsys *self, guint32 req)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *r = pd_req (self, req);

  pd_critical_advance_to_done (self, req);
  pd_critical_gather (critical, &critical->ranks[r->rank].got,
                      pd_critical_req (critical, req)->done);
}

/* The successor of the wait of @actor. */
static void
set_end (PdComsys *self, PdCriticalActor *actor, PdTime overhead)
{
  PdTime plain = self->machine->software.wait_overhead;
  gboolean is_wait = self->critical->is_wait;
  gint64 copied = self->critical->copied;

  self->critical->is_wait = FALSE;
  self->critical->copied = -1;
  actor->overhead = is_wait ? MIN (plain.ps, overhead.ps) : overhead.ps;
  actor->extra = overhead.ps - actor->overhead;
  actor->begun = PD_CRITICAL_START;
  if (!is_wait && copied < 0)
    return;
  actor->begun = PD_CRITICAL_SOFTWARE;
  actor->arg = is_wait ? PD_CRITICAL_WAIT_OVERHEAD : PD_CRITICAL_COPY_PER_BYTE;
  actor->amount = is_wait ? 1 : copied;
}

void
pd_critical_wait (PdComsys *self, const PdCall *call, PdTime overhead, gboolean is_any)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[call->rank];
  guint32 *latest = &actor->latest;
  guint32 got = actor->got;

  actor->got = 0;
  if (!is_any)
    {
      critical->is_wait = FALSE;
      critical->copied = -1;
    }
  pd_critical_act (critical, actor, call->when);
  pd_critical_put (critical, latest, pd_critical_later (critical, actor->at, got));
  pd_critical_unref (critical, got);
  set_end (self, actor, overhead);
}

void
pd_critical_wait_begin (PdComsys *self, guint32 first G_GNUC_UNUSED)
{
  self->critical->is_wait = TRUE;
}

void
pd_critical_choose (PdComsys *self, guint32 req)
{
  PdCriticalPath *critical = self->critical;
  const PdReq *r = pd_req (self, req);

  pd_critical_advance_to_done (self, req);
  pd_critical_put (critical, &critical->ranks[r->rank].chosen,
                   pd_critical_ref (critical, pd_critical_req (critical, req)->done));
}

/* @rank, which was blocked, goes on with @node. */
static void
go_on (PdComsys *self, guint32 rank, guint32 node, PdTime overhead)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[rank];

  pd_critical_put (critical, &actor->latest, pd_critical_later (critical, actor->at, node));
  critical->is_wait = TRUE;
  set_end (self, actor, overhead);
}

void
pd_critical_waitany_continue (PdComsys *self, guint32 rank, PdTime overhead)
{
  PdCriticalActor *actor = &self->critical->ranks[rank];
  guint32 chosen = actor->chosen;

  actor->chosen = 0;
  go_on (self, rank, chosen, overhead);
  pd_critical_unref (self->critical, chosen);
}

void
pd_critical_probe_found (PdComsys *self, guint32 rank, guint32 send, PdTime overhead)
{
  PdCriticalReq *t = pd_critical_req (self->critical, send);

  go_on (self, rank, t->path, overhead);
}

void
pd_critical_test (PdComsys *self, const PdCall *call)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = pd_critical_actor (critical, call->rank);
  PdTime plain = self->machine->software.wait_overhead;

  pd_critical_act (critical, actor, call->when);
  pd_critical_spend (critical, actor, pd_time_add (call->when, plain), PD_CRITICAL_WAIT_OVERHEAD,
                     1);
  pd_critical_advance (critical, actor, *call->ret, PD_CRITICAL_FUNCTION, 0);
}

void
pd_critical_known (PdComsys *self, guint32 req, guint32 token)
{
  pd_critical_advance_to_done (self, req);
  pd_critical_note_token (self, req, token);
}
