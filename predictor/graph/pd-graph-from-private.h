/* Shared declarations of the parts of the conversion from programs to graphs. Not for other
 * folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_PRIVATE_H
#define PD_GRAPH_FROM_PRIVATE_H

#include "comsys/mpi/pd-schedule.h"
#include "predictor/graph/pd-graph-chain.h"
#include "predictor/graph/pd-graph-from-program.h"

/* The use of a tag: the messages of a communicator, those of its blocking
 * collective operations, those of one that does not block. */
typedef enum
{
  PD_TAG_USER,
  PD_TAG_BLOCKING,
  PD_TAG_NONBLOCKING,
} PdTagUse;

/* A request of the current rank. */
typedef struct
{
  gboolean active;
  GArray *ends;    /* (nullable): PdGraphLink: all are waited for */
  PdAction *start; /* (nullable): of a persistent one: what MPI_Start does */
} PdGraphSlot;

typedef struct
{
  const PdProgram *program;
  const PdGraphOptions *options;
  PdMessages *messages;
  PdGraphBuilder *builder;
  PdComsys *comsys;
  PdScheduleWalk *walk;
  PdComm **comms;         /* (array length=n_comms): by communicator */
  guint32 *n_nonblocking; /* (array length=n_comms): non-blocking collectives of the current rank */
  guint32 n_comms;
  GHashTable *tags; /* (use, communicator, number) -> tag */
  guint64 next_tag;
  gboolean many_contexts; /* some message is not of the world's user */
  guint32 rank;           /* the current one */
  guint64 n_actions;      /* of it, so far */
  PdGraphChain chain;
  PdGraphChain nonblocking; /* scratch: a collective operation that does not block */
  PdGraphSlot *slots;
  guint32 n_slots;
} PdGraphMaker;

#endif
