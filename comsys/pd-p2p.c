/* Point to point: eager and rendezvous. What a message does after the calls
 * that started it is driven by the events of its send:
 *
 *   eager:       REQUEST -> (network) -> delivered
 *   rendezvous:  REQUEST -> (announcement) -> arrived, matched -> ANSWER
 *                -> (answer) -> DATA -> (network) -> delivered
 *
 * With free control messages REQUEST and ANSWER cost nothing.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

/* ---- the pool of requests */

static guint32
take_other (PdComsys *self)
{
  guint32 req = self->free_req;

  if (req != 0)
    {
      self->free_req = self->reqs[req].next;
      return req;
    }
  if (self->n_reqs == self->reqs_room)
    {
      self->reqs = pd_lines_resize (self->reqs, self->reqs_room, (gsize) self->reqs_room * 2);
      self->reqs_room *= 2;
    }
  return self->n_reqs++;
}

guint32
pd_req_new (PdComsys *self, guint32 rank)
{
  guint32 *used = &self->ranks[rank].own_used;
  guint free = (guint) __builtin_ctz (~*used);
  guint32 req;

  if (free < 1u << self->own_shift)
    {
      *used |= 1u << free;
      req = 1 + (rank << self->own_shift) + free;
    }
  else
    req = take_other (self);
  self->reqs[req] = (PdReq){ .rank = rank, .done = PD_TIME_PENDING };
  return req;
}

void
pd_req_drop (PdComsys *self, guint32 req, guint8 holder)
{
  PdReq *r = pd_req (self, req);

  r->held &= ~(guint32) holder & 3;
  if (r->held != 0)
    return;
  r->kind = PD_REQ_FREE;
  if (req < self->n_own)
    {
      self->ranks[r->rank].own_used &= ~(1u << ((req - 1) & ((1u << self->own_shift) - 1)));
      return;
    }
  r->next = self->free_req;
  self->free_req = req;
}

/* ---- completion */

/* The receive remembers what it got, for a status that is asked for later. */
static void
write_status (PdReq *recv, const PdReq *send)
{
  recv->source_in_comm = send->source_in_comm;
  recv->tag = send->tag;
  recv->bytes = send->bytes;
  if (recv->status != NULL)
    *recv->status = (PdStatus){ (gint32) send->source_in_comm, send->tag, send->bytes };
}

void
pd_p2p_complete (PdComsys *self, guint32 req, PdTime when)
{
  PdReq *r = pd_req (self, req);

  r->done = when;
  if (r->beside)
    pd_play_completed (self, req, when);
  else if (r->waited)
    {
      if (self->waited != NULL && r->kind == PD_REQ_RECV)
        pd_waited_note (self, r);
      pd_rank_completed (self, r->rank, when);
    }
  else if (r->any)
    pd_wait_completed_any (self, r->rank, when);
  else if (r->notify)
    {
      pd_comsys_push (self, when, PD_EVENT_NOTIFY, r->rank, r->link);
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  else if (self->cpus != NULL && pd_req_has_number (r))
    r->number = pd_cpu_new_number (self);
}

/* When the receiver has got the data, and may go on. */
static PdTime
time_received (const PdComsys *self, const PdReq *send, const PdReq *recv)
{
  if (send->ends)
    return pd_time_max (recv->ready, self->cpus[recv->rank].free);
  PdTime received = pd_time_max (recv->ready, send->arrival);
  return self->has_costs ? pd_time_add (received, pd_costs_of_recv (self, send)) : received;
}

/* Both halves are matched and the data's delivery is known. */
static void
finish (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  guint32 recv = s->partner;
  PdReq *r = pd_req (self, recv);
  gboolean rendezvous = s->rendezvous && !s->detached && pd_time_is_pending (s->done);
  gboolean sender_first = s->ends && s->rank < r->rank; /* as LogGOPSim: in the order of ranks */

  write_status (r, s);
  PdTime received = time_received (self, s, r);
  if (self->waited != NULL)
    pd_waited_matched (self, s, r);
  PdTime sent = !rendezvous ? s->done : s->ends ? pd_cpu_rendezvous (self, s->rank) : s->arrival;
  if (rendezvous && sender_first)
    pd_p2p_complete (self, send, sent);
  pd_p2p_complete (self, recv, received);
  if (rendezvous && !sender_first)
    pd_p2p_complete (self, send, sent);
  pd_req_drop (self, recv, PD_HELD_SYSTEM);
  pd_req_drop (self, send, PD_HELD_SYSTEM);
}

/* ---- networks */

static guint32
processor_of (const PdComsys *self, guint32 rank)
{
  return self->placement != NULL ? self->placement[rank] : rank;
}

PdRoute
pd_p2p_route (const PdComsys *self, guint32 source, guint32 target)
{
  return pd_topology_route (self->topology, processor_of (self, source),
                            processor_of (self, target));
}

const PdLevel *
pd_p2p_level (const PdComsys *self, guint32 source, guint32 target)
{
  if (self->topology->is_flat)
    return self->levels;
  return &self->levels[pd_p2p_route (self, source, target).instance];
}

/* Asks the network between @source and @target now, on behalf of @send. */
static PdTime
request (PdComsys *self, guint32 send, gboolean answer, gboolean control)
{
  const PdReq *s = pd_req (self, send);
  PdRoute route =
      answer ? pd_p2p_route (self, s->peer, s->rank) : pd_p2p_route (self, s->rank, s->peer);
  const PdLevel *level = &self->levels[route.instance];
  PdTransfer transfer = { .source = route.source,
                          .target = route.target,
                          .bytes =
                              pd_protocol_wire_bytes (&level->protocol, control ? 0 : s->bytes),
                          .control = control,
                          .id = send,
                          .source_processor = route.source_processor,
                          .target_processor = route.target_processor };

  return level->class->request (level->network, &transfer, self->now);
}

/* ---- the life of a message */

void
pd_p2p_observe (PdComsys *self, const PdReq *s, PdTime when)
{
  if (self->observer.message != NULL)
    self->observer.message (self->observer.data, s->rank, s->peer, s->bytes, when, s->collective);
}

static void
send_data (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);

  s->step = PD_AT_DATA;
  pd_p2p_observe (self, s, self->now);
  if (self->has_costs && s->rendezvous && !s->detached
      && pd_p2p_level (self, s->rank, s->peer)->costs.until_match)
    {
      s->began = pd_waited_send_began (self, s); /* its order has served */
      pd_p2p_complete (self, send, self->now);
    }
  PdTime when = request (self, send, FALSE, FALSE);
  if (!pd_time_is_pending (when))
    pd_p2p_delivered (self, send, when);
}

static gboolean
control_is_free (const PdComsys *self, const PdReq *send)
{
  return send->detached || pd_p2p_level (self, send->rank, send->peer)->protocol.free_control;
}

/* The announcement has arrived and the receive is there: the target answers. */
static void
answer (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  PdTime when = pd_time_max (s->arrival, pd_req (self, s->partner)->ready);

  s->step = PD_AT_ANSWERED;
  pd_comsys_at (self, when, PD_EVENT_ANSWER, s->peer, send);
}

/* A message to oneself is copied, by no network. */
static void
copy_to_oneself (PdComsys *self, guint32 send, PdTime when)
{
  PdReq *s = pd_req (self, send);

  s->step = PD_AT_DELIVERED;
  s->arrival =
      pd_time_add (when, pd_time_for_bytes (s->bytes, self->machine->software.copy_per_byte));
  pd_p2p_observe (self, s, when);
}

static void
start_answer (PdComsys *self, guint32 send)
{
  PdTime when = self->now;

  if (pd_req (self, send)->rank == pd_req (self, send)->peer)
    {
      copy_to_oneself (self, send, when);
      finish (self, send);
      return;
    }
  if (!control_is_free (self, pd_req (self, send)))
    when = request (self, send, TRUE, TRUE);
  if (!pd_time_is_pending (when))
    pd_comsys_at (self, when, PD_EVENT_DATA, pd_req (self, send)->rank, send);
}

static void
start_send (PdComsys *self, guint32 send)
{
  PdTime when = self->now;

  if (!pd_req (self, send)->rendezvous)
    {
      send_data (self, send);
      return;
    }
  if (!control_is_free (self, pd_req (self, send)))
    when = request (self, send, FALSE, TRUE);
  if (!pd_time_is_pending (when))
    pd_p2p_delivered (self, send, when);
}

void
pd_p2p_event (PdComsys *self, PdEvent event, guint32 req)
{
  switch (event)
    {
    case PD_EVENT_REQUEST:
      start_send (self, req);
      break;
    case PD_EVENT_ANSWER:
      start_answer (self, req);
      break;
    case PD_EVENT_DATA:
      send_data (self, req);
      break;
    case PD_EVENT_VISIBLE:
      pd_wild_visible (self, req); /* a rank */
      break;
    case PD_EVENT_ONE_SIDED:
      pd_one_sided_event (self, req);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* What the network was asked for arrives at @when: an announcement, an answer
 * or the data, depending on the step. */
void
pd_p2p_delivered (PdComsys *self, guint32 send, PdTime when)
{
  PdReq *s = pd_req (self, send);

  if (s->step == PD_AT_ANSWERED)
    {
      pd_comsys_at (self, when, PD_EVENT_DATA, s->rank, send);
      return;
    }
  s->arrival = when;
  s->step = s->step == PD_AT_REQUESTED ? PD_AT_ANNOUNCED : PD_AT_DELIVERED;
  if (!s->matched)
    {
      if (s->kind == PD_REQ_ONE_SIDED)
        pd_one_sided_arrived (self, send, when);
      else
        pd_wild_arrival_known (self, send);
      return;
    }
  if (s->step == PD_AT_ANNOUNCED)
    answer (self, send);
  else
    finish (self, send);
}

void
pd_p2p_match (PdComsys *self, guint32 send, guint32 recv)
{
  PdReq *s = pd_req (self, send);

  s->partner = recv;
  s->matched = TRUE;
  pd_req (self, recv)->partner = send;
  pd_req (self, recv)->matched = TRUE;
  if (s->step == PD_AT_ANNOUNCED)
    answer (self, send);
  else if (s->step == PD_AT_DELIVERED)
    finish (self, send);
}

/* ---- starting */

static void
match_send (PdComsys *self, guint32 send)
{
  if (pd_wild_applies (self, pd_req (self, send)->collective, FALSE))
    {
      pd_wild_send (self, send);
      return;
    }
  guint32 recv = pd_match_or_queue (self, send);
  if (recv != 0)
    pd_p2p_match (self, send, recv);
}

/* How @send is sent. To oneself, only a synchronous one has to wait for its
 * receive. */
static void
choose_protocol (const PdComsys *self, PdReq *send, PdSendMode mode)
{
  if (mode == PD_SEND_SYNCHRONOUS)
    send->rendezvous = TRUE;
  if (mode == PD_SEND_SYNCHRONOUS || mode == PD_SEND_BUFFERED || send->rank == send->peer)
    return;
  const PdProtocol *protocol = &pd_p2p_level (self, send->rank, send->peer)->protocol;
  if (send->bytes <= protocol->eager)
    return;
  send->rendezvous = TRUE;
  send->detached = send->bytes <= protocol->detached;
}

/* Sends to the network at @ready, or to the rank itself at once. */
static void
start (PdComsys *self, guint32 send, PdTime ready)
{
  PdReq *s = pd_req (self, send);
  guint32 rank = s->rank;
  gboolean to_itself = rank == s->peer, ends = s->ends;

  if (to_itself && s->rendezvous)
    {
      s->step = PD_AT_ANNOUNCED;
      s->arrival = ready;
    }
  else if (to_itself)
    copy_to_oneself (self, send, ready);
  match_send (self, send);
  if (!to_itself && !ends)
    pd_comsys_at (self, ready, PD_EVENT_REQUEST, rank, send);
}

/* Over a network with ends the send starts when the processor is free. */
static void
start_by_cpu (PdComsys *self, guint32 send, const PdCall *call)
{
  if (pd_req (self, send)->ends)
    *call->ret =
        pd_cpu_send (self, send, call->when) ? self->cpus[call->rank].free : PD_TIME_PENDING;
  if (!pd_time_is_pending (*call->ret) && self->beside == NULL)
    self->accounted = *call->ret;
}

guint32
pd_p2p_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode,
             gboolean collective)
{
  g_return_val_if_fail (envelope.bytes >= 0 && (guint32) envelope.peer < comm->n, 0);

  guint32 send = pd_req_new (self, call->rank);
  PdReq *s = pd_req (self, send);
  PdTime ready = pd_time_add (call->when, self->machine->software.send_overhead);

  s->kind = PD_REQ_SEND;
  s->peer = pd_comm_world_rank (comm, (guint32) envelope.peer);
  s->context = comm->context + (collective ? 1 : 0);
  s->tag = envelope.tag;
  s->bytes = envelope.bytes;
  s->source_in_comm = (guint32) pd_comm_get_rank (comm, call->rank);
  s->collective = collective ? 1 : 0;
  s->order = self->counts.n_messages++;
  s->arrival = PD_TIME_PENDING;
  s->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  if (self->has_costs)
    ready = pd_time_add (ready, pd_costs_of_send (self, s));
  choose_protocol (self, s, mode);
  if (self->cpus != NULL && s->rank != s->peer)
    s->ends = pd_p2p_level (self, s->rank, s->peer)->class->ends != NULL;
  if (!s->rendezvous || s->detached)
    s->done = ready; /* its owner need not wait for anybody */
  else
    s->done.ps = ~call->when.ps; /* pending; see pd-waited.c */
  *call->ret = ready;
  self->counts.n_bytes.ps += s->bytes;
  self->counts.n_collective_messages += collective ? 1 : 0;
  start (self, send, ready);
  if (G_UNLIKELY (self->cpus != NULL))
    start_by_cpu (self, send, call);
  return send;
}

guint32
pd_p2p_make_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                  gboolean collective)
{
  gboolean any_source = envelope.peer == PD_ANY_SOURCE;
  guint32 recv = pd_req_new (self, call->rank);
  PdReq *r = pd_req (self, recv);

  r->kind = PD_REQ_RECV;
  r->peer = any_source ? G_MAXUINT32 : pd_comm_world_rank (comm, (guint32) envelope.peer);
  r->context = comm->context + (collective ? 1 : 0);
  r->tag = envelope.tag;
  r->bytes = envelope.bytes;
  r->collective = collective ? 1 : 0;
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  r->status = call->status;
  return recv;
}

void
pd_p2p_post (PdComsys *self, guint32 recv, PdTime when)
{
  PdReq *r = pd_req (self, recv);
  gboolean is_wild = r->peer == G_MAXUINT32 || r->tag == PD_ANY_TAG;

  r->ready = pd_time_add (when, self->machine->software.recv_overhead);
  r->done.ps = ~(gint64) self->n_receives++;
  if (pd_wild_applies (self, r->collective, is_wild))
    {
      pd_wild_recv (self, recv);
      return;
    }
  guint32 send = pd_match_or_queue (self, recv);
  if (send != 0)
    pd_p2p_match (self, send, recv);
}

guint32
pd_p2p_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
             gboolean collective)
{
  g_return_val_if_fail (envelope.peer == PD_ANY_SOURCE || (guint32) envelope.peer < comm->n, 0);

  guint32 recv = pd_p2p_make_recv (self, call, comm, envelope, collective);

  if (G_UNLIKELY (self->cpus != NULL))
    pd_cpu_posts (self);
  *call->ret = pd_time_add (call->when, self->machine->software.recv_overhead);
  pd_p2p_post (self, recv, call->when);
  if (G_UNLIKELY (self->cpus != NULL))
    *call->ret = pd_cpu_posted (self, recv);
  return recv;
}
