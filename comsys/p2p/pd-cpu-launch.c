/* How messages get the processors that they keep busy: sends are launched, arrivals
 * received, when processor and adapter are free; see pd-cpu-order.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-cpu-launch.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-waiting.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

static PdTransfer
transfer_of (const PdComsys *self, const PdReq *send, const PdNetworkLevel **level)
{
  PdRoute route = pd_p2p_route (self, send->rank, send->peer);
  PdLane lane = pd_req_lane (self, send);

  *level = &self->levels[route.instance];
  return (PdTransfer){ .source = pd_endpoint (self, route.instance, route.source, lane),
                       .target = pd_endpoint (self, route.instance, route.target, lane),
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
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, s->rank, pd_req_lane (self, s))];
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

  *free = pd_time_max (self->cpus[pd_cpu_index (self, s->rank, pd_req_lane (self, s))].free,
                       level->class->endpoints->get_free (level->network, transfer.source, FALSE));
  if (free->ps > self->now.ps)
    return FALSE;
  launch (self, send, level, &transfer);
  return TRUE;
}

/* Launches what can be; the first one that cannot waits with @number, or a new one.
 * @is_due: nothing comes before the first. */
static void
launch_all (PdComsys *self, guint32 rank, PdLane lane, guint64 number, gboolean is_due)
{
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, lane)];

  for (; cpu->first != 0; number = pd_cpu_new_number (self), is_due = FALSE)
    {
      guint32 next = next_of (pd_req (self, cpu->first));
      PdTime free = self->now;
      if ((!is_due && !pd_cpu_is_first (self, self->now, number))
          || !pd_cpu_try_launch (self, cpu->first, &free))
        {
          pd_comsys_push_numbered (self, free, pd_what (PD_EVENT_LAUNCH, rank, lane.cpu), number);
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
  PdLane lane = pd_req_lane (self, pd_req (self, send));
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, lane)];
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
  launch_all (self, rank, lane, pd_cpu_take_number (self), is_due);
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

/* ---- arrivals */

void
pd_cpu_arrive_event (PdComsys *self, guint32 rank, guint32 send)
{
  PdReq *s = pd_req (self, send);
  const PdTried tried = { .rank = rank,
                          .what = send,
                          .lane = pd_req_lane (self, s),
                          .why = PD_WAITING_ARRIVAL,
                          .is_single = self->topology->instances->len > 1 };
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, tried.lane)];
  const PdNetworkLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);
  const PdNetworkEndpoints *endpoints = level->class->endpoints;
  PdTime free =
      pd_time_max (cpu->free, endpoints->get_free (level->network, transfer.target, TRUE));

  if (free.ps > self->now.ps)
    {
      pd_waiting_add (self, &tried, free);
      return;
    }
  cpu->free = pd_time_add (self->now, endpoints->get_time (level->network, transfer.bytes, TRUE));
  endpoints->receive (level->network, &transfer, self->now);
  PD_PROBE (self, receive, send, &transfer);
  if (cpu->keeps)
    pd_waiting_let_next (
        self, &tried,
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
pd_cpu_launch_event (PdComsys *self, guint32 rank, guint32 cpu)
{
  launch_all (self, rank, (PdLane){ .cpu = (guint8) cpu }, self->number, TRUE);
}
