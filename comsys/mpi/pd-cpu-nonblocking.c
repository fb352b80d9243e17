/* Nonblocking operations on machines with endpoint resources, where rank and operation share
 * a processor: each step that sends or receives is entered with a number, as what the
 * rank does is (pd-cpu-order.c), and waits until it is its turn.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-cpu-nonblocking-private.h"

#include "base/pd-time.h"
#include "comsys/mpi/pd-calls-private.h"
#include "comsys/mpi/pd-coll-execute-private.h"
#include "comsys/mpi/pd-coll-steps.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

static void
push (PdComsys *self, const PdNonblocking *nonblocking, PdTime when, guint64 number)
{
  pd_comsys_push_numbered (
      self, when, pd_what (PD_EVENT_NONBLOCKING, nonblocking->world, nonblocking->index), number);
}

static gboolean
is_send (const PdStep *step)
{
  return step->kind == PD_STEP_SEND || step->kind == PD_STEP_ISEND
         || step->kind == PD_STEP_SENDRECV;
}

static gboolean
is_recv (const PdStep *step)
{
  return step->kind == PD_STEP_RECV || step->kind == PD_STEP_IRECV;
}

/* ---- waiting */

/* From @when on the play waits; FALSE: it is over, at @when, and what follows has been
 * entered with @number (0 = a new one). */
static gboolean
waits (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited, PdTime *when, guint64 *number)
{
  PD_PROBE (self, nonblocking_step, awaited == PD_AWAITED_ALL || nonblocking->overhead.ps > 0);
  PD_PROBE (self, nonblocking_wait, nonblocking, *when, awaited);
  nonblocking->latest[awaited] = pd_time_max (nonblocking->latest[awaited], *when);
  nonblocking->waits[awaited] = nonblocking->pending[awaited] > 0;
  if (nonblocking->waits[awaited])
    return TRUE;
  *when = pd_nonblocking_end_wait (self, nonblocking, awaited);
  if (*number != 0)
    *number = MAX (*number, nonblocking->number[awaited]);
  return FALSE;
}

static void
end (PdComsys *self, PdNonblocking *nonblocking, PdTime when)
{
  guint32 request = nonblocking->request;

  PD_PROBE (self, nonblocking_end, nonblocking, when);
  pd_nonblocking_free (self, nonblocking);
  pd_req_complete (self, request, when);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

/* Does what needs no turn, from *@when on; TRUE: the next step sends or receives. */
static gboolean
come_to_step (PdComsys *self, PdNonblocking *nonblocking, PdTime *when, guint64 *number)
{
  for (;;)
    {
      if (!nonblocking->has_step
          && !pd_execution_next_step (self, &nonblocking->exec, &nonblocking->step))
        {
          end (self, nonblocking, *when);
          return FALSE;
        }
      nonblocking->has_step = is_send (&nonblocking->step) || is_recv (&nonblocking->step);
      if (nonblocking->has_step)
        return TRUE;
      if (nonblocking->step.kind != PD_STEP_WAITALL)
        {
          *when = pd_execution_work (self, *when, &nonblocking->step);
          PD_PROBE (self, nonblocking_work, nonblocking, *when, &nonblocking->step);
          continue;
        }
      nonblocking->overhead = self->machine->software.wait_overhead;
      if (waits (self, nonblocking, PD_AWAITED_ALL, when, number))
        return FALSE;
    }
}

/* The play goes on at @when; what comes next has been entered with @number, or now. */
static void
go_on (PdComsys *self, PdNonblocking *nonblocking, PdTime when, guint64 number)
{
  if (come_to_step (self, nonblocking, &when, &number))
    push (self, nonblocking, pd_time_max (when, self->now),
          number != 0 ? number : pd_cpu_new_number (self));
}

void
pd_cpu_nonblocking_completed (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited)
{
  if (nonblocking->pending[awaited] > 0 || !nonblocking->waits[awaited])
    {
      nonblocking->number[awaited] = pd_cpu_new_number (self);
      return;
    }
  nonblocking->waits[awaited] = FALSE;
  go_on (self, nonblocking, pd_nonblocking_end_wait (self, nonblocking, awaited), 0);
}

/* ---- steps */

static guint32
begin_message (PdComsys *self, PdNonblocking *nonblocking, gboolean sends, PdTime *ret)
{
  const PdCallKind kind = { .collective = TRUE };
  const PdStep *step = &nonblocking->step;
  PdCall call = { nonblocking->world, self->now, ret, NULL };
  guint32 req;

  self->nonblocking = nonblocking;
  PD_PROBE (self, switch_actor, nonblocking);
  if (sends)
    req = pd_call_begin_send (self, &call, nonblocking->exec.comm,
                              pd_execution_envelope (nonblocking->tag, step->to, step->send_bytes),
                              &kind);
  else
    req = pd_call_irecv (self, &call, nonblocking->exec.comm,
                         pd_execution_envelope (nonblocking->tag, step->from, step->recv_bytes),
                         &kind);
  self->nonblocking = NULL;
  PD_PROBE (self, switch_actor, NULL);
  return req;
}

/* The message of the step has been started; the play has done its part at @when. */
static void
end_step (PdComsys *self, PdNonblocking *nonblocking, PdTime when, guint64 number)
{
  PdStepKind kind = nonblocking->step.kind;

  nonblocking->has_step = kind == PD_STEP_SENDRECV;
  if (kind == PD_STEP_SENDRECV) /* its receive is a turn of its own */
    {
      nonblocking->step.kind = PD_STEP_RECV;
      nonblocking->overhead = self->machine->software.wait_overhead;
    }
  else if ((kind == PD_STEP_SEND || kind == PD_STEP_RECV)
           && waits (self, nonblocking, PD_AWAITED_STEP, &when, &number))
    return;
  go_on (self, nonblocking, when, number);
}

static void
send (PdComsys *self, PdNonblocking *nonblocking, guint64 number)
{
  PdTime when = self->now, free;

  if (nonblocking->send == 0)
    nonblocking->send = begin_message (self, nonblocking, TRUE, &when);
  if (pd_req (self, nonblocking->send)->endpoints)
    {
      if (!pd_cpu_try_launch (self, nonblocking->send, &free))
        {
          push (self, nonblocking, free, number);
          return;
        }
      when = self->cpus[nonblocking->world].free;
      PD_PROBE (self, switch_actor, nonblocking);
      PD_PROBE (self, follow_cpu, nonblocking->world);
      PD_PROBE (self, switch_actor, NULL);
    }
  guint32 req = nonblocking->send;
  nonblocking->send = 0;
  pd_nonblocking_add_request (self, nonblocking, req,
                              nonblocking->step.kind == PD_STEP_ISEND ? PD_AWAITED_ALL
                                                                      : PD_AWAITED_STEP);
  if (nonblocking->step.kind == PD_STEP_SEND)
    nonblocking->overhead = PD_TIME_ZERO;
  end_step (self, nonblocking, when, 0);
}

static void
receive (PdComsys *self, PdNonblocking *nonblocking)
{
  PdTime when = self->now;
  guint32 req = begin_message (self, nonblocking, FALSE, &when);
  const PdReq *r = pd_req (self, req);
  guint64 number = pd_time_is_pending (r->done) ? 0 : pd_req_number (r);

  if (nonblocking->step.kind == PD_STEP_RECV && !nonblocking->has_taken[PD_AWAITED_STEP])
    nonblocking->overhead = PD_TIME_ZERO;
  pd_nonblocking_add_request (self, nonblocking, req,
                              nonblocking->step.kind == PD_STEP_IRECV ? PD_AWAITED_ALL
                                                                      : PD_AWAITED_STEP);
  end_step (self, nonblocking, when, number);
}

void
pd_cpu_nonblocking_event (PdComsys *self, PdNonblocking *nonblocking)
{
  if (is_send (&nonblocking->step))
    send (self, nonblocking, self->number);
  else
    receive (self, nonblocking);
}

/* ---- beginning: the first step is entered together with the next action of its rank; ties
 * are broken by send, receive, compute */

void
pd_cpu_nonblocking_deferred (PdComsys *self)
{
  while (self->deferred != NULL)
    {
      PdNonblocking *nonblocking = self->deferred;
      self->deferred = nonblocking->exec.next;
      receive (self, nonblocking);
    }
}

static void
defer (PdComsys *self, PdNonblocking *nonblocking)
{
  PdNonblocking **last = &self->deferred;

  while (*last != NULL)
    last = &(*last)->exec.next;
  *last = nonblocking;
  nonblocking->exec.next = NULL;
}

void
pd_cpu_nonblocking_begin (PdComsys *self, PdNonblocking *nonblocking, PdTime when)
{
  guint64 number = 0;

  if (!come_to_step (self, nonblocking, &when, &number))
    return;
  if (when.ps > self->now.ps)
    {
      push (self, nonblocking, when, pd_cpu_new_number (self));
      return;
    }
  number = pd_cpu_take_number (self);
  if (is_recv (&nonblocking->step))
    defer (self, nonblocking);
  else
    send (self, nonblocking, number++);
  if (number % PD_NUMBER_STEP == PD_NUMBER_STEP - 1) /* there is no room for more */
    return;
  self->entered = number;
  self->fresh = TRUE;
}
