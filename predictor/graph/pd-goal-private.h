/* Shared declarations of the files of graph simulation.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PREDICTOR_GOAL_PRIVATE_H
#define PD_PREDICTOR_GOAL_PRIVATE_H

#include "base/pd-hash-map.h"
#include "predictor/graph/pd-goal-queue-private.h"
#include "predictor/graph/pd-goal.h"
#include "traces/graph/pd-graph-cells.h"

#define PD_GOAL_NONE    G_MAXUINT32
#define PD_GOAL_INDEXED (G_MAXUINT32 - 1) /* of a list: its members are in the index */

#define PD_GOAL_FETCHED 8 /* cells fetched that are remembered, a power of 2 */

/* The sorts of operations that wait for CPU and adapter: each sort waits for the same moment. */
typedef enum
{
  PD_GOAL_WAIT_SEND = PD_GRAPH_SEND,    /* CPU and sending side of the adapter */
  PD_GOAL_WAIT_ARRIVAL = PD_GRAPH_RECV, /* CPU and receiving side */
  PD_GOAL_WAIT_CALC = PD_GRAPH_CALC,    /* CPU */
} PdGoalWait;

/* PdGoalEventTime.what: the turn of a rank and the PdGoalWait it is of, or an event. */
#define PD_GOAL_WHAT_KIND  30 /* shift of 2 bits */
#define PD_GOAL_WHAT_EVENT 3u /* the rest is a node, else a rank */
#define PD_GOAL_WHAT_INDEX ((1u << PD_GOAL_WHAT_KIND) - 1)

typedef struct
{
  gint64 time;    /* ps */
  guint32 number; /* breaks ties */
  guint32 rank;   /* rank it happens at */
  guint32 op;
  guint32 source;
  guint32 tag;
  guint32 size;
} PdGoalEvent;

/* Kinds of events; a rank in PdGoalEvent.source is the arrival of its message. */
typedef enum
{
  PD_GOAL_EVENT_WAIT = -16, /* lanes; op: node, size: PdGoalWait */
  PD_GOAL_EVENT_OWN,        /* op: a send or calc whose time has come */
  PD_GOAL_EVENT_POST,       /* op: receive */
  PD_GOAL_EVENT_RECV,       /* op: receive of the message tag (rank), size (op) */
  PD_GOAL_EVENT_RENDEZVOUS, /* likewise, and its sender waits */
} PdGoalEventKind;

#define PD_GOAL_SIZE_WIDE G_MAXUINT32 /* event.size: to be looked up in the sender's operation */

/* The state of an operation: while it waits, the number of its dependencies,
 * if there are several; then its place in a list. */
typedef struct
{
  guint32 next;   /* in a list; before: how many it waits for */
  guint32 number; /* in a list: of its event */
} PdGoalOp;

/* A node of 32 bytes: an event in the queue or that waits in a heap, a message
 * under way, one that was not expected, a receive in the index, or a link to one
 * of the latter. */
typedef struct
{
  guint32 next;   /* in a list; event in the queue: its host */
  guint32 number; /* event, receive: of the event; not expected: order of arrival */
  union
  {
    gint64 time; /* message: when it arrives, not expected: when its reception ends */
    struct
    {
      guint32 size;    /* in a heap: PdGoalEvent.size */
      gboolean queued; /* in a heap: is in the queue */
    };
  };
  guint32 op;     /* own; message: of the sender; link: the node it stands for */
  guint32 source; /* message, receive, event */
  guint32 tag;    /* likewise */
  guint32 child;  /* of a heap; of receives and messages: PD_GOAL_NODE_...; event in the queue,
                   * message under way: PdGoalEvent.size */
} PdGoalNode;

#define PD_GOAL_NODE_RENDEZVOUS 0x80000000u
#define PD_GOAL_NODE_TAKEN      0x40000000u
#define PD_GOAL_NODE_LINKS      0xffu /* mask: number of links to it */

/* All of a rank that is touched by an event: a cache line. Lists are circular,
 * known by their last. */
typedef struct
{
  gint64 cpu, tx, rx; /* free from; with several CPUs or adapters in lanes instead */
  gint64 turn_time;   /* key of the first turn in the queue, G_MAXINT64: there is none; */
  guint32 turn_number;
  guint32 cpu_since;               /* the first number that was given since cpu is what it is */
  guint32 lists[PD_GRAPH_N_KINDS]; /* operations that wait; receives that are posted, or
                                    * PD_GOAL_INDEXED */
  guint32 arrivals;                /* nodes: messages under way */
  guint32 messages;                /* nodes: not expected, or PD_GOAL_INDEXED */
  guint32 first;                   /* cell */
} PdGoalRank;

/* An operation that has become ready. */
typedef struct
{
  guint32 op;
  gint64 time; /* not before */
} PdGoalReady;

typedef struct
{
  const PdGraph *graph;
  const PdGoalParams *params;
  PdGoalResult *result;
  const PdGraphCell *cells;
  const guint32 *edges;
  const PdGraphWide *wide;
  PdGoalRank *ranks;
  guint32 n_ranks;
  PdGoalOp *ops;     /* of each cell */
  gint64 *ready;     /* (nullable): of each operation, the latest end of those it waited for */
  gboolean has_many; /* some rank has several CPUs or adapters */
  gboolean early;    /* receives are posted when they become ready: their keys only increase;
                      * what waits takes turns: one moment per rank in the queue */
  gboolean plain;    /* clocks may go backwards: what waits goes back into the queue */
  gboolean starts;   /* something waits for a start */
  gboolean linked;   /* lists of the index consist of links */
  guint64 n_done;
  guint32 next_number;
  guint32 next_sequence; /* of receives posted and messages kept */
  gboolean overflow;
  /* (s-1) G and (s-1) O of the last size asked for. */
  gint64 last_size, last_gap, last_overhead;
  PdGoalQueue queue;
  guint32 fetched[PD_GOAL_FETCHED]; /* cells fetched for moments to come, in a ring */
  guint32 n_fetched;
  PdGoalNode *nodes;
  guint32 *free_nodes; /* (array length=size_nodes): the first n_free are free */
  guint32 n_nodes, size_nodes, n_free;
  PdGoalReady *batch[PD_GRAPH_N_KINDS]; /* what became ready in this event at one rank */
  gsize n_batch[PD_GRAPH_N_KINDS];
  gsize n_ready, size_batch; /* sum of n_batch; room in each */
  PdHashMap resource_table;  /* CPUs, adapters and heaps, by (rank, kind, cpu, nic) */
  PdHashMap index;           /* long lists, by (rank, source, tag, form) */
  PdHashMap side; /* by (rank, operation): early: message a posted receive will get; lanes:
                   * end of a send whose sender waits */
} PdGoal;

/* ---- nodes: pd-goal-nodes.c */

#define PD_GOAL_MAX_NODES (PD_GOAL_WHAT_INDEX + 1)

void pd_goal_enlarge_nodes (PdGoal *self);

/* Those that are free lie on a stack, so that the next ones can be fetched. */
static inline guint32
pd_goal_node_new (PdGoal *self)
{
  if (self->n_free > 0)
    {
      __builtin_prefetch (&self->nodes[self->free_nodes[self->n_free > 8 ? self->n_free - 8 : 0]],
                          1);
      return self->free_nodes[--self->n_free];
    }
  if (self->n_nodes == self->size_nodes)
    pd_goal_enlarge_nodes (self);
  return self->n_nodes++;
}

static inline void
pd_goal_node_free (PdGoal *self, guint32 node)
{
  self->free_nodes[self->n_free++] = node;
}

/* ---- circular lists of operations or nodes, both of which begin with next */

static inline guint32 *
pd_goal_next (gpointer items, gsize size, guint32 i)
{
  return (guint32 *) ((guint8 *) items + i * size);
}

static inline void
pd_goal_list_append (gpointer items, gsize size, guint32 *last, guint32 item)
{
  guint32 *next = pd_goal_next (items, size, *last != PD_GOAL_NONE ? *last : item);

  *pd_goal_next (items, size, item) = *last != PD_GOAL_NONE ? *next : item;
  *next = item;
  *last = item;
}

/* Takes out the one that comes after @before. */
static inline void
pd_goal_list_unlink (gpointer items, gsize size, guint32 *last, guint32 before)
{
  guint32 *next = pd_goal_next (items, size, before), item = *next;

  *next = *pd_goal_next (items, size, item);
  if (item == *last)
    *last = item == before ? PD_GOAL_NONE : before;
}

/* The operations of a rank. */
static inline PdGoalOp *
pd_goal_ops (const PdGoal *self, const PdGoalRank *at)
{
  return self->ops + at->first;
}

static inline void
pd_goal_append_op (PdGoal *self, const PdGoalRank *at, guint32 *last, guint32 op, guint32 number)
{
  PdGoalOp *ops = pd_goal_ops (self, at);

  ops[op].number = number;
  pd_goal_list_append (ops, sizeof *ops, last, op);
}

static inline gint64
pd_goal_add (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* The one way into the queue. */
static inline void
pd_goal_push_event_time (PdGoal *self, gint64 time, guint32 number, guint32 what)
{
  if (G_UNLIKELY (time == G_MAXINT64))
    self->overflow = TRUE;
  else
    pd_goal_queue_push (&self->queue, (PdGoalEventTime){ time, number, what });
}

static inline void
pd_goal_push (PdGoal *self, const PdGoalEvent *event)
{
  guint32 node = pd_goal_node_new (self);

  self->nodes[node] = (PdGoalNode){ .next = event->rank,
                                    .op = event->op,
                                    .source = event->source,
                                    .tag = event->tag,
                                    .child = event->size };
  pd_goal_push_event_time (self, event->time, event->number,
                           PD_GOAL_WHAT_EVENT << PD_GOAL_WHAT_KIND | node);
}

static inline guint32
pd_goal_cell_tag (const PdGoal *self, const PdGraphCell *cell)
{
  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_WIDE))
    return self->wide[cell->size].tag;
  return cell->tag == PD_GRAPH_CELL_ANY_TAG ? PD_GRAPH_ANY : cell->tag;
}

static inline gint64
pd_goal_cell_size (const PdGoal *self, const PdGraphCell *cell)
{
  if (G_UNLIKELY (cell->flags & PD_GRAPH_CELL_WIDE))
    return self->wide[cell->size].size;
  return cell->size;
}

static inline gboolean
pd_goal_match (guint32 source, guint32 tag, guint32 want_source, guint32 want_tag)
{
  return (want_source == source || want_source == PD_GRAPH_ANY)
         && (want_tag == tag || want_tag == PD_GRAPH_ANY || tag == PD_GRAPH_ANY);
}

/* ---- CPUs, adapters, and what waits for them: pd-goal-wait.c */

/* Which CPU and adapter: only looked at with lanes. */
typedef struct
{
  guint8 cpu, nic;
} PdGoalResource;

typedef enum
{
  PD_GOAL_RESOURCE_CPU = 1,
  PD_GOAL_RESOURCE_TX,
  PD_GOAL_RESOURCE_RX,
  PD_GOAL_RESOURCE_WAITS, /* + PdGoalWait */
} PdGoalResourceKind;

static inline PdGoalResource
pd_goal_resource_of (const PdGoal *self, guint32 rank, guint32 op)
{
  PdGraphOp decoded;

  if (G_LIKELY (!self->has_many))
    return (PdGoalResource){ 0, 0 };
  decoded = pd_graph_cell_decode (&self->cells[self->ranks[rank].first + op], self->wide);
  return (PdGoalResource){ decoded.cpu, decoded.nic };
}

/* ---- matching: pd-goal-match.c */

/* A receive that was posted. */
typedef struct
{
  guint32 number; /* of its event */
  guint32 op;
} PdGoalPosted;

/* ---- what work costs: pd-goal-cost.c */

/* The larger of (s-1) G and (s-1) O. LogGOPSim compares them without sign. */
static inline gint64
pd_goal_get_receive_cost (const PdGoal *self)
{
  guint64 gap = (guint64) self->last_gap, overhead = (guint64) self->last_overhead;

  return (gint64) MAX (gap, overhead);
}

/* ---- after the last event: pd-goal-result.c */

/* All messages that were not received and receives still posted, in no order
 * that may be shown: calls @found for each with the rank. */
typedef void (*PdGoalLeftFunc) (PdGoal *self, guint32 rank, const PdGoalNode *node,
                                gboolean is_message, gpointer data);

#endif
