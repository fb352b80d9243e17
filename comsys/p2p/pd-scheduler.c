/* The scheduler: events are queued or executed at once, ranks are made ready, blocked and
 * unblocked. The main loop is in pd-main-loop.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-scheduler-internal.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"
#include "comsys/queue/pd-lines.h"

/* ---- the queue */

/* Whether nothing queued comes before an event of the protocol. */
static gboolean
is_first (const PdComsys *self, guint32 rank, PdTime when)
{
  PdQueueItem item = pd_queue_next_item (&self->queue, when, FALSE, rank);

  return pd_queue_is_first (&self->queue, &item);
}

/* The event at @when affects only its message. */
static void
do_out_of_order (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  PdTime now = self->now;

  self->now = when;
  self->handlers->event[event](self, rank, argument);
  self->now = now;
}

void
pd_comsys_at (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  if (self->is_unordered)
    {
      do_out_of_order (self, when, event, rank, argument);
      return;
    }
  /* At once if that is now. A send's request may also run ahead, if nothing is
   * queued before it: its rank does not act before that moment either. */
  if (when.ps <= self->now.ps
      || (event == PD_EVENT_REQUEST && self->run_ahead && !self->resources->is_fifo
          && is_first (self, rank, when)))
    {
      self->now = pd_time_max (self->now, when);
      self->handlers->event[event](self, rank, argument);
    }
  else
    pd_comsys_push (self, when, event, rank, argument);
}

void
pd_free_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  pd_comsys_push (self, when, event, rank, 0);
}

void
pd_comsys_ready (PdComsys *self, guint32 rank, PdTime when)
{
  g_return_if_fail (rank < self->n_ranks && when.ps >= 0);

  self->resources->resume (self, rank, PD_EVENT_TURN, when);
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
  return self->resources->may_go_on (self, rank, when);
}

gboolean
pd_comsys_is_due (const PdComsys *self, PdTime when)
{
  return when.ps <= self->turn.ps;
}

gboolean
pd_free_may_go_on (const PdComsys *self, guint32 rank, PdTime when)
{
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
pd_comsys_advance_queue_to (PdComsys *self, guint32 rank, PdTime when)
{
  gboolean is_ahead = when.ps > self->turn.ps;

  if (is_ahead && !pd_comsys_may_go_on (self, rank, when))
    return;
  if (G_UNLIKELY (self->is_thorough))
    {
      PD_PROBE (self, call, rank, when);
      if (self->resources->advance != NULL)
        self->resources->advance (self, rank, when, is_ahead);
    }
  if (!is_ahead)
    return;
  self->turn = when;
  self->now = pd_time_max (self->now, when);
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
pd_comsys_push_next (PdComsys *self, PdTime when, guint64 what)
{
  if (when.ps > self->now.ps || self->n_following + 1 == PD_NUMBER_STEP)
    pd_queue_push (&self->queue, when, FALSE, PD_QUEUE_NO_RANK, what);
  else
    pd_comsys_push_numbered (self, when, what, self->number + ++self->n_following);
}

/* The continuation of the rank at the end of its call; its slot gets @when. */
static guint64
end_of_call (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];

  *r->ret = when;
  r->ret = NULL;
  return pd_what (r->exec != NULL ? PD_EVENT_COLLECTIVE : PD_EVENT_TURN, rank, PD_TURN_RETURNED);
}

void
pd_rank_return (PdComsys *self, guint32 rank, PdTime when)
{
  pd_queue_push (&self->queue, when, TRUE, rank, end_of_call (self, rank, when));
}

void
pd_rank_return_next (PdComsys *self, guint32 rank, PdTime when)
{
  if (self->resources->is_fifo)
    pd_comsys_push_next (self, when, end_of_call (self, rank, when));
  else
    pd_rank_return (self, rank, when);
}

void
pd_rank_go_on (PdComsys *self, guint32 rank, PdTime when)
{
  if (!self->resources->is_fifo)
    {
      pd_rank_return (self, rank, when);
      return;
    }
  *self->ranks[rank].ret = when;
  self->ranks[rank].ret = NULL;
  pd_comsys_push_next (self, when, pd_what (PD_EVENT_TURN, rank, 0));
}

void
pd_rank_completed (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];

  r->latest = pd_time_max (r->latest, when);
  if (--r->pending > 0)
    return;
  if (r->exec == NULL && self->near_rank < self->n_ranks)
    for (guint i = 0; i < 1u << self->own_shift; i++)
      pd_prefetch (&self->reqs[1 + (rank << self->own_shift) + i]);
  for (guint32 req = r->first, next; req != 0; req = next)
    {
      next = pd_req (self, req)->link;
      pd_req_expect_list (self, req, next);
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  r->first = 0;
  pd_rank_return_next (self, rank, pd_time_add (r->latest, r->overhead));
}

void
pd_comsys_get_blocked (const PdComsys *self, guint32 rank, PdBlocked *blocked)
{
  const PdRank *r = &self->ranks[rank];

  *blocked = (PdBlocked){ .peer = -1, .tag = -1 };
  if (r->ret == NULL && r->exec == NULL)
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
  blocked->bytes = req->kind == PD_REQ_COLLECTIVE ? 0 : req->bytes;
}
