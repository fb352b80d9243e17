/* Point to point: eager and rendezvous. What a message does after the calls
 * that started it is driven by the events of its send:
 *
 *   eager:       REQUEST -> (network) -> delivered
 *   rendezvous:  REQUEST -> (announcement) -> arrived, matched -> ANSWER
 *                -> (answer) -> DATA -> (network) -> delivered
 *
 * With free control messages REQUEST and ANSWER cost nothing.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

/* ---- the pool of requests */

guint32
pd_req_take_other (PdComsys *self)
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

void
pd_req_give_back (PdComsys *self, guint32 req)
{
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_FREE;
  if (G_LIKELY (req < self->n_own))
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

/* Somebody is told of the completion, but not a rank that waits for all of several. */
static void
tell_others (PdComsys *self, guint32 req, PdTime when)
{
  PdReq *r = pd_req (self, req);

  if (r->beside)
    pd_play_completed (self, req, when);
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

static inline void
complete (PdComsys *self, guint32 req, PdTime when)
{
  PdReq *r = pd_req (self, req);

  r->done = when;
  if (!r->waited || r->beside)
    {
      if (r->beside || r->any || r->notify || self->cpus != NULL)
        tell_others (self, req, when);
      return;
    }
  if (G_UNLIKELY (self->waited != NULL) && r->kind == PD_REQ_RECV)
    pd_waited_note (self, r);
  pd_rank_completed (self, r->rank, when);
}

void
pd_p2p_complete (PdComsys *self, guint32 req, PdTime when)
{
  complete (self, req, when);
}

static PdTime
time_received_by_cpu (PdComsys *self, const PdReq *send, const PdReq *recv)
{
  PdTime received = pd_time_max (recv->ready, self->cpus[recv->rank].free);

  if (self->trail != NULL)
    pd_trail_matched (self, send, recv, received);
  return received;
}

/* When the receiver has got the data, and may go on. */
static inline PdTime
time_received (PdComsys *self, const PdReq *send, const PdReq *recv)
{
  if (G_UNLIKELY (send->ends))
    return time_received_by_cpu (self, send, recv);
  PdTime received = pd_time_max (recv->ready, send->arrival);
  if (G_LIKELY (!self->has_costs))
    return received;
  received = pd_time_add (received, pd_costs_of_recv (self, send));
  if (self->trail != NULL)
    pd_trail_matched (self, send, recv, received);
  return received;
}

/* Both halves are complete, where the sender has waited for the receiver. */
static void
complete_both (PdComsys *self, guint32 send, guint32 recv, PdTime received)
{
  const PdReq *s = pd_req (self, send);
  gboolean sender_first =
      s->ends && s->rank < pd_req (self, recv)->rank; /* as LogGOPSim: in the order of ranks */
  PdTime sent = s->ends ? pd_cpu_rendezvous (self, s->rank) : s->arrival;

  if (sender_first)
    complete (self, send, sent);
  complete (self, recv, received);
  if (!sender_first)
    complete (self, send, sent);
}

static void
tell_receipt (PdComsys *self, const PdReq *s, PdTime received)
{
  const PdReceipt receipt = { .sent = pd_waited_send_began (self, s),
                              .received = received,
                              .bytes = s->bytes,
                              .source = s->rank,
                              .target = s->peer,
                              .tag = s->tag,
                              .comm = s->context / 2,
                              .collective = s->collective };

  self->receipts (self->receipts_data, &receipt);
}

/* Both halves are matched and the data's delivery is known. */
static void
finish (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  guint32 recv = s->partner;
  PdReq *r = pd_req (self, recv);

  write_status (r, s);
  PdTime received = time_received (self, s, r);
  if (G_UNLIKELY (self->receipts != NULL))
    tell_receipt (self, s, received);
  if (G_UNLIKELY (self->waited != NULL))
    pd_waited_matched (self, s, r);
  if (pd_time_is_pending (s->done) && s->rendezvous && !s->detached)
    complete_both (self, send, recv, received);
  else
    complete (self, recv, received);
  pd_req_drop (self, recv, PD_HELD_SYSTEM);
  pd_req_drop (self, send, PD_HELD_SYSTEM);
}

/* ---- the network */

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

/* What was asked for of the network comes at @when, unless that is not known yet. */
static void
arrive (PdComsys *self, guint32 send, gboolean control, PdTime when)
{
  if (pd_time_is_pending (when))
    return;
  if (self->trail != NULL)
    pd_trail_arrives (self, send, control, when);
  pd_p2p_delivered (self, send, when);
}

/* With what networks ask of processors, or with a trail. */
static void
send_costly_data (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);

  if (s->rendezvous && !s->detached && pd_p2p_level (self, s->rank, s->peer)->costs.until_match)
    {
      s->began = pd_waited_send_began (self, s); /* its order has served */
      if (self->trail != NULL)
        pd_trail_completes (self, send);
      pd_p2p_complete (self, send, self->now);
    }
  arrive (self, send, FALSE, request (self, send, FALSE, FALSE));
}

static void
send_data (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);

  s->step = PD_AT_DATA;
  pd_p2p_observe (self, s, self->now);
  if (self->has_costs)
    {
      send_costly_data (self, send);
      return;
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

static inline PdTime
request_control (PdComsys *self, guint32 send, gboolean is_answer)
{
  PdTime when = request (self, send, is_answer, TRUE);

  if (G_UNLIKELY (self->has_costs) && self->trail != NULL && !pd_time_is_pending (when))
    pd_trail_arrives (self, send, TRUE, when);
  return when;
}

/* The announcement has arrived and the receive is there: the target answers. */
static void
answer (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  PdTime when = pd_time_max (s->arrival, pd_req (self, s->partner)->ready);

  if (G_UNLIKELY (self->has_costs) && self->trail != NULL)
    pd_trail_answers (self, send);
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
  if (self->trail != NULL)
    pd_trail_copied (self, send, s->arrival);
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
    when = request_control (self, send, TRUE);
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
    when = request_control (self, send, FALSE);
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

/* How @send is sent to somebody else in a mode that does not say so. */
static inline void
choose_protocol (PdReq *send, const PdProtocol *protocol)
{
  if (G_LIKELY (send->bytes <= protocol->eager))
    return;
  send->rendezvous = TRUE;
  send->detached = send->bytes <= protocol->detached;
}

/* To the rank itself it goes at once; it need not wait for its receive, unless it is
 * a synchronous one. */
static void
start_to_oneself (PdComsys *self, guint32 send, PdTime ready)
{
  PdReq *s = pd_req (self, send);

  if (s->rendezvous)
    {
      s->step = PD_AT_ANNOUNCED;
      s->arrival = ready;
    }
  else
    copy_to_oneself (self, send, ready);
  match_send (self, send);
}

/* Over a network with ends the send starts when the processor is free. */
static void
start_by_cpu (PdComsys *self, guint32 send, const PdCall *call)
{
  if (pd_req (self, send)->ends)
    {
      *call->ret =
          pd_cpu_send (self, send, call->when) ? self->cpus[call->rank].free : PD_TIME_PENDING;
      if (self->trail != NULL && !pd_time_is_pending (*call->ret))
        pd_trail_follows_cpu (self, call->rank);
    }
  if (!pd_time_is_pending (*call->ret) && self->beside == NULL)
    self->accounted = *call->ret;
}

/* The half of a message that the sender makes; it is matched nowhere yet. */
static inline guint32
make_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode,
           gboolean collective)
{
  guint32 send = pd_req_take (self, call->rank);
  PdReq *s = pd_req (self, send);

  *s = (PdReq){ .order = self->counts.n_messages++,
                .arrival = PD_TIME_PENDING,
                .bytes = envelope.bytes,
                .rank = call->rank,
                .peer = pd_comm_world_rank (comm, (guint32) envelope.peer),
                .context = comm->context + (collective ? 1 : 0),
                .tag = envelope.tag,
                .source_in_comm = pd_comm_own_rank (comm, call->rank),
                .kind = PD_REQ_SEND,
                .held = PD_HELD_OWNER | PD_HELD_SYSTEM,
                .rendezvous = mode == PD_SEND_SYNCHRONOUS,
                .collective = collective ? 1 : 0 };
  self->counts.n_bytes.ps += envelope.bytes;
  self->counts.n_collective_messages += collective ? 1 : 0;
  return send;
}

guint32
pd_p2p_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode,
             gboolean collective)
{
  g_return_val_if_fail (envelope.bytes >= 0 && (guint32) envelope.peer < comm->n, 0);

  guint32 send = make_send (self, call, comm, envelope, mode, collective);
  PdReq *s = pd_req (self, send);
  guint32 rank = s->rank;
  gboolean to_itself = rank == s->peer;
  const PdLevel *level = to_itself ? NULL : pd_p2p_level (self, rank, s->peer);
  PdTime ready = pd_time_add (call->when, self->machine->software.send_overhead);

  if (G_UNLIKELY (self->has_costs))
    {
      ready = pd_time_add (ready, pd_costs_of_send (self, s));
      if (self->trail != NULL)
        pd_trail_sends (self, send, call->when, ready, mode == PD_SEND_BUFFERED);
    }
  if (!to_itself && (mode == PD_SEND_STANDARD || mode == PD_SEND_READY))
    choose_protocol (s, &level->protocol);
  if (!s->rendezvous || s->detached)
    s->done = ready; /* its owner need not wait for anybody */
  else
    s->done.ps = ~call->when.ps; /* pending; see pd-waited.c */
  *call->ret = ready;
  if (G_UNLIKELY (to_itself))
    start_to_oneself (self, send, ready);
  else if (G_UNLIKELY (self->cpus != NULL && level->class->ends != NULL))
    {
      s->ends = TRUE;
      match_send (self, send);
    }
  else
    {
      match_send (self, send);
      pd_comsys_at (self, ready, PD_EVENT_REQUEST, rank, send);
    }
  if (G_UNLIKELY (self->cpus != NULL))
    start_by_cpu (self, send, call);
  return send;
}

static inline guint32
make_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
           gboolean collective)
{
  gboolean any_source = envelope.peer == PD_ANY_SOURCE;
  guint32 recv = pd_req_take (self, call->rank);

  *pd_req (self, recv) =
      (PdReq){ .status = call->status,
               .done = PD_TIME_PENDING,
               .bytes = envelope.bytes,
               .rank = call->rank,
               .peer =
                   any_source ? G_MAXUINT32 : pd_comm_world_rank (comm, (guint32) envelope.peer),
               .context = comm->context + (collective ? 1 : 0),
               .tag = envelope.tag,
               .kind = PD_REQ_RECV,
               .held = PD_HELD_OWNER | PD_HELD_SYSTEM,
               .collective = collective ? 1 : 0 };
  return recv;
}

static inline void
post (PdComsys *self, guint32 recv, PdTime ready)
{
  PdReq *r = pd_req (self, recv);
  gboolean is_wild = r->peer == G_MAXUINT32 || r->tag == PD_ANY_TAG;

  r->ready = ready;
  r->done.ps = ~(gint64) self->n_receives++;
  if (G_UNLIKELY (pd_wild_applies (self, r->collective, is_wild)))
    {
      pd_wild_recv (self, recv);
      return;
    }
  guint32 send = pd_match_or_queue (self, recv);
  if (send != 0)
    pd_p2p_match (self, send, recv);
}

guint32
pd_p2p_make_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                  gboolean collective)
{
  return make_recv (self, call, comm, envelope, collective);
}

void
pd_p2p_post (PdComsys *self, guint32 recv, PdTime when)
{
  if (self->trail != NULL)
    pd_trail_posts_behind (self, recv);
  post (self, recv, pd_time_add (when, self->machine->software.recv_overhead));
}

guint32
pd_p2p_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
             gboolean collective)
{
  g_return_val_if_fail (envelope.peer == PD_ANY_SOURCE || (guint32) envelope.peer < comm->n, 0);

  guint32 recv = make_recv (self, call, comm, envelope, collective);

  if (G_UNLIKELY (self->is_thorough))
    {
      if (self->cpus != NULL)
        pd_cpu_posts (self);
      if (self->trail != NULL)
        pd_trail_posts (self, recv, call->when);
    }
  *call->ret = pd_time_add (call->when, self->machine->software.recv_overhead);
  post (self, recv, *call->ret);
  if (G_UNLIKELY (self->cpus != NULL))
    *call->ret = pd_cpu_posted (self, recv);
  return recv;
}
