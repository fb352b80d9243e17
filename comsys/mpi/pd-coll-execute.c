/* Playing the steps of a schedule as point-to-point operations: by a rank that is
 * blocked in the operation, or beside a rank that does something else.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-coll-execute-private.h"

#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/mpi/pd-calls-private.h"
#include "comsys/mpi/pd-coll-steps.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait-private.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

#include <string.h>

/* ---- the pool */

#define EXECUTION_LINES(n) ((gsize) (n) * sizeof (PdExecution) / 64)

PdExecution *
pd_execution_of_rank (PdComsys *self, guint32 rank)
{
  PdExecutionPool *pool = &self->execs;

  if (pool->of_ranks == NULL)
    {
      pool->of_ranks = pd_lines_resize (NULL, 0, EXECUTION_LINES (self->n_ranks));
      pool->n_ranks = self->n_ranks;
    }
  if (self->near_rank < self->n_ranks)
    {
      pd_prefetch (&pool->of_ranks[self->near_rank]);
      pd_prefetch ((char *) &pool->of_ranks[self->near_rank] + 64);
    }
  return &pool->of_ranks[rank];
}

static void
add_chunk (PdExecutionPool *pool)
{
  PdNonblocking *execs = g_new0 (PdNonblocking, PD_EXECUTIONS_PER_CHUNK);
  guint32 first;

  if (pool->chunks == NULL)
    pool->chunks = g_ptr_array_new_with_free_func (g_free);
  first = pool->chunks->len * PD_EXECUTIONS_PER_CHUNK;
  g_ptr_array_add (pool->chunks, execs);
  for (guint32 i = PD_EXECUTIONS_PER_CHUNK; i-- > 0;)
    {
      execs[i].index = first + i;
      execs[i].exec.next = pool->free;
      pool->free = &execs[i];
    }
}

PdNonblocking *
pd_nonblocking_new (PdComsys *self)
{
  PdExecutionPool *pool = &self->execs;

  if (pool->free == NULL)
    add_chunk (pool);
  PdNonblocking *nonblocking = pool->free;
  pool->free = nonblocking->exec.next;
  *nonblocking = (PdNonblocking){ .index = nonblocking->index };
  return nonblocking;
}

void
pd_nonblocking_free (PdComsys *self, PdNonblocking *nonblocking)
{
  nonblocking->exec.next = self->execs.free;
  self->execs.free = nonblocking;
}

void
pd_execution_pool_clear (PdExecutionPool *pool)
{
  pd_lines_free (pool->of_ranks, EXECUTION_LINES (pool->n_ranks));
  pool->of_ranks = NULL;
  g_clear_pointer (&pool->chunks, g_ptr_array_unref);
  pool->free = NULL;
}

static PdNonblocking *
nonblocking_of (PdComsys *self, guint32 index)
{
  PdNonblocking *chunk = g_ptr_array_index (self->execs.chunks, index / PD_EXECUTIONS_PER_CHUNK);

  return &chunk[index % PD_EXECUTIONS_PER_CHUNK];
}

/* ---- steps */

/* The end of a step that needs no other rank. */
PdTime
pd_execution_work (const PdComsys *self, PdTime when, const PdStep *step)
{
  const PdSoftware *software = &self->machine->software;
  gdouble per_byte =
      step->kind == PD_STEP_REDUCE ? software->reduction_per_byte : software->copy_per_byte;

  return pd_time_add (when, pd_time_for_bytes (step->send_bytes, per_byte));
}

/* Performs @step for the rank at @when; play->slot says when it is over. */
static void
perform (PdComsys *self, PdExecution *exec, guint32 rank, PdTime when, const PdStep *step)
{
  const PdCallKind kind = { .collective = TRUE, .function = pd_ops[exec->op].function };
  PdEnvelope to = pd_execution_envelope (0, step->to, step->send_bytes);
  PdEnvelope from = pd_execution_envelope (0, step->from, step->recv_bytes);
  PdCall call = { rank, when, &exec->slot, NULL };

  pd_comsys_advance_to (self, rank, when);
  exec->slot = when;
  switch (step->kind)
    {
    case PD_STEP_SEND:
      pd_call_send (self, &call, exec->comm, to, &kind);
      break;
    case PD_STEP_RECV:
      pd_call_recv (self, &call, exec->comm, from, &kind);
      break;
    case PD_STEP_SENDRECV:
      pd_call_sendrecv (self, &call, exec->comm, &(PdExchange){ to, from }, &kind);
      break;
    case PD_STEP_ISEND:
      pd_bundle_add (self, &self->ranks[rank].bundle,
                     pd_call_isend (self, &call, exec->comm, to, &kind));
      break;
    case PD_STEP_IRECV:
      pd_bundle_add (self, &self->ranks[rank].bundle,
                     pd_call_irecv (self, &call, exec->comm, from, &kind));
      break;
    case PD_STEP_WAITALL:
      call.when = pd_time_add (when, pd_costs_before_wait (self, self->ranks[rank].bundle.first));
      if (call.when.ps > when.ps)
        PD_PROBE (self, network_cpu, &(PdCall){ rank, when, NULL, NULL }, call.when);
      pd_wait_bundle (self, &call, self->ranks[rank].bundle.first,
                      self->machine->software.wait_overhead, kind.function);
      self->ranks[rank].bundle.first = 0;
      break;
    default:
      exec->slot = pd_execution_work (self, when, step);
      PD_PROBE (self, step, rank, exec->slot, step);
    }
}

gboolean
pd_execution_continue (PdComsys *self, guint32 rank, PdTime *when)
{
  PdExecution *exec = self->ranks[rank].exec;
  PdStep step;

  while (pd_execution_next_step (self, exec, &step))
    {
      perform (self, exec, rank, *when, &step);
      if (pd_time_is_pending (exec->slot))
        return FALSE;
      if (!pd_comsys_may_go_on (self, rank, exec->slot))
        {
          self->resources->resume (self, rank, PD_EVENT_COLLECTIVE, exec->slot);
          return FALSE;
        }
      *when = exec->slot;
    }
  self->ranks[rank].exec = NULL;
  *exec->ret = *when;
  return TRUE;
}

/* ---- beside the rank: a step waits for its own messages, a WAITALL for those
 * that ISEND and IRECV have started; both are counted, not listed */

/* @req counts until it completes. */
void
pd_nonblocking_add_request (PdComsys *self, PdNonblocking *nonblocking, guint32 req,
                            PdAwaited awaited)
{
  PdReq *r = pd_req (self, req);

  nonblocking->has_taken[awaited] = TRUE;
  if (!pd_time_is_pending (r->done))
    PD_PROBE (self, nonblocking_completed, nonblocking, req, awaited);
  if (pd_time_is_pending (r->done))
    {
      r->nonblocking = TRUE;
      r->waited = awaited == PD_AWAITED_STEP;
      r->link = nonblocking->index;
      nonblocking->pending[awaited]++;
      return;
    }
  nonblocking->latest[awaited] = pd_time_max (nonblocking->latest[awaited], r->done);
  pd_req_drop (self, req, PD_HELD_OWNER);
}

/* All that was awaited has completed: when its wait is over. */
PdTime
pd_nonblocking_end_wait (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited)
{
  PdTime end = !nonblocking->has_taken[awaited]
                   ? nonblocking->latest[awaited]
                   : pd_time_add (nonblocking->latest[awaited], nonblocking->overhead);

  PD_PROBE (self, nonblocking_wait_end, nonblocking, end, awaited);
  nonblocking->latest[awaited] = PD_TIME_ZERO;
  nonblocking->has_taken[awaited] = FALSE;
  return end;
}

/* From @when on the play waits. */
static void
await (PdComsys *self, PdNonblocking *nonblocking, PdTime when, PdAwaited awaited, PdTime overhead)
{
  PD_PROBE (self, nonblocking_wait, nonblocking, when, awaited);
  nonblocking->latest[awaited] = pd_time_max (nonblocking->latest[awaited], when);
  nonblocking->overhead = overhead;
  nonblocking->waits[awaited] = nonblocking->pending[awaited] > 0;
  nonblocking->exec.slot = nonblocking->waits[awaited]
                               ? PD_TIME_PENDING
                               : pd_nonblocking_end_wait (self, nonblocking, awaited);
}

/* Starts a send from @when on; when the play goes on. */
static PdTime
begin_send (PdComsys *self, PdNonblocking *nonblocking, PdTime when, const PdStep *step,
            PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { nonblocking->world, when, &ret, NULL };
  PdEnvelope to = pd_execution_envelope (nonblocking->tag, step->to, step->send_bytes);

  PD_PROBE (self, switch_actor, nonblocking);
  guint32 req = pd_call_begin_send (self, &call, nonblocking->exec.comm, to, &kind);
  PD_PROBE (self, switch_actor, NULL);
  pd_nonblocking_add_request (self, nonblocking, req, awaited);
  return ret;
}

static PdTime
begin_recv (PdComsys *self, PdNonblocking *nonblocking, PdTime when, const PdStep *step,
            PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { nonblocking->world, when, &ret, NULL };
  PdEnvelope from = pd_execution_envelope (nonblocking->tag, step->from, step->recv_bytes);

  PD_PROBE (self, switch_actor, nonblocking);
  guint32 req = pd_call_irecv (self, &call, nonblocking->exec.comm, from, &kind);
  PD_PROBE (self, switch_actor, NULL);
  pd_nonblocking_add_request (self, nonblocking, req, awaited);
  return ret;
}

/* The processor time that a network takes before a receive from @peer, or the wait for it. */
static PdTime
before (const PdComsys *self, const PdNonblocking *nonblocking, guint32 peer)
{
  return pd_costs_before (self, nonblocking->world,
                          pd_comm_world_rank (nonblocking->exec.comm, peer));
}

static void
perform_nonblocking (PdComsys *self, PdNonblocking *nonblocking, PdTime when, const PdStep *step)
{
  PdTime overhead = self->machine->software.wait_overhead;

  PD_PROBE (self, nonblocking_step,
            step->kind == PD_STEP_SENDRECV || step->kind == PD_STEP_WAITALL);
  switch (step->kind)
    {
    case PD_STEP_SEND:
      begin_send (self, nonblocking, when, step, PD_AWAITED_STEP);
      await (self, nonblocking, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_RECV:
      when = pd_time_add (when, before (self, nonblocking, step->from));
      begin_recv (self, nonblocking, when, step, PD_AWAITED_STEP);
      await (self, nonblocking, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_SENDRECV:
      when = begin_send (self, nonblocking, when, step, PD_AWAITED_STEP);
      when = begin_recv (self, nonblocking, when, step, PD_AWAITED_STEP);
      await (self, nonblocking, pd_time_add (when, before (self, nonblocking, step->from)),
             PD_AWAITED_STEP, overhead);
      break;
    case PD_STEP_ISEND:
      nonblocking->exec.slot = begin_send (self, nonblocking, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_IRECV:
      nonblocking->before =
          pd_time_add (nonblocking->before, before (self, nonblocking, step->from));
      nonblocking->exec.slot = begin_recv (self, nonblocking, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_WAITALL:
      await (self, nonblocking, pd_time_add (when, nonblocking->before), PD_AWAITED_ALL, overhead);
      nonblocking->before = PD_TIME_ZERO;
      break;
    default:
      nonblocking->exec.slot = pd_execution_work (self, when, step);
      PD_PROBE (self, nonblocking_work, nonblocking, nonblocking->exec.slot, step);
    }
}

/* The play goes on through the queue, so that none is called by another. */
static void
resume (PdComsys *self, PdNonblocking *nonblocking, PdTime when)
{
  pd_comsys_push (self, pd_time_max (when, self->now), PD_EVENT_NONBLOCKING, nonblocking->world,
                  nonblocking->index);
}

static void
start (PdComsys *self, PdNonblocking *nonblocking, PdTime when)
{
  guint32 request = nonblocking->request;
  PdStep step;

  while (pd_execution_next_step (self, &nonblocking->exec, &step))
    {
      perform_nonblocking (self, nonblocking, when, &step);
      if (pd_time_is_pending (nonblocking->exec.slot))
        return;
      if (nonblocking->exec.slot.ps > when.ps)
        {
          resume (self, nonblocking, nonblocking->exec.slot);
          return;
        }
    }
  PD_PROBE (self, nonblocking_end, nonblocking, when);
  pd_nonblocking_free (self, nonblocking);
  pd_req_complete (self, request, when);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_nonblocking_begin (PdComsys *self, PdNonblocking *nonblocking, PdTime when)
{
  gboolean run_ahead = self->run_ahead;
  PdTime accounted = self->accounted;

  self->run_ahead = FALSE; /* of its sends: the rank itself acts before they have begun */
  start (self, nonblocking, when);
  self->run_ahead = run_ahead;
  self->accounted = accounted;
}

void
pd_nonblocking_go_on (PdComsys *self, PdNonblocking *nonblocking)
{
  start (self, nonblocking, self->now);
}

void
pd_nonblocking_end_await (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited)
{
  if (nonblocking->pending[awaited] > 0 || !nonblocking->waits[awaited])
    return;
  nonblocking->waits[awaited] = FALSE;
  resume (self, nonblocking, pd_nonblocking_end_wait (self, nonblocking, awaited));
}

void
pd_nonblocking_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 index)
{
  self->resources->nonblocking_event (self, nonblocking_of (self, index));
}

void
pd_nonblocking_completed (PdComsys *self, guint32 req, PdTime when)
{
  const PdReq *r = pd_req (self, req);
  PdAwaited awaited = r->waited ? PD_AWAITED_STEP : PD_AWAITED_ALL;
  PdNonblocking *nonblocking = nonblocking_of (self, r->link);

  PD_PROBE (self, nonblocking_completed, nonblocking, req, awaited);
  nonblocking->latest[awaited] = pd_time_max (nonblocking->latest[awaited], when);
  nonblocking->pending[awaited]--;
  pd_req_drop (self, req, PD_HELD_OWNER);
  self->resources->nonblocking_completed (self, nonblocking, awaited);
}
