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

/* A point-to-point call of a schedule in the communicator's second context;
 * members play its operations in the same order, the blocking ones with tag 0. */
static guint32
start (PdComsys *self, const PdPlay *play, const PdCall *call, const PdStep *step, gboolean is_send)
{
  PdEnvelope envelope = { .peer = (gint32) (is_send ? step->to : step->from),
                          .tag = (gint32) play->tag,
                          .bytes = is_send ? step->send_bytes : step->recv_bytes };

  return is_send ? pd_p2p_send (self, call, play->comm, envelope, PD_SEND_STANDARD, TRUE)
                 : pd_p2p_recv (self, call, play->comm, envelope, TRUE);
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
  const PdSoftware *software = &self->machine->software;
  const char *function = pd_ops[play->op].function;
  PdCall call = { rank, when, &play->slot, NULL };
  PdBundle bundle = { 0 };

  pd_comsys_reach (self, rank, when);
  play->slot = when;
  switch (step->kind)
    {
    case PD_STEP_SEND:
    case PD_STEP_RECV:
      pd_wait_bundle (self, &call, start (self, play, &call, step, step->kind == PD_STEP_SEND),
                      PD_TIME_ZERO, function);
      break;
    case PD_STEP_SENDRECV:
      pd_bundle_add (self, &bundle, start (self, play, &call, step, TRUE));
      call.when = pd_time_add (when, software->send_overhead);
      pd_bundle_add (self, &bundle, start (self, play, &call, step, FALSE));
      call.when = pd_time_add (call.when, software->recv_overhead);
      pd_wait_bundle (self, &call, bundle.first, software->wait_overhead, function);
      break;
    case PD_STEP_ISEND:
      pd_bundle_add (self, &play->bundle, start (self, play, &call, step, TRUE));
      play->slot = pd_time_add (when, software->send_overhead);
      break;
    case PD_STEP_IRECV:
      pd_bundle_add (self, &play->bundle, start (self, play, &call, step, FALSE));
      play->slot = pd_time_add (when, software->recv_overhead);
      break;
    case PD_STEP_WAITALL:
      pd_wait_bundle (self, &call, play->bundle.first, software->wait_overhead, function);
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
      if (play->slot.ps > when->ps && !pd_comsys_may_go_on (self, rank, play->slot))
        {
          pd_queue_push (&self->queue, play->slot, TRUE, rank, PD_WHAT (PD_EVENT_PLAY, 0));
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

static void
perform_beside (PdComsys *self, PdPlay *play, PdTime when, const PdStep *step)
{
  const PdSoftware *software = &self->machine->software;
  PdCall call = { play->world, when, &play->slot, NULL };

  switch (step->kind)
    {
    case PD_STEP_SEND:
    case PD_STEP_RECV:
      take (self, play, start (self, play, &call, step, step->kind == PD_STEP_SEND),
            PD_AWAITED_STEP);
      await (play, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_SENDRECV:
      take (self, play, start (self, play, &call, step, TRUE), PD_AWAITED_STEP);
      call.when = pd_time_add (when, software->send_overhead);
      take (self, play, start (self, play, &call, step, FALSE), PD_AWAITED_STEP);
      call.when = pd_time_add (call.when, software->recv_overhead);
      await (play, call.when, PD_AWAITED_STEP, software->wait_overhead);
      break;
    case PD_STEP_ISEND:
      take (self, play, start (self, play, &call, step, TRUE), PD_AWAITED_ALL);
      play->slot = pd_time_add (when, software->send_overhead);
      break;
    case PD_STEP_IRECV:
      take (self, play, start (self, play, &call, step, FALSE), PD_AWAITED_ALL);
      play->slot = pd_time_add (when, software->recv_overhead);
      break;
    case PD_STEP_WAITALL:
      await (play, when, PD_AWAITED_ALL, software->wait_overhead);
      break;
    default:
      play->slot = work (self, when, step);
    }
}

/* The play goes on through the queue, so that none is called by another. */
static void
resume (PdComsys *self, PdPlay *play, PdTime when)
{
  pd_queue_push (&self->queue, pd_time_max (when, self->now), FALSE, play->world,
                 PD_WHAT (PD_EVENT_BESIDE, play->index));
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
  pd_req_complete (self, request, when);
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
