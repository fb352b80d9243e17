/* Which algorithm an operation is played by: the machine's own choices, then the table
 * of its set. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_CHOICE_PRIVATE_H
#define PD_COLL_CHOICE_PRIVATE_H

#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_algorithm_find:
 * Returns: (nullable): the algorithm of that name for @op.
 */
const PdAlgorithm *pd_algorithm_find (PdOp op, const char *name);

/* The algorithm for what @exec has as arguments, and its segments. */
void pd_collective_choose (const PdCollectiveSet *set, PdExecution *exec);

PdCollectiveSet *pd_collective_set_new (const PdMachine *machine, GError **error);
void pd_collective_set_free (PdCollectiveSet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCollectiveSet, pd_collective_set_free)

#endif
