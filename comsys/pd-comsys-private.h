/* What the parts of ComSys call of each other; what they share is in
 * pd-comsys-data-private.h. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_PRIVATE_H
#define PD_COMSYS_PRIVATE_H

#include "comsys/pd-comsys-data-private.h"

G_BEGIN_DECLS

/* ---- look-ups */

/* World rank of @rank in @comm. */
static inline guint32
pd_comm_world_rank (const PdComm *comm, guint32 rank)
{
  return comm->ranks == NULL ? rank : comm->ranks[rank];
}

/* What a message of so many bytes is on the wire; saturates. */
static inline gint64
pd_protocol_wire_bytes (const PdProtocol *protocol, gint64 bytes)
{
  gint64 sum;
  return __builtin_add_overflow (bytes, protocol->envelope, &sum) ? G_MAXINT64 : sum;
}

static inline PdReq *
pd_req (PdComsys *self, guint32 req)
{
  return &self->reqs[req];
}

/* Of sends, or of receives: who was first. A request that waits to be matched
 * has no other use for the fields that tell it. */
static inline guint64
pd_req_order (const PdReq *req)
{
  return req->kind == PD_REQ_SEND ? req->order : ~(guint64) req->done.ps;
}

/* Rank of a member in @comm. */
static inline guint32
pd_comm_own_rank (const PdComm *comm, guint32 world_rank)
{
  return comm->ranks == NULL ? world_rank : (guint32) pd_comm_get_rank (comm, world_rank);
}

/* ---- pd-turns.c: the queue, blocking and unblocking */

static inline void
pd_comsys_push_numbered (PdComsys *self, PdTime when, guint64 what, guint64 number)
{
  pd_queue_push_numbered (&self->queue, when, number, what);
}

/* What is entered on a machine with ends gets a number; others fit between two. */
#define PD_NUMBER_STEP 16

static inline guint64
pd_cpu_new_number (PdComsys *self)
{
  return self->queue.sequence += PD_NUMBER_STEP;
}

/* Puts an event into the queue. */
static inline void
pd_comsys_push (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  gboolean is_turn = event <= PD_EVENT_NOTIFY;

  if (G_LIKELY (self->cpus == NULL))
    pd_queue_push (&self->queue, when, is_turn, rank, pd_what (event, rank, argument));
  else
    pd_queue_push_numbered (&self->queue, when, pd_cpu_new_number (self),
                            pd_what (event, rank, argument));
}

/* The acting rank goes on at @when: with @event, a turn or a play. */
void pd_comsys_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when);

/* Event at @when, or at once where that is now. */
void pd_comsys_at (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument);
/* See there; not at the moment of its turn, unless messages keep processors. */
void pd_comsys_reach_further (PdComsys *self, guint32 rank, PdTime when);

/* The acting rank calls at @when. If it has run ahead of the queue to there,
 * that is now; so what it starts happens as if it had gone through the queue. */
static inline void
pd_comsys_reach (PdComsys *self, guint32 rank, PdTime when)
{
  if (when.ps > self->turn.ps || G_UNLIKELY (self->is_thorough))
    pd_comsys_reach_further (self, rank, when);
}

/* The rank's blocked call returns at @when. */
void pd_rank_return (PdComsys *self, guint32 rank, PdTime when);
/* @rank is blocked in @function until pd_rank_return(). */
void pd_rank_block (PdComsys *self, const PdCall *call, const char *function);
/* A waited-for request of @rank completed at @when. */
void pd_rank_completed (PdComsys *self, guint32 rank, PdTime when);

/* ---- pd-functions.c */

/* PD_N_FUNCTIONS if there is none of that name. */
guint pd_function_find (const char *name);
/* NULL where no function costs anything by itself. */
PdTime *pd_function_overheads_new (const PdMachine *machine);
/* NULL where none has costs that depend on its size. */
PdFunctionBytes *pd_function_bytes_new (const PdMachine *machine);

static inline PdTime
pd_function_overhead (const PdComsys *self, guint function)
{
  return G_LIKELY (self->overheads == NULL) ? PD_TIME_ZERO : self->overheads[function];
}

/* What a collective operation of @bytes costs besides that, for its size. */
static inline PdTime
pd_function_time_of_bytes (const PdComsys *self, guint function, gint64 bytes)
{
  const PdFunctionBytes *costs = self->byte_costs;

  if (G_LIKELY (costs == NULL) || costs[function].per_byte <= 0 || bytes < costs[function].from)
    return PD_TIME_ZERO;
  return pd_time_for_bytes (bytes, costs[function].per_byte);
}

/* What the call does begins after the overhead of its function. */
static inline PdCall
pd_call_of (const PdComsys *self, const PdCall *call, guint function)
{
  PdCall later = *call;

  if (G_UNLIKELY (self->overheads != NULL))
    later.when = pd_time_add (call->when, self->overheads[function]);
  return later;
}

/* ---- pd-costs.c: what networks ask of processors; all 0 without has_costs */

/* Before a rank sends to @peer, receives from it (G_MAXUINT32 = anybody) or waits
 * for that. */
PdTime pd_costs_before (const PdComsys *self, guint32 rank, guint32 peer);
/* Of a Wait for the requests of the list. */
PdTime pd_costs_before_wait (PdComsys *self, guint32 first);
/* Of the sender, and of the receiver, for a message. */
PdTime pd_costs_of_send (const PdComsys *self, const PdReq *send);
PdTime pd_costs_of_recv (const PdComsys *self, const PdReq *send);

/* ---- pd-cpu.c: processors that messages keep; for networks with ends */

/* The send starts when it can; at @when or later. Returns whether it has. */
gboolean pd_cpu_send (PdComsys *self, guint32 send, PdTime when);
/* The rank's call returns when all its sends have been launched. */
void pd_cpu_wait_for_launch (PdComsys *self, const PdCall *call, const char *function);
/* The rank's rendezvous has been matched now: when it can go on. */
PdTime pd_cpu_rendezvous (PdComsys *self, guint32 rank);
/* It has come to @when, having computed perhaps; @is_ahead: as if by a turn. */
void pd_cpu_reach (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead);
/* It computes until @when or, if its processor is not free, for so long. */
void pd_cpu_compute (PdComsys *self, guint32 rank, PdEvent event, PdTime when);
void pd_cpu_event (PdComsys *self, PdEvent event, guint32 rank, guint32 send);

/* What the acting rank does now takes its number. */
guint64 pd_cpu_take_number (PdComsys *self);
/* Whether nothing queued comes before what has been entered with @number (0 = a new one). */
gboolean pd_cpu_is_first (const PdComsys *self, PdTime when, guint64 number);
/* Whether the acting rank may act at @when. */
gboolean pd_cpu_may_go_on (const PdComsys *self, guint32 rank, PdTime when);
void pd_cpu_begin_turn (PdComsys *self, guint32 rank);
/* Whether the send could be launched now; else @free is set to when it may. */
gboolean pd_cpu_try_launch (PdComsys *self, guint32 send, PdTime *free);
/* Who acts posts a receive now … */
void pd_cpu_posts (PdComsys *self);
/* … has posted it: when it goes on. */
PdTime pd_cpu_posted (PdComsys *self, guint32 recv);
/* The acting rank has waited until @when; the last of what it waited for entered with
 * @number what it does next. */
void pd_cpu_waited (PdComsys *self, PdTime when, guint64 number);
/* The acting rank's call returns at @when. */
static inline void
pd_cpu_account (PdComsys *self, PdTime when)
{
  if (G_UNLIKELY (self->cpus != NULL))
    pd_cpu_waited (self, when, 0);
}

/* Posts @recv behind the send of the acting rank, which is over at @when or pending. */
void pd_cpu_post_later (PdComsys *self, guint32 recv, PdTime when);

/* Of what has no number of its own, since it was over when it began. */
static inline gboolean
pd_req_has_number (const PdReq *req)
{
  return req->kind != PD_REQ_SEND || (req->ends && req->rendezvous && !req->detached);
}

/* Of a request that is complete: what waited for it has been entered with. */
static inline guint64
pd_req_number (const PdReq *req)
{
  return pd_req_has_number (req) ? req->number : 0;
}

/* ---- pd-cpu-play.c: operations beside their ranks, on machines with ends */

/* Starts at @when, now or after what the call of the acting rank costs. */
void pd_cpu_play_begin (PdComsys *self, PdPlayBeside *beside, PdTime when);
/* The next step of the play is due. */
void pd_cpu_play_event (PdComsys *self, PdPlayBeside *beside);
/* Those that have begun with a receive, which comes after a send of the rank. */
void pd_cpu_play_deferred (PdComsys *self);

/* ---- pd-calls.c: calls of programs and, with @collective, of schedules */

typedef struct
{
  PdSendMode mode; /* of a send */
  gboolean collective;
  const char *function; /* what a rank is blocked in */
  PdTime overhead;      /* of a blocking send, after it */
} PdCallKind;

/* They set @call->ret, PENDING where it is not known yet; blocking ones are not for
 * MPI_PROC_NULL. After pd_call_begin_send() somebody has to wait for the launch. */
guint32 pd_call_begin_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                            const PdCallKind *kind);
guint32 pd_call_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                       const PdCallKind *kind);
guint32 pd_call_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                       const PdCallKind *kind);
void pd_call_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                   const PdCallKind *kind);
void pd_call_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                   const PdCallKind *kind);
/* One half may be to or from MPI_PROC_NULL. */
void pd_call_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm, const PdExchange *exchange,
                       const PdCallKind *kind);

/* ---- pd-p2p.c */

/* An index of none of the requests of a rank; what is there is not set. */
guint32 pd_req_take_other (PdComsys *self);
void pd_req_give_back (PdComsys *self, guint32 req);

static inline guint32
pd_req_take (PdComsys *self, guint32 rank)
{
  guint32 *used = &self->ranks[rank].own_used;
  guint free = (guint) __builtin_ctz (~*used);

  if (G_UNLIKELY (free >= 1u << self->own_shift))
    return pd_req_take_other (self);
  *used |= 1u << free;
  return 1 + (rank << self->own_shift) + free;
}

static inline guint32
pd_req_new (PdComsys *self, guint32 rank)
{
  guint32 req = pd_req_take (self, rank);

  self->reqs[req] = (PdReq){ .rank = rank, .done = PD_TIME_PENDING };
  return req;
}

/* @holder has it no more. */
static inline void
pd_req_drop (PdComsys *self, guint32 req, guint holder)
{
  PdReq *r = pd_req (self, req);

  r->held &= ~holder & 3;
  if (r->held == 0)
    pd_req_give_back (self, req);
}

static inline guint32
pd_p2p_processor (const PdComsys *self, guint32 rank)
{
  return self->placement != NULL ? self->placement[rank] : rank;
}

/* The network between two ranks. */
static inline PdRoute
pd_p2p_route (const PdComsys *self, guint32 source, guint32 target)
{
  source = pd_p2p_processor (self, source);
  target = pd_p2p_processor (self, target);
  return self->topology->is_flat ? (PdRoute){ .source = source, .target = target }
                                 : pd_topology_route (self->topology, source, target);
}

static inline const PdLevel *
pd_p2p_level (const PdComsys *self, guint32 source, guint32 target)
{
  return self->topology->is_flat ? self->levels
                                 : &self->levels[pd_p2p_route (self, source, target).instance];
}

/* Tells the observer that the data of a message leave. */
void pd_p2p_observe (PdComsys *self, const PdReq *send, PdTime when);
/* A request is complete for its owner at @when. */
void pd_p2p_complete (PdComsys *self, guint32 req, PdTime when);
/* Starts a send or a receive of the communicator's context (+1: collective); sets
 * @call->ret to the moment at which the rank has started it. */
guint32 pd_p2p_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                     PdSendMode mode, gboolean collective);
guint32 pd_p2p_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                     gboolean collective);
/* A receive that is made, but can match only when it has been posted. */
guint32 pd_p2p_make_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope,
                          gboolean collective);
void pd_p2p_post (PdComsys *self, guint32 recv, PdTime when);
void pd_p2p_event (PdComsys *self, PdEvent event, guint32 req);
void pd_p2p_match (PdComsys *self, guint32 send, guint32 recv);
void pd_p2p_delivered (PdComsys *self, guint32 req, PdTime when);

/* ---- pd-persistent.c */

/* Releases the persistent requests that nobody has. */
void pd_persistent_clear (PdComsys *self);

/* What a handle stands for: itself, what has been started of a persistent one, or 0. */
static inline guint32
pd_req_actual (PdComsys *self, PdRequest handle)
{
  const PdReq *req = &self->reqs[handle];

  return req->kind == PD_REQ_PERSISTENT ? req->active : handle;
}

/* It has completed: a persistent one becomes inactive, others null. */
static inline void
pd_req_forget (PdComsys *self, PdRequest *handle)
{
  PdReq *req = &self->reqs[*handle];

  if (req->kind == PD_REQ_PERSISTENT)
    req->active = 0;
  else
    *handle = PD_REQUEST_NULL;
}

/* ---- pd-waited.c: only if PdComsys.waited is not NULL */

/* The rank begins to wait for requests of its own. */
void pd_waited_begin (PdComsys *self, guint32 rank, PdTime when);
/* When the call of @send was made; not for what has been given back. */
PdTime pd_waited_send_began (const PdComsys *self, const PdReq *send);
/* They are matched and the delivery is known; before they complete. */
void pd_waited_matched (PdComsys *self, PdReq *send, PdReq *recv);
/* A request that its owner waits for: a send at once, a receive once complete. */
void pd_waited_note (PdComsys *self, const PdReq *req);

/* ---- pd-wait.c */

/* Waits until the requests complete; they are the owner's no more. */
void pd_wait_bundle (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
                     const char *function);
void pd_wait_check (PdComsys *self, guint32 rank);
void pd_wait_completed_any (PdComsys *self, guint32 rank, PdTime when);

/* ---- pd-match.c */

void pd_match_init (PdMatch *self);
void pd_match_clear (PdMatch *self);
/* The oldest request of the other kind that @req matches is taken out and
 * returned; else @req is queued and 0 returned. */
guint32 pd_match_or_queue (PdComsys *self, guint32 req);
/* Takes @req out of its queue. */
void pd_match_remove (PdComsys *self, guint32 req);

/* ---- pd-wild.c: receives with wildcards */

/* Whether a message or a receive is matched here, not in pd-match.c. */
static inline gboolean
pd_wild_applies (const PdComsys *self, gboolean collective, gboolean is_wild_recv)
{
  return is_wild_recv || (self->wild != NULL && !collective);
}

void pd_wild_recv (PdComsys *self, guint32 recv);
void pd_wild_send (PdComsys *self, guint32 send);
/* Takes a receive that nothing has matched out of its list. */
void pd_wild_remove (PdComsys *self, guint32 recv);
/* The message that @probe finds now, 0 = none; of a rank that is blocked by it, it is
 * looked for whenever one becomes visible. */
guint32 pd_wild_probe (PdComsys *self, guint32 probe);
/* Messages to @rank may have become visible. */
void pd_wild_visible (PdComsys *self, guint32 rank);
/* The arrival of a message that is not matched became known. */
void pd_wild_arrival_known (PdComsys *self, guint32 send);
/* Sends and receives that nothing has matched. */
guint64 pd_wild_get_n_unmatched (const PdWild *self);
void pd_wild_free (PdWild *self);

/* ---- pd-coll-play.c */

/* Plays on at *@when; TRUE: the operation ended, at *@when. */
gboolean pd_play_go_on (PdComsys *self, guint32 rank, PdTime *when);
/* An operation beside its rank plays on now. */
void pd_play_go_on_beside (PdComsys *self, guint32 index);
/* A message of an operation beside its rank completed at @when. */
void pd_play_completed (PdComsys *self, guint32 req, PdTime when);
void pd_play_pool_clear (PdPlayPool *pool);

/* ---- pd-coll-choice.c */

PdCollectiveSet *pd_collective_set_new (const PdMachine *machine, GError **error);
void pd_collective_set_free (PdCollectiveSet *self);

/* ---- one-sided: pd-win-epochs.c, pd-win-messages.c, pd-win.c */

void pd_wins_free (PdWins *self);
/* A message arrives at @when; what it is for happens then. */
void pd_one_sided_arrived (PdComsys *self, guint32 message, PdTime when);
void pd_one_sided_event (PdComsys *self, guint32 message);
/* All that the blocked rank has waited for in the epoch is complete now. */
void pd_epoch_event (PdComsys *self, guint32 rank, guint32 epoch);

/* ---- pd-cart.c */

void pd_comm_topology_free (PdCommTopology *self);

/* ---- pd-meeting.c */

/* The caller, in @function, waits for all members, and @duration longer. */
void pd_meet (PdComsys *self, const PdCall *call, PdComm *comm, const char *function,
              PdTime duration);
/* A collective operation of the set "simple"; with @request it is that which
 * completes, and the caller does not wait. */
void pd_meet_for (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args,
                  guint32 request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCollectiveSet, pd_collective_set_free)

G_END_DECLS

#endif
