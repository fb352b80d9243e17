/* The main loop's side of the communication system: its queue, whose turn it is,
 * blocking and unblocking.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

#define AHEAD 8

/* What so many ranks need stays near by itself. */
#define FEW_RANKS 2048

/* ---- the queue */

/* Whether nothing queued comes before an event of the protocol. */
static gboolean
is_first (const PdComsys *self, guint32 rank, PdTime when)
{
  PdQueueItem item = pd_queue_item (when, FALSE, rank, self->queue.sequence & 0xffffffffff);

  return self->cpus != NULL ? pd_cpu_is_first (self, when, 0)
                            : pd_queue_is_first (&self->queue, &item);
}

/* What happens at @when touches nothing but its message. */
static void
do_out_of_order (PdComsys *self, PdTime when, PdEvent event, guint32 argument)
{
  PdTime now = self->now;

  self->now = when;
  pd_p2p_event (self, event, argument);
  self->now = now;
}

void
pd_comsys_at (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  if (self->is_unordered)
    {
      do_out_of_order (self, when, event, argument);
      return;
    }
  /* At once if that is now. A send's request may also run ahead, if nothing is
   * queued before it: its rank does not act before that moment either. */
  if (when.ps <= self->now.ps
      || (event == PD_EVENT_REQUEST && self->run_ahead && is_first (self, rank, when)))
    {
      self->now = pd_time_max (self->now, when);
      pd_p2p_event (self, event, argument);
    }
  else
    pd_comsys_push (self, when, event, rank, argument);
}

void
pd_comsys_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  if (self->cpus == NULL)
    pd_comsys_push (self, when, event, rank, 0);
  else
    pd_cpu_compute (self, rank, event, when);
}

void
pd_comsys_ready (PdComsys *self, guint32 rank, PdTime when)
{
  g_return_if_fail (rank < self->n_ranks && when.ps >= 0);

  pd_comsys_resume (self, rank, PD_EVENT_TURN, when);
}

void
pd_comsys_ready_token (PdComsys *self, guint32 rank, PdTime when, guint32 token)
{
  g_return_if_fail (rank < self->n_ranks && when.ps >= 0 && token != PD_TOKEN_NONE);

  pd_comsys_push (self, when, PD_EVENT_NOTIFY, rank, token);
}

gboolean
pd_comsys_may_go_on (const PdComsys *self, guint32 rank, PdTime when)
{
  if (G_UNLIKELY (self->cpus != NULL))
    return pd_cpu_may_go_on (self, rank, when);
  /* what it did at the moment of its turn may have made others ready then;
   * still the turn is its own, in both modes */
  if (when.ps <= self->turn.ps)
    return TRUE;
  if (!self->run_ahead)
    return FALSE;

  PdQueueItem item = pd_queue_item (when, TRUE, rank, 0);

  return pd_queue_is_first (&self->queue, &item);
}

void
pd_comsys_reach_further (PdComsys *self, guint32 rank, PdTime when)
{
  gboolean is_ahead = when.ps > self->turn.ps;

  if (is_ahead && !pd_comsys_may_go_on (self, rank, when))
    return;
  if (G_UNLIKELY (self->is_thorough))
    {
      if (self->trail != NULL)
        pd_trail_calls (self, rank, when);
      if (self->cpus != NULL)
        pd_cpu_reach (self, rank, when, is_ahead);
    }
  if (!is_ahead)
    return;
  self->turn = when;
  self->now = pd_time_max (self->now, when);
}

static void
network_event (PdComsys *self, guint64 what)
{
  const PdLevel *level = &self->levels[what >> 32 & 0xffffff];

  level->class->event (level->network, (guint32) what, self->now);
}

static guint32
rank_of (guint64 what)
{
  return what >> 56 == PD_EVENT_NETWORK ? G_MAXUINT32 : (guint32) (what >> 32 & 0xffffff);
}

/* The rank of the event that is @ahead of the next one of this moment; where a
 * moment has one event only, of one of the next moments, @moments from now;
 * beyond all ranks if there is none. */
static guint32
upcoming_rank (const PdQueue *queue, gsize ahead, guint32 moments)
{
  gsize i = queue->next + ahead;

  if (i < queue->n_run)
    return rank_of (queue->run[i].what);
  if (queue->n_run > 1 || moments >= queue->future.n)
    return G_MAXUINT32;
  const PdMomentItem *item = pd_moments_peek (&queue->future, moments);
  return item != NULL ? rank_of (item->what) : G_MAXUINT32;
}

void
pd_comsys_expect (const PdComsys *self, guint32 rank)
{
  const PdLevel *level = &self->levels[0];

  __builtin_prefetch (&self->match.groups[rank & self->match.mask]);
  if (level->class->expect != NULL && self->topology->is_flat)
    level->class->expect (level->network, self->placement != NULL ? self->placement[rank] : rank);
}

/* Has the memory loaded that the events of this moment will need soon: with
 * many ranks each of them is far away. */
static void
prefetch (const PdComsys *self)
{
  if (self->n_ranks <= FEW_RANKS)
    return;

  guint32 far = upcoming_rank (&self->queue, 2 * AHEAD, 3);
  guint32 near = upcoming_rank (&self->queue, AHEAD, 1);

  if (far < self->n_ranks)
    __builtin_prefetch (&self->ranks[far]);
  if (near >= self->n_ranks)
    return;
  if (self->ranks[near].play != NULL)
    {
      __builtin_prefetch (self->ranks[near].play);
      __builtin_prefetch ((char *) self->ranks[near].play + 64);
    }
  for (guint i = 0; i < 1u << self->own_shift; i++)
    __builtin_prefetch (&self->reqs[1 + (near << self->own_shift) + i], 1);
  pd_comsys_expect (self, near);
}

guint32
pd_comsys_peek (const PdComsys *self)
{
  return self->n_ranks <= FEW_RANKS ? G_MAXUINT32 : upcoming_rank (&self->queue, AHEAD, 0);
}

static void
begin_turn (PdComsys *self, guint32 rank)
{
  self->turn = self->now;
  if (G_UNLIKELY (self->cpus != NULL))
    pd_cpu_begin_turn (self, rank);
}

gboolean
pd_comsys_next_event (PdComsys *self, PdTurn *turn)
{
  if (G_UNLIKELY (self->deferred != NULL))
    pd_cpu_play_deferred (self);
  while (!pd_queue_is_empty (&self->queue))
    {
      PdQueueItem item = pd_queue_pop (&self->queue);
      guint32 who = (guint32) (item.what >> 32 & 0xffffff);
      PdEvent event = (PdEvent) (item.what >> 56);

      prefetch (self);
      self->now = pd_queue_item_time (&item);
      self->number = item.rank_sequence & 0xffffffffff;
      self->counts.n_events++;
      switch (event)
        {
        case PD_EVENT_TURN:
        case PD_EVENT_NOTIFY:
          begin_turn (self, who);
          *turn = (PdTurn){ who, event == PD_EVENT_TURN ? PD_TOKEN_NONE : (guint32) item.what,
                            self->now };
          return TRUE;
        case PD_EVENT_PLAY:
          *turn = (PdTurn){ who, PD_TOKEN_NONE, self->now };
          begin_turn (self, who);
          if (!pd_play_go_on (self, who, &turn->when))
            break;
          pd_comsys_reach (self, who, turn->when);
          return TRUE;
        case PD_EVENT_EPOCH:
          begin_turn (self, who);
          pd_epoch_event (self, who, (guint32) item.what);
          break;
        case PD_EVENT_BESIDE:
          pd_play_go_on_beside (self, (guint32) item.what);
          break;
        case PD_EVENT_CHECK:
          pd_wait_check (self, who);
          break;
        case PD_EVENT_NETWORK:
          network_event (self, item.what);
          break;
        case PD_EVENT_LAUNCH:
        case PD_EVENT_ARRIVE:
        case PD_EVENT_POST:
        case PD_EVENT_COMPUTE:
          pd_cpu_event (self, event, who, (guint32) item.what);
          break;
        default:
          pd_p2p_event (self, event, (guint32) item.what);
          break;
        }
    }
  pd_queue_trim (&self->queue);
  return FALSE;
}

gboolean
pd_comsys_next (PdComsys *self, guint32 *rank, PdTime *when)
{
  PdTurn turn;

  if (!pd_comsys_next_event (self, &turn))
    return FALSE;
  *rank = turn.rank;
  *when = turn.when;
  return TRUE;
}

/* ---- blocked ranks */

void
pd_rank_block (PdComsys *self, const PdCall *call, const char *function)
{
  PdRank *rank = &self->ranks[call->rank];

  g_assert (rank->pending == 0);
  rank->ret = call->ret;
  rank->function = function;
  rank->latest = PD_TIME_ZERO;
  *call->ret = PD_TIME_PENDING;
}

void
pd_rank_return (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];
  PdEvent event = r->play != NULL ? PD_EVENT_PLAY : PD_EVENT_TURN;

  *r->ret = when;
  r->ret = NULL;
  pd_comsys_push (self, when, event, rank, 0);
}

void
pd_rank_completed (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];

  r->latest = pd_time_max (r->latest, when);
  if (--r->pending > 0)
    return;
  for (guint32 req = r->first, next; req != 0; req = next)
    {
      next = pd_req (self, req)->link;
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  r->first = 0;
  pd_rank_return (self, rank, pd_time_add (r->latest, r->overhead));
}

void
pd_comsys_get_blocked (const PdComsys *self, guint32 rank, PdBlocked *blocked)
{
  const PdRank *r = &self->ranks[rank];

  *blocked = (PdBlocked){ .peer = -1, .tag = -1 };
  if (r->ret == NULL && r->play == NULL)
    return;
  blocked->function = r->function;
  if (r->pending == 0)
    return;
  guint32 missing = r->first; /* the first of those that are not complete */
  while (!pd_time_is_pending (self->reqs[missing].done))
    missing = self->reqs[missing].link;
  const PdReq *req = &self->reqs[missing];
  blocked->peer = req->peer == G_MAXUINT32 ? -1 : (gint64) req->peer;
  blocked->tag = req->tag;
  blocked->bytes = req->bytes;
}
