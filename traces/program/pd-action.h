/* Actions: their names, and their form as cells.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ACTION_H
#define PD_ACTION_H

#include "traces/program/pd-loops.h"

/**
 * pd_action_init:
 * @action: (out caller-allocated): fields that the kind does not need
 * @kind: what it will be
 */
void pd_action_init (PdAction *action, PdActionKind kind);

/**
 * pd_action_read:
 * @cell: the first cell of an action
 * @action: (out caller-allocated): it, decoded; an amount that is a sample is 0
 *
 * Returns: the first cell of the next action.
 */
const PdProgramCell *pd_action_read (const PdProgramCell *cell, PdAction *action);

/**
 * pd_action_skip:
 * @cell: the first cell of an action
 *
 * Returns: the first cell of the next action.
 */
const PdProgramCell *pd_action_skip (const PdProgramCell *cell);

/**
 * pd_loops_read:
 * @self: where the reader is in its loops
 * @cell: the first cell of an action
 * @end: behind the rank's last cell
 * @action: (out caller-allocated): it, decoded, with its amount
 *
 * Returns: the first cell of the action that comes next, perhaps in a repetition; or @end.
 */
static inline const PdProgramCell *
pd_loops_read (PdLoops *self, const PdProgramCell *cell, const PdProgramCell *end, PdAction *action)
{
  const PdProgramCell *next = pd_action_read (cell, action);

  if (G_UNLIKELY ((cell->kind & ~PD_CELL_MORE) == PD_CELL_SAMPLE))
    action->amount = pd_sample_read (&self->sample);
  return pd_loops_settle (self, next, end);
}

/**
 * pd_action_is_pause:
 * Returns: whether @action stands for a pause of the recording: action->recorded passed in the
 *   recorded run, and is no part of it.
 */
static inline gboolean
pd_action_is_pause (const PdAction *action)
{
  return action->kind == PD_ACT_DELAY && action->recorded >= 0;
}

/**
 * pd_action_name:
 * Returns: "MPI_Isend", "MPI_Allreduce", "compute": what messages call @action;
 *   static.
 */
const char *pd_action_name (const PdAction *action);

/**
 * pd_action_get_called:
 * @action: one of @program
 *
 * Returns: "MPI_Startall": the function that the program called; borrowed from
 *   @program, or static. It is pd_action_name() but for functions that do the same
 *   as others.
 */
const char *pd_action_get_called (const PdAction *action, const PdProgram *program);

/**
 * pd_action_is_part:
 * Returns: whether the call goes on with the next action: what MPI_Startall or
 *   MPI_Isendrecv begin is an action each, of which the last has the call's time.
 */
static inline gboolean
pd_action_is_part (const PdAction *action)
{
  return action->called != PD_PROGRAM_NONE && action->recorded < 0;
}

/**
 * pd_action_makes_request:
 * Returns: whether an action of that kind begins a request, or makes one that is persistent.
 */
gboolean pd_action_makes_request (PdActionKind kind);

/**
 * pd_coll_name:
 * Returns: "allreduce": the operation in lower case with underscores.
 */
const char *pd_coll_name (PdCollKind op);

#endif
