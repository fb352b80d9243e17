/* The main loop of a simulation: events are taken from the queue, and their handlers called,
 * until a rank's turn comes.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-main-loop.h"

#include "comsys/mpi/pd-barrier-state-private.h"
#include "comsys/mpi/pd-coll-execute-private.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/mpi/pd-cpu-nonblocking-private.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-fifo-order.h"
#include "comsys/mpi/pd-main-loop-private.h"
#include "comsys/p2p/pd-operations-events.h"
#include "comsys/p2p/pd-match.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-p2p.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait-private.h"
#include "comsys/p2p/pd-wildcard.h"
#include "comsys/mpi/pd-win-private.h"
#include "comsys/queue/pd-event-times.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/queue/pd-lines.h"

#define AHEAD 8

/* The data of this many ranks stays in the cache without prefetching. */
#define FEW_RANKS 2048

/* ---- what comes soon */

static guint32
rank_of (guint64 what)
{
  return what >> 56 == PD_EVENT_NETWORK ? G_MAXUINT32 : (guint32) (what >> 32 & 0xffffff);
}

/* The rank of the event that is @ahead of the next one of this moment; where a
 * moment has one event only, of one of the next moments, @event_index from now;
 * beyond all ranks if there is none. */
static guint32
upcoming_rank (const PdQueue *queue, gsize ahead, guint32 event_index)
{
  gsize i = queue->next + ahead;

  if (i < queue->n_run)
    return rank_of (queue->run[i].what);
  if (queue->n_run > 1 || event_index >= queue->future.n)
    return G_MAXUINT32;
  const PdEventItem *item = pd_event_times_peek (&queue->future, event_index);
  return item != NULL ? rank_of (item->what) : G_MAXUINT32;
}

void
pd_comsys_expect (const PdComsys *self, guint32 rank)
{
  pd_rank_expect (self, rank);
}

void
pd_comsys_expect_message (const PdComsys *self, guint32 rank, guint32 peer, gint32 tag,
                          gboolean is_send, gboolean is_near)
{
  const PdMatchKey key = { .target = is_send ? peer : rank,
                           .source = is_send ? rank : peer,
                           .context = self->world->context,
                           .tag = tag };

  pd_match_expect (self, &key, is_near);
}

/* Of the requests of the rank that acts soon those are loaded that it needs if it does what the
 * last one did: what that one had in use before or behind its turn. */
static inline void
prefetch_requests (const PdComsys *self, guint32 rank, guint32 used)
{
  const PdReq *own = &self->reqs[1 + (rank << self->own_shift)];

  for (; used != 0; used &= used - 1)
    pd_prefetch (&own[__builtin_ctz (used)]);
}

/* Ranks of events that come soon; beyond all ranks where that is not known. */
typedef struct
{
  guint32 next;
  guint32 near;
  guint32 far;
} Upcoming;

/* Has the memory loaded that the events of this moment will need soon: with
 * many ranks each of them is far away. @who: acts now */
static void
prefetch (PdComsys *self, guint32 who, Upcoming soon)
{
  guint32 used = self->last_used | self->ranks[self->last_rank].own_used;

  self->near_rank = soon.near;
  self->next_rank = soon.next;
  self->last_rank = MIN (who, self->n_ranks - 1);
  self->last_used = self->ranks[self->last_rank].own_used;
  if (soon.far < self->n_ranks)
    pd_prefetch (&self->ranks[soon.far]);
  if (soon.near >= self->n_ranks)
    return;
  if (self->ranks[soon.near].exec != NULL)
    {
      pd_prefetch (self->ranks[soon.near].exec);
      pd_prefetch ((char *) self->ranks[soon.near].exec + 64);
    }
  prefetch_requests (self, soon.near, used | (self->ranks[soon.near].exec != NULL ? 1 : 0));
  pd_rank_expect (self, soon.near);
}

/* @is_late: the event was added to its moment when that had come. Then the next of the moment's own
 * events are known already; behind them ranks finish a collective operation in the order of their
 * numbers, mostly. */
static void
look_ahead (PdComsys *self, guint32 who, gboolean is_late)
{
  const PdQueue *queue = &self->queue;

  if (self->n_ranks <= FEW_RANKS)
    return;
  if (!is_late)
    prefetch (self, who,
              (Upcoming){ .next = upcoming_rank (queue, AHEAD / 2, 0),
                          .near = upcoming_rank (queue, AHEAD, 1),
                          .far = upcoming_rank (queue, 2 * AHEAD, 3) });
  else if (queue->next == queue->n_run)
    prefetch (self, who, (Upcoming){ who + AHEAD / 2, who + AHEAD, who + 2 * AHEAD });
}

guint32
pd_comsys_peek (const PdComsys *self)
{
  return self->near_rank;
}

static void
begin_turn (PdComsys *self, guint32 rank)
{
  self->turn = self->now;
  if (G_UNLIKELY (self->is_thorough))
    pd_cpu_begin_turn (self, rank);
}

static void
delivery_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 send)
{
  pd_message_delivered (self, send, self->now);
}

/* ---- events */

static void
epoch_event (PdComsys *self, guint32 rank, guint32 epoch)
{
  begin_turn (self, rank);
  pd_epoch_event (self, rank, epoch);
}

static void
network_event (PdComsys *self, guint32 index, guint32 token)
{
  const PdNetworkLevel *level = &self->levels[index];

  level->class->event (level->network, token, self->now);
}

const PdHandlers pd_handlers = {
  .event = {
    [PD_EVENT_EPOCH] = epoch_event,
    [PD_EVENT_CHECK] = pd_wait_check_event,
    [PD_EVENT_NONBLOCKING] = pd_nonblocking_event,
    [PD_EVENT_REQUEST] = pd_message_request_event,
    [PD_EVENT_ANSWER] = pd_message_answer_event,
    [PD_EVENT_DATA] = pd_message_data_event,
    [PD_EVENT_ONE_SIDED] = pd_one_sided_event,
    [PD_EVENT_VISIBLE] = pd_wildcard_visible_event,
    [PD_EVENT_LAUNCH] = pd_cpu_launch_event,
    [PD_EVENT_ARRIVE] = pd_cpu_arrive_event,
    [PD_EVENT_POST] = pd_p2p_post_event,
    [PD_EVENT_COMPUTE] = pd_cpu_compute_event,
    [PD_EVENT_NETWORK] = network_event,
    [PD_EVENT_RETURNED] = pd_fifo_returned_event,
    [PD_EVENT_WAIT] = pd_wait_event,
    [PD_EVENT_DELIVERY] = delivery_event,
    [PD_EVENT_MEETING] = pd_barrier_meeting_event,
    [PD_EVENT_COMPLETE] = pd_barrier_complete_event,
  },
  .completed = {
    [PD_WAITER_NONE] = pd_completion_unawaited,
    [PD_WAITER_NONBLOCKING] = pd_nonblocking_completed,
    [PD_WAITER_ANY] = pd_wait_completed_any,
    [PD_WAITER_TOKEN] = pd_completion_of_token,
    [PD_WAITER_OPERATION] = pd_operations_completed,
  },
  .one_sided_arrived = pd_one_sided_arrived,
  .reached_root = pd_barrier_reached_root,
  .begin_deferred = pd_cpu_nonblocking_deferred,
  .receive = pd_operations_receive,
};

const PdResources pd_free_processors = {
  .may_go_on = pd_free_may_go_on,
  .resume = pd_free_resume,
  .nonblocking_begin = pd_nonblocking_begin,
  .nonblocking_event = pd_nonblocking_go_on,
  .nonblocking_completed = pd_nonblocking_end_await,
};

const PdResources pd_fifo_processors = {
  .may_go_on = pd_fifo_may_go_on,
  .resume = pd_fifo_resume,
  .advance = pd_fifo_advance_to,
  .nonblocking_begin = pd_nonblocking_begin,
  .nonblocking_event = pd_nonblocking_go_on,
  .nonblocking_completed = pd_nonblocking_end_await,
  .is_fifo = TRUE,
};

const PdResources pd_kept_processors = {
  .may_go_on = pd_cpu_may_go_on,
  .resume = pd_cpu_compute,
  .nonblocking_begin = pd_cpu_nonblocking_begin,
  .nonblocking_event = pd_cpu_nonblocking_event,
  .nonblocking_completed = pd_cpu_nonblocking_completed,
  .keeps = TRUE,
  .advance = pd_cpu_advance_to,
  .come_to = pd_comsys_advance_queue_to,
  .posted = pd_cpu_posted,
};

/* ---- the loop */

static inline gboolean
has_returned (PdEvent event, const PdQueueItem *item)
{
  return event <= PD_EVENT_COLLECTIVE && (guint32) item->what == PD_TURN_RETURNED;
}

/* Whether a rank that has waited goes on before all else; if not, it is queued. */
static gboolean
goes_on (PdComsys *self, guint32 rank, PdEvent event)
{
  if (!self->resources->is_fifo)
    return TRUE;
  self->fresh = FALSE;
  if ((self->asks && event == PD_EVENT_TURN) || pd_comsys_may_go_on (self, rank, self->now))
    return TRUE;
  self->resources->resume (self, rank, event, self->now);
  return FALSE;
}

gboolean
pd_comsys_next_event (PdComsys *self, PdTurn *turn)
{
  pd_cpu_begin_deferred (self);
  while (!pd_queue_is_empty (&self->queue))
    {
      gsize n_late = self->queue.n_late;
      PdQueueItem item = pd_queue_pop (&self->queue);
      guint32 who = (guint32) (item.what >> 32 & 0xffffff);
      PdEvent event = (PdEvent) (item.what >> 56);

      look_ahead (self, who, self->queue.n_late < n_late);
      self->now = pd_queue_item_time (&item);
      self->number = item.rank_sequence & 0xffffffffff;
      self->n_following = 0;
      self->counts.n_events++;
      switch (event)
        {
        case PD_EVENT_TURN:
        case PD_EVENT_NOTIFY:
          begin_turn (self, who);
          *turn = (PdTurn){ who, event == PD_EVENT_TURN ? PD_TOKEN_NONE : (guint32) item.what,
                            self->now };
          if (has_returned (event, &item) && !goes_on (self, who, event))
            break;
          return TRUE;
        case PD_EVENT_COLLECTIVE:
          *turn = (PdTurn){ who, PD_TOKEN_NONE, self->now };
          begin_turn (self, who);
          if (has_returned (event, &item) && !goes_on (self, who, event))
            break;
          if (!pd_execution_continue (self, who, &turn->when))
            break;
          pd_comsys_advance_to (self, who, turn->when);
          return TRUE;
        default:
          self->handlers->event[event](self, who, (guint32) item.what);
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
