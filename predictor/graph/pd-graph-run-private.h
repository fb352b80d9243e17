/* Shared declarations of the files of the main loop of dependency graphs.
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
  guint32 op;    /* that it does; PD_GRAPH_NONE: it is free */
  gboolean ends; /* the operation, when the CPU is free */
  guint8 number; /* as operations name it */
} PdGraphCpu;

/* A simulated rank. */
typedef struct
{
  PdTime ret;  /* slot of its call */
  gint64 end;  /* of the completed operations */
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
  PdTime *ready;  /* (nullable): of each operation, the latest end of its dependencies; where
                   * operations are submitted to ComSys */
  PdTime moment;  /* likewise: of the start or the end that makes others ready */
  PdGraphList batch[PD_GRAPH_N_KINDS]; /* of the rank that acts: what has just become ready */
  PdTime clock;                        /* of the rank that acts */
  gboolean own_clock;                  /* it may go on without the queue */
  gboolean has_lanes; /* where operations are submitted: they name CPUs or adapters, */
  guint32 n_lanes;    /* and so many CPUs */
  guint64 n_done;
  guint32 n_ranks;
  gboolean overflow;
} PdGraphRun;

/* ---- pd-graph-operations.c: where operations are submitted to ComSys */

void pd_graph_operations_init (PdGraphRun *self);
void pd_graph_operations_turn (PdGraphRun *self, const PdTurn *turn);
PdTime pd_graph_operations_end (const PdGraphRun *self, guint32 rank);
/* A dependency of an operation of the acting rank is fulfilled at PdGraphRun.moment. */
void pd_graph_operations_follow (PdGraphRun *self, guint32 rank, guint32 op);

/* ---- lists and dependencies */

/* A list without elements. */
#define PD_GRAPH_EMPTY ((PdGraphList){ PD_GRAPH_NONE, PD_GRAPH_NONE })

static inline void
pd_graph_append (guint32 *links, PdGraphList *list, guint32 op)
{
  links[op] = PD_GRAPH_NONE;
  if (list->head == PD_GRAPH_NONE)
    list->head = op;
  else
    links[list->tail] = op;
  list->tail = op;
}

static inline guint32
pd_graph_take_first (const guint32 *links, PdGraphList *list)
{
  guint32 op = list->head;

  list->head = links[op];
  return op;
}

static inline void
pd_graph_satisfy (PdGraphRun *self, const PdGraphRank *r, guint32 edge)
{
  guint32 op = edge & PD_GRAPH_EDGE_OP;

  if (G_UNLIKELY (self->ready != NULL))
    pd_graph_operations_follow (self, (guint32) (r - self->ranks), op);
  if ((edge & PD_GRAPH_EDGE_JOIN) == 0 || --self->left[r->first + op] == 0)
    pd_graph_append (self->links + r->first, &self->batch[edge >> PD_GRAPH_EDGE_KIND & 3], op);
}

/* Of the operation in cell @i: those that wait for its start, or for its end. */
static inline void
pd_graph_satisfy_all (PdGraphRun *self, const PdGraphRank *r, guint32 i, gboolean on_start)
{
  const PdGraphCell *cell = &self->cells[i];

  if (cell->flags & PD_GRAPH_CELL_NEXT)
    {
      const PdGraphCell *next = cell + 1;
      if (!on_start)
        pd_graph_satisfy (self, r,
                          (i + 1 - r->first)
                              | (next->flags & PD_GRAPH_CELL_KIND) << PD_GRAPH_EDGE_KIND
                              | (next->flags & PD_GRAPH_CELL_JOIN ? PD_GRAPH_EDGE_JOIN : 0));
      return;
    }
  if (on_start && (cell->flags & PD_GRAPH_CELL_START) == 0)
    return;
  for (guint32 k = cell->edges; k < cell[1].edges; k++)
    if (((self->edges[k] & PD_GRAPH_EDGE_START) != 0) == on_start)
      pd_graph_satisfy (self, r, self->edges[k]);
}

/* The first operations of a rank are ready. */
static inline void
pd_graph_begin (PdGraphRun *self, const PdGraphRank *r)
{
  for (guint32 i = r->first; i < r[1].first; i++)
    if (self->cells[i].flags & PD_GRAPH_CELL_ROOT)
      pd_graph_append (self->links + r->first,
                       &self->batch[self->cells[i].flags & PD_GRAPH_CELL_KIND], i - r->first);
}

/* The time of a calc of @ns, to the speed of its rank and with its noise. */
static inline PdTime
pd_graph_get_calc_time (const PdGraphRun *self, guint32 rank, guint32 op, gint64 ns)
{
  const PdGraphRunParams *params = self->params;
  PdTime time = PD_TIME (ns > G_MAXINT64 / PD_PS_PER_NS ? G_MAXINT64 : ns * PD_PS_PER_NS);

  if (params->speeds != NULL)
    time = pd_time_divide (time, params->speeds[rank]);
  return params->noise != NULL ? pd_noise_apply (params->noise, rank, op, 0, time) : time;
}

static inline PdEnvelope
pd_graph_envelope (const PdGraphOp *op)
{
  return (PdEnvelope){ op->peer == PD_GRAPH_ANY ? PD_ANY_SOURCE : (gint32) op->peer,
                       (gint32) op->tag, op->size };
}

#endif
