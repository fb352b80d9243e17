/* The order of work on processors that messages keep busy: on networks with endpoint resources
 * (#PdNetworkEndpoints) a send starts when the sender's processor and adapter are free, and an
 * arriving message takes the receiver's, whether or not it is expected. The next action of the
 * rank waits.
 *
 * First come, first served: on such a network events of one moment take place in the
 * order in which they were queued, and an event that has to wait for a processor keeps
 * its number. So a program gives the same moments as the chain of its operations in
 * LogGOPSim.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-cpu-order.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

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

/* When the processor was over with launching @send. */
static PdTime
time_launched (const PdComsys *self, const PdReq *send)
{
  const PdNetworkLevel *level = pd_p2p_level (self, send->rank, send->peer);
  gint64 bytes = pd_protocol_wire_bytes (&level->protocol, send->bytes);
  PdTime began = PD_TIME (~send->done.ps);

  return pd_time_add (
      began, pd_time_add (self->machine->software.send_overhead,
                          level->class->endpoints->get_time (level->network, bytes, FALSE)));
}

PdTime
pd_cpu_rendezvous (PdComsys *self, const PdReq *send)
{
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, send->rank, pd_req_lane (self, send))];

  cpu->free = pd_time_max (cpu->free, self->now);
  if (G_LIKELY (self->n_cpus == 1))
    return cpu->free;
  /* what follows on another CPU does not wait for what this one has done since */
  return pd_time_max (self->now, time_launched (self, send));
}

/* ---- receives */

void
pd_cpu_posts (PdComsys *self)
{
  if (self->nonblocking != NULL)
    return;
  pd_cpu_begin_deferred (self);
  self->entered = 0;
  self->fresh = FALSE;
}

void
pd_cpu_posted (PdComsys *self, guint32 recv, PdTime *ret)
{
  const PdReq *r = pd_req (self, recv);

  *ret = pd_time_max (r->ready, self->cpus[r->rank].free);
  PD_PROBE (self, follow_cpu, r->rank);
  if (self->nonblocking != NULL)
    return;
  self->accounted = *ret;
  if (!pd_time_is_pending (r->done))
    self->entered = r->number;
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
pd_cpu_advance_to (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead)
{
  if (when.ps > self->accounted.ps) /* it has computed */
    {
      PD_PROBE (self, hold_cpu, rank, when, TRUE);
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
  pd_cpu_begin_deferred (self);
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
      PD_PROBE (self, hold_cpu, rank, when, TRUE);
      pd_comsys_push (self, when, event, rank, 0);
      return;
    }
  PD_PROBE (self, defer_compute, rank, begin, when);
  cpu->work = pd_time_sub (when, begin);
  cpu->then = event & 0xff;
  pd_comsys_push_numbered (self, pd_time_max (cpu->free, begin),
                           pd_what (PD_EVENT_COMPUTE, rank, 0), number);
}

void
pd_cpu_compute_event (PdComsys *self, guint32 rank, guint32 argument G_GNUC_UNUSED)
{
  PdCpu *cpu = &self->cpus[rank];

  if (cpu->free.ps > self->now.ps)
    {
      push_again (self, cpu->free, PD_EVENT_COMPUTE, rank, 0);
      return;
    }
  cpu->free = pd_time_add (self->now, cpu->work);
  PD_PROBE (self, compute, rank);
  pd_comsys_push (self, cpu->free, (PdEvent) cpu->then, rank, 0);
}
