/* The critical path as ComSys keeps it: see pd-critical-path.h. All of these are called only where
 * there is a critical path.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_PRIVATE_H
#define PD_CRITICAL_PATH_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path.h"
#include "comsys/state/pd-comsys-data.h"

/* PdCriticalNode.amount of work of the library above. */
#define PD_CRITICAL_LIBRARY_UNIT 1024

/* A moment; what it follows from is @pred and, of a tie, @other. */
typedef struct
{
  gint64 when;
  gint64 amount;
  guint32 pred;
  guint32 other;
  guint32 refs; /* 0 = free; then @pred is the next free one */
  guint32 arg;
  guint32 rank;
  guint32 peer : 24; /* of a message */
  guint32 kind : 8;
} PdCriticalNode;

/* An actor: a rank, or a nonblocking operation. The first fields are nodes. */
typedef struct
{
  guint32 at;                    /* the moment it has come to */
  guint32 got;                   /* the latest request that a wait has found complete */
  guint32 chosen;                /* what a Waitany goes on with */
  guint32 last;                  /* with tokens: the latest that it has done */
  guint32 latest;                /* of a rank that waits: the latest of that so far */
  guint32 awaited[PD_N_AWAITED]; /* of an operation beside: likewise */
  guint32 place;
  guint32 rank;
  guint32 begun; /* kind of the successor of the wait … */
  guint32 arg;
  gint64 amount;
  gint64 overhead;      /* … how long it takes, ps, */
  gint64 extra;         /* and the overhead of a function after it */
  gboolean in_function; /* such an overhead leads to the actions of the call */
  gint64 begin;         /* of a computation that waits for the processor */
} PdCriticalActor;

/* Of a request: */
typedef struct
{
  guint32 path; /* the last moment of the message; of a receive, when it was posted */
  guint32 done; /* its completion for its owner */
  guint32 sent; /* with several CPUs: when one was over with launching it */
} PdCriticalReq;

/* Transfers that others may have to wait for, by the moment of their end. */
#define PD_CRITICAL_RECENT 1024

struct _PdCriticalPath
{
  PdCriticalNode *nodes; /* 0 = none, 1 = the start */
  guint32 n_nodes;
  guint32 room;
  guint32 free;
  guint32 n_ranks;
  PdCriticalActor *ranks;
  GArray *nonblockings; /* PdCriticalActor, by PdNonblocking.index */
  guint32 nonblocking;  /* 1 + index of the one that acts instead of its rank; 0 = none */
  GArray *reqs;         /* PdCriticalReq */
  gboolean is_explicit; /* all computation */
  gint64 copied;    /* bytes of the message that was begun last, if its call copies it; else -1 */
  gboolean is_wait; /* the next wait ends with the overhead of waits */
  guint32 *cpus;    /* when processors get free: as PdComsys.cpus */
  guint32 begun;    /* the operation that is being tried, see pd-critical-path-operations.h */
  guint32 *sides;   /* of adapters, both sides of each endpoint */
  guint32 *first_side; /* of each instance */
  guint32 n_sides;
  guint32 *recent;    /* (array length=PD_CRITICAL_RECENT) */
  GHashTable *tokens; /* (nullable): rank and token -> node */
  GArray *stack;      /* nodes to be released */
};

/* ---- pd-critical-path.c: nodes */

static inline PdTime
pd_critical_when (const PdCriticalPath *self, guint32 node)
{
  return PD_TIME (self->nodes[node].when);
}

guint32 pd_critical_ref (PdCriticalPath *self, guint32 node);
void pd_critical_unref (PdCriticalPath *self, guint32 node);
/* *@slot becomes @node (transfer full). */
void pd_critical_put (PdCriticalPath *self, guint32 *slot, guint32 node);
/* Returns (transfer full) @node, but for @pred, which is referred to. */
guint32 pd_critical_add (PdCriticalPath *self, guint32 pred, const PdCriticalNode *node);
/* Returns (transfer full) the later one, or a tie; either may be 0. */
guint32 pd_critical_later (PdCriticalPath *self, guint32 a, guint32 b);
/* *@slot becomes the later one of itself and @node (transfer none). */
void pd_critical_gather (PdCriticalPath *self, guint32 *slot, guint32 node);

/* The actor of @rank. */
PdCriticalActor *pd_critical_actor (PdCriticalPath *self, guint32 rank);
PdCriticalActor *pd_critical_nonblocking_actor (PdCriticalPath *self, guint32 index);
/* @actor comes to @when, having spent the time since its last moment with @kind.
 * Returns (transfer none) that moment. */
guint32 pd_critical_advance (PdCriticalPath *self, PdCriticalActor *actor, PdTime when,
                             PdCriticalKind kind, guint32 arg);
/* Likewise with its activity where there are no notifications. */
guint32 pd_critical_advance_implicit (PdCriticalPath *self, PdCriticalActor *actor, PdTime when);
/* Likewise with a cost of the software. */
guint32 pd_critical_spend (PdCriticalPath *self, PdCriticalActor *actor, PdTime when,
                           PdCriticalSoftware what, gint64 amount);
PdCriticalReq *pd_critical_req (PdCriticalPath *self, guint32 req);

#endif
