/* Intervals that a program marks, in the tree of a run.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MARKED_H
#define PD_MARKED_H

#include "intervals/pd-interval.h"
#include "traces/program/pd-program.h"

/**
 * pd_marked_key:
 * Returns: what the tree calls @marked; its texts are borrowed.
 */
PdIntervalKey pd_marked_key (const PdProgramInterval *marked);

/**
 * pd_marked_name:
 * Returns: what messages call an interval of the tree; borrowed from @key.
 */
const char *pd_marked_name (const PdIntervalKey *key);

/**
 * pd_marked_find_open:
 * @node: where a rank is
 *
 * Returns: the innermost node around @node, or itself, that is of @key; the root
 *   if it is not open.
 */
guint32 pd_marked_find_open (const PdIntervalTree *tree, guint32 node, const PdIntervalKey *key);

/**
 * pd_marked_mismatch:
 * @node: where a rank is that leaves an interval
 * @open: the result of pd_marked_find_open() for the interval
 *
 * Returns: (nullable): the error, for a message; %NULL: none.
 */
const char *pd_marked_mismatch (guint32 node, guint32 open);

#endif
