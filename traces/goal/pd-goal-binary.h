/* GOAL's binary form, which pd-goal-binary.c describes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_BINARY_H
#define PD_GOAL_BINARY_H

#include "traces/goal/pd-goal.h"

/**
 * pd_goal_is_binary:
 * @head: (array length=n): the first bytes of a file, decompressed
 * @n: how many
 *
 * Returns: whether they are a magic number of GOAL's binary form, in either
 *   order of bytes.
 */
gboolean pd_goal_is_binary (const char *head, gsize n);

/**
 * pd_goal_read_binary:
 * @bytes: the file
 * @name: its name, for messages
 * @error: return location for a #PD_TRACE_ERROR: FORMAT, VALUE (an offset,
 *   index, count or kind that cannot be), LIMIT, TRUNCATED
 *
 * Returns: (transfer full) (nullable): the graph.
 */
PdGraph *pd_goal_read_binary (GBytes *bytes, const char *name, GError **error);

#endif
