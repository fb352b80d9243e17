/* Root causes of waiting: every second that ranks wait for others is charged, along the
 * chain of who waited for whom, to the computation or communication that made a rank late.
 *
 * Source of the idea: D. Böhme, M. Geimer, F. Wolf, L. Arnold: Identifying the root causes of
 * wait states in large-scale parallel applications, ICPP 2010. The rule is in docs/models.md.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DELAYS_H
#define PD_DELAYS_H

#include "analyse/pd-analysis.h"

/* The activity in which a rank that others waited for took longer than they. */
typedef enum
{
  PD_DELAY_COMPUTATION,   /* between two calls */
  PD_DELAY_COMMUNICATION, /* in a call, without what it waited for others there */
  PD_DELAY_START,         /* nothing: it began later */
  PD_N_DELAYS,
} PdDelayKind;

/* A call in the program; texts are borrowed from the program, or static. Of calls of several
 * functions on one line, of different ranks, it is one. */
typedef struct
{
  guint32 site;         /* for the stack; %PD_PROGRAM_NONE = unknown */
  const char *file;     /* "" if unknown */
  gint64 line;          /* 0 = unknown */
  const char *function; /* "" = none: the beginning or the end of the rank */
} PdCallPlace;

/* One rank in one place. */
typedef struct
{
  guint32 rank;
  PdDelayKind kind;
  guint32 node;         /* of the tree: the interval where the place is */
  PdCallPlace from;     /* the call before it; of a communication the call itself */
  PdCallPlace to;       /* the call behind it, likewise */
  PdTimeSum direct;     /* waiting of those that waited for this rank itself */
  PdTimeSum propagated; /* waiting that these, and ranks that waited for them, have passed on */
  guint32 n_victims;    /* ranks that waited for it themselves */
  guint32 victim;       /* the one of them that waited longest, the lowest of several; */
  PdTimeSum suffered;   /* this long; @victim is undefined if no rank has waited directly */
  PdTimeSum took;       /* of this rank in this place, in the whole run */
  PdTimeSum others;     /* the median of the other ranks that have been there */
  guint32 n_others;     /* so many */
} PdRootCause;

/**
 * pd_delay_kind_id:
 * Returns: "computation", "communication" or "start".
 */
const char *pd_delay_kind_id (PdDelayKind kind);

/**
 * pd_analysis_describe_cause_place:
 * @cause: one of the analysis
 *
 * Returns: (transfer full): "between a.c:4 and a.c:9", "in MPI_Send at a.c:4"; "" of a start.
 */
char *pd_analysis_describe_cause_place (const PdAnalysis *self, const PdRootCause *cause);

/**
 * pd_analysis_get_root_causes:
 * @node: an interval
 *
 * The sum of their @direct and @propagated is pd_analysis_get_waiting() to the picosecond.
 *
 * Returns: (transfer full) (element-type PdRootCause): what caused the waiting in @node and the
 *   intervals inside it, wherever that was; by falling costs, then rank, then place.
 */
GArray *pd_analysis_get_root_causes (const PdAnalysis *self, guint32 node);

/**
 * pd_analysis_get_waiting:
 * @node: an interval
 *
 * Returns: how long ranks have waited for other ranks in it and the intervals inside it: from
 *   the beginning of a call to when the rank that it waited for last let it go on.
 */
PdTimeSum pd_analysis_get_waiting (const PdAnalysis *self, guint32 node);

#endif
