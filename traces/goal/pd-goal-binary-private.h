/* GOAL's binary form, which pd-goal-binary.c describes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_BINARY_PRIVATE_H
#define PD_GOAL_BINARY_PRIVATE_H

#include "traces/goal/pd-goal.h"

/* Finishes @builder; what it finds wrong becomes a #PD_TRACE_ERROR about @name. */
PdGraph *pd_goal_finish (PdGraphBuilder *builder, const char *name, GError **error);

#endif
