/* The trail as ComSys keeps it: see pd-trail.h. All of these are called only where there
 * is a trail.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRAIL_PRIVATE_H
#define PD_TRAIL_PRIVATE_H

#include "comsys/pd-collective-private.h"
#include "comsys/pd-trail.h"

G_BEGIN_DECLS

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
} PdTrailNode;

/* Somebody who acts: a rank, or an operation beside one. The first are nodes. */
typedef struct
{
  guint32 at;                    /* the moment it has come to */
  guint32 got;                   /* the latest of what a wait has found complete */
  guint32 chosen;                /* what a Waitany goes on with */
  guint32 last;                  /* with tokens: the latest that it has done */
  guint32 latest;                /* of a rank that waits: the latest of that so far */
  guint32 awaited[PD_N_AWAITED]; /* of an operation beside: likewise */
  guint32 place;
  guint32 rank;
  guint32 begun; /* kind of what follows the wait … */
  guint32 arg;
  gint64 amount;
  gint64 overhead;      /* … how long it takes, ps, */
  gint64 extra;         /* and the overhead of a function after it */
  gboolean in_function; /* it comes to what the call does through such an overhead */
  gint64 begin;         /* of a computation that waits for the processor */
} PdTrailActor;

/* Of a request: */
typedef struct
{
  guint32 path; /* the last moment of the message; of a receive, when it was posted */
  guint32 done; /* its completion for its owner */
} PdTrailReq;

/* Transfers that others may have to wait for, by the moment of their end. */
#define PD_TRAIL_RECENT 1024

struct _PdTrail
{
  PdTrailNode *nodes; /* 0 = none, 1 = the start */
  guint32 n_nodes;
  guint32 room;
  guint32 free;
  guint32 n_ranks;
  PdTrailActor *ranks;
  GArray *besides;  /* PdTrailActor, by PdPlayBeside.index */
  guint32 beside;   /* 1 + index of the one that acts instead of its rank; 0 = none */
  GArray *reqs;     /* PdTrailReq */
  gboolean is_told; /* all computation */
  gint64 copied;    /* bytes of the message that was begun last, if its call copies it; else -1 */
  gboolean is_wait; /* what is waited for next ends with the overhead of waits */
  guint32 *cpus;    /* (nullable) (array length=n_ranks): when processors get free */
  guint32 *sides;   /* (nullable): of adapters, both sides of each endpoint */
  guint32 *first_side; /* (nullable): of each instance */
  guint32 n_sides;
  guint32 *recent;    /* (array length=PD_TRAIL_RECENT) */
  GHashTable *tokens; /* (nullable): rank and token -> node */
  GArray *stack;      /* nodes to be released */
};

/* ---- pd-trail.c: nodes */

static inline PdTime
pd_trail_when (const PdTrail *self, guint32 node)
{
  return PD_TIME (self->nodes[node].when);
}

guint32 pd_trail_ref (PdTrail *self, guint32 node);
void pd_trail_unref (PdTrail *self, guint32 node);
/* *@slot becomes @node (transfer full). */
void pd_trail_put (PdTrail *self, guint32 *slot, guint32 node);
/* Returns (transfer full) @node, but for @pred, which is referred to. */
guint32 pd_trail_add (PdTrail *self, guint32 pred, const PdTrailNode *node);
/* Returns (transfer full) the later one, or a tie; either may be 0. */
guint32 pd_trail_later (PdTrail *self, guint32 a, guint32 b);
/* *@slot becomes the later one of itself and @node (transfer none). */
void pd_trail_gather (PdTrail *self, guint32 *slot, guint32 node);

/* Who acts for @rank. */
PdTrailActor *pd_trail_actor (PdTrail *self, guint32 rank);
PdTrailActor *pd_trail_beside (PdTrail *self, guint32 index);
/* @actor comes to @when, having spent the time since its last moment with @kind.
 * Returns (transfer none) that moment. */
guint32 pd_trail_come (PdTrail *self, PdTrailActor *actor, PdTime when, PdTrailKind kind,
                       guint32 arg);
/* Likewise with what it does where nothing is told. */
guint32 pd_trail_come_untold (PdTrail *self, PdTrailActor *actor, PdTime when);
/* Likewise with a cost of the software. */
guint32 pd_trail_spend (PdTrail *self, PdTrailActor *actor, PdTime when, PdTrailSoftware what,
                        gint64 amount);
PdTrailReq *pd_trail_req (PdTrail *self, guint32 req);

/* ---- pd-trail-events.c: what happens */

/* The rank calls at @when; what it wants begins after the overhead of the function. */
void pd_trail_calls (PdComsys *self, guint32 rank, PdTime when);
/* It goes on now, after what is not followed. */
void pd_trail_loses (PdComsys *self, guint32 rank);
/* Before it acts a network asks for time of its processor until @when. */
void pd_trail_asked (PdComsys *self, const PdCall *call, PdTime when);
/* A send has been called for at @when, which asks the network at @ready; @copies: whoever
 * waits for it at once copies it. */
void pd_trail_sends (PdComsys *self, guint32 send, PdTime when, PdTime ready, gboolean copies);
/* A receive is about to be posted by a call at @when. */
void pd_trail_posts (PdComsys *self, guint32 recv, PdTime when);
/* A message to oneself is copied until then. */
void pd_trail_copied (PdComsys *self, guint32 send, PdTime until);
/* What @send has asked its network for comes at @when. */
void pd_trail_arrives (PdComsys *self, guint32 send, gboolean control, PdTime when);
/* A network that knows only now when a message arrives tells. */
void pd_trail_delivered (PdComsys *self, guint32 send, PdTime when);
/* The announcement is there and the receive has been posted. */
void pd_trail_answers (PdComsys *self, guint32 send);
/* They are complete; the receive at @received. */
void pd_trail_matched (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received);
/* The request completes with the moment that its message has come to. */
void pd_trail_completes (PdComsys *self, guint32 req);
/* The acting rank waits for @req, which is complete … */
void pd_trail_awaits (PdComsys *self, guint32 req);
/* … and from @when on for all others that it has named; blocked until they are complete, or
 * not: then for @overhead. @is_any: there are such. */
void pd_trail_waits (PdComsys *self, const PdCall *call, PdTime overhead, gboolean is_any);
/* What is waited for next ends with the overhead of waits. */
void pd_trail_wait_begins (PdComsys *self);
/* A Waitany finds @req complete, or a test does: its moment is the latest so far. */
void pd_trail_chooses (PdComsys *self, guint32 req);
/* The Waitany of @rank goes on with what it has chosen. */
void pd_trail_goes_on (PdComsys *self, guint32 rank, PdTime overhead);
/* A test, which costs the overhead of waits. */
void pd_trail_tests (PdComsys *self, const PdCall *call);
/* A probe of @rank has found @send, where it had to wait. */
void pd_trail_finds (PdComsys *self, guint32 rank, guint32 send, PdTime overhead);
/* A local step of an operation. */
void pd_trail_step (PdComsys *self, guint32 rank, PdTime when, const PdStep *step);

/* *@slot becomes a node at @when: what it is, or something else that leads there. */
void pd_trail_reach (PdTrail *self, guint32 *slot, PdTime when, guint32 rank);
/* The same of a request that is complete. */
void pd_trail_reach_done (PdComsys *self, guint32 req);
/* The request is complete at @when: its owner, who may be blocked for that, is told. */
void pd_trail_tell_owner (PdComsys *self, guint32 req, PdTime when);
/* @actor does at @when what it has called for. */
void pd_trail_act (PdTrail *self, PdTrailActor *actor, PdTime when);

/* ---- pd-trail-others.c: who meets, operations beside ranks, and networks with ends */

/* The caller meets others: *@latest (a node) becomes the latest who has come. */
void pd_trail_meets (PdComsys *self, const PdCall *call, guint32 *latest);
/* All have come: @rank goes on at @when or, unless it is 0, @req is complete then. */
void pd_trail_met (PdComsys *self, guint32 rank, guint32 req, guint32 latest, PdTime when);

/* From now on @beside (nullable) acts instead of its rank. */
static inline void
pd_trail_switch (PdComsys *self, const PdPlayBeside *beside)
{
  if (self->trail != NULL)
    self->trail->beside = beside != NULL ? beside->index + 1 : 0;
}

/* @beside starts where its rank is at @when. */
void pd_trail_starts_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when);
/* @req, for which it waits or will wait, is complete. */
void pd_trail_got_beside (PdComsys *self, const PdPlayBeside *beside, guint32 req,
                          PdAwaited awaited);
/* It begins a step that @waits: what ends with the overhead of waits. */
void pd_trail_step_beside (PdComsys *self, gboolean waits);
/* It works until @when. */
void pd_trail_work_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when,
                           const PdStep *step);
/* It waits from @when on … */
void pd_trail_waits_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when,
                            PdAwaited awaited);
/* … and that is over at @when. */
void pd_trail_ends_wait_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when,
                                PdAwaited awaited);
/* The operation is over at @when. */
void pd_trail_ends_beside (PdComsys *self, const PdPlayBeside *beside, PdTime when);

/* @req is complete: that is what @token stands for. */
void pd_trail_notes (PdComsys *self, guint32 req, guint32 token);

/* Networks with ends: before anything happens. */
void pd_trail_init_ends (PdComsys *self);
/* The send has left now, and arrives at @arrival. */
void pd_trail_launches (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival);
/* It is received from now on. */
void pd_trail_receives (PdComsys *self, guint32 send, const PdTransfer *transfer);
/* As pd_trail_matched(). */
void pd_trail_matched_ends (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received);
/* The receive of a Sendrecv is about to be posted now. */
void pd_trail_posts_behind (PdComsys *self, guint32 recv);
/* What the acting rank does keeps its processor until @when; @computes: and nothing else. */
void pd_trail_keeps_cpu (PdComsys *self, guint32 rank, PdTime when, gboolean computes);
/* It goes on when its processor is free. */
void pd_trail_follows_cpu (PdComsys *self, guint32 rank);
/* The same of a rank that has been blocked. */
void pd_trail_returns_by_cpu (PdComsys *self, guint32 rank);
/* The acting rank would compute from @begin to @when, but cannot yet … */
void pd_trail_puts_off (PdComsys *self, guint32 rank, PdTime begin, PdTime when);
/* … and begins now. */
void pd_trail_computes (PdComsys *self, guint32 rank);

G_END_DECLS

#endif
