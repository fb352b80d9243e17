/* Dependency graphs on a LogGOPS machine: each rank has CPUs that work for o
 * per message and O per byte and network adapters that are busy for g and G;
 * a message is under way for L. The rules are those of LogGOPSim, whose two
 * defects are only reproduced on request.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PREDICTOR_GOAL_H
#define PD_PREDICTOR_GOAL_H

#include "base/pd-time.h"
#include "traces/graph/pd-graph.h"

#include <signal.h>

/* A message of s bytes that is sent at t occupies the sender's CPU until
 * t + o + (s-1) O and its adapter until t + g + (s-1) G, and arrives at
 * t + o + L. From when CPU and adapter of the receiver are free, t', it
 * occupies them until t' + o + (s-1) max (O, G) and t' + g + (s-1) G. Of an
 * empty message (s-1) is 0. */
typedef struct
{
  PdTime latency;            /* L */
  PdTime overhead;           /* o */
  PdTime gap;                /* g */
  gdouble gap_per_byte;      /* G, picoseconds; (s-1) G is rounded once, half up */
  gdouble overhead_per_byte; /* O, likewise */
  gint64 eager;              /* S: who sends more waits until it is received */
  gboolean compat;           /* as LogGOPSim: (s-1) of an empty message is -1, and the end of
                              * an operation does not delay what waits for it on another CPU */
  const gdouble *speeds;     /* (nullable) (array length=n_ranks): calc is divided by it */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: stop as soon as possible */
} PdGoalParams;

/* A blocked operation. */
typedef struct
{
  guint32 rank;
  guint32 op;       /* index in the rank */
  PdGraphKind kind; /* PD_GRAPH_RECV: no message; PD_GRAPH_SEND: no receive */
  gboolean cycle;   /* the operation waits for itself, never ready */
  guint32 peer;     /* or PD_GRAPH_ANY */
  guint32 tag;      /* likewise */
  gint64 bytes;
} PdGoalBlocked;

typedef struct
{
  guint32 n_ranks;
  PdTime *ends;            /* (array length=n_ranks): when the CPUs of a rank are free for good */
  PdTime end;              /* the latest */
  guint64 n_messages;      /* sent */
  PdTimeSum n_bytes;       /* of them (in .ps) */
  guint64 n_events;        /* operations done and messages arrived */
  guint64 n_state_bytes;   /* memory that was taken besides the graph, at the end */
  guint64 n_unmatched;     /* messages sent without waiting that have no receive */
  PdGoalBlocked unmatched; /* the first of them, as its send, if there is one; of unknown
                            * rank PD_GRAPH_ANY */
  GArray *blocked;         /* of PdGoalBlocked, by rank: a deadlock if not empty; the first of each
                            * rank, of 1000 ranks at most */
  guint64 n_blocked;       /* ranks that cannot go on */
} PdGoalResult;

/**
 * pd_goal_goes_back:
 * Returns: whether an empty message would take CPU or adapter for less than no time, which only
 *   pd_goal_simulate() follows.
 */
gboolean pd_goal_goes_back (const PdGoalParams *params);

/**
 * pd_goal_simulate:
 * @graph: any number of ranks
 * @params: of the machine
 * @result: (out caller-allocated): to be cleared with pd_goal_result_clear(),
 *   also after an error
 * @error: return location for a #PdSimulationError
 *
 * Events are processed in the order of (time, number): operations that become
 * ready together are numbered send before recv before calc, those of a lower
 * rank first.
 *
 * Returns: %FALSE in a deadlock (the message is a table; @result has what
 *   waits, and the clocks), if a clock passes 106 days, or when stopped.
 */
gboolean pd_goal_simulate (const PdGraph *graph, const PdGoalParams *params, PdGoalResult *result,
                           GError **error);

#endif
