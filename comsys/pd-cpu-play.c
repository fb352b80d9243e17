/* Operations beside their ranks on machines with ends, where rank and operation share
 * a processor: each step that sends or receives is entered with a number, as what the
 * rank does is (pd-cpu.c), and waits until it is its turn.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

static void
push (PdComsys *self, const PdPlayBeside *beside, PdTime when, guint64 number)
{
  pd_comsys_push_numbered (self, when, pd_what (PD_EVENT_BESIDE, beside->world, beside->index),
                           number);
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
waits (PdComsys *self, PdPlayBeside *beside, PdAwaited awaited, PdTime *when, guint64 *number)
{
  if (self->trail != NULL)
    {
      pd_trail_step_beside (self, awaited == PD_AWAITED_ALL || beside->overhead.ps > 0);
      pd_trail_waits_beside (self, beside, *when, awaited);
    }
  beside->latest[awaited] = pd_time_max (beside->latest[awaited], *when);
  beside->waits[awaited] = beside->pending[awaited] > 0;
  if (beside->waits[awaited])
    return TRUE;
  *when = pd_play_end_wait (self, beside, awaited);
  if (*number != 0)
    *number = MAX (*number, beside->number[awaited]);
  return FALSE;
}

static void
end (PdComsys *self, PdPlayBeside *beside, PdTime when)
{
  guint32 request = beside->request;

  if (self->trail != NULL)
    pd_trail_ends_beside (self, beside, when);
  pd_play_drop_beside (self, beside);
  pd_p2p_complete (self, request, when);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

/* Does what needs no turn, from *@when on; TRUE: the next step sends or receives. */
static gboolean
come_to_step (PdComsys *self, PdPlayBeside *beside, PdTime *when, guint64 *number)
{
  for (;;)
    {
      if (!beside->has_step && !pd_play_next_step (self, &beside->play, &beside->step))
        {
          end (self, beside, *when);
          return FALSE;
        }
      beside->has_step = is_send (&beside->step) || is_recv (&beside->step);
      if (beside->has_step)
        return TRUE;
      if (beside->step.kind != PD_STEP_WAITALL)
        {
          *when = pd_play_work (self, *when, &beside->step);
          if (self->trail != NULL)
            pd_trail_work_beside (self, beside, *when, &beside->step);
          continue;
        }
      beside->overhead = self->machine->software.wait_overhead;
      if (waits (self, beside, PD_AWAITED_ALL, when, number))
        return FALSE;
    }
}

/* The play goes on at @when; what comes next has been entered with @number, or now. */
static void
go_on (PdComsys *self, PdPlayBeside *beside, PdTime when, guint64 number)
{
  if (come_to_step (self, beside, &when, &number))
    push (self, beside, pd_time_max (when, self->now),
          number != 0 ? number : pd_cpu_new_number (self));
}

void
pd_cpu_play_completed (PdComsys *self, PdPlayBeside *beside, PdAwaited awaited)
{
  if (beside->pending[awaited] > 0 || !beside->waits[awaited])
    {
      beside->number[awaited] = pd_cpu_new_number (self);
      return;
    }
  beside->waits[awaited] = FALSE;
  go_on (self, beside, pd_play_end_wait (self, beside, awaited), 0);
}

/* ---- steps */

static guint32
begin_message (PdComsys *self, PdPlayBeside *beside, gboolean sends, PdTime *ret)
{
  const PdCallKind kind = { .collective = TRUE };
  const PdStep *step = &beside->step;
  PdCall call = { beside->world, self->now, ret, NULL };
  guint32 req;

  self->beside = beside;
  pd_trail_switch (self, beside);
  if (sends)
    req = pd_call_begin_send (self, &call, beside->play.comm,
                              pd_play_envelope (beside->tag, step->to, step->send_bytes), &kind);
  else
    req = pd_call_irecv (self, &call, beside->play.comm,
                         pd_play_envelope (beside->tag, step->from, step->recv_bytes), &kind);
  self->beside = NULL;
  pd_trail_switch (self, NULL);
  return req;
}

/* The message of the step has been started; the play has done its part at @when. */
static void
end_step (PdComsys *self, PdPlayBeside *beside, PdTime when, guint64 number)
{
  PdStepKind kind = beside->step.kind;

  beside->has_step = kind == PD_STEP_SENDRECV;
  if (kind == PD_STEP_SENDRECV) /* its receive is a turn of its own */
    {
      beside->step.kind = PD_STEP_RECV;
      beside->overhead = self->machine->software.wait_overhead;
    }
  else if ((kind == PD_STEP_SEND || kind == PD_STEP_RECV)
           && waits (self, beside, PD_AWAITED_STEP, &when, &number))
    return;
  go_on (self, beside, when, number);
}

static void
send (PdComsys *self, PdPlayBeside *beside, guint64 number)
{
  PdTime when = self->now, free;

  if (beside->send == 0)
    beside->send = begin_message (self, beside, TRUE, &when);
  if (pd_req (self, beside->send)->ends)
    {
      if (!pd_cpu_try_launch (self, beside->send, &free))
        {
          push (self, beside, free, number);
          return;
        }
      when = self->cpus[beside->world].free;
      pd_trail_switch (self, beside);
      if (self->trail != NULL)
        pd_trail_follows_cpu (self, beside->world);
      pd_trail_switch (self, NULL);
    }
  guint32 req = beside->send;
  beside->send = 0;
  pd_play_take (self, beside, req,
                beside->step.kind == PD_STEP_ISEND ? PD_AWAITED_ALL : PD_AWAITED_STEP);
  if (beside->step.kind == PD_STEP_SEND)
    beside->overhead = PD_TIME_ZERO;
  end_step (self, beside, when, 0);
}

static void
receive (PdComsys *self, PdPlayBeside *beside)
{
  PdTime when = self->now;
  guint32 req = begin_message (self, beside, FALSE, &when);
  const PdReq *r = pd_req (self, req);
  guint64 number = pd_time_is_pending (r->done) ? 0 : pd_req_number (r);

  if (beside->step.kind == PD_STEP_RECV && !beside->has_taken[PD_AWAITED_STEP])
    beside->overhead = PD_TIME_ZERO;
  pd_play_take (self, beside, req,
                beside->step.kind == PD_STEP_IRECV ? PD_AWAITED_ALL : PD_AWAITED_STEP);
  end_step (self, beside, when, number);
}

void
pd_cpu_play_event (PdComsys *self, PdPlayBeside *beside)
{
  if (is_send (&beside->step))
    send (self, beside, self->number);
  else
    receive (self, beside);
}

/* ---- beginning: the first step is entered together with what its rank does next, and
 * of these sends come first, then receives, then computation */

void
pd_cpu_play_deferred (PdComsys *self)
{
  while (self->deferred != NULL)
    {
      PdPlayBeside *beside = self->deferred;
      self->deferred = beside->play.next;
      receive (self, beside);
    }
}

static void
defer (PdComsys *self, PdPlayBeside *beside)
{
  PdPlayBeside **last = &self->deferred;

  while (*last != NULL)
    last = &(*last)->play.next;
  *last = beside;
  beside->play.next = NULL;
}

void
pd_cpu_play_begin (PdComsys *self, PdPlayBeside *beside, PdTime when)
{
  guint64 number = 0;

  if (!come_to_step (self, beside, &when, &number))
    return;
  if (when.ps > self->now.ps)
    {
      push (self, beside, when, pd_cpu_new_number (self));
      return;
    }
  number = pd_cpu_take_number (self);
  if (is_recv (&beside->step))
    defer (self, beside);
  else
    send (self, beside, number++);
  if (number % PD_NUMBER_STEP == PD_NUMBER_STEP - 1) /* there is no room for more */
    return;
  self->entered = number;
  self->fresh = TRUE;
}
