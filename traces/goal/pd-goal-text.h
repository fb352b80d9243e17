/* The reader of GOAL texts: one pass, line by line, straight into the builder of the
 * graph.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_TEXT_H
#define PD_GOAL_TEXT_H

#include "traces/goal/pd-goal.h"

/**
 * pd_goal_is_text:
 * @head: (array length=n): the first bytes of a file, decompressed
 * @n: how many; some hundred suffice
 *
 * Returns: whether the first word that is no comment is num_ranks.
 */
gboolean pd_goal_is_text (const char *head, gsize n);

/**
 * pd_goal_read_text:
 * @input: where the text is
 * @name: the input's name, for messages
 * @error: return location for a #PD_TRACE_ERROR: SYNTAX, VALUE (an unknown or
 *   second label, a rank out of order or out of range), LIMIT (a number too
 *   large), TRUNCATED (it ends before it is complete)
 *
 * Returns: (transfer full) (nullable): the graph.
 */
PdGraph *pd_goal_read_text (PdInput *input, const char *name, GError **error);

#endif
