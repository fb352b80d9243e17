/* ComSys: a model of MPI over pluggable networks. It answers one question: if
 * rank r calls this MPI function at moment t, when does the call return?
 *
 * Calling convention. Function names are MPI's without the prefix; arguments
 * that cannot matter (buffers) are left out. A timed function takes a #PdCall:
 * who calls, when, and the slot for the moment of return. If that moment is
 * known at once it is stored; otherwise the slot says %PD_TIME_PENDING and is
 * filled later, when the partner's call makes it known; then the rank comes
 * back from pd_comsys_next() at that moment. The library is single-threaded
 * and never blocks.
 *
 * Order. Calls must come in non-decreasing time. pd_comsys_next() gives the
 * ranks in the right order: the smallest time first, protocol events before
 * ranks, then the lowest rank.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_H
#define PD_COMSYS_H

#include "comsys/pd-machine.h"

G_BEGIN_DECLS

typedef struct _PdComsys PdComsys;
typedef struct _PdComm PdComm;
typedef struct _PdGroup PdGroup;

/* A request handle, valid until it is waited for or freed. */
typedef guint32 PdRequest;
#define PD_REQUEST_NULL ((PdRequest) 0)

/* Requests that will be waited for together, kept in a list inside ComSys: no
 * array of handles is needed. Starts as { 0 }. */
typedef struct
{
  PdRequest first;
} PdBundle;

#define PD_ANY_SOURCE (-1)
#define PD_ANY_TAG    (-1)
#define PD_PROC_NULL  (-2)

/* What MPI_Status tells of a received message. */
typedef struct
{
  gint32 source; /* rank in the communicator of the receive */
  gint32 tag;
  gint64 bytes;
} PdStatus;

/* Who calls, when, and where the results go. */
typedef struct
{
  guint32 rank;     /* world rank of the caller */
  PdTime when;      /* moment of the call */
  PdTime *ret;      /* slot: the moment of return; must stay valid until filled */
  PdStatus *status; /* (nullable): filled by the return, for receives and waits: one, or for
                     * Waitall, Waitsome, Testall and Testsome one per request, at its index */
} PdCall;

/* Where a message goes or comes from. */
typedef struct
{
  gint32 peer;  /* rank in the communicator, %PD_ANY_SOURCE or %PD_PROC_NULL */
  gint32 tag;   /* >= 0, or %PD_ANY_TAG for a receive */
  gint64 bytes; /* >= 0; of a receive: the room there is */
} PdEnvelope;

/* Told of what happens, for protocols and tests. Every function may be NULL. */
typedef struct
{
  gpointer data;
  /* A data message leaves @source for @target (world ranks) at @when.
   * @collective: it belongs to a collective operation. */
  void (*message) (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when,
                   gboolean collective);
  /* @rank (world) enters the collective @name with @bytes at @when. */
  void (*collective) (gpointer data, guint32 rank, const char *name, gint64 bytes, PdTime when);
} PdObserver;

/* What the waits of a rank have shown, added up; whoever takes it sets it to 0. */
typedef struct
{
  PdTime overlap;   /* from the beginning of non-blocking operations to the waits for them; a
                     * receive begins with its matching send, if that is later */
  PdTime real_sync; /* of receives and waits, until the last send that they were for began */
  PdTime since;     /* of ComSys: when the present wait began … */
  PdTime latest;    /* … and up to where its real_sync is counted */
} PdWaited;

/* What a rank waits for, for the table of a deadlock. */
typedef struct
{
  const char *function; /* "MPI_Recv"; NULL: the rank is not blocked */
  gint64 peer;          /* world rank, of several requests one's; -1 = any, or unknown */
  gint32 tag;           /* -1 = any or none */
  gint64 bytes;
} PdBlocked;

typedef struct
{
  guint64 n_messages;            /* data messages, those of collectives included */
  PdTimeSum n_bytes;             /* their payload in bytes (in .ps) */
  guint64 n_collective_messages; /* the part of n_messages that belongs to collectives */
  guint64 n_collectives;         /* calls of collective operations, per rank */
  guint64 n_events;              /* taken from the queue: ranks and protocol events */
} PdComsysCounts;

/* ---- life and order */

/**
 * pd_comsys_new:
 * @machine: the machine; must outlive this object
 * @placement: (nullable) (array length=n_ranks): the processor of each rank;
 *   %NULL: rank r on processor r
 * @n_ranks: number of simulated ranks, 1 to 16,777,214
 * @error: return location for a #PdMachineError: an unknown collective set or
 *   algorithm, too few processors, or a placement outside the machine
 *
 * MPI_Init is this: all ranks exist from moment 0, none is in the queue.
 *
 * Returns: (transfer full) (nullable): the communication system.
 */
PdComsys *pd_comsys_new (const PdMachine *machine, const guint32 *placement, guint32 n_ranks,
                         GError **error);

/**
 * pd_comsys_free:
 * @self: (nullable): the communication system; communicators made from it
 *   must have been released before
 */
void pd_comsys_free (PdComsys *self);

/**
 * pd_comsys_set_observer:
 * @observer: (nullable): copied
 */
void pd_comsys_set_observer (PdComsys *self, const PdObserver *observer);

/**
 * pd_comsys_set_waited:
 * @waited: (nullable) (array length=n_ranks): all 0; must outlive the last wait
 *
 * From now on what waits show is added to @waited.
 */
void pd_comsys_set_waited (PdComsys *self, PdWaited *waited);

/**
 * pd_comsys_set_run_ahead:
 * @run_ahead: %FALSE: every step goes through the queue; the results are the
 *   same (the default is %TRUE)
 */
void pd_comsys_set_run_ahead (PdComsys *self, gboolean run_ahead);

/**
 * pd_comsys_set_unordered:
 *
 * Tells that all messages are asked for by source and tag, and that nobody asks
 * whether one has come: no Test, Probe, Waitany, Waitsome, nor receives from
 * anybody. On networks whose transfers have nothing to do with each other, sends
 * and receives then take effect at their own time, whenever they are called: a
 * rank may make the calls of these kinds before it is returned by
 * pd_comsys_next(), each at its own time. To be called before the first one, where
 * pd_comsys_may_be_unordered() says so.
 */
void pd_comsys_set_unordered (PdComsys *self);

/**
 * pd_comsys_may_be_unordered:
 * Returns: whether no transfer has to do with another one; not where the main loop
 *   goes one step at a time, or messages are observed.
 */
gboolean pd_comsys_may_be_unordered (const PdComsys *self);

/**
 * pd_comsys_ready:
 * @rank: a rank that is not blocked
 * @when: not before now
 *
 * Puts @rank into the queue: pd_comsys_next() will return it at @when; or later, where
 * messages keep the processor on which it has computed until then.
 */
void pd_comsys_ready (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_peek:
 * Returns: the rank of an event of this moment that is due soon; or a number
 *   beyond all ranks.
 */
guint32 pd_comsys_peek (const PdComsys *self);

/**
 * pd_comsys_expect:
 * @rank: a world rank
 *
 * The caller will soon send to @rank: has the memory loaded that this needs.
 * Changes nothing.
 */
void pd_comsys_expect (const PdComsys *self, guint32 rank);

/**
 * pd_comsys_next:
 * @rank: (out): who is to act
 * @when: (out): at which moment
 *
 * Handles protocol events until a rank's turn comes: one that was made ready,
 * or whose pending call returns now.
 *
 * Returns: %FALSE if nothing is left to happen: all ranks have finished, or
 *   the rest is blocked for ever (see pd_comsys_get_blocked()).
 */
gboolean pd_comsys_next (PdComsys *self, guint32 *rank, PdTime *when);

/* Of pd_comsys_next_event(): a turn that no token has been given for. */
#define PD_TOKEN_NONE G_MAXUINT32

/* Somebody's turn. */
typedef struct
{
  guint32 rank;
  guint32 token; /* from pd_comsys_notify() or pd_comsys_ready_token(), or %PD_TOKEN_NONE */
  PdTime when;
} PdTurn;

/**
 * pd_comsys_next_event:
 * @turn: (out): who is to act, at which moment, and what for
 *
 * As pd_comsys_next(), for programs that use tokens.
 *
 * Returns: %FALSE if nothing is left to happen.
 */
gboolean pd_comsys_next_event (PdComsys *self, PdTurn *turn);

/**
 * pd_comsys_ready_token:
 * @token: less than %PD_TOKEN_NONE
 *
 * As pd_comsys_ready(), with a token that pd_comsys_next_event() gives back. A rank may
 * be in the queue several times.
 */
void pd_comsys_ready_token (PdComsys *self, guint32 rank, PdTime when, guint32 token);

/**
 * pd_comsys_may_go_on:
 * @rank: the rank that acts now
 * @when: the moment of its next action
 *
 * Returns: whether nothing can happen before that, so that the rank need not
 *   go through the queue; always so at the beginning of its turn and, unless
 *   messages keep processors, at the moment of its turn.
 */
gboolean pd_comsys_may_go_on (const PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_get_blocked:
 * @rank: a rank
 * @blocked: (out): what it waits for
 */
void pd_comsys_get_blocked (const PdComsys *self, guint32 rank, PdBlocked *blocked);

/**
 * pd_comsys_get_counts:
 * Returns: (transfer none): what has happened so far.
 */
const PdComsysCounts *pd_comsys_get_counts (const PdComsys *self);

/**
 * pd_comsys_report:
 * @messages: (inout): gets what the networks have to say of how they were used,
 *   such as outside of what was measured
 *
 * To be called when the simulation is over.
 */
void pd_comsys_report (const PdComsys *self, PdMessages *messages);

/**
 * pd_comsys_finalize:
 * Returns: the number of sent messages that nobody has received, of posted
 *   receives that nothing has matched, of locks that have not been released and of
 *   members of windows who have done something since their last fence; 0 for a correct
 *   program (MPI_Finalize).
 */
guint64 pd_comsys_finalize (const PdComsys *self);

/* A message that nobody has received, or a receive that nothing has matched. */
typedef struct
{
  gboolean is_send;
  guint32 rank; /* whose, world rank */
  gint64 peer;  /* world rank; -1 = any */
  gint32 tag;   /* -1 = any */
  gint64 bytes;
} PdUnmatched;

/**
 * pd_comsys_find_unmatched:
 * @first: (out): of the lowest rank: its first send or, without one, its first receive
 *
 * Returns: whether there are any that no rank is blocked in.
 */
gboolean pd_comsys_find_unmatched (const PdComsys *self, PdUnmatched *first);

/* ---- groups and communicators */

/**
 * pd_comsys_get_world:
 * Returns: (transfer none): MPI_COMM_WORLD.
 */
PdComm *pd_comsys_get_world (PdComsys *self);

/**
 * pd_group_new:
 * @ranks: (array length=n): world ranks, distinct
 * @n: how many
 *
 * Returns: (transfer full): a group.
 */
PdGroup *pd_group_new (const guint32 *ranks, guint32 n);

/**
 * pd_group_incl:
 * @self: a group
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_incl; %NULL if a rank is out of range.
 */
PdGroup *pd_group_incl (const PdGroup *self, const guint32 *ranks, guint32 n);

/**
 * pd_group_free:
 * @self: (nullable): a group
 */
void pd_group_free (PdGroup *self);

/**
 * pd_group_get_size:
 * Returns: the number of members.
 */
guint32 pd_group_get_size (const PdGroup *self);

/**
 * pd_comm_new:
 * @comsys: the communication system
 * @ranks: (array length=n): world ranks of its members, distinct; copied
 * @n: how many
 *
 * A communicator that exists without messages; for callers that model its
 * creation themselves.
 *
 * Returns: (transfer full): the communicator, to release with pd_comm_unref().
 */
PdComm *pd_comm_new (PdComsys *comsys, const guint32 *ranks, guint32 n);

/**
 * pd_comm_ref:
 * Returns: @self.
 */
PdComm *pd_comm_ref (PdComm *self);

/**
 * pd_comm_unref:
 * @self: (nullable): MPI_Comm_free
 */
void pd_comm_unref (PdComm *self);

/**
 * pd_comm_get_size:
 * Returns: MPI_Comm_size.
 */
guint32 pd_comm_get_size (const PdComm *self);

/**
 * pd_comm_get_rank:
 * @world_rank: a world rank
 *
 * Returns: MPI_Comm_rank: its rank in @self, or -1 if it is no member.
 */
gint64 pd_comm_get_rank (const PdComm *self, guint32 world_rank);

/**
 * pd_comm_get_group:
 * Returns: (transfer full): MPI_Comm_group.
 */
PdGroup *pd_comm_get_group (const PdComm *self);

/**
 * pd_comsys_comm_dup:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @result: (out): the new one (each rank gets its own reference), written when
 *   the last member has called; not before the call returns may it be used
 *
 * MPI_Comm_dup; costs an Allreduce of 4 bytes.
 */
void pd_comsys_comm_dup (PdComsys *self, const PdCall *call, PdComm *comm, PdComm **result);

/**
 * pd_comsys_comm_create:
 * @group: members, a subset of @comm's; the same in every rank's call
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for ranks outside @group
 *
 * MPI_Comm_create; costs a Barrier and an Allgather of 4 bytes.
 */
void pd_comsys_comm_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdGroup *group,
                            PdComm **result);

/* Arguments of MPI_Comm_split. */
typedef struct
{
  gint32 color; /* ranks of equal color come together; < 0: MPI_UNDEFINED */
  gint32 key;   /* order in the new communicator; ties by old rank */
} PdSplit;

/**
 * pd_comsys_comm_split:
 * @split: color and key
 * @result: (out): as for pd_comsys_comm_dup(); %NULL for an undefined color
 *
 * MPI_Comm_split; costs an Allgather of 8 bytes and an Allreduce of 4.
 */
void pd_comsys_comm_split (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                           PdComm **result);

/* ---- point to point */

typedef enum
{
  PD_SEND_STANDARD,
  PD_SEND_SYNCHRONOUS,
  PD_SEND_BUFFERED,
  PD_SEND_READY, /* as STANDARD */
} PdSendMode;

/**
 * pd_comsys_send:
 * MPI_Send: an eager message returns at when + send-overhead, a rendezvous one
 * when its data are delivered.
 */
void pd_comsys_send (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_ssend:
 * MPI_Ssend: rendezvous whatever the size; to oneself, it waits for the receive.
 */
void pd_comsys_ssend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_rsend:
 * MPI_Rsend: as pd_comsys_send(); that the receive has been posted is not checked.
 */
void pd_comsys_rsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_bsend:
 * MPI_Bsend: returns after send-overhead and a copy; the transfer is eager.
 */
void pd_comsys_bsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_recv:
 * MPI_Recv: returns at max (when + recv-overhead, delivery).
 */
void pd_comsys_recv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/* Arguments of MPI_Sendrecv. */
typedef struct
{
  PdEnvelope send;
  PdEnvelope recv;
} PdExchange;

/**
 * pd_comsys_sendrecv:
 * MPI_Sendrecv: Isend, Irecv and Waitall; costs nothing between two MPI_PROC_NULL.
 * MPI_Sendrecv_replace is the same: where the data lie does not matter.
 */
void pd_comsys_sendrecv (PdComsys *self, const PdCall *call, PdComm *comm,
                         const PdExchange *exchange);

/**
 * pd_comsys_isend:
 * Returns: MPI_Isend: the request; the call itself returns after send-overhead.
 */
PdRequest pd_comsys_isend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_issend:
 * Returns: MPI_Issend: as pd_comsys_isend(), rendezvous whatever the size.
 */
PdRequest pd_comsys_issend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_ibsend:
 * Returns: MPI_Ibsend: as pd_comsys_isend(), eager whatever the size.
 */
PdRequest pd_comsys_ibsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_irsend:
 * Returns: MPI_Irsend: as pd_comsys_isend().
 */
PdRequest pd_comsys_irsend (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_irecv:
 * Returns: MPI_Irecv: the request; the call itself returns after recv-overhead.
 */
PdRequest pd_comsys_irecv (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/* ---- persistent requests: begun again and again, see pd-persistent.c */

/**
 * pd_comsys_send_init:
 * @rank: who will send
 * @comm: a communicator the rank belongs to
 * @envelope: where to; as for pd_comsys_send()
 * @mode: as MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init
 *
 * Costs nothing. Waits and tests leave the request inactive, not null, once what
 * was started has completed; to wait for an inactive one costs nothing.
 *
 * Returns: an inactive request, to be released by pd_comsys_request_free().
 */
PdRequest pd_comsys_send_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                               PdSendMode mode);

/**
 * pd_comsys_recv_init:
 * Returns: MPI_Recv_init: as pd_comsys_send_init().
 */
PdRequest pd_comsys_recv_init (PdComsys *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_start:
 * @request: an inactive persistent request of the caller
 *
 * MPI_Start: as the non-blocking call of the same kind.
 */
void pd_comsys_start (PdComsys *self, const PdCall *call, PdRequest request);

/**
 * pd_comsys_may_start:
 * @is_recv: (out) (optional): whether it is of a receive
 *
 * Returns: whether @request is an inactive persistent request of @rank.
 */
gboolean pd_comsys_may_start (const PdComsys *self, guint32 rank, PdRequest request,
                              gboolean *is_recv);

/**
 * pd_comsys_startall:
 * @requests: (array length=n): inactive persistent requests of the caller
 * @n: how many
 *
 * MPI_Startall: one after the other, in the order of the array.
 */
void pd_comsys_startall (PdComsys *self, const PdCall *call, const PdRequest *requests, guint n);

/**
 * pd_comsys_request_free:
 * @request: (inout): becomes %PD_REQUEST_NULL; nothing happens if it is
 *
 * MPI_Request_free: what is under way goes on, but nobody will wait for it. Costs
 * nothing.
 */
void pd_comsys_request_free (PdComsys *self, PdRequest *request);

/**
 * pd_comsys_cancel:
 * @request: stays valid and is waited for or tested as ever
 * @when: the moment of the call
 *
 * MPI_Cancel: a receive that nothing has matched yet is complete at @when; its status
 * says %PD_ANY_SOURCE, %PD_ANY_TAG and 0 bytes. Anything else goes on: sends are never
 * cancelled, as the standard permits.
 *
 * Returns: whether the request has been cancelled.
 */
gboolean pd_comsys_cancel (PdComsys *self, PdRequest request, PdTime when);

/**
 * pd_comsys_notify:
 * @request: not persistent; is the caller's no more
 * @token: less than %PD_TOKEN_NONE
 *
 * Instead of being waited for, the request's completion comes back from
 * pd_comsys_next_event(), as the rank's turn with @token; for programs whose ranks
 * do several things at once.
 */
void pd_comsys_notify (PdComsys *self, PdRequest request, guint32 token);

/**
 * pd_comsys_notify_unless_known:
 * @request: not persistent; is the caller's no more
 * @token: less than %PD_TOKEN_NONE
 *
 * Returns: when the request completes, if that is known already; else %PD_TIME_PENDING,
 *   and its completion comes back as after pd_comsys_notify().
 */
PdTime pd_comsys_notify_unless_known (PdComsys *self, PdRequest request, guint32 token);

/* ---- probes */

/**
 * pd_comsys_probe:
 * @envelope: as for pd_comsys_recv(); the bytes do not matter
 *
 * MPI_Probe: returns when there is a message that such a receive would get, plus
 * wait-overhead. @call->status says which; it is not taken.
 */
void pd_comsys_probe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_comsys_iprobe:
 * Returns: MPI_Iprobe: whether there is such a message; then @call->status says which.
 *   Costs wait-overhead.
 */
gboolean pd_comsys_iprobe (PdComsys *self, const PdCall *call, PdComm *comm, PdEnvelope envelope);

/**
 * pd_bundle_add:
 * @bundle: requests of one rank
 * @request: one more; from now on only waited for through @bundle
 */
void pd_bundle_add (PdComsys *self, PdBundle *bundle, PdRequest request);

/**
 * pd_comsys_wait:
 * @request: (inout): becomes %PD_REQUEST_NULL; waiting for that costs nothing
 *
 * MPI_Wait: returns at max (when, completion) + wait-overhead.
 */
void pd_comsys_wait (PdComsys *self, const PdCall *call, PdRequest *request);

/**
 * pd_comsys_waitall:
 * @requests: (array length=n) (inout): become %PD_REQUEST_NULL
 * @n: how many
 *
 * MPI_Waitall: one wait for the latest. @call->status, if not %NULL, has @n
 * entries.
 */
void pd_comsys_waitall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_waitall_bundle:
 * @bundle: (inout): becomes empty
 *
 * As pd_comsys_waitall() for a bundle; no statuses.
 */
void pd_comsys_waitall_bundle (PdComsys *self, const PdCall *call, PdBundle *bundle);

/**
 * pd_comsys_waitany:
 * @requests: (array length=n) (inout): must stay valid until the call returns;
 *   the one that completed becomes %PD_REQUEST_NULL
 * @n: how many
 * @index: (out): which; written when the call returns; -1 if all are null
 *
 * MPI_Waitany: the first completion; ties by index.
 */
void pd_comsys_waitany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n,
                        gint *index);

/**
 * pd_comsys_waitsome:
 * @count: (out): how many completed; those become %PD_REQUEST_NULL; -1 if all are null
 *
 * MPI_Waitsome: all that have completed at the moment the first one has.
 */
void pd_comsys_waitsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n,
                         gint *count);

/**
 * pd_comsys_test:
 * Returns: MPI_Test: whether @request has completed by @call->when; then it
 *   becomes %PD_REQUEST_NULL. Costs wait-overhead.
 */
gboolean pd_comsys_test (PdComsys *self, const PdCall *call, PdRequest *request);

/**
 * pd_comsys_testall:
 * Returns: MPI_Testall: whether all @n have completed; only then they are freed.
 */
gboolean pd_comsys_testall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_testany:
 * Returns: MPI_Testany: the index of one that has completed and is freed, or -1.
 */
gint pd_comsys_testany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_comsys_testsome:
 * Returns: MPI_Testsome: the number of those that have completed and are freed.
 */
guint pd_comsys_testsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n);

/**
 * pd_status_get_count:
 * @type_size: bytes per element, >= 1
 *
 * Returns: MPI_Get_count: whole elements received, or -1 if @status holds no
 *   whole number of them.
 */
gint64 pd_status_get_count (const PdStatus *status, gint64 type_size);

/* ---- collective operations: every member of @comm must call */

typedef enum
{
  PD_OP_BARRIER,
  PD_OP_BCAST,                /* root; bytes = the message */
  PD_OP_REDUCE,               /* root; bytes = the vector */
  PD_OP_ALLREDUCE,            /* bytes = the vector */
  PD_OP_GATHER,               /* root; bytes = one rank's block */
  PD_OP_GATHERV,              /* root; bytes = the caller's block; the root's recv_counts */
  PD_OP_SCATTER,              /* root; bytes = one rank's block */
  PD_OP_SCATTERV,             /* root; bytes = the caller's block; the root's send_counts */
  PD_OP_ALLGATHER,            /* bytes = one rank's block */
  PD_OP_ALLGATHERV,           /* recv_counts: every rank's block */
  PD_OP_ALLTOALL,             /* bytes = the block for one rank */
  PD_OP_ALLTOALLV,            /* send_counts, recv_counts: blocks to and from every rank */
  PD_OP_ALLTOALLW,            /* likewise */
  PD_OP_SCAN,                 /* bytes = the vector */
  PD_OP_EXSCAN,               /* bytes = the vector */
  PD_OP_REDUCE_SCATTER,       /* recv_counts: every rank's block of the result; without
                               * them bytes = one rank's block */
  PD_OP_REDUCE_SCATTER_BLOCK, /* bytes = one rank's block of the result */
  PD_OP_NEIGHBOR_ALLGATHER,   /* sources, targets; bytes = the block, of all the same */
  PD_OP_NEIGHBOR_ALLGATHERV,  /* sources, targets; bytes = the caller's block; recv_counts: one
                               * per source */
  PD_OP_NEIGHBOR_ALLTOALL,    /* sources, targets; bytes = the block for one neighbour */
  PD_OP_NEIGHBOR_ALLTOALLV,   /* sources, targets; send_counts: one per target, recv_counts:
                               * one per source */
  PD_OP_NEIGHBOR_ALLTOALLW,   /* likewise */
  PD_OP_COMM_DUP,             /* what the creation of communicators costs */
  PD_OP_COMM_CREATE,
  PD_OP_COMM_SPLIT,
  PD_OP_COMM_SPLIT_TYPE,
  PD_OP_CART_CREATE,
  PD_OP_CART_SUB,
  PD_OP_GRAPH_CREATE,
  PD_OP_DIST_GRAPH_CREATE,
  PD_OP_INTERCOMM_CREATE,
  PD_OP_INTERCOMM_MERGE,
  PD_OP_WIN_CREATE, /* what the creation of windows costs */
  PD_OP_WIN_FREE,
  PD_OP_WIN_FENCE, /* how a fence ends */
  PD_N_OPS,
} PdOp;

/* No neighbour: MPI_PROC_NULL in lists of neighbours. */
#define PD_NO_NEIGHBOR G_MAXUINT32

/* Arguments of a collective call; only those that the operation names, and the
 * last four for all. Arrays must stay valid until the operation
 * is over: until the call returns, or the request completes. */
typedef struct
{
  PdOp op;
  guint32 root; /* rank in the communicator */
  gint64 bytes;
  const gint64 *send_counts; /* (array): bytes per rank, or per target */
  const gint64 *recv_counts; /* (array): bytes per rank, or per source */
  const guint32 *sources;    /* (array length=n_sources): ranks in the communicator that the caller
                              * receives from, or %PD_NO_NEIGHBOR */
  const guint32 *targets;    /* (array length=n_targets): that it sends to */
  guint32 n_sources;
  guint32 n_targets;
  gboolean is_ordered;  /* a reduction whose operation does not commute */
  gboolean is_equal;    /* no member has the vectors that the operation names: all blocks are of
                         * @bytes */
  gboolean is_measured; /* set "simple": the caller sends @sent_bytes in all and receives
                         * @recv_bytes, whatever @bytes has to do with them */
  gint64 sent_bytes;
  gint64 recv_bytes;
} PdCollective;

/**
 * pd_comsys_collective:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @collective: which operation, and its sizes
 *
 * All collective operations: MPI_Barrier, MPI_Bcast, … Blocking.
 */
void pd_comsys_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                           const PdCollective *collective);

/**
 * pd_comsys_icollective:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @collective: which operation, and its sizes
 *
 * All non-blocking collective operations: MPI_Ibarrier, MPI_Ibcast, …: the same
 * steps as of pd_comsys_collective(), taken beside what the rank does. The call
 * returns at once; sends, receives and waits of the steps take their overheads
 * one after the other within the operation, and none of the rank's time.
 * Several may be under way; those of one communicator match in the order in
 * which its members start them, apart from the blocking ones.
 *
 * Returns: the request; its status says nothing.
 */
PdRequest pd_comsys_icollective (PdComsys *self, const PdCall *call, PdComm *comm,
                                 const PdCollective *collective);

/**
 * pd_op_get_name:
 * Returns: "allreduce", …
 */
const char *pd_op_get_name (PdOp op);

/**
 * pd_comsys_barrier:
 * MPI_Barrier.
 */
void pd_comsys_barrier (PdComsys *self, const PdCall *call, PdComm *comm);

/**
 * pd_comsys_bcast:
 * MPI_Bcast of @bytes from @root.
 */
void pd_comsys_bcast (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes);

/**
 * pd_comsys_gather:
 * MPI_Gather of @bytes from each rank to @root.
 */
void pd_comsys_gather (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root,
                       gint64 bytes);

/**
 * pd_comsys_allgather:
 * MPI_Allgather of @bytes from each rank.
 */
void pd_comsys_allgather (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes);

/**
 * pd_comsys_allgatherv:
 * @counts: (array): bytes of every rank's block; valid until the call returns
 *
 * MPI_Allgatherv.
 */
void pd_comsys_allgatherv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *counts);

/**
 * pd_comsys_allreduce:
 * MPI_Allreduce of a vector of @bytes.
 */
void pd_comsys_allreduce (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes);

/**
 * pd_comsys_alltoallv:
 * @send_counts: (array): bytes to every rank; valid until the call returns
 * @recv_counts: (array): bytes from every rank; likewise
 *
 * MPI_Alltoallv.
 */
void pd_comsys_alltoallv (PdComsys *self, const PdCall *call, PdComm *comm,
                          const gint64 *send_counts, const gint64 *recv_counts);

/* ---- exchanges too large to be simulated message by message */

/* Messages of one rank, or of all. */
typedef struct
{
  gint64 n_sent;
  gint64 n_received;
  gint64 bytes_sent;
  gint64 bytes_received;
} PdTraffic;

/* What an exchange costs on this machine; picoseconds. */
typedef struct
{
  gdouble once;               /* however many messages */
  gdouble per_message;        /* of the rank's own */
  gdouble per_byte;           /* likewise */
  gdouble per_message_of_all; /* where all share the network */
  gdouble per_byte_of_all;
} PdExchangeCosts;

/**
 * pd_comsys_learn_exchange:
 * @mean_bytes: of a message, >= 0
 * @costs: (out): what exchanges of such messages cost
 *
 * Tries exchanges of all with all of the first 16, 32 and 48 ranks, on another
 * simulation of the same machine: T (n) = once + own (n - 1) + all n (n - 1), with
 * and without bytes. Changes nothing.
 */
void pd_comsys_learn_exchange (const PdComsys *self, gint64 mean_bytes, PdExchangeCosts *costs);

/**
 * pd_comsys_get_exchange_time:
 * @costs: from pd_comsys_learn_exchange()
 * @own: messages of one rank
 * @all: of all ranks
 *
 * Returns: how long the rank's part of the exchange takes once all have come,
 *   the software's overheads included.
 */
PdTime pd_comsys_get_exchange_time (const PdExchangeCosts *costs, const PdTraffic *own,
                                    const PdTraffic *all);

/**
 * pd_comsys_exchange:
 * @call: who calls, and when; the calling convention above
 * @comm: those that have messages; all call
 * @own: the caller's messages
 * @duration: of the caller's part, from pd_comsys_get_exchange_time()
 *
 * An exchange as a whole: the call returns @duration after the last member has
 * come. No single message is simulated, or seen by an observer.
 */
void pd_comsys_exchange (PdComsys *self, const PdCall *call, PdComm *comm, const PdTraffic *own,
                         PdTime duration);

/* ---- the rest */

/**
 * pd_comsys_get_software:
 * Returns: (transfer none): what calls cost besides the network.
 */
const PdSoftware *pd_comsys_get_software (const PdComsys *self);

/**
 * pd_comsys_get_transfer_time:
 * @source: a rank
 * @target: another rank
 * @bytes: >= 0
 *
 * How long the network between two ranks carries @bytes when nothing else is
 * under way on it: for programs that choose their messages by the network, as
 * the DVM run-time does. Asks a copy of the network: nothing changes, and
 * nothing that happens changes the answer. Costs a network's creation.
 *
 * Returns: the time from the request to the delivery.
 */
PdTime pd_comsys_get_transfer_time (const PdComsys *self, guint32 source, guint32 target,
                                    gint64 bytes);

/**
 * pd_comsys_wtime:
 * Returns: MPI_Wtime at @when, in seconds.
 */
gdouble pd_comsys_wtime (PdTime when);

/**
 * pd_comsys_get_processor_name:
 * Returns: (transfer full): MPI_Get_processor_name: "node3:1", the node in
 *   document order and the processor in it.
 */
char *pd_comsys_get_processor_name (const PdComsys *self, guint32 rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdComsys, pd_comsys_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdComm, pd_comm_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGroup, pd_group_free)

G_END_DECLS

#endif
