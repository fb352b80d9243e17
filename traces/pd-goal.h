/* GOAL schedules: the text and the binary form of LogGOPSim, read into and
 * written from a PdGraph. What is accepted is in man/predictor-goal.5.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_FILES_H
#define PD_GOAL_FILES_H

#include "traces/pd-graph.h"
#include "traces/pd-input.h"
#include "traces/pd-output.h"

G_BEGIN_DECLS

/* What a binary file begins with, as a little-endian number of 64 bits. */
#define PD_GOAL_MAGIC         4223
#define PD_GOAL_MAGIC_INVALID 2342 /* LogGOPSim has used it up */

/**
 * pd_goal_is_text:
 * @head: (array length=n): the first bytes of a file, decompressed
 * @n: how many; some hundred suffice
 *
 * Returns: whether the first word that is no comment is num_ranks.
 */
gboolean pd_goal_is_text (const char *head, gsize n);

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

/**
 * pd_goal_write_text:
 * @graph: what is written
 * @out: where to; it keeps errors
 *
 * Operation number i of a rank is labelled "l" and i. The same graph always
 * gives the same bytes; reading them gives the same graph.
 */
void pd_goal_write_text (const PdGraph *graph, PdOutput *out);

/**
 * pd_goal_write_binary:
 * @graph: what is written
 * @out: where to; it keeps errors
 */
void pd_goal_write_binary (const PdGraph *graph, PdOutput *out);

G_END_DECLS

#endif
