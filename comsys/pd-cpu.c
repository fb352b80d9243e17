/* Processors that messages keep busy: on networks with ends (#PdNetworkEnds) a send
 * starts when the sender's processor and adapter are free, and an arriving message
 * takes the receiver's, whether or not it is expected. Whatever a rank does next waits.
 *
 * Who asked first comes first: where there is such a network everything that happens
 * at one moment happens in the order in which it has been put into the queue, and who
 * has to wait for a processor keeps its number. So a program gives the same moments
 * as the chain of its operations in LogGOPSim.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

guint64
pd_cpu_take_number (PdComsys *self)
{
  guint64 number = self->entered;

  self->entered = 0;
  self->fresh = FALSE;
  return number != 0 ? number : pd_cpu_new_number (self);
}

gboolean
pd_cpu_is_first (const PdComsys *self, PdTime when, guint64 number)
{
  PdQueueItem item = { (guint64) when.ps << 1, number != 0 ? number : G_MAXUINT64, 0 };

  return pd_queue_is_first (&self->queue, &item);
}

static void
push_again (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  pd_comsys_push_numbered (self, when, pd_what (event, rank, argument), self->number);
}

static PdTransfer
transfer_of (const PdComsys *self, const PdReq *send, const PdLevel **level)
{
  PdRoute route = pd_p2p_route (self, send->rank, send->peer);

  *level = &self->levels[route.instance];
  return (PdTransfer){ .source = route.source,
                       .target = route.target,
                       .bytes = pd_protocol_wire_bytes (&(*level)->protocol, send->bytes) };
}

/* ---- sends */

/* Of the sends of a rank that have not been launched each knows the next. */
static guint32
next_of (const PdReq *send)
{
  return (guint32) ~send->done.ps;
}

static void
launch (PdComsys *self, guint32 send, const PdLevel *level, const PdTransfer *transfer)
{
  PdReq *s = pd_req (self, send);
  PdCpu *cpu = &self->cpus[s->rank];
  PdTime busy = pd_time_add (self->machine->software.send_overhead,
                             level->class->ends->get_time (level->network, transfer->bytes, FALSE));
  PdTime arrival = level->class->ends->send (level->network, transfer, self->now);

  cpu->free = pd_time_add (self->now, busy);
  s->step = PD_AT_DATA;
  s->done.ps = ~self->now.ps; /* pending; see pd-waited.c */
  if (s->kind != PD_REQ_ONE_SIDED || !s->rendezvous)
    pd_p2p_observe (self, s, self->now);
  pd_comsys_push (self, arrival, PD_EVENT_ARRIVE, s->peer, send);
  if (self->trail != NULL)
    pd_trail_launches (self, send, transfer, arrival);
  if (!s->rendezvous || s->detached)
    pd_p2p_complete (self, send, cpu->free);
}

gboolean
pd_cpu_try_launch (PdComsys *self, guint32 send, PdTime *free)
{
  const PdReq *s = pd_req (self, send);
  const PdLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);

  *free = pd_time_max (self->cpus[s->rank].free,
                       level->class->ends->get_free (level->network, transfer.source, FALSE));
  if (free->ps > self->now.ps)
    return FALSE;
  launch (self, send, level, &transfer);
  return TRUE;
}

/* Launches what can be; the first one that cannot waits with @number, or a new one.
 * @is_due: nothing comes before the first. */
static void
launch_all (PdComsys *self, guint32 rank, guint64 number, gboolean is_due)
{
  PdCpu *cpu = &self->cpus[rank];

  for (; cpu->first != 0; number = pd_cpu_new_number (self), is_due = FALSE)
    {
      guint32 next = next_of (pd_req (self, cpu->first));
      PdTime free = self->now;
      if ((!is_due && !pd_cpu_is_first (self, self->now, number))
          || !pd_cpu_try_launch (self, cpu->first, &free))
        {
          pd_comsys_push_numbered (self, free, pd_what (PD_EVENT_LAUNCH, rank, 0), number);
          return;
        }
      cpu->first = next;
    }
  if (cpu->recv != 0)
    pd_comsys_push (self, cpu->free, PD_EVENT_POST, rank, cpu->recv);
  cpu->recv = 0;
  if (!cpu->waits)
    return;
  cpu->waits = FALSE;
  if (self->trail != NULL)
    pd_trail_returns_by_cpu (self, rank);
  pd_rank_return (self, rank, cpu->free);
}

gboolean
pd_cpu_send (PdComsys *self, guint32 send, PdTime when)
{
  guint32 rank = pd_req (self, send)->rank;
  PdCpu *cpu = &self->cpus[rank];
  gboolean is_due = self->fresh;

  pd_req (self, send)->done.ps = ~G_GINT64_CONSTANT (0);
  if (self->beside != NULL) /* it launches itself */
    return FALSE;
  if (when.ps > self->now.ps) /* behind other parts of the same call */
    {
      cpu->free = pd_time_max (cpu->free, when);
      if (self->trail != NULL)
        pd_trail_keeps_cpu (self, rank, when, FALSE);
    }
  if (cpu->first != 0)
    {
      pd_req (self, cpu->last)->done.ps = ~(gint64) send;
      cpu->last = send;
      return FALSE;
    }
  cpu->first = cpu->last = send;
  launch_all (self, rank, pd_cpu_take_number (self), is_due);
  if (self->deferred != NULL)
    {
      self->entered = pd_cpu_new_number (self);
      pd_cpu_play_deferred (self);
    }
  return cpu->first == 0;
}

void
pd_cpu_wait_for_launch (PdComsys *self, const PdCall *call, const char *function)
{
  pd_rank_block (self, call, function);
  self->cpus[call->rank].waits = TRUE;
}

/* ---- arrivals
 *
 * Of the messages that wait for a processor only the first one is in the queue:
 * with k of them, all would be looked at again whenever one has been received. They
 * wait for the same processor and the same side of one adapter, so none can be
 * received before those that have come before it. */

static guint32
new_arrival (PdArrivals *self)
{
  guint32 item = self->free;

  if (item != 0)
    {
      self->free = self->items[item].next;
      return item;
    }
  if (self->n_items == self->room)
    {
      self->room = MAX (64, 2 * self->room);
      self->items = g_renew (PdArrival, self->items, self->room);
      self->n_items = MAX (1, self->n_items);
    }
  return self->n_items++;
}

static void
keep_arrival (PdComsys *self, guint32 rank, guint32 send)
{
  PdArrivals *arrivals = &self->arrivals;
  guint32 item = new_arrival (arrivals);

  if (arrivals->last == NULL)
    arrivals->last = g_new0 (guint32, self->n_ranks);
  guint32 *last = &arrivals->last[rank];
  guint32 first = *last == 0 ? item : arrivals->items[*last].next;
  arrivals->items[item] = (PdArrival){ self->number, send, first };
  if (*last != 0)
    arrivals->items[*last].next = item;
  *last = item;
  self->cpus[rank].keeps = TRUE;
}

/* The processor or the adapter is not free before @free. */
static void
wait_for_processor (PdComsys *self, guint32 rank, guint32 send, PdTime free)
{
  const PdArrivals *arrivals = &self->arrivals;
  const PdArrival *last = self->cpus[rank].keeps ? &arrivals->items[arrivals->last[rank]] : NULL;

  if (last != NULL && arrivals->items[last->next].send != send && last->number < self->number)
    {
      keep_arrival (self, rank, send);
      return;
    }
  /* of several networks each has an adapter of its own: all are looked at again */
  if (last == NULL && self->topology->instances->len == 1)
    keep_arrival (self, rank, send);
  push_again (self, free, PD_EVENT_ARRIVE, rank, send);
}

/* @send, which may have been kept waiting, has been received: the next one is due. */
static void
let_next_arrive (PdComsys *self, guint32 rank, guint32 send, PdTime free)
{
  PdArrivals *arrivals = &self->arrivals;
  guint32 *last = &arrivals->last[rank], first = arrivals->items[*last].next;

  if (arrivals->items[first].send != send)
    return;
  guint32 next = arrivals->items[first].next;
  arrivals->items[first].next = arrivals->free;
  arrivals->free = first;
  if (first == *last)
    {
      *last = 0;
      self->cpus[rank].keeps = FALSE;
      return;
    }
  arrivals->items[*last].next = next;
  const PdArrival *due = &arrivals->items[next];
  pd_comsys_push_numbered (self, pd_time_max (free, self->now),
                           pd_what (PD_EVENT_ARRIVE, rank, due->send), due->number);
}

static void
arrive (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  guint32 rank = s->peer;
  PdCpu *cpu = &self->cpus[rank];
  const PdLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);
  const PdNetworkEnds *ends = level->class->ends;
  PdTime free = pd_time_max (cpu->free, ends->get_free (level->network, transfer.target, TRUE));

  if (free.ps > self->now.ps)
    {
      wait_for_processor (self, rank, send, free);
      return;
    }
  cpu->free = pd_time_add (self->now, ends->get_time (level->network, transfer.bytes, TRUE));
  ends->receive (level->network, &transfer, self->now);
  if (self->trail != NULL)
    pd_trail_receives (self, send, &transfer);
  if (cpu->keeps)
    let_next_arrive (
        self, rank, send,
        pd_time_max (cpu->free, ends->get_free (level->network, transfer.target, TRUE)));
  pd_p2p_delivered (self, send, self->now);
}

PdTime
pd_cpu_rendezvous (PdComsys *self, guint32 rank)
{
  PdCpu *cpu = &self->cpus[rank];

  cpu->free = pd_time_max (cpu->free, self->now);
  return cpu->free;
}

/* ---- receives */

void
pd_cpu_posts (PdComsys *self)
{
  if (self->beside != NULL)
    return;
  pd_cpu_play_deferred (self);
  self->entered = 0;
  self->fresh = FALSE;
}

PdTime
pd_cpu_posted (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);
  PdTime until = pd_time_max (r->ready, self->cpus[r->rank].free);

  if (self->trail != NULL)
    pd_trail_follows_cpu (self, r->rank);
  if (self->beside != NULL)
    return until;
  self->accounted = until;
  if (!pd_time_is_pending (r->done))
    self->entered = r->number;
  return until;
}

void
pd_cpu_post_later (PdComsys *self, guint32 recv, PdTime when)
{
  guint32 rank = pd_req (self, recv)->rank;

  if (pd_time_is_pending (when))
    self->cpus[rank].recv = recv;
  else
    pd_comsys_push_numbered (self, when, pd_what (PD_EVENT_POST, rank, recv),
                             pd_cpu_take_number (self));
}

/* Its rank waits, as long as it would have taken it to post the receive at least. */
static void
post (PdComsys *self, guint32 rank, guint32 recv)
{
  PdRank *r = &self->ranks[rank];
  PdTime ready = pd_time_add (self->now, self->machine->software.recv_overhead);

  r->latest = pd_time_max (r->latest, pd_time_max (ready, self->cpus[rank].free));
  pd_p2p_post (self, recv, self->now);
}

/* ---- the acting rank */

void
pd_cpu_begin_turn (PdComsys *self, guint32 rank)
{
  self->accounted = self->now;
  self->entered = self->number;
  self->fresh = TRUE;
  self->actor = rank;
}

void
pd_cpu_waited (PdComsys *self, PdTime when, guint64 number)
{
  if (number > self->entered && self->entered != 0)
    {
      self->entered = number;
      self->fresh = FALSE;
    }
  self->fresh = self->fresh && when.ps <= self->accounted.ps;
  self->accounted = pd_time_max (self->accounted, when);
}

/* Whether something else keeps the processor when it computes until @when. */
static gboolean
is_taken (const PdComsys *self, guint32 rank, PdTime when)
{
  return when.ps > self->accounted.ps && self->cpus[rank].free.ps > self->accounted.ps;
}

gboolean
pd_cpu_may_go_on (const PdComsys *self, guint32 rank, PdTime when)
{
  if (self->fresh && when.ps <= self->turn.ps)
    return TRUE;
  return self->deferred == NULL && (self->run_ahead || when.ps <= self->turn.ps)
         && !is_taken (self, rank, when)
         && pd_cpu_is_first (self, when, when.ps > self->accounted.ps ? 0 : self->entered);
}

void
pd_cpu_reach (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead)
{
  if (when.ps > self->accounted.ps) /* it has computed */
    {
      if (self->trail != NULL)
        pd_trail_keeps_cpu (self, rank, when, TRUE);
      self->cpus[rank].free = self->accounted = when;
      self->entered = 0;
      self->fresh = FALSE;
    }
  if (!is_ahead)
    return;
  if (self->entered == 0)
    self->entered = pd_cpu_new_number (self);
  self->fresh = TRUE;
}

void
pd_cpu_compute (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  PdCpu *cpu = &self->cpus[rank];
  PdTime begin = self->accounted;
  gboolean is_due = self->fresh;

  if (rank != self->actor)
    {
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  pd_cpu_play_deferred (self);
  guint64 number = pd_cpu_take_number (self);
  if (when.ps <= begin.ps)
    {
      pd_comsys_push_numbered (self, when, pd_what (event, rank, 0), number);
      return;
    }
  is_due = is_due && begin.ps <= self->now.ps;
  if (cpu->free.ps <= begin.ps
      && (is_due
          || ((self->run_ahead || begin.ps <= self->now.ps)
              && pd_cpu_is_first (self, begin, number))))
    {
      cpu->free = when;
      if (self->trail != NULL)
        pd_trail_keeps_cpu (self, rank, when, TRUE);
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  if (self->trail != NULL)
    pd_trail_puts_off (self, rank, begin, when);
  cpu->work = pd_time_sub (when, begin);
  cpu->then = event & 0xff;
  pd_comsys_push_numbered (self, pd_time_max (cpu->free, begin),
                           pd_what (PD_EVENT_COMPUTE, rank, 0), number);
}

static void
compute (PdComsys *self, guint32 rank)
{
  PdCpu *cpu = &self->cpus[rank];

  if (cpu->free.ps > self->now.ps)
    {
      push_again (self, cpu->free, PD_EVENT_COMPUTE, rank, 0);
      return;
    }
  cpu->free = pd_time_add (self->now, cpu->work);
  if (self->trail != NULL)
    pd_trail_computes (self, rank);
  pd_comsys_push (self, cpu->free, (PdEvent) cpu->then, rank, 0);
}

void
pd_cpu_event (PdComsys *self, PdEvent event, guint32 rank, guint32 req)
{
  if (event == PD_EVENT_LAUNCH)
    launch_all (self, rank, self->number, TRUE);
  else if (event == PD_EVENT_ARRIVE)
    arrive (self, req);
  else if (event == PD_EVENT_POST)
    post (self, rank, req);
  else
    compute (self, rank);
}
