/* The queue, blocking and unblocking. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCHEDULER_INTERNAL_H
#define PD_SCHEDULER_INTERNAL_H

#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_comsys_push_numbered:
 * Puts @what into the queue with a number of its own.
 */
static inline void
pd_comsys_push_numbered (PdComsys *self, PdTime when, guint64 what, guint64 number)
{
  pd_queue_push_numbered (&self->queue, when, number, what);
}

/**
 * pd_cpu_new_number:
 * Returns: a number for the event that is entered now, on a machine with endpoint resources.
 */
static inline guint64
pd_cpu_new_number (PdComsys *self)
{
  return self->queue.sequence += PD_NUMBER_STEP;
}

/**
 * pd_comsys_push:
 * Puts an event into the queue.
 */
static inline void
pd_comsys_push (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  pd_queue_push (&self->queue, when, event <= PD_EVENT_NOTIFY, rank,
                 pd_what (event, rank, argument));
}

/**
 * pd_free_resume:
 * Of PdResources: the acting rank goes on at @when with @event.
 */
void pd_free_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when);

/**
 * pd_free_may_go_on:
 * Of PdResources: likewise @rank acts at @when.
 */
gboolean pd_free_may_go_on (const PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_at:
 * Event at @when, or at once where that is now.
 */
void pd_comsys_at (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument);

/**
 * pd_comsys_advance_queue_to:
 * See pd_comsys_advance_to(); not at the moment of its turn, unless messages keep
 * processors.
 */
void pd_comsys_advance_queue_to (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_advance_to:
 * The acting rank calls at @when. If it has run ahead of the queue to there, that is now;
 * so what it starts happens as if it had gone through the queue.
 */
static inline void
pd_comsys_advance_to (PdComsys *self, guint32 rank, PdTime when)
{
  if (when.ps > self->turn.ps || G_UNLIKELY (self->is_thorough))
    pd_comsys_advance_queue_to (self, rank, when);
}

/**
 * pd_rank_return:
 * The rank's blocked call returns at @when.
 */
void pd_rank_return (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_push_next:
 * Puts @what into the queue where equal moments are first in, first out: if @when is now, before
 * all else, behind what the event under way has put there so.
 */
void pd_comsys_push_next (PdComsys *self, PdTime when, guint64 what);

/**
 * pd_rank_return_next:
 * As pd_rank_return(), because of the event under way: see pd_comsys_push_next().
 */
void pd_rank_return_next (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_rank_go_on:
 * As pd_rank_return_next(), of a rank that waited for nothing: where equal moments are first in,
 * first out, it acts before all else, and is not queued again. Not in a schedule of messages.
 */
void pd_rank_go_on (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_rank_block:
 * @rank is blocked in @function until pd_rank_return().
 */
void pd_rank_block (PdComsys *self, const PdCall *call, const char *function);

/**
 * pd_rank_completed:
 * A waited-for request of @rank completed at @when.
 */
void pd_rank_completed (PdComsys *self, guint32 rank, PdTime when);

#endif
