/* The analysis of a run of a message-passing program whose times are known,
 * measured or predicted: where the time of its MPI calls went, and why.
 *
 * All figures are exact to the picosecond in terms of the recorded times. The
 * definitions are those of the 2005 analyser of MPI programs, for nested and
 * repeated intervals, and of wait states beyond it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_H
#define PD_ANALYSIS_H

#include "analyse/pd-sizes.h"
#include "base/pd-messages.h"
#include "base/pd-progress.h"
#include "base/pd-tails.h"
#include "intervals/pd-interval.h"
#include "timeline/pd-timeline.h"
#include "traces/program/pd-program.h"

/* Why a rank waited inside a call for what others did. */
typedef enum
{
  PD_WAIT_LATE_SENDER,    /* a receive, or a wait for it, before the message was sent */
  PD_WAIT_LATE_RECEIVER,  /* a send that could not go on before its receive was posted */
  PD_WAIT_AT_BARRIER,     /* a barrier before the last member came */
  PD_WAIT_AT_NXN,         /* likewise an operation where all need something of all */
  PD_WAIT_LATE_BROADCAST, /* one that receives from the root, before the root came */
  PD_WAIT_EARLY_REDUCE,   /* the root of one that receives from all, before all of them came */
  PD_WAIT_EARLY_SCAN,     /* a scan before those of lower rank came */
  PD_WAIT_LATE_NEIGHBOUR, /* an operation of neighbours, before those that send came */
  PD_WAIT_LATE_POST,      /* an access of a window before its target posted */
  PD_WAIT_LATE_COMPLETE,  /* a wait of a window before its last origin completed */
  PD_WAIT_LATE_WAIT,      /* the end of an access that went on until its target waited */
  PD_WAIT_LOCK,           /* a lock, or an access under it, while another rank held it */
  PD_N_WAIT_STATES,
} PdWaitState;

/* The costs of the calls of one place, of a rank or of all ranks. */
typedef struct
{
  guint64 count;
  PdTimeSum time;
  PdTimeSum real_sync;
  PdTimeSum potential_sync;
  PdTimeSum time_variation;
  PdTimeSum overlap;
} PdCallCosts;

typedef struct
{
  guint32 rank;
  PdCallCosts costs;
} PdCallSiteRank;

/* The calls of one function from one place in one interval. */
typedef struct
{
  guint32 node;         /* of the tree: the innermost interval */
  guint32 site;         /* of the program, for the stack; %PD_PROGRAM_NONE = unknown */
  const char *file;     /* borrowed from the program; "" if unknown */
  gint64 line;          /* 0 = unknown */
  const char *function; /* "MPI_Recv"; borrowed from the program, or static */
  PdQuantity part;      /* of Communication: SENDRECV, COLLECTIVE or SYSTEM */
  PdCallCosts costs;    /* of all ranks */
  PdTimeSum waits[PD_N_WAIT_STATES];
  guint64 n_polls;   /* of the calls, those that asked and found nothing */
  PdTimeSum on_path; /* its share of the critical path */
  PdSizes sizes;     /* of the messages that begin in the calls, and of collective operations */
  GArray *ranks;     /* PdCallSiteRank, ascending */
} PdCallSite;

/* For whom others waited, and where that one was. */
typedef struct
{
  guint32 node; /* of the tree: the innermost interval of those who waited */
  PdWaitState state;
  guint32 rank;
  guint32 site; /* of the program: the call that came late; %PD_PROGRAM_NONE = unknown */
  PdTimeSum waited;
} PdLate;

/* The shares of the critical path that are spent in an interval itself. */
typedef struct
{
  PdTimeSum computation;
  PdTimeSum communication;
} PdPathShare;

/* Computation whose processor time is known. */
typedef struct
{
  PdTimeSum time;
  PdTimeSum processor; /* of all threads meanwhile */
} PdBusy;

typedef struct _PdDelays PdDelays;
typedef struct _PdRetiming PdRetiming;

typedef struct
{
  const PdProgram *program; /* borrowed */
  PdIntervalTree *tree;     /* all quantities of a message-passing program */
  PdRetiming *retiming;     /* (nullable): what does not take the recorded time */
  PdProgress *progress;     /* (nullable): borrowed, while it is made */
  PdTails *tails;           /* files of call sites, as people see them */
  GArray *sites;            /* PdCallSite: by interval, place, function */
  GArray *lates;            /* PdLate: by interval, state, rank, site */
  guint32 *first_site;      /* (array length=n_nodes + 1): where those of an interval begin */
  guint32 *first_child;     /* (array length=n_nodes): 0 = none */
  guint32 *next_sibling;    /* (array length=n_nodes): 0 = none */
  PdTimeSum *waits;         /* (array length=n_nodes * PD_N_WAIT_STATES): while innermost */
  PdPathShare *path;        /* (array length=n_nodes): while innermost */
  PdTimeSum *all_waits;     /* the same with the intervals inside */
  PdPathShare *all_path;
  PdBusy *busy;         /* (array length=n_nodes): with the intervals inside */
  PdBusy *busy_ranks;   /* (array length=n_ranks) */
  PdDelays *delays;     /* what caused the waiting */
  PdTime *end_times;    /* (array length=n_ranks): each from its own beginning, without pauses */
  PdTime *paused;       /* (array length=n_ranks): for how long recording paused before its end */
  PdTime makespan;      /* from the first beginning to the last end, on the common clock, without
                         * the pauses on the critical path */
  guint32 path_begin;   /* the rank where the critical path begins, */
  guint32 path_end;     /* and where it ends, last of all */
  guint32 path_changes; /* how often it goes from one rank to another */
  guint64 n_messages;   /* point to point */
  PdTimeSum n_bytes;    /* of them (in .ps) */
  guint64 n_unmatched;  /* messages without a receive, and receives without one */
} PdAnalysis;

/**
 * pd_analysis_new:
 * @program: read with recorded times; must outlive the analysis
 * @file: what messages call it
 * @messages: (nullable): gets `interval-mismatch`, `interval-open`,
 *   `clock-order` (a message arrives before it was sent: the clocks of two ranks
 *   differ, and so do the figures by as much), `matching-incomplete` (sends,
 *   receives or members of collective operations are missing) and `recording-paused` (a
 *   part of the run was not recorded, as the program wanted it)
 * @error: return location for %PD_TRACE_ERROR_VALUE: no call has a recorded
 *   time, or computation is not given in time; %PD_TRACE_ERROR_LIMIT: a rank did more between its
 *   waits than can be told apart (16 GiB, some bytes of each thing)
 *
 * Costs time and memory of the number of actions.
 *
 * Returns: (transfer full) (nullable): the analysis.
 */
PdAnalysis *pd_analysis_new (const PdProgram *program, const char *file, PdMessages *messages,
                             GError **error);

/**
 * pd_analysis_new_compensated:
 *
 * As pd_analysis_new(), of the run without what recording it cost: a note `overhead-compensated`
 * says how much was taken out. An error is also that the trace does not say what calls cost.
 *
 * Returns: (transfer full) (nullable): the analysis.
 */
PdAnalysis *pd_analysis_new_compensated (const PdProgram *program, const char *file,
                                         PdMessages *messages, GError **error);

/**
 * pd_busy_mean:
 * Returns: how many processors were busy on the average; NaN: unknown.
 */
gdouble pd_busy_mean (const PdBusy *self);

/**
 * pd_analysis_is_shared:
 * Returns: whether ranks of the measured run shared processors, so that their waits are those of
 *   a scheduler.
 */
gboolean pd_analysis_is_shared (const PdAnalysis *self);

/**
 * pd_analysis_free:
 * @self: (nullable): the analysis, its tree with it
 */
void pd_analysis_free (PdAnalysis *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAnalysis, pd_analysis_free)

#endif
