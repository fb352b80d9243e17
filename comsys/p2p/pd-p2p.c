/* Point to point: how sends and receives are started. pd-message.c continues a
 * message.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-p2p.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/p2p/pd-arrival-match.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-fifo-order.h"
#include "comsys/p2p/pd-match.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wildcard.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

static void
match_send (PdComsys *self, guint32 send)
{
  if (pd_wildcard_applies (self, pd_req (self, send)->collective, FALSE))
    {
      pd_wildcard_send (self, send);
      return;
    }
  guint32 recv = pd_match_or_queue (self, send);
  if (recv != 0)
    pd_message_match (self, send, recv);
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
    pd_message_copy_to_oneself (self, send, ready);
  match_send (self, send);
}

/* Over a network with endpoint resources the send starts when the processor is free. */
static void
start_by_cpu (PdComsys *self, guint32 send, const PdCall *call)
{
  const PdCpu *cpu = &self->cpus[pd_cpu_index (self, call->rank, self->lane)];

  pd_req (self, send)->endpoints = TRUE;
  if (self->arrivals == NULL)
    match_send (self, send);
  *call->ret = pd_cpu_send (self, send, call->when) ? cpu->free : PD_TIME_PENDING;
  if (!pd_time_is_pending (*call->ret))
    PD_PROBE (self, follow_cpu, call->rank);
}

/* Rank of a member in @comm. */
static inline guint32
own_rank (const PdComm *comm, guint32 world_rank)
{
  return comm->ranks == NULL ? world_rank : (guint32) pd_comm_get_rank (comm, world_rank);
}

/* The half of a message that the sender makes; it is matched nowhere yet. */
static inline guint32
make_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
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
                .source_in_comm = own_rank (comm, call->rank),
                .kind = PD_REQ_SEND,
                .held = PD_HELD_OWNER | PD_HELD_SYSTEM,
                .collective = collective ? 1 : 0 };
  if (G_UNLIKELY (self->operations != NULL))
    s->lane = self->lane;
  self->counts.n_bytes.ps += envelope.bytes;
  self->counts.n_collective_messages += collective ? 1 : 0;
  return send;
}

guint32
pd_p2p_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope, PdSendMode mode,
             gboolean collective)
{
  g_return_val_if_fail (envelope.bytes >= 0 && (guint32) envelope.peer < comm->n, 0);

  guint32 send = make_send (self, call, comm, envelope, collective);
  PdReq *s = pd_req (self, send);
  guint32 rank = s->rank;
  pd_rank_expect_likewise (self, rank, s->peer);
  gboolean to_itself = pd_p2p_is_copied (self, rank, s->peer);
  const PdNetworkLevel *level = to_itself ? NULL : pd_p2p_level (self, rank, s->peer);
  PdTime ready = pd_time_add (call->when, self->machine->software.send_overhead);

  if (G_UNLIKELY (self->has_costs))
    {
      ready = pd_time_add (ready, pd_costs_of_send (self, s));
      PD_PROBE (self, send, send, call->when, ready, mode == PD_SEND_BUFFERED);
    }
  PdProtocolChoice choice =
      pd_protocol_choose (to_itself ? NULL : &level->protocol, mode, envelope.bytes);
  s->rendezvous = choice.rendezvous != FALSE;
  s->detached = choice.detached != FALSE;
  if (!s->rendezvous || s->detached)
    s->done = ready; /* its owner need not wait for another rank */
  else
    s->done.ps = ~call->when.ps; /* pending; see pd-wait-stats.c */
  *call->ret = ready;
  if (G_UNLIKELY (to_itself))
    start_to_oneself (self, send, ready);
  else if (G_UNLIKELY (level->class->endpoints != NULL))
    start_by_cpu (self, send, call);
  else
    {
      match_send (self, send);
      if (self->goes_with_send && ready.ps > self->now.ps)
        pd_fifo_reach (self, ready);
      pd_comsys_at (self, ready, PD_EVENT_REQUEST, rank, send);
    }
  if (G_UNLIKELY (self->is_thorough) && !pd_time_is_pending (*call->ret)
      && self->nonblocking == NULL)
    self->accounted = *call->ret;
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
  gboolean is_wildcard = r->peer == G_MAXUINT32 || r->tag == PD_ANY_TAG;

  r->ready = ready;
  r->done.ps = ~(gint64) self->n_receives++;
  if (G_UNLIKELY (self->arrivals == NULL && pd_wildcard_applies (self, r->collective, is_wildcard)))
    {
      pd_wildcard_recv (self, recv);
      return;
    }
  guint32 send = G_UNLIKELY (self->arrivals != NULL) ? pd_arrival_match_receive (self, recv)
                                                     : pd_match_or_queue (self, recv);
  if (send != 0)
    pd_message_match (self, send, recv);
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
  PD_PROBE (self, post_after_send, recv);
  post (self, recv, pd_time_add (when, self->machine->software.recv_overhead));
}

static inline void
begin_recv (PdComsys *self, const PdCall *call, guint32 recv)
{
  if (G_UNLIKELY (self->is_thorough))
    {
      pd_cpu_posts (self);
      PD_PROBE (self, post, recv, call->when);
    }
  *call->ret = pd_time_add (call->when, self->machine->software.recv_overhead);
  post (self, recv, *call->ret);
  PD_RESOURCES (self, posted, recv, call->ret);
}

void
pd_p2p_begin_recv (PdComsys *self, const PdCall *call, guint32 recv)
{
  begin_recv (self, call, recv);
}

guint32
pd_p2p_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
             gboolean collective)
{
  g_return_val_if_fail (envelope.peer == PD_ANY_SOURCE || (guint32) envelope.peer < comm->n, 0);

  guint32 recv = make_recv (self, call, comm, envelope, collective);

  begin_recv (self, call, recv);
  return recv;
}

/* The rank waits, as long as it would have taken it to post the receive at least. */
void
pd_p2p_post_event (PdComsys *self, guint32 rank, guint32 recv)
{
  PdRank *r = &self->ranks[rank];
  PdTime ready = pd_time_add (self->now, self->machine->software.recv_overhead);

  r->latest = pd_time_max (r->latest, pd_time_max (ready, self->cpus[rank].free));
  pd_p2p_post (self, recv, self->now);
}
