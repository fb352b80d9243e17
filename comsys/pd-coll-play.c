/* Playing the steps of a schedule as point-to-point operations: by a rank that is
 * blocked in the operation, or beside a rank that does something else.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

#include <string.h>

/* ---- the pool */

#define PLAY_LINES(n) ((gsize) (n) * sizeof (PdPlay) / 64)

PdPlay *
pd_play_of_rank (PdComsys *self, guint32 rank)
{
  PdPlayPool *pool = &self->plays;

  if (pool->of_ranks == NULL)
    {
      pool->of_ranks = pd_lines_resize (NULL, 0, PLAY_LINES (self->n_ranks));
      pool->n_ranks = self->n_ranks;
    }
  pool->n_under_way++;
  pool->n_most = MAX (pool->n_most, pool->n_under_way);
  return &pool->of_ranks[rank];
}

/* An operation is over that blocked its rank. */
static void
end_of_rank (PdPlayPool *pool)
{
  if (--pool->n_under_way > 0 || pool->n_most <= PD_KEPT)
    return;
  pool->n_most = 0;
  pd_lines_free (pool->of_ranks, PLAY_LINES (pool->n_ranks));
  pool->of_ranks = NULL;
}

static void
add_chunk (PdPlayPool *pool)
{
  PdPlayBeside *plays = g_new0 (PdPlayBeside, PD_PLAYS_OF_CHUNK);
  guint32 first;

  if (pool->chunks == NULL)
    pool->chunks = g_ptr_array_new_with_free_func (g_free);
  first = pool->chunks->len * PD_PLAYS_OF_CHUNK;
  g_ptr_array_add (pool->chunks, plays);
  for (guint32 i = PD_PLAYS_OF_CHUNK; i-- > 0;)
    {
      plays[i].index = first + i;
      plays[i].play.next = pool->free;
      pool->free = &plays[i];
    }
}

PdPlayBeside *
pd_play_new_beside (PdComsys *self)
{
  PdPlayPool *pool = &self->plays;

  if (pool->free == NULL)
    add_chunk (pool);
  PdPlayBeside *beside = pool->free;
  pool->free = beside->play.next;
  *beside = (PdPlayBeside){ .index = beside->index };
  return beside;
}

void
pd_play_drop_beside (PdComsys *self, PdPlayBeside *beside)
{
  beside->play.next = self->plays.free;
  self->plays.free = beside;
}

void
pd_play_pool_clear (PdPlayPool *pool)
{
  if (pool->of_ranks != NULL)
    pd_lines_free (pool->of_ranks, PLAY_LINES (pool->n_ranks));
  pool->of_ranks = NULL;
  g_clear_pointer (&pool->chunks, g_ptr_array_unref);
  pool->free = NULL;
}

static PdPlayBeside *
beside_of (PdComsys *self, guint32 index)
{
  PdPlayBeside *chunk = g_ptr_array_index (self->plays.chunks, index / PD_PLAYS_OF_CHUNK);

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

  if (play->component + 1u >= info->n_components)
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
PdEnvelope
pd_play_envelope (guint32 tag, guint32 peer, gint64 bytes)
{
  return (PdEnvelope){ .peer = (gint32) peer, .tag = (gint32) tag, .bytes = bytes };
}

/* A step that needs nobody else: when it is over. */
PdTime
pd_play_work (const PdComsys *self, PdTime when, const PdStep *step)
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
  PdEnvelope to = pd_play_envelope (0, step->to, step->send_bytes);
  PdEnvelope from = pd_play_envelope (0, step->from, step->recv_bytes);
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
      pd_bundle_add (self, &self->ranks[rank].bundle,
                     pd_call_isend (self, &call, play->comm, to, &kind));
      break;
    case PD_STEP_IRECV:
      pd_bundle_add (self, &self->ranks[rank].bundle,
                     pd_call_irecv (self, &call, play->comm, from, &kind));
      break;
    case PD_STEP_WAITALL:
      call.when = pd_time_add (when, pd_costs_before_wait (self, self->ranks[rank].bundle.first));
      if (call.when.ps > when.ps && self->trail != NULL)
        pd_trail_asked (self, &(PdCall){ rank, when, NULL, NULL }, call.when);
      pd_wait_bundle (self, &call, self->ranks[rank].bundle.first,
                      self->machine->software.wait_overhead, kind.function);
      self->ranks[rank].bundle.first = 0;
      break;
    default:
      play->slot = pd_play_work (self, when, step);
      if (self->trail != NULL)
        pd_trail_step (self, rank, play->slot, step);
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
  end_of_rank (&self->plays);
  return TRUE;
}

/* ---- beside the rank: a step waits for its own messages, a WAITALL for those
 * that ISEND and IRECV have started; both are counted, not listed */

/* @req counts until it completes. */
void
pd_play_take (PdComsys *self, PdPlayBeside *beside, guint32 req, PdAwaited awaited)
{
  PdReq *r = pd_req (self, req);

  beside->has_taken[awaited] = TRUE;
  if (self->trail != NULL && !pd_time_is_pending (r->done))
    pd_trail_got_beside (self, beside, req, awaited);
  if (pd_time_is_pending (r->done))
    {
      r->beside = TRUE;
      r->waited = awaited == PD_AWAITED_STEP;
      r->link = beside->index;
      beside->pending[awaited]++;
      return;
    }
  beside->latest[awaited] = pd_time_max (beside->latest[awaited], r->done);
  pd_req_drop (self, req, PD_HELD_OWNER);
}

/* All that was awaited has completed: when its wait is over. */
PdTime
pd_play_end_wait (PdComsys *self, PdPlayBeside *beside, PdAwaited awaited)
{
  PdTime end = !beside->has_taken[awaited]
                   ? beside->latest[awaited]
                   : pd_time_add (beside->latest[awaited], beside->overhead);

  if (self->trail != NULL)
    pd_trail_ends_wait_beside (self, beside, end, awaited);
  beside->latest[awaited] = PD_TIME_ZERO;
  beside->has_taken[awaited] = FALSE;
  return end;
}

/* From @when on the play waits. */
static void
await (PdComsys *self, PdPlayBeside *beside, PdTime when, PdAwaited awaited, PdTime overhead)
{
  if (self->trail != NULL)
    pd_trail_waits_beside (self, beside, when, awaited);
  beside->latest[awaited] = pd_time_max (beside->latest[awaited], when);
  beside->overhead = overhead;
  beside->waits[awaited] = beside->pending[awaited] > 0;
  beside->play.slot =
      beside->waits[awaited] ? PD_TIME_PENDING : pd_play_end_wait (self, beside, awaited);
}

/* Starts a send from @when on; when the play goes on. */
static PdTime
begin_send (PdComsys *self, PdPlayBeside *beside, PdTime when, const PdStep *step,
            PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { beside->world, when, &ret, NULL };
  PdEnvelope to = pd_play_envelope (beside->tag, step->to, step->send_bytes);

  pd_trail_switch (self, beside);
  guint32 req = pd_call_begin_send (self, &call, beside->play.comm, to, &kind);
  pd_trail_switch (self, NULL);
  pd_play_take (self, beside, req, awaited);
  return ret;
}

static PdTime
begin_recv (PdComsys *self, PdPlayBeside *beside, PdTime when, const PdStep *step,
            PdAwaited awaited)
{
  const PdCallKind kind = { .collective = TRUE };
  PdTime ret = when;
  PdCall call = { beside->world, when, &ret, NULL };
  PdEnvelope from = pd_play_envelope (beside->tag, step->from, step->recv_bytes);

  pd_trail_switch (self, beside);
  guint32 req = pd_call_irecv (self, &call, beside->play.comm, from, &kind);
  pd_trail_switch (self, NULL);
  pd_play_take (self, beside, req, awaited);
  return ret;
}

/* What a network asks for before a receive from @peer, or the wait for it. */
static PdTime
before (const PdComsys *self, const PdPlayBeside *beside, guint32 peer)
{
  return pd_costs_before (self, beside->world, pd_comm_world_rank (beside->play.comm, peer));
}

static void
perform_beside (PdComsys *self, PdPlayBeside *beside, PdTime when, const PdStep *step)
{
  PdTime overhead = self->machine->software.wait_overhead;

  if (self->trail != NULL)
    pd_trail_step_beside (self, step->kind == PD_STEP_SENDRECV || step->kind == PD_STEP_WAITALL);
  switch (step->kind)
    {
    case PD_STEP_SEND:
      begin_send (self, beside, when, step, PD_AWAITED_STEP);
      await (self, beside, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_RECV:
      when = pd_time_add (when, before (self, beside, step->from));
      begin_recv (self, beside, when, step, PD_AWAITED_STEP);
      await (self, beside, when, PD_AWAITED_STEP, PD_TIME_ZERO);
      break;
    case PD_STEP_SENDRECV:
      when = begin_send (self, beside, when, step, PD_AWAITED_STEP);
      when = begin_recv (self, beside, when, step, PD_AWAITED_STEP);
      await (self, beside, pd_time_add (when, before (self, beside, step->from)), PD_AWAITED_STEP,
             overhead);
      break;
    case PD_STEP_ISEND:
      beside->play.slot = begin_send (self, beside, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_IRECV:
      beside->before = pd_time_add (beside->before, before (self, beside, step->from));
      beside->play.slot = begin_recv (self, beside, when, step, PD_AWAITED_ALL);
      break;
    case PD_STEP_WAITALL:
      await (self, beside, pd_time_add (when, beside->before), PD_AWAITED_ALL, overhead);
      beside->before = PD_TIME_ZERO;
      break;
    default:
      beside->play.slot = pd_play_work (self, when, step);
      if (self->trail != NULL)
        pd_trail_work_beside (self, beside, beside->play.slot, step);
    }
}

/* The play goes on through the queue, so that none is called by another. */
static void
resume (PdComsys *self, PdPlayBeside *beside, PdTime when)
{
  pd_comsys_push (self, pd_time_max (when, self->now), PD_EVENT_BESIDE, beside->world,
                  beside->index);
}

void
pd_play_start (PdComsys *self, PdPlayBeside *beside, PdTime when)
{
  guint32 request = beside->request;
  PdStep step;

  while (pd_play_next_step (self, &beside->play, &step))
    {
      perform_beside (self, beside, when, &step);
      if (pd_time_is_pending (beside->play.slot))
        return;
      if (beside->play.slot.ps > when.ps)
        {
          resume (self, beside, beside->play.slot);
          return;
        }
    }
  if (self->trail != NULL)
    pd_trail_ends_beside (self, beside, when);
  pd_play_drop_beside (self, beside);
  pd_p2p_complete (self, request, when);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_play_go_on_beside (PdComsys *self, guint32 index)
{
  if (self->cpus != NULL)
    pd_cpu_play_event (self, beside_of (self, index));
  else
    pd_play_start (self, beside_of (self, index), self->now);
}

void
pd_play_completed (PdComsys *self, guint32 req, PdTime when)
{
  const PdReq *r = pd_req (self, req);
  PdAwaited awaited = r->waited ? PD_AWAITED_STEP : PD_AWAITED_ALL;
  PdPlayBeside *beside = beside_of (self, r->link);

  if (self->trail != NULL)
    pd_trail_got_beside (self, beside, req, awaited);
  beside->latest[awaited] = pd_time_max (beside->latest[awaited], when);
  beside->pending[awaited]--;
  pd_req_drop (self, req, PD_HELD_OWNER);
  if (self->cpus != NULL)
    {
      pd_cpu_play_completed (self, beside, awaited);
      return;
    }
  if (beside->pending[awaited] > 0 || !beside->waits[awaited])
    return;
  beside->waits[awaited] = FALSE;
  resume (self, beside, pd_play_end_wait (self, beside, awaited));
}
