/* The parts of the analysis. Each rank is gone through three times in the order of
 * its actions, by one cursor that knows requests (#PdReplay): first what is sent,
 * received and met is collected, and matched; then each call is charged what it
 * waited for; last, the shares of the critical path.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_PRIVATE_H
#define PD_ANALYSIS_PRIVATE_H

#include "analyse/pd-analysis.h"

G_BEGIN_DECLS

#define PD_ANALYSIS_NONE G_MAXUINT32

/* ---- pd-replay.c: a rank on its way through its actions */

/* A message that begins in an action. */
typedef struct
{
  gboolean is_recv;
  guint32 record; /* its number among the sends, or the receives, of all ranks */
  guint32 comm;
  gint32 peer; /* rank in the communicator; < 0: unknown */
  gint32 tag;  /* < 0: unknown */
  gint64 bytes;
} PdStarted;

typedef enum
{
  PD_REQUEST_NONE,
  PD_REQUEST_SEND,
  PD_REQUEST_RECV,
  PD_REQUEST_COLL,
  PD_REQUEST_NOBODY, /* with MPI_PROC_NULL */
} PdRequestKind;

/* A request that ends in an action. */
typedef struct
{
  PdRequestKind kind;
  guint32 record; /* of SEND and RECV */
  gint64 started; /* when its call began */
} PdEnded;

typedef struct _PdReplaySlot PdReplaySlot;

typedef struct
{
  const PdProgram *program;
  guint32 rank;
  guint32 n_sends; /* of all ranks, so far */
  guint32 n_recvs;
  const PdCell *cell;
  const PdCell *end;
  PdReplaySlot *slots;
  guint32 n_slots;
  /* of the present action: */
  PdAction action;
  guint64 number;
  gint64 enter; /* on the common clock, ps */
  gint64 leave;
  const char *file; /* from the last location; "" */
  gint64 line;
  GArray *started;   /* PdStarted */
  GArray *ended;     /* PdEnded */
  guint32 cancelled; /* the receive that is cancelled; %PD_ANALYSIS_NONE */
} PdReplay;

void pd_replay_init (PdReplay *self, const PdProgram *program);
void pd_replay_clear (PdReplay *self);
/* The next actions are those of @rank: ranks in ascending order. */
void pd_replay_begin_rank (PdReplay *self, guint32 rank);
/* FALSE at the end of the rank. */
gboolean pd_replay_next (PdReplay *self);
/* How long an action took when it was recorded, ps. */
gint64 pd_replay_duration (const PdAction *action);
/* The world rank of @member of a communicator; %PD_ANALYSIS_NONE: there is none. */
guint32 pd_replay_world_rank (const PdProgram *program, guint32 comm, gint32 member);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdReplay, pd_replay_clear)

/* ---- pd-matching.c: who sent what whom received, who met whom */

typedef struct
{
  gint64 enter; /* of the call that starts it */
  gint64 leave;
  guint32 rank;
  guint32 recv; /* its partner; %PD_ANALYSIS_NONE */
  guint32 next; /* of the same ranks, communicator and tag */
} PdSent;

typedef struct
{
  gint64 posted;
  guint32 rank;
  guint32 send;          /* its partner; %PD_ANALYSIS_NONE */
  guint32 next;          /* likewise */
  gboolean is_uncertain; /* the partner is another one's if messages between are missing */
} PdReceived;

/* One collective operation. */
typedef struct
{
  PdCollKind op;
  guint32 n;     /* members that have been there */
  guint32 last;  /* the rank that came last */
  guint32 root;  /* rank in the world */
  gint64 begins; /* when the first came, the root or not */
  gint64 latest; /* when the last came */
  gint64 ends;   /* when the last was through */
  gint64 rooted; /* when the root came; -1: not yet */
  gint64 others; /* when the first came that is not the root; -1 */
} PdMet;

typedef struct
{
  GArray *sent;     /* PdSent */
  GArray *received; /* PdReceived */
  GArray **met;     /* (array length=n_comms) (nullable elements): PdMet */
  guint32 n_comms;
  guint64 n_messages;
  PdTimeSum n_bytes;
  guint64 n_unmatched;
  guint64 n_missing; /* members of collective operations */
  guint64 n_clock;   /* messages that arrive before they are sent, though none is missing */
} PdMatching;

PdMatching *pd_matching_new (const PdProgram *program);
void pd_matching_free (PdMatching *self);
/* Whether the members of an action meet: collective operations that block and are
 * no system calls, and fences. */
gboolean pd_matching_meets (const PdAction *action);
/* The next operation of the rank on a communicator: @counters has one per
 * communicator it has used. */
PdMet *pd_matching_next (PdMatching *self, GHashTable *counters, guint32 comm);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMatching, pd_matching_free)

/* ---- pd-waits.c: what a call has waited for */

/* A call that ended when it did because of another rank. */
typedef struct
{
  gint64 cause; /* when the other one did what was waited for, */
  gint64 leave; /* and when the call ended */
  guint32 rank; /* the other one */
} PdBlock;

typedef struct
{
  PdQuantity quantity; /* SENDRECV, COLLECTIVE, SYSTEM, CPU_SEQ */
  PdCallCosts costs;
  gint64 waits[PD_N_WAIT_STATES];
  PdBlock block; /* rank: %PD_ANALYSIS_NONE: it waited for nobody */
  guint n_sends;
  guint n_receives;
  guint n_waits;
  guint n_collectives;
} PdCharge;

/* What the present action of @replay is charged. */
void pd_waits_charge (PdMatching *matching, const PdReplay *replay, GHashTable *counters,
                      PdCharge *charge);

/* ---- pd-path.c: the critical path */

/* A stretch of it on one rank. */
typedef struct
{
  guint32 rank;
  gint64 from;
  gint64 to;
} PdStretch;

/* @blocks: (array length=n_ranks): PdBlock of each rank, in order. Returns: the
 * stretches, by rank and time. */
GArray *pd_path_find (PdAnalysis *analysis, GArray *const *blocks);

/* ---- pd-nodes.c: in which interval a rank is */

typedef struct
{
  PdIntervalTree *tree;
  const PdProgram *program;
  const char *file;     /* for messages */
  PdMessages *messages; /* (nullable) */
  guint32 node;         /* the innermost one that is open; begins with the root */
} PdNodes;

/* The present action of @replay, if it is the beginning or the end of an interval. */
void pd_nodes_follow (PdNodes *self, const PdReplay *replay, gboolean counts);
/* The rank has ended: the next one begins in the root. */
void pd_nodes_end_rank (PdNodes *self, guint32 rank);

/* ---- pd-sites.c: call sites */

typedef struct
{
  GArray *sites;     /* PdCallSite */
  GHashTable *index; /* PdSiteKey -> 1 + index */
} PdSites;

void pd_sites_init (PdSites *self);
void pd_sites_clear (PdSites *self);
/* The site of the present call in @node; its index. @part: of Communication, if it
 * is new. */
guint32 pd_sites_find (PdSites *self, const PdReplay *replay, guint32 node, PdQuantity part);
/* Ranks ascend. */
void pd_sites_add (PdSites *self, guint32 site, guint32 rank, const PdCharge *charge);
/* By interval, place and function. */
void pd_sites_sort (GArray *sites, const PdProgram *program);
/* Sums over the intervals inside each, and where its call sites are; at the end. */
void pd_analysis_index (PdAnalysis *self);
void pd_call_costs_add (PdCallCosts *costs, const PdCallCosts *more);
GArray *pd_sites_array_new (void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdSites, pd_sites_clear)

G_END_DECLS

#endif
