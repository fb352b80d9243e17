/* The steps of a message after the calls that started it; driven by the events of its send:
 *
 *   eager:       REQUEST -> (network) -> delivered
 *   rendezvous:  REQUEST -> (announcement) -> arrived, matched -> ANSWER
 *                -> (answer) -> DATA -> (network) -> delivered
 *
 * With free control messages REQUEST and ANSWER cost nothing.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-message.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-arrival-match.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wait-stats-internal.h"
#include "comsys/p2p/pd-wildcard-lists.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

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

/* When the processor has received the message. A rank that calls waits for its processor, too,
 * which may do something else meanwhile. */
static PdTime
time_got_by_cpu (const PdComsys *self, const PdReq *send, const PdReq *recv)
{
  if (self->operations == NULL)
    return self->cpus[recv->rank].free;
  const PdNetworkLevel *level = pd_p2p_level (self, send->rank, send->peer);
  gint64 bytes = pd_protocol_wire_bytes (&level->protocol, send->bytes);
  return pd_time_add (send->arrival,
                      level->class->endpoints->get_time (level->network, bytes, TRUE));
}

static PdTime
time_received_by_cpu (PdComsys *self, const PdReq *send, const PdReq *recv)
{
  PdTime received = pd_time_max (recv->ready, time_got_by_cpu (self, send, recv));

  PD_PROBE (self, match, send, recv, received);
  return received;
}

/* When the receiver has got the data, and may go on. */
static inline PdTime
time_received (PdComsys *self, const PdReq *send, const PdReq *recv)
{
  if (G_UNLIKELY (send->endpoints))
    return time_received_by_cpu (self, send, recv);
  PdTime received = pd_time_max (recv->ready, send->arrival);
  if (G_LIKELY (!self->has_costs))
    return received;
  received = pd_time_add (received, pd_costs_of_recv (self, send));
  PD_PROBE (self, match, send, recv, received);
  return received;
}

/* Both halves are complete, where the sender has waited for the receiver. */
static void
complete_both (PdComsys *self, guint32 send, guint32 recv, PdTime received)
{
  const PdReq *s = pd_req (self, send);
  gboolean sender_first =
      s->endpoints && s->rank < pd_req (self, recv)->rank; /* as LogGOPSim: in the order of ranks */
  PdTime sent = s->endpoints ? pd_cpu_rendezvous (self, s) : s->arrival;

  if (sender_first)
    pd_req_complete (self, send, sent);
  pd_req_complete (self, recv, received);
  if (!sender_first)
    pd_req_complete (self, send, sent);
}

static void
notify_delivery (PdComsys *self, const PdReq *s, PdTime received)
{
  const PdDelivery delivery = { .sent = pd_wait_stats_send_began (self, s),
                                .received = received,
                                .bytes = s->bytes,
                                .source = s->rank,
                                .target = s->peer,
                                .tag = s->tag,
                                .comm = s->context / 2,
                                .collective = s->collective };

  self->delivery_func (self->delivery_data, &delivery);
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
  if (G_UNLIKELY (self->delivery_func != NULL))
    notify_delivery (self, s, received);
  if (G_UNLIKELY (self->waited != NULL))
    pd_wait_stats_matched (self, s, r);
  if (pd_time_is_pending (s->done) && s->rendezvous && !s->detached)
    complete_both (self, send, recv, received);
  else
    pd_req_complete (self, recv, received);
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
  const PdNetworkLevel *level = &self->levels[route.instance];
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
pd_message_observe (PdComsys *self, const PdReq *s, PdTime when)
{
  if (self->observer.message != NULL)
    self->observer.message (self->observer.data, s->rank, s->peer, s->bytes, when, s->collective);
}

/* The requested transfer arrives at @when, unless that is not known yet. */
static void
arrive (PdComsys *self, guint32 send, gboolean control, PdTime when)
{
  if (pd_time_is_pending (when))
    return;
  PD_PROBE (self, arrive, send, control, when);
  if (self->resources->is_fifo)
    pd_comsys_push (self, when, PD_EVENT_DELIVERY, 0, send);
  else
    pd_message_delivered (self, send, when);
}

/* With what networks ask of processors, or with a critical path. */
static void
send_costly_data (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);

  if (s->rendezvous && !s->detached && pd_p2p_level (self, s->rank, s->peer)->costs.until_match)
    {
      s->began = pd_wait_stats_send_began (self, s); /* its order has served */
      PD_PROBE (self, complete, send);
      pd_req_complete (self, send, self->now);
    }
  arrive (self, send, FALSE, request (self, send, FALSE, FALSE));
}

static void
send_data (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);

  s->step = PD_AT_DATA;
  pd_message_observe (self, s, self->now);
  if (self->has_costs)
    {
      send_costly_data (self, send);
      return;
    }
  PdTime when = request (self, send, FALSE, FALSE);
  if (!pd_time_is_pending (when))
    pd_message_delivered (self, send, when);
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

  if (!pd_time_is_pending (when))
    PD_PROBE (self, arrive, send, TRUE, when);
  return when;
}

void
pd_message_data_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 send)
{
  send_data (self, send);
}

/* The announcement has arrived and the receive is there: the target answers. */
static void
answer (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  PdTime when = pd_time_max (s->arrival, pd_req (self, s->partner)->ready);

  PD_PROBE (self, answer, send);
  s->step = PD_AT_ANSWERED;
  pd_comsys_at (self, when, PD_EVENT_ANSWER, s->peer, send);
}

void
pd_message_copy_to_oneself (PdComsys *self, guint32 send, PdTime when)
{
  PdReq *s = pd_req (self, send);

  s->step = PD_AT_DELIVERED;
  s->arrival =
      pd_time_add (when, pd_time_for_bytes (s->bytes, self->machine->software.copy_per_byte));
  PD_PROBE (self, copy, send, s->arrival);
  pd_message_observe (self, s, when);
}

void
pd_message_answer_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 send)
{
  PdTime when = self->now;

  if (pd_p2p_is_copied (self, pd_req (self, send)->rank, pd_req (self, send)->peer))
    {
      pd_message_copy_to_oneself (self, send, when);
      finish (self, send);
      return;
    }
  if (!control_is_free (self, pd_req (self, send)))
    when = request_control (self, send, TRUE);
  if (!pd_time_is_pending (when))
    pd_comsys_at (self, when, PD_EVENT_DATA, pd_req (self, send)->rank, send);
}

void
pd_message_request_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 send)
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
    pd_message_delivered (self, send, when);
}

static void
match_arrived (PdComsys *self, guint32 send)
{
  guint32 recv = pd_arrival_match_message (self, send);

  if (recv != 0)
    pd_message_match (self, send, recv);
}

void
pd_message_delivered (PdComsys *self, guint32 send, PdTime when)
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
      if (self->arrivals != NULL)
        match_arrived (self, send);
      else if (s->kind == PD_REQ_ONE_SIDED)
        self->handlers->one_sided_arrived (self, send, when);
      else if (s->kind == PD_REQ_TO_ROOT)
        self->handlers->reached_root (self, send, when);
      else
        pd_wildcard_arrival_known (self, send);
      return;
    }
  if (s->step == PD_AT_ANNOUNCED)
    answer (self, send);
  else
    finish (self, send);
}

static gboolean
is_before (const PdTruncated *a, const PdTruncated *b)
{
  if (a->target != b->target)
    return a->target < b->target;
  return a->source != b->source ? a->source < b->source : a->tag < b->tag;
}

/* The first does not depend on the order of events. */
static void
note_truncated (PdTruncated *truncated, const PdReq *s, const PdReq *r)
{
  PdTruncated found = { truncated->n + 1, s->rank, r->rank, s->tag, s->bytes, r->bytes };

  if (s->collective)
    return;
  if (truncated->n == 0 || is_before (&found, truncated))
    *truncated = found;
  truncated->n = found.n;
}

void
pd_message_match (PdComsys *self, guint32 send, guint32 recv)
{
  PdReq *s = pd_req (self, send), *r = pd_req (self, recv);

  s->partner = recv;
  s->matched = TRUE;
  r->partner = send;
  r->matched = TRUE;
  if (G_UNLIKELY (s->bytes > r->bytes))
    note_truncated (&self->truncated, s, r);
  if (s->step == PD_AT_ANNOUNCED)
    answer (self, send);
  else if (s->step == PD_AT_DELIVERED)
    finish (self, send);
}
