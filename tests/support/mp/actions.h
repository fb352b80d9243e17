/* Actions of programs that are made by hand.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_ACTIONS_H
#define PD_TEST_ACTIONS_H

#include "traces/program/pd-program.h"

/**
 * test_add:
 * Adds @action to @rank; fails if it is refused.
 */
void test_add (PdProgramBuilder *builder, guint32 rank, PdAction action);

/**
 * test_action:
 * Returns: an action of which nothing else is set.
 */
PdAction test_action (PdActionKind kind);

/**
 * test_compute:
 * Returns: computation of @ps picoseconds.
 */
PdAction test_compute (gint64 ps);

#endif
