/* What the parts of the conversion from programs to graphs share. Not for other
 * folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_FROM_PRIVATE_H
#define PD_GRAPH_FROM_PRIVATE_H

#include "comsys/pd-schedule.h"
#include "predictor/pd-graph-chain.h"
#include "predictor/pd-graph-from-program.h"

G_BEGIN_DECLS

/* What a tag is of: the messages of a communicator, those of its blocking
 * collective operations, those of one that does not block. */
typedef enum
{
  PD_TAG_USER,
  PD_TAG_BLOCKING,
  PD_TAG_BESIDE,
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
  PdComm **comms;    /* (array length=n_comms): by communicator */
  guint32 *n_beside; /* (array length=n_comms): non-blocking collectives of the current rank */
  guint32 n_comms;
  GHashTable *tags; /* (use, communicator, number) -> tag */
  guint64 next_tag;
  gboolean many_contexts; /* some message is not of the world's user */
  guint32 rank;           /* the current one */
  guint64 n_actions;      /* of it, so far */
  PdGraphChain chain;
  PdGraphChain beside; /* scratch: a collective operation that does not block */
  PdGraphSlot *slots;
  guint32 n_slots;
} PdGraphMaker;

/* Says that a graph cannot express what the current action does. */
void pd_graph_maker_lose (PdGraphMaker *self, const char *text);

/* Says that it does not tell what has no effect. */
void pd_graph_maker_drop (PdGraphMaker *self);

/* The number in the graph of a tag. */
guint32 pd_graph_maker_tag (PdGraphMaker *self, PdTagUse use, guint32 comm, guint32 number);

/* What @action becomes. FALSE with @error set if that cannot be. */
gboolean pd_graph_make_action (PdGraphMaker *self, const PdAction *action, GError **error);

/* A collective operation, blocking or not. FALSE with @error set if the set has
 * no messages for it. */
gboolean pd_graph_make_collective (PdGraphMaker *self, const PdAction *action, GError **error);

/* The request @slot of the current rank. */
PdGraphSlot *pd_graph_maker_slot (PdGraphMaker *self, guint32 slot);

/* Waits for the end of @link from then on are waits for @slot. */
void pd_graph_slot_add (PdGraphSlot *slot, PdGraphLink link);

G_END_DECLS

#endif
