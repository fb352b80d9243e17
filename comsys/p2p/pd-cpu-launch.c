/* How messages get the processors that they keep busy: sends are launched, arrivals
 * received, when processor and adapter are free; see pd-cpu-order.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-cpu-launch.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

static void
push_again (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  pd_comsys_push_numbered (self, when, pd_what (event, rank, argument), self->number);
}

static PdTransfer
transfer_of (const PdComsys *self, const PdReq *send, const PdNetworkLevel **level)
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
launch (PdComsys *self, guint32 send, const PdNetworkLevel *level, const PdTransfer *transfer)
{
  PdReq *s = pd_req (self, send);
  PdCpu *cpu = &self->cpus[s->rank];
  PdTime busy =
      pd_time_add (self->machine->software.send_overhead,
                   level->class->endpoints->get_time (level->network, transfer->bytes, FALSE));
  PdTime arrival = level->class->endpoints->send (level->network, transfer, self->now);

  cpu->free = pd_time_add (self->now, busy);
  s->step = PD_AT_DATA;
  s->done.ps = ~self->now.ps; /* pending; see pd-wait-stats.c */
  if (s->kind != PD_REQ_ONE_SIDED || !s->rendezvous)
    pd_message_observe (self, s, self->now);
  pd_comsys_push (self, arrival, PD_EVENT_ARRIVE, s->peer, send);
  PD_PROBE (self, launch, send, transfer, arrival);
  if (!s->rendezvous || s->detached)
    pd_req_complete (self, send, cpu->free);
}

gboolean
pd_cpu_try_launch (PdComsys *self, guint32 send, PdTime *free)
{
  const PdReq *s = pd_req (self, send);
  const PdNetworkLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);

  *free = pd_time_max (self->cpus[s->rank].free,
                       level->class->endpoints->get_free (level->network, transfer.source, FALSE));
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
  PD_PROBE (self, return_by_cpu, rank);
  pd_rank_return (self, rank, cpu->free);
}

gboolean
pd_cpu_send (PdComsys *self, guint32 send, PdTime when)
{
  guint32 rank = pd_req (self, send)->rank;
  PdCpu *cpu = &self->cpus[rank];
  gboolean is_due = self->fresh;

  pd_req (self, send)->done.ps = ~G_GINT64_CONSTANT (0);
  if (self->nonblocking != NULL) /* it launches itself */
    return FALSE;
  if (when.ps > self->now.ps) /* behind other parts of the same call */
    {
      cpu->free = pd_time_max (cpu->free, when);
      PD_PROBE (self, hold_cpu, rank, when, FALSE);
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
      pd_cpu_begin_deferred (self);
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

void
pd_cpu_arrive_event (PdComsys *self, guint32 rank, guint32 send)
{
  PdReq *s = pd_req (self, send);
  PdCpu *cpu = &self->cpus[rank];
  const PdNetworkLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);
  const PdNetworkEndpoints *endpoints = level->class->endpoints;
  PdTime free =
      pd_time_max (cpu->free, endpoints->get_free (level->network, transfer.target, TRUE));

  if (free.ps > self->now.ps)
    {
      wait_for_processor (self, rank, send, free);
      return;
    }
  cpu->free = pd_time_add (self->now, endpoints->get_time (level->network, transfer.bytes, TRUE));
  endpoints->receive (level->network, &transfer, self->now);
  PD_PROBE (self, receive, send, &transfer);
  if (cpu->keeps)
    let_next_arrive (
        self, rank, send,
        pd_time_max (cpu->free, endpoints->get_free (level->network, transfer.target, TRUE)));
  if (self->operations != NULL)
    self->handlers->receive (self, rank, send);
  else
    pd_message_delivered (self, send, self->now);
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

void
pd_cpu_launch_event (PdComsys *self, guint32 rank, guint32 argument G_GNUC_UNUSED)
{
  launch_all (self, rank, self->number, TRUE);
}
