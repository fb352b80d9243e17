/* What ComSys keeps: requests, ranks, and all the rest. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_DATA_H
#define PD_COMSYS_DATA_H

#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/machine/pd-functions.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/queue/pd-min-set.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-delivery-types.h"

/* The meaning of a queue item; in the top byte of PdQueueItem.what. */
typedef enum
{
  PD_EVENT_TURN,        /* a rank acts: low 32 bits = PD_TURN_RETURNED, or 0 */
  PD_EVENT_COLLECTIVE,  /* a rank goes on with its collective operation: likewise */
  PD_EVENT_EPOCH,       /* a rank goes on with a fence or unlock: low 32 bits = its epoch */
  PD_EVENT_NOTIFY,      /* a rank acts: low 32 bits = the token of pd_comsys_notify() */
  PD_EVENT_CHECK,       /* a rank in Waitany or Waitsome looks at its requests; this and what
                         * follows come before the turns of the same moment */
  PD_EVENT_NONBLOCKING, /* a nonblocking operation goes on: low 32 bits = its play */
  PD_EVENT_REQUEST,     /* a send asks its network: low 32 bits = request */
  PD_EVENT_ANSWER,      /* a receive answers an announcement: = the send */
  PD_EVENT_DATA,        /* the data of a rendezvous leave: = the send */
  PD_EVENT_ONE_SIDED,   /* a message of a window has arrived: = the message */
  PD_EVENT_VISIBLE,     /* messages to a rank can be matched by wildcards: = the rank */
  PD_EVENT_LAUNCH,      /* a rank's processor or adapter is free for its first send */
  PD_EVENT_ARRIVE,      /* a message wants the processor of a rank: = the send */
  PD_EVENT_POST,        /* a Sendrecv posts its receive: = that */
  PD_EVENT_COMPUTE,     /* a rank wants its processor */
  PD_EVENT_RETURNED,    /* a rank's call has returned, what it does next follows: = an event;
                         * this and what follows: see pd-fifo-order.h */
  PD_EVENT_WAIT,        /* a rank begins to wait: = whether for a receive that it posts then */
  PD_EVENT_DELIVERY,    /* a message has arrived: = the send */
  PD_EVENT_MEETING,     /* the members of a collective operation have come: = the meeting */
  PD_EVENT_COMPLETE,    /* a request is complete: = that */
  PD_EVENT_NETWORK,     /* bits 32..55 = network instead of the rank, low 32 bits = its token */
  PD_N_EVENTS,
} PdEvent;

/* Of a turn: the rank has waited, and has not come to anything else yet. */
#define PD_TURN_RETURNED 1

/**
 * pd_what:
 * Returns: the item of the event queue (#PdQueueItem.what) of an event of @rank.
 */
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
  PD_REQ_COLLECTIVE, /* a non-blocking collective operation as a whole */
  PD_REQ_ONE_SIDED,  /* a message of a window, see pd-win-messages.c */
  PD_REQ_TO_ROOT,    /* a member's message to the root of a reduce, see pd-barrier-reduce.c */
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
    PdTime began;  /* once complete, if that is wanted: see pd_wait_stats_matched() */
    guint64 order; /* send: its number, see pd_req_order() */
    PdComm *comm;  /* persistent, or to a root */
    gint64 wanted; /* one-sided: bytes of the answer to a Get */
  };
  union
  {
    PdTime arrival;   /* send: announcement or data at the target; PENDING = unknown */
    PdStatus *status; /* receive (nullable): where to write the status */
    guint64 number;   /* once complete, on networks with endpoint resources: see pd_req_number() */
  };
  PdTime done;  /* completion for its owner; negative = pending, see pd_req_order() */
  gint64 bytes; /* of a non-blocking collective operation: ps that its wait costs first */
  guint32 rank; /* owner, world rank */
  guint32 peer; /* world rank; G_MAXUINT32 = any source */
  union
  {
    guint32 context; /* of the communicator */
    guint32 purpose; /* one-sided: see there */
  };
  gint32 tag;
  union
  {
    guint32 source_in_comm; /* send: the owner's rank in the communicator; one-sided: the window */
    PdLane lane;            /* send that was submitted: see pd_req_lane() */
  };
  union
  {
    guint32 next;    /* not matched: in its queue */
    guint32 partner; /* matched: the other half; one-sided: its epoch, or what it answers */
    guint32 active;  /* persistent: what has been started; 0 = nothing */
  };
  guint32 link;     /* next of its bundle; or the token of a notification; @nonblocking: its play;
                     * to a root: the number of the barrier */
  guint32 kind : 3; /* PdReqKind */
  guint32 step : 3; /* PdReqStage */
  guint32 rendezvous : 1; /* else eager; one-sided: a control message */
  guint32 detached : 1;   /* rendezvous whose sender does not wait; in the same byte */
  guint32 waited : 1;     /* its owner is blocked in a wait for it */
  guint32 any : 1;        /* its owner is in Waitany or Waitsome for it, and others */
  guint32 held : 2;       /* PD_HELD_OWNER | PD_HELD_SYSTEM */
  guint32 collective : 1; /* belongs to a collective operation */
  guint32 queued : 1;     /* in a queue of pd-match.c */
  guint32 visible : 1;    /* send, in the lists of pd-wildcard-lists.c: can be matched */
  guint32 matched : 1;
  guint32 endpoints : 1;   /* send over a network with endpoint resources */
  guint32 is_null : 1;     /* of MPI_PROC_NULL */
  guint32 notify : 1;      /* its completion notifies its owner */
  guint32 probe : 1;       /* receive: takes nothing */
  guint32 mode : 2;        /* persistent: of sends, a PdSendMode */
  guint32 is_recv : 1;     /* persistent */
  guint32 nonblocking : 1; /* of a nonblocking operation; @waited: of the step under way */
} PdReq;

G_STATIC_ASSERT (sizeof (PdReq) == 64);

#define PD_HELD_OWNER  1
#define PD_HELD_SYSTEM 2

/* The object of a wait. */
typedef enum
{
  PD_AWAITED_STEP, /* the messages of the step */
  PD_AWAITED_ALL,  /* those of ISEND and IRECV */
  PD_N_AWAITED,
} PdAwaited;

/* A nonblocking operation, and how it waits. */
typedef struct _PdNonblocking
{
  PdExecution exec;               /* whose next frees it */
  guint32 index;                  /* in the pool */
  guint32 request;                /* whose completion is the end */
  guint32 tag;                    /* of its messages */
  guint32 world;                  /* its rank, in the world */
  guint32 pending[PD_N_AWAITED];  /* messages that have not completed */
  guint8 has_taken[PD_N_AWAITED]; /* there were messages since the last wait */
  guint8 waits[PD_N_AWAITED];
  PdTime latest[PD_N_AWAITED]; /* of the completions */
  PdTime overhead;             /* of the wait */
  PdTime before;               /* what the network asks for before it, for the receives so far */
  /* on machines with endpoint resources: */
  PdStep step; /* the next one, */
  gboolean has_step;
  guint32 send;                 /* its send, which waits for the processor, */
  guint64 number[PD_N_AWAITED]; /* see pd_req_number() */
} PdNonblocking;

/* A simulated rank. Blocked while ret is not NULL. */
typedef struct
{
  PdTime *ret;          /* slot of the pending call */
  PdTime latest;        /* of the completions so far */
  PdTime overhead;      /* added when the wait is over */
  const char *function; /* what it is blocked in */
  PdExecution *exec;    /* (nullable): its collective operation */
  guint32 pending;      /* requests still to complete */
  guint32 first;        /* list by link of those that were not when the wait began */
  guint32 any;          /* 1 + index in PdComsys.anys: it has been in Waitany or Waitsome */
  guint32 coming;   /* heap of messages to it that are not visible yet, see pd-wildcard-lists.c */
  guint32 own_used; /* bits of its own requests that are in use */
  PdBundle bundle;  /* what its collective operation waits for together */
} PdRank;

G_STATIC_ASSERT (sizeof (PdRank) == 64);

/* The parts of a processor in use on networks with endpoint resources, see pd-cpu-order.c. */
typedef struct
{
  PdTime free;   /* when what it does so far is over */
  PdTime work;   /* of a computation that waits for it … */
  guint32 first; /* sends of its rank's calls that wait for it: the first, and the last one */
  guint32 last;
  guint32 recv;      /* of Sendrecv: to be posted when the send has been launched; 0 = none */
  guint32 then : 8;  /* … and what follows the computation (PdEvent) */
  guint32 waits : 1; /* its rank is blocked until they have been launched */
  guint32 keeps : 1; /* something may wait for it in the lists of pd-waiting.c */
} PdCpu;

G_STATIC_ASSERT (sizeof (PdCpu) == 32);

#define PD_CPU_LINES(n) (((gsize) (n) * sizeof (PdCpu) + 63) / 64)

/* 2^shift requests of each rank lie beside each other and are taken first; with so
 * many ranks that their memory counts, fewer. */
#define PD_OWN_SHIFT      3
#define PD_OWN_SHIFT_MANY 1
#define PD_MANY_RANKS     (1u << 17)

/* Arrays that grow with the number of concurrent events keep this many elements when they
 * are empty. */
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

/* Operations submitted by ranks, see pd-operations.h. */
typedef struct _PdOperations PdOperations;

/* Operations that wait for processors and adapters, see pd-waiting.h. */
typedef struct _PdWaiting PdWaiting;

/* See pd-arrival-match.h. */
typedef struct _PdArrivalMatch PdArrivalMatch;

/* The lists of pd-wildcard-lists.c. */
typedef struct _PdWildcard PdWildcard;

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
  GPtrArray *barriers; /* (nullable): a ring of those that some have not reached, and spare ones */
  guint32 *n_entered;  /* (nullable) (array length=n): barriers each member has entered */
  guint32 first_open;  /* number of the oldest that some have not reached */
  guint32 *n_nonblocking; /* (nullable) (array length=n): non-blocking operations of each member */
  guint32 n_nodes;        /* that its members are on; 0 = not counted yet */
  guint32 max_on_node;    /* members on one node */
  GArray *memories;       /* (nullable): PdCommMemory, likewise */
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
  PdNetworkCallbacks callbacks; /* first member the network sees; see pd_comsys_host() */
  PdProtocol protocol;
  PdNetworkCosts costs;
  guint32 index;
  PdComsys *comsys;
} PdNetworkLevel;

/* A row of the table in use. */
typedef struct
{
  PdAlgorithmRow choice;
  PdMeasure measure; /* of choice.up_to */
  const PdAlgorithm *algorithm;
  const PdAlgorithm *otherwise; /* where that does not fit */
} PdChosen;

/* The features that a machine uses. */
typedef struct
{
  gboolean is_simple;       /* nothing is played */
  GArray *chosen[PD_N_OPS]; /* (nullable): PdChosen */
  PdPhase in[PD_N_OPS];     /* of "simple" */
  PdPhase out[PD_N_OPS];
  gboolean levels_known;
  PdPhaseLevel network;
} PdCollectiveSet;

/* Of the nodes with one kind of memory, the one on which most members are. */
typedef struct
{
  const PdMachineNetwork *memory; /* (nullable): there is none, or the machine has one for all */
  PdPhaseLevel level;             /* what it costs */
  guint32 max_on_node;
} PdCommMemory;

/* See pd-resources.h. */
typedef struct _PdResources PdResources;

/* See pd-probe.h. */
typedef struct _PdProbe PdProbe;

/* See pd-critical-path.h. */
typedef struct _PdCriticalPath PdCriticalPath;

/* Collective operations that are under way, and room for more. */
typedef struct
{
  PdExecution *of_ranks; /* (nullable) (array length=n_ranks): those that block their ranks */
  guint32 n_ranks;
  GPtrArray *chunks; /* (nullable): of PD_EXECUTIONS_PER_CHUNK of nonblocking operations */
  PdNonblocking *free;
} PdExecutionPool;

#define PD_EXECUTIONS_PER_CHUNK 256

/* The observer of completed requests. */
typedef enum
{
  PD_WAITER_NONE,        /* nobody, so far */
  PD_WAITER_NONBLOCKING, /* a nonblocking operation */
  PD_WAITER_ANY,         /* a rank in Waitany or Waitsome */
  PD_WAITER_TOKEN,       /* see pd_comsys_notify() */
  PD_WAITER_OPERATION,   /* likewise, of a rank that submits operations */
  PD_N_WAITERS,
} PdWaiter;

/* Functions of higher layers that lower ones call; see pd-main-loop.c. */
typedef struct
{
  void (*event[PD_N_EVENTS]) (PdComsys *self, guint32 rank, guint32 argument);
  void (*completed[PD_N_WAITERS]) (PdComsys *self, guint32 req, PdTime when);
  void (*one_sided_arrived) (PdComsys *self, guint32 message, PdTime when);
  void (*reached_root) (PdComsys *self, guint32 message, PdTime when);
  void (*begin_deferred) (PdComsys *self);                      /* see PdComsys.deferred */
  void (*receive) (PdComsys *self, guint32 rank, guint32 send); /* with PdComsys.operations */
} PdHandlers;

struct _PdComsys
{
  const PdHandlers *handlers;
  const PdResources *resources;
  const PdMachine *machine;
  PdTopology *topology;
  guint32 *placement; /* processor of each rank; NULL: the identity */
  guint32 n_ranks;
  PdRank *ranks;
  PdNetworkLevel *levels; /* one per network instance of the topology */
  gboolean has_costs;   /* one of them asks something of processors, or there is a critical path */
  gboolean is_thorough; /* there are @cpus, or a critical path: who acts accounts for its time */
  PdQueue queue;
  PdTime now;
  guint32 near_rank; /* with many ranks: the ranks of later events, beyond all ranks if unknown; */
  guint32 next_rank; /* data out of the cache for the acting rank is likely to be so for them */
  guint32 last_rank; /* likewise, that of the last event; */
  guint32 last_used; /* its PdRank.own_used before it */
  PdTime turn;       /* when the acting rank last had its turn, see pd_comsys_advance_to() */
  /* of networks with endpoint resources: */
  PdCpu *cpus;                /* (nullable) (array length=n_ranks*n_cpus): see pd_cpu_index() */
  guint32 n_cpus;             /* of each rank; 1 where ranks call */
  guint32 n_nics;             /* of each endpoint; likewise */
  PdLane lane;                /* of the operation that is submitted or tried */
  guint64 number;             /* of the item that was taken last */
  guint32 n_following;        /* items that follow it before all others */
  gboolean goes_with_send;    /* the acting rank goes on when its send acts; only if is_fifo */
  guint64 entered;            /* number of the next action of the acting rank; 0 = to be assigned */
  gboolean fresh;             /* its moment has come: it need not go through the queue */
  PdWaiting *waiting;         /* (nullable): something has waited */
  PdArrivalMatch *arrivals;   /* (nullable): messages are matched when they are received */
  PdTime accounted;           /* the acting rank has reported its activities until then */
  guint32 actor;              /* the rank */
  PdNonblocking *nonblocking; /* (nullable): acts instead of the rank */
  PdNonblocking *deferred;    /* (nullable): list of those that begin now, with a receive */
  PdOperations *operations;   /* (nullable): ranks submit operations instead of calling */
  gboolean run_ahead;
  gboolean asks;         /* who comes back asks whether it may go on, see pd_comsys_set_asks() */
  gboolean is_unordered; /* messages' events take place at once, at their own time */
  PdReq *reqs;           /* pool: 0 is never used, then each rank's own, then all others */
  guint32 n_own;         /* the first index of the others */
  guint own_shift;
  guint32 n_reqs;
  guint32 reqs_room;
  PdMinSet free_reqs;  /* of the others; the least is taken: neighbours one after the other */
  guint64 n_receives;  /* posted so far */
  guint64 n_unmatched; /* in @match */
  guint32 n_handles;   /* persistent requests */
  PdTruncated truncated;
  PdMatch match;
  GArray *anys;          /* PdAny, one per rank that ever used them */
  PdWildcard *wildcards; /* (nullable): a wildcard has been used */
  PdWins *wins;          /* (nullable): there has been a window */
  GPtrArray *meetings;   /* (nullable): of pd-barrier-state.c: under way, or NULL */
  PdExecutionPool execs;
  PdComm *world;
  guint32 next_context;
  PdCollectiveSet *set;
  PdTime *overheads;           /* (nullable) (array length=PD_N_FUNCTIONS): of functions */
  PdFunctionBytes *byte_costs; /* (nullable) (array length=PD_N_FUNCTIONS): likewise */
  PdObserver observer;
  PdWaitStats *waited;          /* (nullable) (array length=n_ranks): the caller's; */
  gboolean waited_sends;        /* sends count in it, too */
  PdDeliveryFunc delivery_func; /* (nullable) */
  gpointer delivery_data;
  PdComsysCounts counts;
  const PdProbe *probe;     /* (nullable): observes all that happens; */
  PdCriticalPath *critical; /* what it keeps: the caller's */
};

#endif
