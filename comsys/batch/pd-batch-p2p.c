/* Messages and waits in all lanes at once. A message's moments are computed when both of
 * its halves are there; by the rules of pd-p2p.c, pd-calls.c, pd-wait.c and pd-wait-stats.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch-p2p-private.h"

#include "comsys/batch/pd-batch-costs-private.h"
#include "comsys/batch/pd-batch-private.h"
#include "comsys/batch/pd-batch.h"
#include "comsys/p2p/pd-wait-stats-internal.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

/* ---- requests */

guint32
pd_batch_req_new (PdBatch *self, PdBatchRank *owner)
{
  guint32 req = self->free_req;

  if (req != 0)
    self->free_req = self->reqs[req].next;
  else
    {
      if (self->n_reqs == self->reqs_room)
        {
          gsize lines = sizeof (PdBatchReq) / 64;
          self->reqs =
              pd_lines_resize (self->reqs, self->reqs_room * lines, 2 * self->reqs_room * lines);
          self->reqs_room *= 2;
        }
      req = self->n_reqs++;
    }
  PdBatchReq *r = pd_batch_req (self, req);
  r->owner = owner;
  r->is_done = r->waited = r->rendezvous = r->detached = r->collective = r->is_null = FALSE;
  return req;
}

void
pd_batch_req_drop (PdBatch *self, guint32 req, guint holder)
{
  PdBatchReq *r = pd_batch_req (self, req);

  r->held &= (guint8) ~holder;
  if (r->held != 0)
    return;
  r->kind = PD_REQ_FREE;
  r->next = self->free_req;
  self->free_req = req;
}

void
pd_batch_req_complete (PdBatch *self, PdBatchReq *r)
{
  r->is_done = TRUE;
  if (r->waited && --r->owner->pending == 0)
    pd_batch_rank_ready (self, r->owner);
}

/* ---- queues: none is empty, but for one that queue_of() has just made */

static inline guint64 *
queue_of (PdBatch *self, guint32 target, guint32 source, guint32 context, gint32 tag)
{
  return pd_hash_map_get (&self->queues, (guint64) target << 32 | source,
                          ((guint64) context << 32 | (guint32) tag) + 1, 0);
}

static inline guint32
first_of (const guint64 *queue)
{
  return (guint32) *queue;
}

static inline guint32
take_first (PdBatch *self, guint64 *queue)
{
  guint32 req = first_of (queue), next = pd_batch_req (self, req)->next;

  if (next == 0)
    pd_hash_map_remove (&self->queues, queue);
  else
    *queue = (*queue & ~(guint64) G_MAXUINT32) | next;
  self->n_unmatched--;
  return req;
}

/* The first of the other kind is taken out and returned; else @req is queued and 0
 * returned. */
static guint32
match_or_queue (PdBatch *self, guint64 *queue, guint32 req)
{
  PdBatchReq *r = pd_batch_req (self, req);
  guint32 first = first_of (queue);

  if (first != 0 && pd_batch_req (self, first)->kind != r->kind)
    return take_first (self, queue);
  r->next = 0;
  if (first != 0)
    pd_batch_req (self, (guint32) (*queue >> 32))->next = req;
  *queue = (guint64) req << 32 | (first != 0 ? first : req);
  self->n_unmatched++;
  return 0;
}

/* ---- a message */

static inline guint32
network_between (const PdBatch *self, guint32 source, guint32 target)
{
  const PdComsys *comsys = self->comsys[0];

  if (pd_p2p_is_copied (comsys, source, target))
    return 0;
  return comsys->topology->is_flat
             ? 1
             : self->network_of[pd_p2p_route (comsys, source, target).instance];
}

/* When the data of a rendezvous are there, whose receive can begin at @ready; and the
 * sender goes on. */
static void
meet (const PdBatch *self, PdBatchReq *s, const PdBatchTime *ready, PdBatchTime *arrival)
{
  const PdBatchNetwork *network = &self->networks[s->network];
  const PdBatchTime *flight = &self->flights[s->flight].time;
  gboolean is_free = s->detached || network->protocol.free_control;

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      gint64 control = is_free ? 0 : network->control.ps[i];
      gint64 announced = pd_batch_wrapping_sum (s->began.ps[i], network->spent.ps[i] + control);
      gint64 leaves = pd_batch_wrapping_sum (MAX (announced, ready->ps[i]), control);
      arrival->ps[i] = pd_batch_wrapping_sum (leaves, flight->ps[i] - network->spent.ps[i]);
      if (!s->detached)
        s->done.ps[i] = network->until_match ? leaves : arrival->ps[i];
    }
}

static inline void
find_arrival (const PdBatch *self, PdBatchReq *s, const PdBatchTime *ready, PdBatchTime *arrival)
{
  if (G_UNLIKELY (s->rendezvous))
    meet (self, s, ready, arrival);
  else
    pd_batch_time_add (arrival, &s->began, &self->flights[s->flight].time);
}

/* Both halves are there, and all their moments known. */
static void
match (PdBatch *self, guint32 send, guint32 recv)
{
  PdBatchReq *s = pd_batch_req (self, send), *r = pd_batch_req (self, recv);
  PdBatchTime ready, arrival;

  self->has_truncated |= s->bytes > r->bytes && !s->collective;
  pd_batch_time_add (&ready, &r->began, &self->recv_overhead);
  find_arrival (self, s, &ready, &arrival);
  pd_batch_time_max (&r->done, &ready, &arrival);
  pd_batch_time_max (&r->began, &r->began, &s->began);
  pd_batch_req_complete (self, r);
  if (s->rendezvous && !s->detached)
    pd_batch_req_complete (self, s);
  pd_batch_req_drop (self, recv, PD_HELD_SYSTEM);
  pd_batch_req_drop (self, send, PD_HELD_SYSTEM);
}

/* ---- starting */

static guint32
null_request (PdBatch *self, PdBatchRank *rank)
{
  guint32 req = pd_batch_req_new (self, rank);
  PdBatchReq *r = pd_batch_req (self, req);

  r->kind = PD_REQ_RECV;
  r->is_null = TRUE;
  r->held = PD_HELD_OWNER;
  r->done = rank->ret;
  r->is_done = TRUE;
  return req;
}

guint32
pd_batch_begin_send (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                     const PdBatchSendKind *kind)
{
  if (envelope.peer == PD_PROC_NULL)
    return null_request (self, rank);

  guint32 target = pd_comm_world_rank (comm, (guint32) envelope.peer);
  guint32 number = network_between (self, rank->world, target);
  guint32 send = pd_batch_req_new (self, rank);
  PdBatchReq *s = pd_batch_req (self, send);
  const PdBatchNetwork *network = &self->networks[number];
  PdBatchTime *when = &rank->ret;

  s->kind = PD_REQ_SEND;
  s->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  s->network = number;
  s->bytes = envelope.bytes;
  s->flight = pd_batch_find_transfer (self, number, envelope.bytes);
  s->collective = kind->collective != FALSE;
  PdProtocolChoice choice =
      pd_protocol_choose (number != 0 ? &network->protocol : NULL, kind->mode, envelope.bytes);
  s->rendezvous = choice.rendezvous != FALSE;
  s->detached = choice.detached != FALSE;
  s->began = *when;
  pd_batch_time_add (when, when, &network->spent);
  if (!s->rendezvous || s->detached)
    {
      s->done = *when;
      s->is_done = TRUE;
    }
  self->n_messages++;
  self->n_bytes.ps += envelope.bytes;
  guint64 *queue = queue_of (self, target, rank->world, comm->context + (kind->collective ? 1 : 0),
                             envelope.tag);
  guint32 recv = match_or_queue (self, queue, send);
  if (recv != 0)
    match (self, send, recv);
  return send;
}

guint32
pd_batch_begin_recv (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                     gboolean collective)
{
  if (envelope.peer == PD_PROC_NULL)
    return null_request (self, rank);

  guint32 source = pd_comm_world_rank (comm, (guint32) envelope.peer);
  guint32 recv = pd_batch_req_new (self, rank);
  PdBatchReq *r = pd_batch_req (self, recv);
  PdBatchTime *when = &rank->ret;

  r->kind = PD_REQ_RECV;
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  r->network = network_between (self, rank->world, source);
  r->bytes = envelope.bytes;
  r->collective = collective != FALSE;
  r->began = *when;
  pd_batch_time_add (when, when, &self->recv_overhead);
  guint64 *queue =
      queue_of (self, rank->world, source, comm->context + (collective ? 1 : 0), envelope.tag);
  guint32 send = match_or_queue (self, queue, recv);
  if (send != 0)
    match (self, send, recv);
  return recv;
}

/* ---- waiting */

/* In each lane as pd_wait_stats_note(). */
static inline void
note (PdBatchRank *rank, const PdBatchReq *r)
{
  PdBatchWaitStats *waited = rank->waited;

  for (guint i = 0; i < PD_BATCH_SIZE && !rank->is_exchange; i++)
    waited->overlap.ps[i] += pd_wait_stats_overlap (r->began.ps[i], rank->since.ps[i]);
  for (guint i = 0; i < PD_BATCH_SIZE && r->kind == PD_REQ_RECV; i++)
    {
      gint64 late = pd_wait_stats_late (r->began.ps[i], rank->latest.ps[i]);
      waited->real_sync.ps[i] += late;
      rank->latest.ps[i] += late;
    }
}

static inline void
take (PdBatch *self, PdBatchRank *rank, guint32 req)
{
  const PdBatchReq *r = pd_batch_req (self, req);

  pd_batch_time_max (&rank->ret, &rank->ret, &r->done);
  if (!r->collective && !r->is_null)
    note (rank, r);
  pd_batch_req_drop (self, req, PD_HELD_OWNER);
}

void
pd_batch_end_wait (PdBatch *self, PdBatchRank *rank)
{
  for (guint32 req = rank->first, next; req != 0; req = next)
    {
      next = pd_batch_req (self, req)->link;
      take (self, rank, req);
    }
  rank->first = 0;
  if (rank->overhead != NULL)
    pd_batch_time_add (&rank->ret, &rank->ret, rank->overhead);
}

/* The processor time that the network takes before a wait. */
static void
add_before (PdBatch *self, PdBatchRank *rank, guint32 first)
{
  if (!self->comsys[0]->has_costs)
    return;
  for (guint32 req = first; req != 0; req = pd_batch_req (self, req)->link)
    {
      const PdBatchReq *r = pd_batch_req (self, req);
      if (r->kind == PD_REQ_RECV && !r->is_null)
        pd_batch_time_add (&rank->ret, &rank->ret, &self->networks[r->network].before);
    }
}

gboolean
pd_batch_wait_for (PdBatch *self, PdBatchRank *rank, guint32 first, const PdBatchTime *overhead)
{
  if (first == 0)
    return TRUE;
  rank->since = rank->latest = rank->ret;
  rank->overhead = overhead;
  rank->first = 0;
  rank->pending = 0;
  for (guint32 req = first, next; req != 0; req = next)
    {
      PdBatchReq *wanted = pd_batch_req (self, req);
      next = wanted->link;
      if (wanted->is_done)
        {
          take (self, rank, req);
          continue;
        }
      wanted->waited = TRUE;
      wanted->link = rank->first;
      rank->first = req;
      rank->pending++;
    }
  if (rank->pending > 0)
    return FALSE;
  pd_batch_end_wait (self, rank);
  return TRUE;
}

/* ---- blocking ones, at the rank's ret */

gboolean
pd_batch_p2p_send (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                   const PdBatchSendKind *kind)
{
  PdBatchTime when = rank->ret;
  guint32 send = pd_batch_begin_send (self, rank, comm, envelope, kind);
  PdBatchReq *s = pd_batch_req (self, send);

  if (G_LIKELY (s->is_done && !s->rendezvous)) /* ret is when */
    {
      pd_batch_req_drop (self, send, PD_HELD_OWNER);
      return TRUE;
    }
  rank->ret = when;
  s->link = 0;
  return pd_batch_wait_for (self, rank, send, NULL);
}

/* The message is there already. */
static gboolean
receive_at_once (PdBatch *self, PdBatchRank *rank, guint64 *queue, gint64 room, gboolean collective)
{
  guint32 send = take_first (self, queue);
  PdBatchReq *s = pd_batch_req (self, send);
  PdBatchTime ready, arrival;

  self->has_truncated |= s->bytes > room && !collective;
  pd_batch_time_add (&ready, &rank->ret, &self->recv_overhead);
  find_arrival (self, s, &ready, &arrival);
  for (guint i = 0; i < PD_BATCH_SIZE && !collective; i++)
    rank->waited->real_sync.ps[i] += pd_wait_stats_late (s->began.ps[i], rank->ret.ps[i]);
  pd_batch_time_max (&rank->ret, &ready, &arrival);
  if (s->rendezvous && !s->detached)
    pd_batch_req_complete (self, s);
  pd_batch_req_drop (self, send, PD_HELD_SYSTEM);
  return TRUE;
}

gboolean
pd_batch_p2p_recv (PdBatch *self, PdBatchRank *rank, PdComm *comm, PdEnvelope envelope,
                   gboolean collective)
{
  if (envelope.peer == PD_PROC_NULL)
    return TRUE;
  guint32 source = pd_comm_world_rank (comm, (guint32) envelope.peer);
  guint32 network = network_between (self, rank->world, source);
  guint64 *queue =
      queue_of (self, rank->world, source, comm->context + (collective ? 1 : 0), envelope.tag);
  if (self->comsys[0]->has_costs)
    pd_batch_time_add (&rank->ret, &rank->ret, &self->networks[network].before);
  if (first_of (queue) != 0 && pd_batch_req (self, first_of (queue))->kind == PD_REQ_SEND)
    return receive_at_once (self, rank, queue, envelope.bytes, collective);

  guint32 recv = pd_batch_req_new (self, rank);
  PdBatchReq *request = pd_batch_req (self, recv);
  request->kind = PD_REQ_RECV;
  request->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  request->network = network;
  request->bytes = envelope.bytes;
  request->collective = collective != FALSE;
  request->began = rank->ret;
  request->link = 0;
  match_or_queue (self, queue, recv);
  return pd_batch_wait_for (self, rank, recv, NULL);
}

gboolean
pd_batch_p2p_sendrecv (PdBatch *self, PdBatchRank *rank, PdComm *comm, const PdExchange *exchange,
                       gboolean collective)
{
  const PdBatchSendKind kind = { .collective = collective };
  guint32 send = pd_batch_begin_send (self, rank, comm, exchange->send, &kind);
  guint32 recv = pd_batch_begin_recv (self, rank, comm, exchange->recv, collective);

  pd_batch_req (self, recv)->link = send;
  pd_batch_req (self, send)->link = 0;
  add_before (self, rank, recv);
  rank->is_exchange = TRUE;
  return pd_batch_wait_for (self, rank, recv, &self->wait_overhead);
}

gboolean
pd_batch_wait_for_all (PdBatch *self, PdBatchRank *rank, guint32 first, const PdBatchTime *overhead)
{
  add_before (self, rank, first);
  return pd_batch_wait_for (self, rank, first, overhead);
}
