/* GOAL texts by several threads, each of which reads some ranks. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_PARTS_H
#define PD_GOAL_PARTS_H

#include "traces/goal/pd-goal.h"
#include "traces/io/pd-trace-source.h"

/**
 * pd_goal_read_parts:
 * @source: a GOAL text
 * @n_threads: see #PdTraceReadOptions
 *
 * Returns: (transfer full) (nullable): what pd_goal_read_text() reads; %NULL if that has to read
 * it: it cannot be cut, or something is wrong.
 */
PdGraph *pd_goal_read_parts (const PdTraceSource *source, guint n_threads);

#endif
