/* Processors that messages keep busy: on networks with ends (#PdNetworkEnds) a send
 * starts when the sender's processor and adapter are free, and an arriving message
 * takes the receiver's, whether or not it is expected. Whatever a rank does next waits.
 *
 * Who asked first comes first: where there is such a network everything that happens
 * at one moment happens in the order in which it has been put into the queue, and who
 * has to wait for a processor keeps its number. So a program gives the same moments
 * as the chain of its operations in LogGOPSim.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

/* The turn's number serves the first that has to wait in it; what follows is new. */
static guint64
take_turn_number (PdComsys *self)
{
  guint64 number = self->turn_number;

  self->turn_number = 0;
  return number != 0 ? number : self->queue.sequence++;
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
  cpu->first = next_of (s);
  s->step = PD_AT_DATA;
  s->done.ps = ~self->now.ps; /* pending; see pd-waited.c */
  if (s->kind != PD_REQ_ONE_SIDED || !s->rendezvous)
    pd_p2p_observe (self, s, self->now);
  pd_comsys_push (self, arrival, PD_EVENT_ARRIVE, s->peer, send);
  if (!s->rendezvous || s->detached)
    pd_p2p_complete (self, send, cpu->free);
}

/* Launches what can be; the first one that cannot waits with @number, or a new one. */
static void
launch_all (PdComsys *self, guint32 rank, guint64 number)
{
  PdCpu *cpu = &self->cpus[rank];

  for (; cpu->first != 0; number = self->queue.sequence++)
    {
      const PdLevel *level;
      PdTransfer transfer = transfer_of (self, pd_req (self, cpu->first), &level);
      PdTime free = pd_time_max (
          cpu->free, level->class->ends->get_free (level->network, transfer.source, FALSE));
      if (free.ps > self->now.ps)
        {
          pd_comsys_push_numbered (self, free, pd_what (PD_EVENT_LAUNCH, rank, 0), number);
          return;
        }
      launch (self, cpu->first, level, &transfer);
    }
  if (!cpu->waits)
    return;
  cpu->waits = FALSE;
  pd_rank_return (self, rank, cpu->free);
}

gboolean
pd_cpu_send (PdComsys *self, guint32 send, PdTime when)
{
  guint32 rank = pd_req (self, send)->rank;
  PdCpu *cpu = &self->cpus[rank];

  if (when.ps > self->now.ps) /* behind other parts of the same call */
    cpu->free = pd_time_max (cpu->free, when);
  pd_req (self, send)->done.ps = ~G_GINT64_CONSTANT (0);
  if (cpu->first != 0)
    {
      pd_req (self, cpu->last)->done.ps = ~(gint64) send;
      cpu->last = send;
      return FALSE;
    }
  cpu->first = cpu->last = send;
  launch_all (self, rank, take_turn_number (self));
  return cpu->first == 0;
}

void
pd_cpu_wait_for_launch (PdComsys *self, const PdCall *call, const char *function)
{
  pd_rank_block (self, call, function);
  self->cpus[call->rank].waits = TRUE;
}

/* ---- arrivals */

static void
arrive (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  PdCpu *cpu = &self->cpus[s->peer];
  const PdLevel *level;
  PdTransfer transfer = transfer_of (self, s, &level);
  const PdNetworkEnds *ends = level->class->ends;
  PdTime free = pd_time_max (cpu->free, ends->get_free (level->network, transfer.target, TRUE));

  if (free.ps > self->now.ps)
    {
      push_again (self, free, PD_EVENT_ARRIVE, s->peer, send);
      return;
    }
  cpu->free = pd_time_add (self->now, ends->get_time (level->network, transfer.bytes, TRUE));
  ends->receive (level->network, &transfer, self->now);
  pd_p2p_delivered (self, send, self->now);
}

PdTime
pd_cpu_rendezvous (PdComsys *self, guint32 rank)
{
  PdCpu *cpu = &self->cpus[rank];

  cpu->free = pd_time_max (cpu->free, self->now);
  return cpu->free;
}

/* ---- computing */

gboolean
pd_cpu_is_taken (const PdComsys *self, guint32 rank, PdTime when)
{
  return when.ps > self->accounted.ps && self->cpus[rank].free.ps > self->accounted.ps;
}

void
pd_cpu_reach (PdComsys *self, guint32 rank, PdTime when)
{
  gboolean computed = when.ps > self->accounted.ps;

  if (computed)
    self->cpus[rank].free = when;
  if (!computed && self->reserved != 0)
    self->turn_number = self->reserved;
  else if (when.ps > self->turn.ps)
    self->turn_number = self->queue.sequence++; /* what the queue would have given it */
  self->accounted = when;
  self->reserved = 0;
}

void
pd_cpu_compute (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  PdCpu *cpu = &self->cpus[rank];
  PdTime begin = self->accounted;

  if (rank == self->actor && when.ps <= begin.ps && self->reserved != 0)
    {
      pd_comsys_push_numbered (self, when, pd_what (event, rank, 0), self->reserved);
      return;
    }
  if (rank != self->actor || when.ps <= begin.ps)
    {
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  if (cpu->free.ps <= begin.ps && begin.ps <= self->now.ps)
    {
      cpu->free = when;
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  cpu->work = pd_time_sub (when, begin);
  cpu->then = event;
  pd_comsys_push_numbered (
      self, pd_time_max (cpu->free, begin), pd_what (PD_EVENT_COMPUTE, rank, 0),
      begin.ps > self->now.ps ? self->queue.sequence++ : take_turn_number (self));
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
  pd_comsys_push (self, cpu->free, cpu->then, rank, 0);
}

void
pd_cpu_event (PdComsys *self, PdEvent event, guint32 rank, guint32 send)
{
  if (event == PD_EVENT_LAUNCH)
    launch_all (self, rank, self->number);
  else if (event == PD_EVENT_ARRIVE)
    arrive (self, send);
  else
    compute (self, rank);
}
