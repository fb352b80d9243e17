/* What the files of the main loop of dependency graphs share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_RUN_PRIVATE_H
#define PD_GRAPH_RUN_PRIVATE_H

#include "predictor/graph/pd-graph-run.h"
#include "traces/graph/pd-graph-cells.h"

/* In links: */
#define PD_GRAPH_NONE   G_MAXUINT32       /* not ready yet, or the last of a list */
#define PD_GRAPH_FLYING (G_MAXUINT32 - 1) /* started */
#define PD_GRAPH_DONE   (G_MAXUINT32 - 2)

/* Tokens: below this an operation whose message is over, then */
#define PD_GRAPH_TOKEN_CPU   0x40000000u /* and the CPU that is free */
#define PD_GRAPH_TOKEN_BEGIN 0x80000000u

typedef struct
{
  guint32 head;
  guint32 tail;
} PdGraphList;

typedef struct
{
  PdGraphList waiting;
  guint32 op;         /* that it does; PD_GRAPH_NONE: it is free */
  gboolean ends;      /* the operation, when the CPU is free */
  guint8 number;      /* as operations name it */
  guint8 is_notified; /* the timeline knows until when it does @op */
} PdGraphCpu;

/* A simulated rank. */
typedef struct
{
  PdTime ret;  /* slot of its call */
  gint64 end;  /* of what is over */
  gint64 calc; /* time in it */
  guint32 first;
  guint32 cpus;     /* its first one */
  guint32 n_cpus;   /* >= 1 */
  guint32 n_flying; /* turns that are still to come */
  PdGraphList ready;
} PdGraphRank;

typedef struct
{
  const PdGraphRunParams *params;
  const PdGraphCell *cells;
  const guint32 *edges;
  const PdGraphWide *wide;
  PdComsys *comsys;
  PdComm *world;
  PdGraphRank *ranks;
  PdGraphCpu *cpus;
  guint32 *links; /* of each operation */
  guint32 *left;  /* (nullable): of each operation, what it still waits for, if joins */
  PdGraphList batch[PD_GRAPH_N_KINDS]; /* of the rank that acts: what has just become ready */
  PdTime clock;                        /* of the rank that acts */
  gboolean own_clock;                  /* it may go on without the queue */
  guint64 n_done;
  guint32 n_ranks;
  gboolean overflow;
} PdGraphRun;

/* A list without elements. */
#define PD_GRAPH_EMPTY ((PdGraphList){ PD_GRAPH_NONE, PD_GRAPH_NONE })

#endif
