/* What the readers of GOAL share. Not for other folders.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_PRIVATE_H
#define PD_GOAL_PRIVATE_H

#include "traces/pd-goal.h"

G_BEGIN_DECLS

/* Finishes @builder; what it finds wrong becomes a #PD_TRACE_ERROR about @name. */
PdGraph *pd_goal_finish (PdGraphBuilder *builder, const char *name, GError **error);

G_END_DECLS

#endif
