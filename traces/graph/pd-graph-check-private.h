/* Shared declarations of the parts of the check of graphs. Not for other folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_CHECK_PRIVATE_H
#define PD_GRAPH_CHECK_PRIVATE_H

#include "traces/graph/pd-graph-check.h"

/* Kinds of findings. */
typedef enum
{
  PD_FINDING_CYCLE,
  PD_FINDING_UNREACHABLE,
  PD_FINDING_UNMATCHED,
  PD_FINDING_TRUNCATED,
  PD_FINDING_SIZE,
  PD_FINDING_SELF,
  PD_N_FINDINGS,
} PdFinding;

typedef struct
{
  const PdGraph *graph;
  const char *name;
  PdMessages *messages;
  guint64 counts[PD_N_FINDINGS];
} PdGraphCheck;

/* Adds a finding about operation @op of @rank; the first few of a kind are
 * lines of their own, the others are counted together. */
void pd_graph_check_find (PdGraphCheck *self, PdFinding finding, guint32 rank, guint32 op,
                          const char *format, ...) G_GNUC_PRINTF (5, 6);

#endif
