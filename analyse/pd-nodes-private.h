/* In which interval a rank is.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NODES_PRIVATE_H
#define PD_NODES_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"

typedef struct
{
  PdIntervalTree *tree;
  const PdProgram *program;
  const char *file;     /* for messages */
  PdMessages *messages; /* (nullable) */
  guint32 node;         /* the innermost one that is open; begins with the root */
} PdNodes;

/* The present action of @replay, which is the beginning or the end of an interval. */
void pd_nodes_pass (PdNodes *self, const PdReplay *replay, gboolean counts);

/* Likewise, if it is one. */
static inline void
pd_nodes_follow (PdNodes *self, const PdReplay *replay)
{
  if (replay->action->kind == PD_ACT_ENTER || replay->action->kind == PD_ACT_LEAVE)
    pd_nodes_pass (self, replay, FALSE);
}

/* The rank has ended: the next one begins in the root. */
void pd_nodes_end_rank (PdNodes *self, guint32 rank);

#endif
