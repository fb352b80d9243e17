/* What the parts of ComSys share. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_PRIVATE_H
#define PD_COMSYS_PRIVATE_H

#include "comsys/pd-comsys.h"
#include "comsys/pd-lines.h"
#include "comsys/pd-queue.h"
#include "comsys/pd-topology.h"

G_BEGIN_DECLS

/* What a queue item means; in the top byte of PdQueueItem.what. */
typedef enum
{
  PD_EVENT_TURN,      /* a rank acts: low 32 bits unused */
  PD_EVENT_PLAY,      /* a rank goes on with its collective operation */
  PD_EVENT_EPOCH,     /* a rank goes on with a fence or unlock: low 32 bits = its epoch */
  PD_EVENT_NOTIFY,    /* a rank acts: low 32 bits = the token of pd_comsys_notify() */
  PD_EVENT_CHECK,     /* a rank in Waitany or Waitsome looks at its requests; this and what
                       * follows come before the turns of the same moment */
  PD_EVENT_BESIDE,    /* an operation beside its rank goes on: low 32 bits = its play */
  PD_EVENT_REQUEST,   /* a send asks its network: low 32 bits = request */
  PD_EVENT_ANSWER,    /* a receive answers an announcement: = the send */
  PD_EVENT_DATA,      /* the data of a rendezvous leave: = the send */
  PD_EVENT_ONE_SIDED, /* a message of a window has arrived: = the message */
  PD_EVENT_VISIBLE,   /* messages to a rank can be matched by wildcards: = the rank */
  PD_EVENT_LAUNCH,    /* a rank's processor or adapter is free for its first send */
  PD_EVENT_ARRIVE,    /* a message wants the processor of a rank: = the send */
  PD_EVENT_POST,      /* a Sendrecv posts its receive: = that */
  PD_EVENT_COMPUTE,   /* a rank wants its processor */
  PD_EVENT_NETWORK,   /* bits 32..55 = network instead of the rank, low 32 bits = its token */
} PdEvent;

/* PdQueueItem.what: an event of a rank. */
static inline guint64
pd_what (PdEvent event, guint32 rank, guint32 argument)
{
  return (guint64) event << 56 | (guint64) (rank & 0xffffff) << 32 | argument;
}

typedef enum
{
  PD_REQ_FREE,
  PD_REQ_SEND,
  PD_REQ_RECV,
  PD_REQ_PERSISTENT, /* a handle, see pd-persistent.c */
  PD_REQ_PLAY,       /* a non-blocking collective operation as a whole */
  PD_REQ_ONE_SIDED,  /* a message of a window, see pd-win-messages.c */
} PdReqKind;

typedef enum
{
  PD_AT_REQUESTED, /* nothing has arrived yet */
  PD_AT_ANNOUNCED, /* rendezvous: the announcement has arrived (send.arrival) */
  PD_AT_ANSWERED,  /* rendezvous: the answer is under way, or wanted */
  PD_AT_DATA,      /* the data are under way */
  PD_AT_DELIVERED, /* send.arrival is the moment of delivery */
} PdReqStage;

/* One half of a message: a send or a receive, blocking ones included. Fills a
 * cache line exactly: with many ranks every access is a miss. */
typedef struct
{
  union
  {
    PdTime ready;  /* receive: the moment it is posted */
    PdTime began;  /* once complete, if that is wanted: see pd_waited_matched() */
    guint64 order; /* send: its number, see pd_req_order() */
    PdComm *comm;  /* persistent */
    gint64 wanted; /* one-sided: bytes of the answer to a Get */
  };
  union
  {
    PdTime arrival;   /* send: announcement or data at the target; PENDING = unknown */
    PdStatus *status; /* receive (nullable): where to write the status */
    guint64 number;   /* once complete, on networks with ends: see pd_req_number() */
  };
  PdTime done; /* completion for its owner; negative = pending, see pd_req_order() */
  gint64 bytes;
  guint32 rank; /* owner, world rank */
  guint32 peer; /* world rank; G_MAXUINT32 = any source */
  union
  {
    guint32 context; /* of the communicator */
    guint32 purpose; /* one-sided: see there */
  };
  gint32 tag;
  guint32 source_in_comm; /* send: the owner's rank in the communicator; one-sided: the window */
  union
  {
    guint32 next;    /* not matched: in its queue, or in the free list */
    guint32 partner; /* matched: the other half; one-sided: its epoch, or what it answers */
    guint32 active;  /* persistent: what has been started; 0 = nothing */
  };
  guint32 link;     /* next of its bundle; or the token of a notification; @beside: its play */
  guint32 kind : 3; /* PdReqKind */
  guint32 step : 3; /* PdReqStage */
  guint32 rendezvous : 1; /* else eager; one-sided: a control message */
  guint32 waited : 1;     /* its owner is blocked in a wait for it */
  guint32 any : 1;        /* its owner is in Waitany or Waitsome for it, and others */
  guint32 held : 2;       /* PD_HELD_OWNER | PD_HELD_SYSTEM */
  guint32 collective : 1; /* belongs to a collective operation */
  guint32 queued : 1;     /* in a queue of pd-match.c */
  guint32 visible : 1;    /* send, in the lists of pd-wild.c: can be matched */
  guint32 matched : 1;
  guint32 detached : 1; /* rendezvous whose sender does not wait */
  guint32 ends : 1;     /* send over a network with ends */
  guint32 is_null : 1;  /* of MPI_PROC_NULL */
  guint32 notify : 1;   /* its owner is told of its completion */
  guint32 probe : 1;    /* receive: takes nothing */
  guint32 mode : 2;     /* persistent: of sends, a PdSendMode */
  guint32 is_recv : 1;  /* persistent */
  guint32 beside : 1;   /* of an operation beside its rank; @waited: of the step under way */
} PdReq;

G_STATIC_ASSERT (sizeof (PdReq) == 64);

/* Functions that may have an overhead of their own; in the order of pd-functions.c. */
typedef enum
{
  PD_FN_SEND, /* in the order of PdSendMode */
  PD_FN_SSEND,
  PD_FN_BSEND,
  PD_FN_RSEND,
  PD_FN_ISEND, /* likewise */
  PD_FN_ISSEND,
  PD_FN_IBSEND,
  PD_FN_IRSEND,
  PD_FN_RECV,
  PD_FN_IRECV,
  PD_FN_SENDRECV,
  PD_FN_START,
  PD_FN_STARTALL,
  PD_FN_PROBE,
  PD_FN_IPROBE,
  PD_FN_WAIT,
  PD_FN_WAITALL,
  PD_FN_WAITANY,
  PD_FN_WAITSOME,
  PD_FN_TEST,
  PD_FN_TESTALL,
  PD_FN_TESTANY,
  PD_FN_TESTSOME,
  PD_FN_PUT,
  PD_FN_GET,
  PD_FN_ACCUMULATE,
  PD_FN_WIN_LOCK, /* and _all */
  PD_FN_WIN_UNLOCK,
  PD_FN_WIN_FLUSH,
  PD_FN_OPS,                                    /* + PdOp */
  PD_FN_IOPS = PD_FN_OPS + PD_N_OPS,            /* + PdOp: non-blocking ones, */
  PD_N_FUNCTIONS = PD_FN_IOPS + PD_OP_COMM_DUP, /* which communicators are not made by */
} PdFunction;

#define PD_HELD_OWNER  1
#define PD_HELD_SYSTEM 2

typedef struct _PdPlay PdPlay;
typedef struct _PdPlayBeside PdPlayBeside;

/* A simulated rank. Blocked while ret is not NULL. */
typedef struct
{
  PdTime *ret;          /* slot of the pending call */
  PdTime latest;        /* of the completions so far */
  PdTime overhead;      /* added when the wait is over */
  const char *function; /* what it is blocked in */
  PdPlay *play;         /* (nullable): its collective operation */
  guint32 pending;      /* requests still to complete */
  guint32 first;        /* list by link of those that were not when the wait began */
  guint32 any;          /* 1 + index in PdComsys.anys: it has been in Waitany or Waitsome */
  guint32 coming;       /* heap of messages to it that are not visible yet, see pd-wild.c */
  guint32 own_used;     /* bits of its own requests that are in use */
  PdBundle bundle;      /* what its collective operation waits for together */
} PdRank;

G_STATIC_ASSERT (sizeof (PdRank) == 64);

/* What of a processor is in use on networks with ends, see pd-cpu.c. */
typedef struct
{
  PdTime free;   /* when what it does so far is over */
  PdTime work;   /* of a computation that waits for it … */
  guint32 first; /* sends of its rank's calls that wait for it: the first, and the last one */
  guint32 last;
  guint32 recv;      /* of Sendrecv: to be posted when the send has been launched; 0 = none */
  guint32 then : 8;  /* … and what follows the computation (PdEvent) */
  guint32 waits : 1; /* its rank is blocked until they have been launched */
} PdCpu;

G_STATIC_ASSERT (sizeof (PdCpu) == 32);

/* 2^shift requests of each rank lie beside each other and are taken first; with so
 * many ranks that their memory counts, fewer. */
#define PD_OWN_SHIFT      3
#define PD_OWN_SHIFT_MANY 1
#define PD_MANY_RANKS     (1u << 17)

/* Of what grows with what happens at the same time, so many elements are kept when
 * there is nothing in it. */
#define PD_KEPT (1u << 18)

/* A Waitany or Waitsome that waits. */
typedef struct
{
  PdRequest *requests;
  PdStatus *status;
  gint *result; /* index or count */
  guint n;
  gboolean some;
  PdTime checked; /* the earliest PD_EVENT_CHECK that is queued */
} PdAny;

/* One-sided communication, see pd-win-private.h. */
typedef struct _PdWins PdWins;

/* The lists of pd-wild.c. */
typedef struct _PdWild PdWild;

struct _PdGroup
{
  guint32 n;
  guint32 *ranks; /* world ranks */
};

/* Grids and graphs, see pd-cart.c. */
typedef struct _PdCommTopology PdCommTopology;

struct _PdComm
{
  guint refs;
  guint32 context; /* even: point to point; +1: collectives */
  guint32 n;
  guint32 *ranks;      /* world rank of each member; NULL: the identity */
  gboolean sorted;     /* ranks ascend: found by binary search */
  GHashTable *index;   /* (nullable): world rank -> rank, for unsorted ones, made at need */
  GPtrArray *meetings; /* (nullable): those that some members have not reached, and spare ones */
  guint32 *n_met;      /* (nullable) (array length=n): meetings each member has entered */
  guint32 first_open;  /* number of meetings[0] */
  guint32 *n_beside;   /* (nullable) (array length=n): non-blocking operations of each member */
  guint32 n_nodes;     /* that its members are on; 0 = not counted yet */
  guint32 max_on_node; /* members on one node */
  PdCommTopology *topology;  /* (nullable) */
  GPtrArray *pending_groups; /* (nullable): of Comm_create_group, see pd-comm-create.c */
  PdComsys *comsys;
};

/* Matching queues, indexed by (target, context, source, tag): a hash table of
 * groups of one cache line. */
#define PD_MATCH_SLOTS 5

typedef struct
{
  guint32 head[PD_MATCH_SLOTS]; /* 0 = free */
  guint32 tail[PD_MATCH_SLOTS];
  guint32 check[PD_MATCH_SLOTS]; /* of the key's hash */
  guint32 overflow;              /* queues that passed this group on their way to another */
} PdMatchGroup;

G_STATIC_ASSERT (sizeof (PdMatchGroup) == 64);

typedef struct
{
  PdMatchGroup *groups;
  gsize mask; /* number of groups - 1 */
  gsize used; /* queues */
  gsize most; /* of them, since memory was given back */
} PdMatch;

typedef struct
{
  const PdNetworkClass *class;
  gpointer network;
  PdNetworkHost host; /* first member the network sees; see pd_comsys_host() */
  PdProtocol protocol;
  PdNetworkCosts costs;
  guint32 index;
  PdComsys *comsys;
} PdLevel;

typedef struct _PdCollectiveSet PdCollectiveSet;

/* Collective operations that are under way, and room for more. */
typedef struct
{
  PdPlay *of_ranks; /* (nullable) (array length=n_ranks): those that block their ranks */
  guint32 n_ranks;
  guint32 n_under_way; /* of these */
  guint32 n_most;      /* since their memory was given back */
  GPtrArray *chunks;   /* (nullable): of PD_PLAYS_OF_CHUNK that play beside their ranks */
  PdPlayBeside *free;
} PdPlayPool;

#define PD_PLAYS_OF_CHUNK 256

struct _PdComsys
{
  const PdMachine *machine;
  PdTopology *topology;
  guint32 *placement; /* processor of each rank; NULL: the identity */
  guint32 n_ranks;
  PdRank *ranks;
  PdLevel *levels;    /* one per network instance of the topology */
  gboolean has_costs; /* one of them asks something of processors */
  PdQueue queue;
  PdTime now;
  PdTime turn; /* when the acting rank last had its turn, see pd_comsys_reach() */
  /* of networks with ends: */
  PdCpu *cpus;            /* (nullable) (array length=n_ranks) */
  guint64 number;         /* of the item that was taken last */
  guint64 entered;        /* number of what the acting rank does next; 0 = one to be made */
  gboolean fresh;         /* its moment has come: it need not go through the queue */
  PdTime accounted;       /* the acting rank has told what it did until then */
  guint32 actor;          /* the rank */
  PdPlayBeside *beside;   /* (nullable): acts instead of the rank */
  PdPlayBeside *deferred; /* (nullable): list of those that begin now, with a receive */
  gboolean run_ahead;
  gboolean is_unordered; /* messages' events take place at once, at their own time */
  PdReq *reqs;           /* pool: 0 is never used, then each rank's own, then all others */
  guint32 n_own;         /* the first index of the others */
  guint own_shift;
  guint32 n_reqs;
  guint32 reqs_room;
  guint32 free_req;
  guint64 n_receives;  /* posted so far */
  guint64 n_unmatched; /* in @match */
  guint32 n_handles;   /* persistent requests */
  PdMatch match;
  GArray *anys; /* PdAny, one per rank that ever used them */
  PdWild *wild; /* (nullable): a wildcard has been used */
  PdWins *wins; /* (nullable): there has been a window */
  PdPlayPool plays;
  PdComm *world;
  guint32 next_context;
  PdCollectiveSet *set;
  PdTime *overheads; /* (nullable) (array length=PD_N_FUNCTIONS): of functions */
  PdObserver observer;
  PdWaited *waited; /* (nullable) (array length=n_ranks): the caller's */
  PdComsysCounts counts;
};

/* ---- pd-comsys.c: blocking and unblocking */

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
/* The acting rank calls at @when. If it has run ahead of the queue to there,
 * that is now; so what it starts happens as if it had gone through the queue. */
void pd_comsys_reach (PdComsys *self, guint32 rank, PdTime when);
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

static inline PdTime
pd_function_overhead (const PdComsys *self, guint function)
{
  return G_LIKELY (self->overheads == NULL) ? PD_TIME_ZERO : self->overheads[function];
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

guint32 pd_req_new (PdComsys *self, guint32 rank);
void pd_req_drop (PdComsys *self, guint32 req, guint8 holder);
/* The network between two ranks. */
PdRoute pd_p2p_route (const PdComsys *self, guint32 source, guint32 target);
const PdLevel *pd_p2p_level (const PdComsys *self, guint32 source, guint32 target);
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
gboolean pd_wild_applies (const PdComsys *self, gboolean collective, gboolean is_wild_recv);
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCollectiveSet, pd_collective_set_free)

G_END_DECLS

#endif
