/* GOAL schedules, read from texts and written to bytes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_GOAL_FILES_H
#define PD_TEST_GOAL_FILES_H

#include "traces/goal/pd-goal.h"

/**
 * test_goal_read_in:
 * @chunk: bytes that are read at once; 0 = as usual
 *
 * Returns: (transfer full) (nullable): what @text (array length=size) is.
 */
PdGraph *test_goal_read_in (const char *text, gsize size, gsize chunk, GError **error);

/**
 * test_goal_read:
 * Returns: (transfer full) (nullable): what @text is.
 */
PdGraph *test_goal_read (const char *text, GError **error);

/**
 * test_goal_write:
 * Returns: (transfer full): what a writer makes of @graph.
 */
GBytes *test_goal_write (const PdGraph *graph, gboolean binary);

/**
 * test_goal_round_trip:
 * text -> graph -> binary -> graph -> text: fails if anything is lost on the way.
 */
void test_goal_round_trip (const PdGraph *graph);

#endif
