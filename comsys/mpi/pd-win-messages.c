/* The messages of one-sided communication, and the locks at their targets. A message
 * is a request that nothing matches: its network is asked as for a send, and what it
 * is for happens when it arrives.
 *
 *   Put, Accumulate:  data ->
 *   Get:              control -> , <- data
 *   locks:            LOCK -> , <- GRANT when it can be granted; RELEASE ->
 *
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-messages-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/mpi/pd-win-epochs-private.h"
#include "comsys/mpi/pd-win-private.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

guint32
pd_one_sided_new (PdComsys *self, PdWin *win, PdOneSided purpose, guint32 source, guint32 target)
{
  guint32 message = pd_req_new (self, source);
  PdReq *m = pd_req (self, message);

  m->kind = PD_REQ_ONE_SIDED;
  m->purpose = purpose;
  m->peer = target;
  m->tag = PD_ANY_TAG;
  m->source_in_comm = win->index;
  m->held = PD_HELD_SYSTEM;
  m->rendezvous = purpose >= PD_ONE_SIDED_GET;
  m->endpoints = source != target && pd_p2p_level (self, source, target)->class->endpoints != NULL;
  win->n_under_way++;
  return message;
}

gboolean
pd_one_sided_send (PdComsys *self, guint32 message, PdTime when)
{
  const PdReq *m = pd_req (self, message);

  if (m->endpoints)
    return pd_cpu_send (self, message, when);
  if (m->rank == m->peer)
    pd_one_sided_arrived (self, message, when);
  else
    pd_comsys_at (self, when, PD_EVENT_REQUEST, m->rank, message);
  return TRUE;
}

static void
drop (PdComsys *self, guint32 message)
{
  pd_win_release (pd_win_of (self, pd_req (self, message)->source_in_comm));
  pd_req_drop (self, message, PD_HELD_SYSTEM);
}

/* ---- at the target; the first to need its processor anew is not who acts now */

static void
send_answer (PdComsys *self, guint32 answer)
{
  self->entered = 0;
  self->fresh = FALSE;
  pd_one_sided_send (self, answer, self->now);
}

static guint32
answer_new (PdComsys *self, guint32 message, PdOneSided purpose)
{
  const PdReq *m = pd_req (self, message);

  return pd_one_sided_new (self, pd_win_of (self, m->source_in_comm), purpose, m->peer, m->rank);
}

static void
answer_get (PdComsys *self, guint32 get)
{
  guint32 answer = answer_new (self, get, PD_ONE_SIDED_DATA);

  pd_req (self, answer)->bytes = pd_req (self, get)->wanted;
  pd_req (self, answer)->partner = pd_req (self, get)->partner;
  drop (self, get);
  send_answer (self, answer);
}

static void
grant (PdComsys *self, PdWinMember *target, guint32 lock)
{
  guint32 answer = answer_new (self, lock, PD_ONE_SIDED_GRANT);

  if (pd_req (self, lock)->purpose == PD_ONE_SIDED_LOCK_EXCLUSIVE)
    target->exclusive = TRUE;
  else
    target->n_shared++;
  pd_req (self, answer)->partner = lock;
  send_answer (self, answer);
}

/* In their order; one that cannot be granted holds up those behind it. */
static void
grant_waiting (PdComsys *self, PdWinMember *target)
{
  while (target->first != 0 && !target->exclusive)
    {
      guint32 lock = target->first;
      if (pd_req (self, lock)->purpose == PD_ONE_SIDED_LOCK_EXCLUSIVE && target->n_shared > 0)
        return;
      target->first = pd_req (self, lock)->next;
      grant (self, target, lock);
    }
}

static void
enqueue (PdComsys *self, PdWinMember *target, guint32 lock)
{
  pd_req (self, lock)->next = 0;
  if (target->first == 0)
    target->first = lock;
  else
    pd_req (self, target->last)->next = lock;
  target->last = lock;
}

void
pd_one_sided_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 message)
{
  const PdReq *m = pd_req (self, message);
  gboolean is_release = m->purpose == PD_ONE_SIDED_RELEASE;
  PdWin *win = pd_win_of (self, m->source_in_comm);
  PdWinMember *target = &win->members[pd_comm_get_rank (win->comm, m->peer)];

  if (m->purpose == PD_ONE_SIDED_GET)
    {
      answer_get (self, message);
      return;
    }
  if (!is_release)
    enqueue (self, target, message);
  else if (target->exclusive)
    target->exclusive = FALSE;
  else
    target->n_shared--;
  grant_waiting (self, target);
  if (is_release)
    drop (self, message);
}

/* ---- arrivals */

/* When what has arrived at @when is where it belongs. */
static PdTime
time_complete (const PdComsys *self, const PdReq *message, PdTime when)
{
  if (message->purpose == PD_ONE_SIDED_ACCUMULATE)
    when = pd_time_add (
        when, pd_time_for_bytes (message->bytes, self->machine->software.reduction_per_byte));
  return self->has_costs && !message->endpoints
             ? pd_time_add (when, pd_costs_of_recv (self, message))
             : when;
}

void
pd_one_sided_arrived (PdComsys *self, guint32 message, PdTime when)
{
  const PdReq *m = pd_req (self, message);
  guint32 partner = m->partner;

  if (m->endpoints) /* it has kept the processor until now */
    when = self->cpus[m->peer].free;
  if (m->purpose <= PD_ONE_SIDED_DATA)
    {
      PdTime complete = time_complete (self, m, when);
      drop (self, message);
      pd_epoch_completed (self, partner, complete);
    }
  else if (m->purpose == PD_ONE_SIDED_GRANT)
    {
      const PdReq *lock = pd_req (self, partner);
      guint32 epoch = lock->notify ? lock->link : 0; /* nobody is blocked */
      drop (self, message);
      if (epoch == 0)
        pd_req_complete (self, partner, when);
      drop (self, partner);
      if (epoch != 0)
        pd_epoch_completed (self, epoch, when);
    }
  else
    pd_comsys_at (self, when, PD_EVENT_ONE_SIDED, m->peer, message);
}
