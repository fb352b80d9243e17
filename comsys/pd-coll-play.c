/* Playing the steps of a schedule as point-to-point operations: by a rank that is
 * blocked in the operation, or beside a rank that does something else.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-collective-private.h"

/* ---- the pool */

static void
add_chunk (PdPlayPool *pool)
{
  PdPlay *plays = g_new0 (PdPlay, PD_PLAYS_OF_CHUNK);
  guint32 first;

  if (pool->chunks == NULL)
    pool->chunks = g_ptr_array_new_with_free_func (g_free);
  first = pool->chunks->len * PD_PLAYS_OF_CHUNK;
  g_ptr_array_add (pool->chunks, plays);
  for (guint32 i = PD_PLAYS_OF_CHUNK; i-- > 0;)
    {
      plays[i].index = first + i;
      plays[i].next = pool->free;
      pool->free = &plays[i];
    }
}

PdPlay *
pd_play_new (PdComsys *self)
{
  PdPlayPool *pool = &self->plays;

  if (pool->free == NULL)
    add_chunk (pool);
  PdPlay *play = pool->free;
  pool->free = play->next;
  *play = (PdPlay){ .index = play->index, .total = -1 };
  return play;
}

void
pd_play_drop (PdComsys *self, PdPlay *play)
{
  play->next = self->plays.free;
  self->plays.free = play;
}

void
pd_play_pool_clear (PdPlayPool *pool)
{
  g_clear_pointer (&pool->chunks, g_ptr_array_unref);
  pool->free = NULL;
}

static PdPlay *
play_of (PdComsys *self, guint32 index)
{
  PdPlay *chunk = g_ptr_array_index (self->plays.chunks, index / PD_PLAYS_OF_CHUNK);

  return &chunk[index % PD_PLAYS_OF_CHUNK];
}

/* ---- steps */

static void
rewind_part (PdPlay *play)
{
  play->stage = 0;
  play->i = play->j = 0;
  play->total = -1;
}

/* What the operation is made of goes on with another one. */
static gboolean
next_component (PdComsys *self, PdPlay *play)
{
  const PdOpInfo *info = &pd_ops[play->op];

  if (play->component + 1 >= info->n_components)
    return FALSE;
  play->component++;
  play->part = 0;
  rewind_part (play);
  play->args.op = info->components[play->component].op;
  play->args.bytes = info->components[play->component].bytes;
  pd_collective_choose (self->set, play);
  return TRUE;
}

gboolean
pd_play_next_step (PdComsys *self, PdPlay *play, PdStep *step)
{
  do
    for (; play->part < PD_MAX_PARTS && play->algorithm->parts[play->part] != NULL; play->part++)
      {
        play->algorithm->parts[play->part](play, step);
        if (step->kind != PD_STEP_DONE)
          return TRUE;
        rewind_part (play);
      }
  while (next_component (self, play));
  return FALSE;
}

/* What a schedule sends or receives, in the communicator's second context; members
 * play its operations in the same order, the blocking ones with tag 0. */
static PdEnvelope
envelope_of (const PdPlay *play, guint32 peer, gint64 bytes)
{
  return (PdEnvelope){ .peer = (gint32) peer, .tag = (gint32) play->tag, .bytes = bytes };
}

/* A step that needs nobody else: when it is over. */
static PdTime
work (const PdComsys *self, PdTime when, const PdStep *step)
{
  const PdSoftware *software = &self->machine->software;
  gdouble per_byte =
      step->kind == PD_STEP_REDUCE ? software->reduction_per_byte : software->copy_per_byte;

  return pd_time_add (when, pd_time_for_bytes (step->send_bytes, per_byte));
}

/* Performs @step for the rank at @when; play->slot says when it is over. */
static void
perform (PdComsys *self, PdPlay *play, guint32 rank, PdTime when, const PdStep *step)
{
  const PdCallKind kind = { .collective = TRUE, .function = pd_ops[play->op].function };
  PdEnvelope to = envelope_of (play, step->to, step->send_bytes);
  PdEnvelope from = envelope_of (play, step->from, step->recv_bytes);
  PdCall call = { rank, when, &play->slot, NULL };

  pd_comsys_reach (self, rank, when);
  play->slot = when;
  switch (step->kind)
    {
    case PD_STEP_SEND:
      pd_call_send (self, &call, play->comm, to, &kind);
      break;
    case PD_STEP_RECV:
      pd_call_recv (self, &call, play->comm, from, &kind);
      break;
    case PD_STEP_SENDRECV:
      pd_call_sendrecv (self, &call, play->comm, &(PdExchange){ to, from }, &kind);
      break;
    case PD_STEP_ISEND:
      pd_bundle_add (self, &play->bundle, pd_call_isend (self, &call, play->comm, to, &kind));
      break;
    case PD_STEP_IRECV:
      pd_bundle_add (self, &play->bundle, pd_call_irecv (self, &call, play->comm, from, &kind));
      break;
    case PD_STEP_WAITALL:
      call.when = pd_time_add (when, pd_costs_before_wait (self, play->bundle.first));
      pd_wait_bundle (self, &call, play->bundle.first, self->machine->software.wait_overhead,
                      kind.function);
      play->bundle.first = 0;
      break;
    default:
      play->slot = work (self, when, step);
    }
}

gboolean
pd_play_go_on (PdComsys *self, guint32 rank, PdTime *when)
{
  PdPlay *play = self->ranks[rank].play;
  PdStep step;

  while (pd_play_next_step (self, play, &step))
    {
      perform (self, play, rank, *when, &step);
      if (pd_time_is_pending (play->slot))
        return FALSE;
      if (!pd_comsys_may_go_on (self, rank, play->slot))
        {
          pd_comsys_resume (self, rank, PD_EVENT_PLAY, play->slot);
          return FALSE;
        }
      *when = play->slot;
    }
  self->ranks[rank].play = NULL;
  *play->ret = *when;
  pd_play_drop (self, play);
  return TRUE;
}

/* ---- beside the rank: a step waits for its own messages, a WAITALL for those
 * that ISEND and IRECV have started; both are counted, not listed */

/* @req counts until it completes. */
static void
take (PdComsys *self, PdPlay *play, guint32 req, PdAwaited awaited)
{
  PdReq *r = pd_req (self, req);

  play->n_taken[awaited]++;
  if (pd_time_is_pending (r->done))
    {
      r->beside = TRUE;
      r->waited = awaited == PD_AWAITED_STEP;
      r->link = play->index;
      play->pending[awaited]++;
      return;
    }
  play->latest[awaited] = pd_time_max (play->latest[awaited], r->done);
  pd_req_drop (self, req, PD_HELD_OWNER);
}

/* All that was awaited has completed: when its wait is over. */
static PdTime
end_wait (PdPlay *play, PdAwaited awaited)
{
  PdTime end = play->n_taken[awaited] == 0 ? play->latest[awaited]
                                           : pd_time_add (play->latest[awaited], play->overhead);

  play->latest[awaited] = PD_TIME_ZERO;
  play->n_taken[awaited] = 0;
  return end;
}

/* From @when on the play waits. */
static void
await (PdPlay *play, PdTime when, PdAwaited awaited, PdTime overhead)
{
  play->latest[awaited] = pd_time_max (play->latest[awaited], when);
  play->overhead = overhead;
  play->waits[awaited] = play->pending[awaited] > 0;
  play->slot = play->waits[awaited] ? PD_TIME_PENDING : end_wait (play, awaited);
}

/* Starts a send from @when on; when the play goes on. Where the send has to wait for
 * its processor the play does not. */
static PdTime
begin_send (PdComsys *self, PdPlay *play, PdTime when, const PdStep *step, PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { play->world, when, &ret, NULL };
  PdEnvelope to = envelope_of (play, step->to, step->send_bytes);

  take (self, play, pd_call_begin_send (self, &call, play->comm, to, &kind), awaited);
  return pd_time_is_pending (ret) ? when : ret;
}

static PdTime
begin_recv (PdComsys *self, PdPlay *play, PdTime when, const PdStep *step, PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { play->world, when, &ret, NULL };
  PdEnvelope from = envelope_of (play, step->from, step->recv_bytes);

  take (self, play, pd_call_irecv (self, &call, play->comm, from, &kind), awaited);
  return ret;
}

/* What a network asks for before a receive from @peer, or the wait for it. */
static PdTime
before (const PdComsys *self, const PdPlay *play, guint32 peer)
{
  return pd_costs_before (self, play->world, pd_comm_world_rank (play->comm, peer));
}

static void
perform_beside (PdComsys *self, PdPlay *play, PdTime when, const PdStep *step)
{
  PdTime overhead = self->machine->software.wait_overhead;

  switch (step->kind)
    {
    case PD_STEP_SEND:
      begin_send (self, play, when, step, PD_AWAITED_STEP);
      await (play, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_RECV:
      when = pd_time_add (when, before (self, play, step->from));
      begin_recv (self, play, when, step, PD_AWAITED_STEP);
      await (play, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_SENDRECV:
      when = begin_send (self, play, when, step, PD_AWAITED_STEP);
      when = begin_recv (self, play, when, step, PD_AWAITED_STEP);
      await (play, pd_time_add (when, before (self, play, step->from)), PD_AWAITED_STEP, overhead);
      break;
    case PD_STEP_ISEND:
      play->slot = begin_send (self, play, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_IRECV:
      play->before = pd_time_add (play->before, before (self, play, step->from));
      play->slot = begin_recv (self, play, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_WAITALL:
      await (play, pd_time_add (when, play->before), PD_AWAITED_ALL, overhead);
      play->before = PD_TIME_ZERO;
      break;
    default:
      play->slot = work (self, when, step);
    }
}

/* The play goes on through the queue, so that none is called by another. */
static void
resume (PdComsys *self, PdPlay *play, PdTime when)
{
  pd_comsys_push (self, pd_time_max (when, self->now), PD_EVENT_BESIDE, play->world, play->index);
}

void
pd_play_start (PdComsys *self, PdPlay *play, PdTime when)
{
  guint32 request = play->request;
  PdStep step;

  while (pd_play_next_step (self, play, &step))
    {
      perform_beside (self, play, when, &step);
      if (pd_time_is_pending (play->slot))
        return;
      if (play->slot.ps > when.ps)
        {
          resume (self, play, play->slot);
          return;
        }
    }
  pd_play_drop (self, play);
  pd_p2p_complete (self, request, when);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_play_go_on_beside (PdComsys *self, guint32 index)
{
  pd_play_start (self, play_of (self, index), self->now);
}

void
pd_play_completed (PdComsys *self, guint32 req, PdTime when)
{
  const PdReq *r = pd_req (self, req);
  PdAwaited awaited = r->waited ? PD_AWAITED_STEP : PD_AWAITED_ALL;
  PdPlay *play = play_of (self, r->link);

  play->latest[awaited] = pd_time_max (play->latest[awaited], when);
  play->pending[awaited]--;
  pd_req_drop (self, req, PD_HELD_OWNER);
  if (play->pending[awaited] > 0 || !play->waits[awaited])
    return;
  play->waits[awaited] = FALSE;
  resume (self, play, end_wait (play, awaited));
}
